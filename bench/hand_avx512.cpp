// What an expert writes for AVX-512: constants hoisted, registers kept apart by four, the tail masked. Compiled with
// -mavx512f -mavx512bw -mavx512vl -mavx512dq -ffp-contract=off, which keeps a product apart from a sum.
//
// Nothing of the C++ library is called here: its inline functions would be compiled for AVX-512 too, and the linker
// might give those to the rest of the program.
#include "hand.hpp"

#include <immintrin.h>

namespace bench {

namespace {

constexpr int to_nearest_even = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
constexpr int toward_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

struct constants {
    explicit constants(const attributes& a)
        : scale(_mm512_set1_ps(a.scale)),
          // -0 keeps the sign of zero where scale_bias is a copy.
          bias(_mm512_set1_ps(a.scale == 1 && a.bias == 0 ? -0.f : a.bias)),
          shrink_bias(_mm512_set1_ps(a.shrink_bias)),
          high(_mm512_set1_ps(a.shrink_threshold)),
          low(_mm512_set1_ps(-a.shrink_threshold)),
          minimum(_mm512_set1_ps(a.minimum)) {}

    __m512 scale, bias, shrink_bias, high, low, minimum;
};

__m512 scale_bias(__m512 x, const constants& c) { return _mm512_add_ps(_mm512_mul_ps(x, c.scale), c.bias); }

__m512 shrink(__m512 x, const constants& c) {
    const __mmask16 above = _mm512_cmp_ps_mask(x, c.high, _CMP_GT_OQ);
    const __mmask16 below = _mm512_cmp_ps_mask(x, c.low, _CMP_LT_OQ);
    const __m512 raised = _mm512_maskz_add_ps(below, x, c.shrink_bias);
    return _mm512_mask_sub_ps(raised, above, x, c.shrink_bias);
}

// --- float32 ---

struct float32 {
    using element = float;
    using vector = __m512;
    static vector load(const element* from) { return _mm512_loadu_ps(from); }
    static vector load(__mmask16 lanes, const element* from) { return _mm512_maskz_loadu_ps(lanes, from); }
    static void store(element* to, vector v) { _mm512_storeu_ps(to, v); }
    static void store(element* to, __mmask16 lanes, vector v) { _mm512_mask_storeu_ps(to, lanes, v); }
};

struct float32_shrink : float32, constants {
    using constants::constants;
    vector operator()(vector x) const { return shrink(x, *this); }
};

struct float32_chain3 : float32, constants {
    using constants::constants;
    vector operator()(vector x) const { return _mm512_max_ps(shrink(scale_bias(x, *this), *this), minimum); }
};

// --- float16: float32 in registers, rounded once ---

struct float16_chain3 : constants {
    using constants::constants;
    using element = std::uint16_t;
    using vector = __m256i;
    static vector load(const element* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
    static vector load(__mmask16 lanes, const element* from) { return _mm256_maskz_loadu_epi16(lanes, from); }
    static void store(element* to, vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    static void store(element* to, __mmask16 lanes, vector v) { _mm256_mask_storeu_epi16(to, lanes, v); }
    vector operator()(vector halves) const {
        const __m512 x = _mm512_cvtph_ps(halves);
        return _mm512_cvtps_ph(_mm512_max_ps(shrink(scale_bias(x, *this), *this), minimum), to_nearest_even);
    }
};

// --- int32: float32 in each operator, an integer between them ---

// Conversions give the lowest integer for all that do not fit; above the range it has to be the highest.
template <int Rounding>
__m512i saturated(__m512 x) {
    const __mmask16 above = _mm512_cmp_ps_mask(x, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
    const __m512i converted = _mm512_cvt_roundps_epi32(x, Rounding);
    return _mm512_mask_mov_epi32(converted, above, _mm512_set1_epi32(0x7fffffff));
}

struct int32_chain3 : constants {
    using element = std::int32_t;
    using vector = __m512i;
    explicit int32_chain3(const attributes& a) : constants(a), least(saturated<toward_zero>(minimum)) {}
    static vector load(const element* from) { return _mm512_loadu_si512(from); }
    static vector load(__mmask16 lanes, const element* from) { return _mm512_maskz_loadu_epi32(lanes, from); }
    static void store(element* to, vector v) { _mm512_storeu_si512(to, v); }
    static void store(element* to, __mmask16 lanes, vector v) { _mm512_mask_storeu_epi32(to, lanes, v); }
    vector operator()(vector x) const {
        const __m512i scaled = saturated<toward_zero>(scale_bias(_mm512_cvtepi32_ps(x), *this));
        const __m512i shrunk = saturated<to_nearest_even>(shrink(_mm512_cvtepi32_ps(scaled), *this));
        return _mm512_max_epi32(shrunk, least);
    }

    __m512i least;
};

// --- uint8: float32 throughout, which holds every integer in between ---

__m512 clamped_to_byte(__m512 x) { return _mm512_min_ps(_mm512_max_ps(x, _mm512_setzero_ps()), _mm512_set1_ps(255)); }

struct uint8_chain3 : constants {
    using element = std::uint8_t;
    using vector = __m128i;
    explicit uint8_chain3(const attributes& a)
        : constants(a), least(clamped_to_byte(_mm512_roundscale_ps(minimum, toward_zero))) {}
    static vector load(const element* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
    static vector load(__mmask16 lanes, const element* from) { return _mm_maskz_loadu_epi8(lanes, from); }
    static void store(element* to, vector v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v); }
    static void store(element* to, __mmask16 lanes, vector v) { _mm_mask_storeu_epi8(to, lanes, v); }
    vector operator()(vector bytes) const {
        __m512 x = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
        x = clamped_to_byte(_mm512_roundscale_ps(scale_bias(x, *this), toward_zero));
        x = clamped_to_byte(_mm512_roundscale_ps(shrink(x, *this), to_nearest_even));
        return _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(_mm512_max_ps(x, least)));
    }

    __m512 least;
};

template <class Kernel>
void run(const job& j) {
    using element = typename Kernel::element;
    const Kernel compute(j.a);
    const element* const in = static_cast<const element*>(j.input);
    element* const out = static_cast<element*>(j.output);
    const std::size_t elements = j.elements;
    std::size_t i = 0;
    for (; i + 64 <= elements; i += 64) {
        const auto r0 = compute(Kernel::load(in + i));
        const auto r1 = compute(Kernel::load(in + i + 16));
        const auto r2 = compute(Kernel::load(in + i + 32));
        const auto r3 = compute(Kernel::load(in + i + 48));
        Kernel::store(out + i, r0);
        Kernel::store(out + i + 16, r1);
        Kernel::store(out + i + 32, r2);
        Kernel::store(out + i + 48, r3);
    }
    for (; i < elements; i += 16) {
        const std::size_t left = elements - i;
        const auto lanes = static_cast<__mmask16>(left >= 16 ? 0xffffu : (1u << left) - 1u);
        Kernel::store(out + i, lanes, compute(Kernel::load(lanes, in + i)));
    }
}

}  // namespace

const hand_kernels hand_avx512{run<float32_chain3>, run<float32_shrink>, run<float16_chain3>, run<int32_chain3>,
                               run<uint8_chain3>};

}  // namespace bench
