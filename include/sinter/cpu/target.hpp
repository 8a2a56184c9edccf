// The instruction sets that kernels are compiled for, and the question which of them this machine runs.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <immintrin.h>
#include <intrin.h>
#endif

namespace sinter::cpu {

// Baseline: what the program is compiled for, on processors that have no name here.
enum class target : std::uint8_t { baseline, sse2, avx2, avx512, neon };

constexpr const char* name(target t) noexcept {
    switch (t) {
        case target::sse2: return "sse2";
        case target::avx2: return "avx2";
        case target::avx512: return "avx512";
        case target::neon: return "neon";
        default: return "baseline";
    }
}

namespace detail {

// The feature sets are those for which Highway compiles its targets of the same names.
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))

inline bool machine_has_avx2() noexcept {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
}
inline bool machine_has_avx512() noexcept {
    return machine_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}

#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))

inline bool has_bits(int word, std::uint32_t bits) noexcept {
    return (static_cast<std::uint32_t>(word) & bits) == bits;
}

inline bool machine_has_avx2() noexcept {
    int leaf1[4], leaf7[4], extended[4];
    __cpuid(leaf1, 1);
    __cpuidex(leaf7, 7, 0);
    __cpuid(extended, static_cast<int>(0x80000001u));
    constexpr std::uint32_t fma_osxsave_avx_f16c = 1u << 12 | 1u << 27 | 1u << 28 | 1u << 29;
    return has_bits(leaf1[2], fma_osxsave_avx_f16c) && (_xgetbv(0) & 6u) == 6u &&
           has_bits(leaf7[1], 1u << 3 | 1u << 5 | 1u << 8) && has_bits(extended[2], 1u << 5);
}
inline bool machine_has_avx512() noexcept {
    int leaf7[4];
    __cpuidex(leaf7, 7, 0);
    return machine_has_avx2() && (_xgetbv(0) & 0xe6u) == 0xe6u &&
           has_bits(leaf7[1], 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31);
}

#else

inline bool machine_has_avx2() noexcept { return false; }
inline bool machine_has_avx512() noexcept { return false; }

#endif

}  // namespace detail

}  // namespace sinter::cpu
