// Expressions from 8 bits to 8 bits have 256 values. Looked up in four registers, they cost a few instructions for 64
// elements, whatever the expression is; computed, every element is widened to 32 bits and back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "wide_vectors.hpp"

#if defined(__GNUC__) && defined(__x86_64__) && SINTER_HAS_WIDE_VECTORS
#include <immintrin.h>
#define SINTER_HAS_BYTE_TABLE 1
#endif

#include "kernel.hpp"
#include "static_namespace.hpp"

namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {

// As the parameters of the kernel that looks values up.
struct byte_table {
    alignas(64) std::array<std::uint32_t, 64> words;

    byte_table(const kernel& k, const std::uint32_t* parameters) noexcept {
        alignas(64) std::array<std::uint8_t, 256> every_value;
        for (std::size_t i = 0; i < 256; ++i) every_value[i] = static_cast<std::uint8_t>(i);
        const void* first = every_value.data();
        const auto* input = static_cast<const std::byte*>(first);
        void* const values = words.data();
        k.run(&input, static_cast<std::byte*>(values), parameters, 256, stores::cached);
    }
};

#if defined(SINTER_HAS_BYTE_TABLE)

inline bool machine_looks_up_bytes() noexcept {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi");
}

// g++ 12 finds its own AVX-512 intrinsics reading what they leave undefined on purpose.
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

__attribute__((target("avx512f,avx512bw,avx512vbmi"))) inline void look_up_bytes(
    const std::byte* const* inputs, std::byte* output, const std::uint32_t* table, std::size_t count, stores how) {
    const __m512i values[4] = {_mm512_load_si512(table), _mm512_load_si512(table + 16), _mm512_load_si512(table + 32),
                               _mm512_load_si512(table + 48)};
    const std::byte* const input = inputs[0];
    for (std::size_t i = 0; i < count; i += 64) {
        const __m512i index = _mm512_loadu_si512(input + i);
        const __m512i low = _mm512_permutex2var_epi8(values[0], index, values[1]);
        const __m512i high = _mm512_permutex2var_epi8(values[2], index, values[3]);
        const __m512i found = _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high);
        if (how == stores::streaming) _mm512_stream_si512(reinterpret_cast<__m512i*>(output + i), found);
        else _mm512_storeu_si512(output + i, found);
    }
}

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

inline constexpr kernel byte_table_kernel{&look_up_bytes, 64, true};

#endif

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
