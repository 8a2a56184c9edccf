// What an expert writes with intrinsics: constants hoisted, registers kept apart by four, the tail masked. float32 only.
// Not the same as sinter for a minimum of NaN, which it does not care for.
#include "contender.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// g++ 12 takes the operand that _mm512_undefined_ps leaves open for a mistake (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace bench {

#if defined(__x86_64__)

namespace {

enum class what { chain3, shrink };

// The product is kept apart from the sum: the compiler fuses the two intrinsics otherwise, which rounds once.
#define BENCH_KEEP(v) asm("" : "+v"(v))

template <what What>
__attribute__((target("avx512f"))) void run_512(const void* input, void* output, std::size_t elements,
                                                const attributes& a) {
    const float* const in = static_cast<const float*>(input);
    float* const out = static_cast<float*>(output);
    const __m512 scale = _mm512_set1_ps(a.scale);
    // -0 keeps the sign of zero where scale_bias is a copy.
    const __m512 bias = _mm512_set1_ps(a.scale == 1 && a.bias == 0 ? -0.f : a.bias);
    const __m512 shrink_bias = _mm512_set1_ps(a.shrink_bias);
    const __m512 high = _mm512_set1_ps(a.shrink_threshold);
    const __m512 low = _mm512_set1_ps(-a.shrink_threshold);
    const __m512 minimum = _mm512_set1_ps(a.minimum);
    const auto compute = [&](__m512 x) __attribute__((always_inline, target("avx512f"))) {
        if constexpr (What == what::chain3) {
            x = _mm512_mul_ps(x, scale);
            BENCH_KEEP(x);
            x = _mm512_add_ps(x, bias);
        }
        const __mmask16 above = _mm512_cmp_ps_mask(x, high, _CMP_GT_OQ);
        const __mmask16 below = _mm512_cmp_ps_mask(x, low, _CMP_LT_OQ);
        const __m512 raised = _mm512_maskz_add_ps(below, x, shrink_bias);
        x = _mm512_mask_sub_ps(raised, above, x, shrink_bias);
        if constexpr (What == what::chain3) x = _mm512_max_ps(x, minimum);
        return x;
    };
    std::size_t i = 0;
    for (; i + 64 <= elements; i += 64) {
        const __m512 r0 = compute(_mm512_loadu_ps(in + i));
        const __m512 r1 = compute(_mm512_loadu_ps(in + i + 16));
        const __m512 r2 = compute(_mm512_loadu_ps(in + i + 32));
        const __m512 r3 = compute(_mm512_loadu_ps(in + i + 48));
        _mm512_storeu_ps(out + i, r0);
        _mm512_storeu_ps(out + i + 16, r1);
        _mm512_storeu_ps(out + i + 32, r2);
        _mm512_storeu_ps(out + i + 48, r3);
    }
    for (; i < elements; i += 16) {
        const std::size_t left = elements - i;
        const auto lanes = static_cast<__mmask16>(left >= 16 ? 0xffffu : (1u << left) - 1u);
        _mm512_mask_storeu_ps(out + i, lanes, compute(_mm512_maskz_loadu_ps(lanes, in + i)));
    }
}

template <what What>
__attribute__((target("avx2"))) void run_256(const void* input, void* output, std::size_t elements,
                                             const attributes& a) {
    const float* const in = static_cast<const float*>(input);
    float* const out = static_cast<float*>(output);
    const __m256 scale = _mm256_set1_ps(a.scale);
    const __m256 bias = _mm256_set1_ps(a.scale == 1 && a.bias == 0 ? -0.f : a.bias);
    const __m256 shrink_bias = _mm256_set1_ps(a.shrink_bias);
    const __m256 high = _mm256_set1_ps(a.shrink_threshold);
    const __m256 low = _mm256_set1_ps(-a.shrink_threshold);
    const __m256 minimum = _mm256_set1_ps(a.minimum);
    const auto compute = [&](__m256 x) __attribute__((always_inline, target("avx2"))) {
        if constexpr (What == what::chain3) {
            x = _mm256_mul_ps(x, scale);
            asm("" : "+x"(x));
            x = _mm256_add_ps(x, bias);
        }
        const __m256 above = _mm256_cmp_ps(x, high, _CMP_GT_OQ);
        const __m256 below = _mm256_cmp_ps(x, low, _CMP_LT_OQ);
        const __m256 raised = _mm256_and_ps(below, _mm256_add_ps(x, shrink_bias));
        x = _mm256_blendv_ps(raised, _mm256_sub_ps(x, shrink_bias), above);
        if constexpr (What == what::chain3) x = _mm256_max_ps(x, minimum);
        return x;
    };
    std::size_t i = 0;
    for (; i + 32 <= elements; i += 32) {
        const __m256 r0 = compute(_mm256_loadu_ps(in + i));
        const __m256 r1 = compute(_mm256_loadu_ps(in + i + 8));
        const __m256 r2 = compute(_mm256_loadu_ps(in + i + 16));
        const __m256 r3 = compute(_mm256_loadu_ps(in + i + 24));
        _mm256_storeu_ps(out + i, r0);
        _mm256_storeu_ps(out + i + 8, r1);
        _mm256_storeu_ps(out + i + 16, r2);
        _mm256_storeu_ps(out + i + 24, r3);
    }
    for (; i < elements; i += 8) {
        const int left = elements - i >= 8 ? 8 : static_cast<int>(elements - i);
        const __m256i lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        _mm256_maskstore_ps(out + i, lanes, compute(_mm256_maskload_ps(in + i, lanes)));
    }
}

template <what What>
pass hand(sinter::element_type type) {
    if (type != sinter::element_type::float32) return nullptr;
    if (__builtin_cpu_supports("avx512f")) return run_512<What>;
    if (__builtin_cpu_supports("avx2")) return run_256<What>;
    return nullptr;
}

}  // namespace

pass hand_chain3(sinter::element_type type) { return hand<what::chain3>(type); }
pass hand_shrink(sinter::element_type type) { return hand<what::shrink>(type); }

#else

pass hand_chain3(sinter::element_type) { return nullptr; }
pass hand_shrink(sinter::element_type) { return nullptr; }

#endif

}  // namespace bench
