// Tiles of a transposed operand: columns to rows, in registers of 16 bytes, which every processor has.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "../core/inline.hpp"
#include "byte_lookup.hpp"

namespace sinter::cpu::detail {

// Element (row, column) of the tile lies at `from + row words + column * stride` and goes to
// `to + row * pitch + column words`; stride and pitch count bytes.
template <class Word>
struct tile {
    const std::byte* from;
    std::ptrdiff_t stride;
    std::byte* to;
    std::ptrdiff_t pitch;

    tile at(std::size_t row, std::size_t column) const noexcept {
        const auto word = static_cast<std::ptrdiff_t>(sizeof(Word));
        const auto r = static_cast<std::ptrdiff_t>(row), c = static_cast<std::ptrdiff_t>(column);
        return {from + r * word + c * stride, stride, to + r * pitch + c * word, pitch};
    }
    void move() const noexcept { std::memcpy(to, from, sizeof(Word)); }
};

template <class Word>
void transpose_one_by_one(const tile<Word>& t, std::size_t rows, std::size_t first_column,
                          std::size_t columns) noexcept {
    for (std::size_t column = first_column; column < columns; ++column)
        for (std::size_t row = 0; row < rows; ++row) t.at(row, column).move();
}

#if defined(SINTER_HAS_BYTE_LOOKUP)

SINTER_BYTE_LOOKUP_BEGIN

// Where the first row's bytes lie.
template <std::size_t Rows>
struct alignas(64) byte_places {
    std::array<std::uint8_t, 64> of_column{};
    constexpr byte_places() {
        for (std::size_t i = 0; i < 64; ++i) of_column[i] = static_cast<std::uint8_t>(i * Rows);
    }
};
template <std::size_t Rows>
inline constexpr byte_places<Rows> places_of_rows;

// Up to four rows without gaps: 64 columns are at most 256 bytes, in which every row's bytes are looked up. Returns how
// many columns are done.
template <std::size_t Rows>
SINTER_BYTE_LOOKUP_TARGET std::size_t gather_bytes(const tile<std::uint8_t>& t, std::size_t columns) noexcept {
    const __m512i first_row = _mm512_load_si512(places_of_rows<Rows>.of_column.data());
    std::size_t column = 0;
    for (; column + 64 <= columns; column += 64) {
        const tile<std::uint8_t> part = t.at(0, column);
        __m512i bytes[4]{};
#pragma GCC unroll 4
        for (std::size_t i = 0; i < Rows; ++i) bytes[i] = _mm512_loadu_si512(part.from + 64 * i);
#pragma GCC unroll 4
        for (std::size_t row = 0; row < Rows; ++row)
            _mm512_storeu_si512(part.at(row, 0).to,
                                look_up(bytes, _mm512_add_epi8(first_row, _mm512_set1_epi8(static_cast<char>(row)))));
    }
    return column;
}

// A square of 16 words, in registers of 64 bytes: first within their quarters, then the quarters themselves.
SINTER_BYTE_LOOKUP_TARGET SINTER_INLINE void transpose_16_words(tile<std::uint32_t> t) noexcept {
    __m512i v[16], w[16];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) v[i] = _mm512_loadu_si512(t.at(0, i).from);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 16; i += 2) {
        w[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        w[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 16; i += 4)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < 2; ++k) {
            v[i + 2 * k] = _mm512_unpacklo_epi64(w[i + k], w[i + k + 2]);
            v[i + 2 * k + 1] = _mm512_unpackhi_epi64(w[i + k], w[i + k + 2]);
        }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) {
        const __m512i a = _mm512_shuffle_i32x4(v[i], v[i + 4], 0x88), b = _mm512_shuffle_i32x4(v[i], v[i + 4], 0xdd);
        const __m512i c = _mm512_shuffle_i32x4(v[i + 8], v[i + 12], 0x88);
        const __m512i d = _mm512_shuffle_i32x4(v[i + 8], v[i + 12], 0xdd);
        _mm512_storeu_si512(t.at(i, 0).to, _mm512_shuffle_i32x4(a, c, 0x88));
        _mm512_storeu_si512(t.at(i + 4, 0).to, _mm512_shuffle_i32x4(b, d, 0x88));
        _mm512_storeu_si512(t.at(i + 8, 0).to, _mm512_shuffle_i32x4(a, c, 0xdd));
        _mm512_storeu_si512(t.at(i + 12, 0).to, _mm512_shuffle_i32x4(b, d, 0xdd));
    }
}

// Returns how many columns are done. Where each column lies in a page of its own, processors fetch nothing ahead.
SINTER_BYTE_LOOKUP_TARGET inline std::size_t transpose_wide(const tile<std::uint32_t>& t, std::size_t rows,
                                                            std::size_t columns) noexcept {
    constexpr std::ptrdiff_t page = 4096;
    const bool fetch = t.stride >= page || t.stride <= -page;
    std::size_t column = 0;
    for (; column + 16 <= columns; column += 16) {
        for (std::size_t row = 0; fetch && row < rows; row += 16)
            for (std::size_t ahead = 16; ahead < 32; ++ahead) __builtin_prefetch(t.at(row, column + ahead).from);
        for (std::size_t row = 0; row < rows; row += 16) transpose_16_words(t.at((std::min)(row, rows - 16), column));
    }
    return column;
}

SINTER_BYTE_LOOKUP_END

#endif

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
// columns. The tile is passed by value: stores of bytes could change one that is not.
template <class Word>
SINTER_INLINE void transpose_square(tile<Word> t, std::size_t wanted) noexcept {
    using words = words_of_16_bytes<Word>;
    constexpr std::size_t lanes = words::lanes;
    constexpr auto every_lane = std::make_index_sequence<lanes>();
    typename words::type v[lanes];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) std::memcpy(&v[i], t.from + static_cast<std::ptrdiff_t>(i) * t.stride, 16);
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
        if (i < wanted) std::memcpy(t.to + static_cast<std::ptrdiff_t>(i) * t.pitch, &v[i], 16);
}

// Few rows without gaps between the columns, such as the channels of a picture: a register takes in columns after the
// first one's rows, so the last columns, where it would end behind the tile, are left.
template <class Word, class Count>
void transpose_few(const tile<Word>& t, Count rows, std::size_t columns) noexcept {
    constexpr std::size_t lanes = words_of_16_bytes<Word>::lanes;
    std::size_t column = 0;
#if defined(SINTER_HAS_BYTE_LOOKUP)
    if constexpr (sizeof(Word) == 1 && !std::is_same_v<Count, std::size_t>)
        if (machine_looks_up_bytes()) column = gather_bytes<Count::value>(t, columns);
#endif
    for (; column + 2 * lanes <= columns; column += lanes) transpose_square(t.at(0, column), rows);
    transpose_one_by_one(t, rows, column, columns);
}

template <class Word>
void transpose_few_rows(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    switch (rows) {
        case 2: return transpose_few(t, std::integral_constant<std::size_t, 2>(), columns);
        case 3: return transpose_few(t, std::integral_constant<std::size_t, 3>(), columns);
        case 4: return transpose_few(t, std::integral_constant<std::size_t, 4>(), columns);
        default: return transpose_few(t, rows, columns);
    }
}

// Column after column, so that every line of memory is read once. Where rows or columns do not fill a square, the last
// ones lie over those before them.
template <class Word>
void transpose(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    constexpr std::size_t lanes = words_of_16_bytes<Word>::lanes;
    if (rows >= lanes && columns >= lanes) {
        std::size_t column = 0;
#if defined(SINTER_HAS_BYTE_LOOKUP)
        if constexpr (sizeof(Word) == 4)
            if (rows >= 16 && machine_looks_up_bytes()) column = transpose_wide(t, rows, columns);
#endif
        for (; column < columns; column += lanes) {
            const tile<Word> strip = t.at(0, (std::min)(column, columns - lanes));
            std::size_t row = 0;
            for (; row + lanes <= rows; row += lanes) transpose_square(strip.at(row, 0), lanes);
            if (row < rows) transpose_square(strip.at(rows - lanes, 0), lanes);
        }
    } else if (rows < lanes && static_cast<std::ptrdiff_t>(rows * sizeof(Word)) == t.stride) {
        transpose_few_rows(t, rows, columns);
    } else {
        transpose_one_by_one(t, rows, 0, columns);
    }
}

#else

template <class Word>
void transpose(const tile<Word>& t, std::size_t rows, std::size_t columns) noexcept {
    transpose_one_by_one(t, rows, 0, columns);
}

#endif

}  // namespace sinter::cpu::detail
