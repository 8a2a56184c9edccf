// Who takes part, in what. A contender's own file defines it; contenders.cpp lists them all.
#pragma once

#include <cstddef>

#include "sinter/core/element.hpp"

namespace bench {

enum class kind {
    chain1,  // so many operators: scale_bias, shrink, threshold and again, packed
    chain2,
    chain3,
    chain5,
    chain7,
    chain10,
    chain3_inplace,  // chain3 over its input
    shrink,          // one operator
    packed_rows,     // chain3 on rows that follow each other, beside padded_rows
    padded_rows,     // chain3 on rows that lie further apart than they are long
    transposed,      // chain3 on the transpose of a matrix
    nhwc_to_nchw,    // an image of bytes, channels last: scale_bias in float16, channels first
    broadcast,       // x + row + column: a matrix, one of its rows' size, one of its columns'
    strided,         // chain3 on a tensor of any rank and strides, to a packed one
};

const char* name(kind k);

// How many of scale_bias, shrink, threshold in turn a kind computes on packed elements; 0: it computes something else.
int operators_of(kind k);

// Known at run time only, to every contender. An operator that a kind does not have ignores its attributes.
struct attributes {
    float scale;
    float bias;
    float shrink_bias;
    float shrink_threshold;
    float minimum;
};

inline constexpr std::size_t most_rank = 8;

// What one pass works on. A job without a shape is one of `elements` elements in a row.
struct job {
    const void* input;
    void* output;
    std::size_t elements;  // without padding
    attributes a;
    int operators = 0;  // operators_of the kind
    int threads = 1;
    std::size_t rows = 0;  // of the input: a matrix of rows x columns, or an image of rows x columns x 3
    std::size_t columns = 0;
    std::size_t pitch = 0;       // elements from one row of input and output to the next
    const float* row = nullptr;  // of as many elements as a row of the input, and as a column
    const float* column = nullptr;
    std::size_t rank = 0;  // of strided: the sizes, and the strides of an input whose first element is at `input`
    std::size_t sizes[most_rank] = {};
    std::ptrdiff_t strides[most_rank] = {};
};

// One pass over memory.
using pass = void (*)(const job& j);

// What a contender's output is compared with: the scalar reference bit for bit; each element with either that or the
// same rounded where a library may round instead; or the input's elements where they belong in the output.
enum class computes { the_same, the_same_rounded_otherwise, a_copy };

struct contender {
    const char* name;
    const char* description;
    computes what;
    // Null where the contender does not take part.
    pass (*find)(kind k, sinter::element_type type);
    // Why it takes no part at all, in this program or on this machine; null where it does.
    const char* (*missing)() = []() -> const char* { return nullptr; };
    // Divides a job of several threads itself. Others are given parts of it.
    bool divides = false;
    // Where another process does the work: runs a job that `find` has run before, and gives the nanoseconds it took.
    double (*run_elsewhere)(const job& j) = nullptr;
    int most_threads = 2;
    // Of input. The slow ones tell nothing new beyond some size, and one of them needs several times as much memory.
    std::size_t most_bytes = static_cast<std::size_t>(-1);
};

}  // namespace bench
