// All contenders.
#pragma once

#include <string>
#include <vector>

#include "contender.hpp"

namespace bench {

extern const contender sinter_highway;
extern const contender sinter_xsimd;
extern const contender hand;
extern const contender loop_gcc;
extern const contender loop_clang;
extern const contender eigen;
extern const contender xtensor;
extern const contender onnxruntime;
extern const contender numpy;
extern const contender limit_copy;
extern const contender limit_stream;
extern const contender limit_inplace;
extern const contender limit_transpose;

// Those that are not missing.
const std::vector<const contender*>& contenders();

// Who they are, and why some are missing.
void print_contenders();

// Where every contender's output comes from that computes the same: the scalar reference. Null for a kind with a
// shape: those have reference_rows, and strided is chain3 of elements that were gathered before.
pass reference(kind k, sinter::element_type type);

// A chain as a library may round it, too: float32 with a fused multiply-add, float16 after every operator.
void rounded_otherwise(sinter::element_type type, const job& j);

// Whether a copy of elements in a row reads and writes what the kind does.
bool is_limited_by_copy(kind k);

// Rows first .. last of the output of a kind with a shape, by the scalar reference. They lie in `output` where the
// whole output would have them.
void reference_rows(kind k, computes what, const job& j, void* output, std::size_t first, std::size_t last);

}  // namespace bench
