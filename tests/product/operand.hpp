// An operand of one run as plain data: where its elements lie in a block of memory, and which gaps are between them.
#pragma once

#include <sinter/core/element.hpp>
#include <sinter/core/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace product {

using sinter::max_rank;

// Positions count elements from the block's first one.
struct placement {
    std::size_t rank = 0;
    std::array<std::size_t, max_rank> sizes{};
    std::array<std::ptrdiff_t, max_rank> strides{};
    std::ptrdiff_t first = 0;  // where the element of index {0, 0, ..} lies
    std::size_t extent = 0;    // elements in the block, gaps included

    std::size_t count() const {
        std::size_t product = 1;
        for (std::size_t d = 0; d < rank; ++d) product *= sizes[d];
        return product;
    }
};

// Two operands with the same block are in place.
struct operand {
    sinter::element_type type;
    std::byte* block;
    placement at;
};

using shape = std::vector<std::size_t>;

// Calls visit(number in row-major order over `wanted`, position in the block); sizes of 1 repeat.
template <class Visitor>
void for_each_element(const placement& at, const shape& wanted, Visitor&& visit) {
    std::size_t count = 1;
    for (const std::size_t size : wanted) count *= size;
    for (std::size_t n = 0; n < count; ++n) {
        std::ptrdiff_t position = at.first;
        std::size_t rest = n;
        for (std::size_t d = at.rank; d-- > 0;) {
            if (at.sizes[d] != 1) position += static_cast<std::ptrdiff_t>(rest % wanted[d]) * at.strides[d];
            rest /= wanted[d];
        }
        visit(n, static_cast<std::size_t>(position));
    }
}

enum class layout {
    packed,
    padded,        // gaps after every row
    transposed,    // the last two dimensions exchanged in memory
    permuted,      // the first dimension innermost in memory
    reversed,      // every dimension runs backwards
    every_second,  // a gap after every element
    size_one,      // inputs: every other dimension has size 1
    stride_zero,   // inputs: every other dimension repeats
};
inline constexpr std::array all_layouts{layout::packed,   layout::padded,     layout::transposed,
                                        layout::permuted, layout::reversed,   layout::every_second,
                                        layout::size_one, layout::stride_zero};

inline const char* name(layout l) {
    constexpr const char* names[] = {"packed",   "padded",       "transposed", "permuted",
                                     "reversed", "every_second", "size_one",   "stride_zero"};
    return names[static_cast<std::size_t>(l)];
}

inline bool broadcasts(layout l) { return l == layout::size_one || l == layout::stride_zero; }

// Elements of the block before the first and after the last one of the operand.
inline constexpr std::size_t margin = 5;

// `turn` chooses which dimensions a broadcasting layout repeats.
inline placement place(layout l, const shape& sizes, std::size_t turn) {
    placement at;
    at.rank = sizes.size();
    std::array<std::size_t, max_rank> order{};  // dimensions from the innermost in memory to the outermost
    for (std::size_t d = 0; d < at.rank; ++d) {
        at.sizes[d] = sizes[d];
        order[d] = at.rank - 1 - d;
    }
    if (l == layout::transposed && at.rank > 1) std::swap(order[0], order[1]);
    if (l == layout::permuted)
        for (std::size_t d = at.rank - 1; d > 0; --d) std::swap(order[d], order[d - 1]);

    std::size_t next = l == layout::every_second ? 2 : 1;
    for (std::size_t i = 0; i < at.rank; ++i) {
        const std::size_t d = order[i];
        const bool repeated = broadcasts(l) && (d + turn) % 2 == 0;
        if (repeated && l == layout::size_one) at.sizes[d] = sizes[d] == 0 ? 0 : 1;
        at.strides[d] = repeated && l == layout::stride_zero ? 0 : static_cast<std::ptrdiff_t>(next);
        if (!repeated) next *= sizes[d];
        if (i == 0 && l == layout::padded) next += 3;
    }
    at.first = margin;
    at.extent = next + 2 * margin;
    if (l == layout::reversed) {
        for (std::size_t d = 0; d < at.rank; ++d) {
            if (sizes[d] > 0) at.first += static_cast<std::ptrdiff_t>(sizes[d] - 1) * at.strides[d];
            at.strides[d] = -at.strides[d];
        }
    }
    return at;
}

}  // namespace product
