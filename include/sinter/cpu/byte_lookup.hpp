// 64 lookups among 256 bytes in four registers, where the compiler and the processor have AVX-512 VBMI.
#pragma once

#include "wide_vectors.hpp"

#if defined(__GNUC__) && defined(__x86_64__) && SINTER_HAS_WIDE_VECTORS

#include <immintrin.h>

#define SINTER_HAS_BYTE_LOOKUP 1
#define SINTER_BYTE_LOOKUP_TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi")))

// Around functions for that target. g++ 12 finds its own AVX-512 intrinsics reading what they leave undefined on
// purpose.
#if defined(__clang__)
#define SINTER_BYTE_LOOKUP_BEGIN
#define SINTER_BYTE_LOOKUP_END
#else
#define SINTER_BYTE_LOOKUP_BEGIN                                                         \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wuninitialized\"") \
        _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")
#define SINTER_BYTE_LOOKUP_END _Pragma("GCC diagnostic pop")
#endif

namespace sinter::cpu::detail {

inline bool machine_looks_up_bytes() noexcept {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi");
}

SINTER_BYTE_LOOKUP_BEGIN

// bytes[index] in each of 64 lanes: the index's lower seven bits choose among two registers, its highest between pairs.
SINTER_BYTE_LOOKUP_TARGET inline __m512i look_up(const __m512i* bytes, __m512i index) noexcept {
    const __m512i low = _mm512_permutex2var_epi8(bytes[0], index, bytes[1]);
    const __m512i high = _mm512_permutex2var_epi8(bytes[2], index, bytes[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high);
}

SINTER_BYTE_LOOKUP_END

}  // namespace sinter::cpu::detail

#endif
