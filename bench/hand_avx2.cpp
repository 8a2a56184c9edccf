// What an expert writes for AVX2: constants hoisted, registers kept apart by four, the tail through a small buffer or
// masked. Compiled with -mavx2 -mf16c -ffp-contract=off, which keeps a product apart from a sum.
//
// Nothing of the C++ library is called here: its inline functions would be compiled for AVX2 too, and the linker might
// give those to the rest of the program.
#include "hand.hpp"

#include <immintrin.h>

namespace bench {

namespace {

constexpr int to_nearest_even = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
constexpr int toward_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

struct constants {
    explicit constants(const attributes& a)
        : scale(_mm256_set1_ps(a.scale)),
          // -0 keeps the sign of zero where scale_bias is a copy.
          bias(_mm256_set1_ps(a.scale == 1 && a.bias == 0 ? -0.f : a.bias)),
          shrink_bias(_mm256_set1_ps(a.shrink_bias)),
          high(_mm256_set1_ps(a.shrink_threshold)),
          low(_mm256_set1_ps(-a.shrink_threshold)),
          minimum(_mm256_set1_ps(a.minimum)) {}

    __m256 scale, bias, shrink_bias, high, low, minimum;
};

__m256 scale_bias(__m256 x, const constants& c) { return _mm256_add_ps(_mm256_mul_ps(x, c.scale), c.bias); }

__m256 shrink(__m256 x, const constants& c) {
    const __m256 above = _mm256_cmp_ps(x, c.high, _CMP_GT_OQ);
    const __m256 below = _mm256_cmp_ps(x, c.low, _CMP_LT_OQ);
    const __m256 raised = _mm256_and_ps(below, _mm256_add_ps(x, c.shrink_bias));
    return _mm256_blendv_ps(raised, _mm256_sub_ps(x, c.shrink_bias), above);
}

// All ones in the first `count` of eight lanes.
__m256i first_lanes(std::size_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// --- float32 ---

struct float32 {
    using element = float;
    using vector = __m256;
    static vector load(const element* from) { return _mm256_loadu_ps(from); }
    static vector load(std::size_t count, const element* from) { return _mm256_maskload_ps(from, first_lanes(count)); }
    static void store(element* to, vector v) { _mm256_storeu_ps(to, v); }
    static void store(element* to, std::size_t count, vector v) { _mm256_maskstore_ps(to, first_lanes(count), v); }
};

struct float32_shrink : float32, constants {
    using constants::constants;
    vector operator()(vector x) const { return shrink(x, *this); }
};

struct float32_chain3 : float32, constants {
    using constants::constants;
    vector operator()(vector x) const { return _mm256_max_ps(shrink(scale_bias(x, *this), *this), minimum); }
};

// Elements too narrow for masks.
template <class Element, class Vector>
Vector load_few(std::size_t count, const Element* from) {
    alignas(sizeof(Vector)) Element few[8] = {};
    for (std::size_t i = 0; i < count; ++i) few[i] = from[i];
    if constexpr (sizeof(Element) == 2) return _mm_load_si128(reinterpret_cast<const Vector*>(few));
    else return _mm_loadl_epi64(reinterpret_cast<const Vector*>(few));
}

template <class Element, class Vector>
void store_few(Element* to, std::size_t count, Vector v) {
    alignas(sizeof(Vector)) Element few[sizeof(Vector) / sizeof(Element)];
    _mm_store_si128(reinterpret_cast<Vector*>(few), v);
    for (std::size_t i = 0; i < count; ++i) to[i] = few[i];
}

// --- float16: float32 in registers, rounded once ---

struct float16_chain3 : constants {
    using constants::constants;
    using element = std::uint16_t;
    using vector = __m128i;
    static vector load(const element* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
    static vector load(std::size_t count, const element* from) { return load_few<element, vector>(count, from); }
    static void store(element* to, vector v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v); }
    static void store(element* to, std::size_t count, vector v) { store_few(to, count, v); }
    vector operator()(vector halves) const {
        const __m256 x = _mm256_cvtph_ps(halves);
        return _mm256_cvtps_ph(_mm256_max_ps(shrink(scale_bias(x, *this), *this), minimum), to_nearest_even);
    }
};

// --- int32: float32 in each operator, an integer between them ---

// Conversions give the lowest integer for all that do not fit; above the range it has to be the highest.
__m256i saturated_to_nearest(__m256 x) {
    const __m256i above = _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ));
    return _mm256_blendv_epi8(_mm256_cvtps_epi32(x), _mm256_set1_epi32(0x7fffffff), above);
}
__m256i saturated_toward_zero(__m256 x) {
    const __m256i above = _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ));
    return _mm256_blendv_epi8(_mm256_cvttps_epi32(x), _mm256_set1_epi32(0x7fffffff), above);
}

struct int32_chain3 : constants {
    using element = std::int32_t;
    using vector = __m256i;
    explicit int32_chain3(const attributes& a) : constants(a), least(saturated_toward_zero(minimum)) {}
    static vector load(const element* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
    static vector load(std::size_t count, const element* from) {
        return _mm256_maskload_epi32(from, first_lanes(count));
    }
    static void store(element* to, vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    static void store(element* to, std::size_t count, vector v) { _mm256_maskstore_epi32(to, first_lanes(count), v); }
    vector operator()(vector x) const {
        const __m256i scaled = saturated_toward_zero(scale_bias(_mm256_cvtepi32_ps(x), *this));
        const __m256i shrunk = saturated_to_nearest(shrink(_mm256_cvtepi32_ps(scaled), *this));
        return _mm256_max_epi32(shrunk, least);
    }

    __m256i least;
};

// --- uint8: float32 throughout, which holds every integer in between ---

__m256 clamped_to_byte(__m256 x) { return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(255)); }

struct uint8_chain3 : constants {
    using element = std::uint8_t;
    using vector = __m128i;
    explicit uint8_chain3(const attributes& a)
        : constants(a), least(clamped_to_byte(_mm256_round_ps(minimum, toward_zero))) {}
    static vector load(const element* from) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)); }
    static vector load(std::size_t count, const element* from) { return load_few<element, vector>(count, from); }
    static void store(element* to, vector v) { _mm_storel_epi64(reinterpret_cast<__m128i*>(to), v); }
    static void store(element* to, std::size_t count, vector v) { store_few(to, count, v); }
    vector operator()(vector bytes) const {
        __m256 x = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
        x = clamped_to_byte(_mm256_round_ps(scale_bias(x, *this), toward_zero));
        x = clamped_to_byte(_mm256_round_ps(shrink(x, *this), to_nearest_even));
        const __m256i integers = _mm256_cvttps_epi32(_mm256_max_ps(x, least));
        const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(integers), _mm256_extracti128_si256(integers, 1));
        return _mm_packus_epi16(words, words);
    }

    __m256 least;
};

template <class Kernel>
void run(const job& j) {
    using element = typename Kernel::element;
    const Kernel compute(j.a);
    const element* const in = static_cast<const element*>(j.input);
    element* const out = static_cast<element*>(j.output);
    const std::size_t elements = j.elements;
    std::size_t i = 0;
    for (; i + 32 <= elements; i += 32) {
        const auto r0 = compute(Kernel::load(in + i));
        const auto r1 = compute(Kernel::load(in + i + 8));
        const auto r2 = compute(Kernel::load(in + i + 16));
        const auto r3 = compute(Kernel::load(in + i + 24));
        Kernel::store(out + i, r0);
        Kernel::store(out + i + 8, r1);
        Kernel::store(out + i + 16, r2);
        Kernel::store(out + i + 24, r3);
    }
    for (; i < elements; i += 8) {
        const std::size_t left = elements - i;
        if (left >= 8) Kernel::store(out + i, compute(Kernel::load(in + i)));
        else Kernel::store(out + i, left, compute(Kernel::load(left, in + i)));
    }
}

}  // namespace

const hand_kernels hand_avx2{run<float32_chain3>, run<float32_shrink>, run<float16_chain3>, run<int32_chain3>,
                             run<uint8_chain3>};

}  // namespace bench
