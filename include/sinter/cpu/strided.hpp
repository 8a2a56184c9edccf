// Strided runs to dense ones, in the widest registers there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../plan/movers.hpp"
#include "byte_lookup.hpp"

namespace sinter::cpu::detail {

#if defined(SINTER_HAS_BYTE_LOOKUP)

// 16 words `Step` apart, forwards or backwards, lie in Step registers. Which lanes each of those gives to what the ones
// before it gave: lane 16 + n is its word n.
template <std::size_t Step, bool Backwards>
struct alignas(64) word_places {
    std::array<std::array<std::uint32_t, 16>, Step> in_register{};
    constexpr word_places() {
        for (std::size_t lane = 0; lane < 16; ++lane) {
            const std::size_t word = (Backwards ? 15 - lane : lane) * Step + (Backwards ? Step - 1 : 0);
            for (std::size_t k = 0; k < Step; ++k)
                in_register[k][lane] = static_cast<std::uint32_t>(word / 16 == k ? 16 + word % 16 : lane);
        }
    }
};
template <std::size_t Step, bool Backwards>
inline constexpr word_places<Step, Backwards> places_of_words;

SINTER_BYTE_LOOKUP_BEGIN

// Returns how many words are done. One at least is left, so that nothing is read but what lies between words.
template <std::size_t Step, bool Backwards>
SINTER_BYTE_LOOKUP_TARGET std::size_t gather_words(std::byte* to, const std::byte* from, std::size_t count) noexcept {
    constexpr auto turn = static_cast<std::ptrdiff_t>(16 * Step * 4);  // bytes
    const auto& places = places_of_words<Step, Backwards>.in_register;
    if (Backwards) from -= turn - 4;
    std::size_t done = 0;
    for (; done + 16 < count; done += 16) {
        __m512i words = _mm512_setzero_si512();
#pragma GCC unroll 4
        for (std::size_t k = 0; k < Step; ++k)
            words = _mm512_permutex2var_epi32(words, _mm512_load_si512(places[k].data()),
                                              _mm512_loadu_si512(from + 64 * k));
        _mm512_storeu_si512(to + done * 4, words);
        from += Backwards ? -turn : turn;
    }
    return done;
}

SINTER_BYTE_LOOKUP_END

inline std::size_t gather_words(std::byte* to, const std::byte* from, std::ptrdiff_t stride,
                                std::size_t count) noexcept {
    if (count <= 16 || !machine_looks_up_bytes()) return 0;
    switch (stride) {
        case -4: return gather_words<4, true>(to, from, count);
        case -3: return gather_words<3, true>(to, from, count);
        case -2: return gather_words<2, true>(to, from, count);
        case -1: return gather_words<1, true>(to, from, count);
        case 2: return gather_words<2, false>(to, from, count);
        case 3: return gather_words<3, false>(to, from, count);
        case 4: return gather_words<4, false>(to, from, count);
        default: return 0;
    }
}

#endif

// A run of elements of `size` bytes, `stride` elements apart.
inline void gather_run(std::size_t size, std::byte* to, const std::byte* from, std::ptrdiff_t stride,
                       std::size_t count) noexcept {
    std::size_t done = 0;
#if defined(SINTER_HAS_BYTE_LOOKUP)
    if (size == 4) done = gather_words(to, from, stride, count);
#endif
    const auto bytes = static_cast<std::ptrdiff_t>(size);
    sinter::detail::copy_run(size, to + done * size, 1, from + static_cast<std::ptrdiff_t>(done) * stride * bytes,
                             stride, count - done);
}

}  // namespace sinter::cpu::detail
