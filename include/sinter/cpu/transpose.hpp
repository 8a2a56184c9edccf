// Tiles of a transposed operand: columns to rows, in registers of 16 bytes, which every processor has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "inline.hpp"

namespace sinter::cpu::detail {

// Element (row, column) of the tile lies at `from + row + column * stride` and goes to `to + row * pitch + column`, all
// counted in words.
template <class Word>
struct tile {
    const std::byte* from;
    std::ptrdiff_t stride;
    std::byte* to;
    std::ptrdiff_t pitch;

    const std::byte* source(std::size_t row, std::size_t column) const noexcept {
        return from + (static_cast<std::ptrdiff_t>(row) + static_cast<std::ptrdiff_t>(column) * stride) *
                          static_cast<std::ptrdiff_t>(sizeof(Word));
    }
    std::byte* target(std::size_t row, std::size_t column) const noexcept {
        return to + (static_cast<std::ptrdiff_t>(row) * pitch + static_cast<std::ptrdiff_t>(column)) *
                        static_cast<std::ptrdiff_t>(sizeof(Word));
    }
};

template <class Word>
void transpose_one_by_one(const tile<Word>& t, std::size_t first_row, std::size_t rows, std::size_t first_column,
                          std::size_t columns) noexcept {
    for (std::size_t column = first_column; column < columns; ++column)
        for (std::size_t row = first_row; row < rows; ++row)
            std::memcpy(t.target(row, column), t.source(row, column), sizeof(Word));
}

#if defined(__GNUC__)

template <class Word>
struct words_of_16_bytes {
    static constexpr std::size_t lanes = 16 / sizeof(Word);
    typedef Word type __attribute__((vector_size(16)));

    template <std::size_t... I>
    static SINTER_INLINE type low(type a, type b, std::index_sequence<I...>) {
        return __builtin_shufflevector(a, b, (I / 2 + I % 2 * lanes)...);
    }
    template <std::size_t... I>
    static SINTER_INLINE type high(type a, type b, std::index_sequence<I...>) {
        return __builtin_shufflevector(a, b, (lanes / 2 + I / 2 + I % 2 * lanes)...);
    }
};

// A square of as many rows as a register has lanes, of which the first `wanted` are stored. Each step interleaves the
// registers of the lower half with those of the upper one; after as many steps as a lane's number has bits, rows are
// columns.
template <class Word>
SINTER_INLINE void transpose_square(const tile<Word>& t, std::size_t row, std::size_t column,
                                    std::size_t wanted) noexcept {
    using words = words_of_16_bytes<Word>;
    constexpr std::size_t lanes = words::lanes;
    constexpr auto every_lane = std::make_index_sequence<lanes>();
    typename words::type v[lanes];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) std::memcpy(&v[i], t.source(row, column + i), 16);
#pragma GCC unroll 4
    for (std::size_t step = 1; step < lanes; step *= 2) {
        typename words::type w[lanes];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < lanes / 2; ++i) {
            w[2 * i] = words::low(v[i], v[i + lanes / 2], every_lane);
            w[2 * i + 1] = words::high(v[i], v[i + lanes / 2], every_lane);
        }
#pragma GCC unroll 16
        for (std::size_t i = 0; i < lanes; ++i) v[i] = w[i];
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i)
        if (i < wanted) std::memcpy(t.target(row + i, column), &v[i], 16);
}

// Few rows without gaps between the columns, such as the channels of a picture: a register takes in columns after the
// first one's rows, so the last columns, where it would end behind the tile, are left.
template <class Word>
void transpose_few(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    constexpr std::size_t lanes = words_of_16_bytes<Word>::lanes;
    const auto with = [&](auto wanted) {
        std::size_t column = 0;
        for (; column + 2 * lanes <= columns; column += lanes) transpose_square(t, 0, column, wanted);
        transpose_one_by_one(t, 0, rows, column, columns);
    };
    switch (rows) {
        case 2: return with(std::integral_constant<std::size_t, 2>());
        case 3: return with(std::integral_constant<std::size_t, 3>());
        case 4: return with(std::integral_constant<std::size_t, 4>());
        default: return with(rows);
    }
}

// Where rows or columns do not fill a square, the last ones lie over those before them.
template <class Word>
void transpose(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    constexpr std::size_t lanes = words_of_16_bytes<Word>::lanes;
    if (rows >= lanes && columns >= lanes) {
        for (std::size_t row = 0; row < rows; row += lanes)
            for (std::size_t column = 0; column < columns; column += lanes)
                transpose_square(t, (std::min)(row, rows - lanes), (std::min)(column, columns - lanes), lanes);
    } else if (rows < lanes && static_cast<std::ptrdiff_t>(rows) == t.stride) {
        transpose_few(t, rows, columns);
    } else {
        transpose_one_by_one(t, 0, rows, 0, columns);
    }
}

#else

template <class Word>
void transpose(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    transpose_one_by_one(t, 0, rows, 0, columns);
}

#endif

}  // namespace sinter::cpu::detail
