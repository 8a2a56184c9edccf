// The primitives of kernels on Highway's vectors. Included once per target by hwy/foreach_target.h, and once more for
// the static one.
#if defined(SINTER_CPU_HIGHWAY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINTER_CPU_HIGHWAY_INL_H_
#undef SINTER_CPU_HIGHWAY_INL_H_
#else
#define SINTER_CPU_HIGHWAY_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Conversions that Highway has only with care for values out of range, which costs it several instructions. They take
// any value, and what they make of one out of range is 0x80000000, or of naturals 0xffffffff.
#if HWY_ARCH_X86
namespace x86 {
SINTER_INLINE __m128i truncated(__m128 v) { return _mm_cvttps_epi32(v); }
SINTER_INLINE __m128i nearest(__m128 v) { return _mm_cvtps_epi32(v); }
#if HWY_TARGET <= HWY_AVX2
SINTER_INLINE __m256i truncated(__m256 v) { return _mm256_cvttps_epi32(v); }
SINTER_INLINE __m256i nearest(__m256 v) { return _mm256_cvtps_epi32(v); }
#endif
#if HWY_TARGET <= HWY_AVX3
inline constexpr __mmask16 every_lane = 0xffff;  // g++ 12 warns of what the forms without a mask leave undefined
SINTER_INLINE __m512i truncated(__m512 v) { return _mm512_maskz_cvttps_epi32(every_lane, v); }
SINTER_INLINE __m512i nearest(__m512 v) { return _mm512_maskz_cvtps_epi32(every_lane, v); }
SINTER_INLINE __m128i truncated_natural(__m128 v) { return _mm_cvttps_epu32(v); }
SINTER_INLINE __m128i nearest_natural(__m128 v) { return _mm_cvtps_epu32(v); }
SINTER_INLINE __m256i truncated_natural(__m256 v) { return _mm256_cvttps_epu32(v); }
SINTER_INLINE __m256i nearest_natural(__m256 v) { return _mm256_cvtps_epu32(v); }
SINTER_INLINE __m512i truncated_natural(__m512 v) { return _mm512_maskz_cvttps_epu32(every_lane, v); }
SINTER_INLINE __m512i nearest_natural(__m512 v) { return _mm512_maskz_cvtps_epu32(every_lane, v); }

// Some of 16 elements; the others are 0, and their memory is not touched.
struct chosen_elements {
    __mmask16 lanes;
};
template <class Element>
SINTER_INLINE auto read(const Element* elements, chosen_elements chosen) {
    if constexpr (std::is_same_v<Element, float>) return _mm512_maskz_loadu_ps(chosen.lanes, elements);
    else if constexpr (sizeof(Element) == 4) return _mm512_maskz_loadu_epi32(chosen.lanes, elements);
    else if constexpr (sizeof(Element) == 2) return _mm256_maskz_loadu_epi16(chosen.lanes, elements);
    else return _mm_maskz_loadu_epi8(chosen.lanes, elements);
}
template <class Element, class Register>
SINTER_INLINE void write(Register v, Element* elements, chosen_elements chosen) {
    if constexpr (std::is_same_v<Element, float>) _mm512_mask_storeu_ps(elements, chosen.lanes, v);
    else if constexpr (sizeof(Element) == 4) _mm512_mask_storeu_epi32(elements, chosen.lanes, v);
    else if constexpr (sizeof(Element) == 2) _mm256_mask_storeu_epi16(elements, chosen.lanes, v);
    else _mm_mask_storeu_epi8(elements, chosen.lanes, v);
}
#endif
}  // namespace x86
#endif

struct simd {
    using real_tag = hn::ScalableTag<float>;
    using integer_tag = hn::RebindToSigned<real_tag>;
    using natural_tag = hn::RebindToUnsigned<real_tag>;
    using real = hn::Vec<real_tag>;
    using integer = hn::Vec<integer_tag>;
    using natural = hn::Vec<natural_tag>;
    using mask = hn::Mask<real_tag>;

    static constexpr std::size_t lanes = HWY_MAX_LANES_D(real_tag);
    // Few processors have SSE2 and nothing better, and every program is compiled for it.
    static constexpr bool is_worth_code = HWY_TARGET != HWY_SSE2;

    template <class Tag, class Element>
    static SINTER_INLINE hn::Vec<Tag> read(Tag tag, const Element* elements, whole_vector) {
        return hn::LoadU(tag, elements);
    }
    template <class Tag, class Element>
    static SINTER_INLINE void write(Tag tag, hn::Vec<Tag> v, Element* elements, whole_vector) {
        hn::StoreU(v, tag, elements);
    }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    static constexpr vector_shape shape{lanes, 1};
    static SINTER_INLINE x86::chosen_elements first(std::size_t elements) {
        return {static_cast<__mmask16>((1u << elements) - 1)};
    }
    template <class Tag, class Element>
    static SINTER_INLINE hn::Vec<Tag> read(Tag, const Element* elements, x86::chosen_elements chosen) {
        return hn::Vec<Tag>{x86::read(elements, chosen)};
    }
    template <class Tag, class Element>
    static SINTER_INLINE void write(Tag, hn::Vec<Tag> v, Element* elements, x86::chosen_elements chosen) {
        x86::write(v.raw, elements, chosen);
    }
#else
    static constexpr vector_shape shape{lanes, lanes};
    static SINTER_INLINE whole_vector first(std::size_t) { return {}; }
#endif

    static SINTER_INLINE natural broadcast(std::uint32_t bits) { return hn::Set(natural_tag(), bits); }
    static SINTER_INLINE real as_real(natural v) { return hn::BitCast(real_tag(), v); }
    static SINTER_INLINE integer as_integer(natural v) { return hn::BitCast(integer_tag(), v); }
    static SINTER_INLINE natural as_natural(integer v) { return hn::BitCast(natural_tag(), v); }

    template <class Extent>
    static SINTER_INLINE real load(const float* elements, Extent extent) {
        return read(real_tag(), elements, extent);
    }
    template <class Extent>
    static SINTER_INLINE integer load(const std::int32_t* elements, Extent extent) {
        return read(integer_tag(), elements, extent);
    }
    template <class Narrow, class Extent>
    static SINTER_INLINE integer load(const Narrow* elements, Extent extent) {
        return hn::PromoteTo(integer_tag(), read(hn::Rebind<Narrow, integer_tag>(), elements, extent));
    }

    template <class Extent>
    static SINTER_INLINE void store(real v, float* elements, Extent extent) {
        write(real_tag(), v, elements, extent);
    }
    template <class Extent>
    static SINTER_INLINE void store(integer v, std::int32_t* elements, Extent extent) {
        write(integer_tag(), v, elements, extent);
    }
    template <class Narrow, class Extent>
    static SINTER_INLINE void store(integer v, Narrow* elements, Extent extent) {
        // The value is one of the narrow type's, so that its low bits are all of it.
        const hn::Rebind<Narrow, integer_tag> narrow;
        const auto low_bits = hn::TruncateTo(hn::RebindToUnsigned<decltype(narrow)>(), as_natural(v));
        write(narrow, hn::BitCast(narrow, low_bits), elements, extent);
    }

    static SINTER_INLINE void stream(real v, float* elements) { hn::Stream(v, real_tag(), elements); }
    static SINTER_INLINE void stream(integer v, std::int32_t* elements) { hn::Stream(v, integer_tag(), elements); }

    using half_tag = hn::Rebind<hwy::float16_t, real_tag>;
    using half_bits_tag = hn::Rebind<std::uint16_t, real_tag>;

#if HWY_TARGET == HWY_SSE2
    // Highway's promotion is wrong for the infinities and NaNs of float16 here. Shifted into place, a half is its
    // value times 2^-112; the product with 2^112 is exact.
    template <class Extent>
    static SINTER_INLINE real load_half(const std::uint16_t* halves, Extent extent) {
        const natural bits = hn::PromoteTo(natural_tag(), read(half_bits_tag(), halves, extent));
        const natural magnitude = hn::And(bits, broadcast(0x7fffu));
        const natural sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
        const real scaled = hn::Mul(as_real(hn::ShiftLeft<13>(magnitude)), hn::Set(real_tag(), 0x1p112f));
        const auto special = hn::Gt(as_integer(magnitude), hn::Set(integer_tag(), 0x7bff));
        const natural exponent = hn::IfThenElseZero(hn::RebindMask(natural_tag(), special), broadcast(0x7f800000u));
        return as_real(hn::Or(hn::Or(hn::BitCast(natural_tag(), scaled), exponent), sign));
    }
#else
    template <class Extent>
    static SINTER_INLINE real load_half(const std::uint16_t* halves, Extent extent) {
        return hn::PromoteTo(real_tag(), hn::BitCast(half_tag(), read(half_bits_tag(), halves, extent)));
    }
#endif
    template <class Extent>
    static SINTER_INLINE void store_half(real v, std::uint16_t* halves, Extent extent) {
        write(half_bits_tag(), hn::BitCast(half_bits_tag(), hn::DemoteTo(half_tag(), v)), halves, extent);
    }

    static SINTER_INLINE real add(real a, real b) { return hn::Add(a, b); }
    static SINTER_INLINE real subtract(real a, real b) { return hn::Sub(a, b); }
    // Keeps a product apart from a following addition: g++ fuses across intrinsics, clang with -ffp-contract=fast.
    static SINTER_INLINE real multiply(real a, real b) {
        real product = hn::Mul(a, b);
#if (defined(__GNUC__) || defined(__clang__)) && HWY_ARCH_X86
        asm("" : "+v"(product.raw));
#elif (defined(__GNUC__) || defined(__clang__)) && HWY_ARCH_ARM
        asm("" : "+w"(product.raw));
#endif
        return product;
    }
    static SINTER_INLINE real negate(real v) { return hn::Xor(v, hn::Set(real_tag(), -0.f)); }
    static SINTER_INLINE real absolute(real v) { return hn::AndNot(hn::Set(real_tag(), -0.f), v); }
#if HWY_ARCH_X86
    // minps and maxps give the second operand when they are equal or one is NaN; only b NaN is left to mend.
    static SINTER_INLINE real minimum(real a, real b) { return hn::MaskedMinOr(a, hn::Eq(b, b), a, b); }
    static SINTER_INLINE real maximum(real a, real b) { return hn::MaskedMaxOr(a, hn::Eq(b, b), a, b); }
#else
    static SINTER_INLINE real minimum(real a, real b) {
        return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(b)), a, b);
    }
    static SINTER_INLINE real maximum(real a, real b) {
        return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(b)), a, b);
    }
#endif

    static SINTER_INLINE integer add(integer a, integer b) { return hn::Add(a, b); }
    static SINTER_INLINE integer subtract(integer a, integer b) { return hn::Sub(a, b); }
    static SINTER_INLINE integer multiply(integer a, integer b) { return hn::Mul(a, b); }
    static SINTER_INLINE integer negate(integer v) { return hn::Neg(v); }
    static SINTER_INLINE integer absolute(integer v) { return hn::Abs(v); }
    static SINTER_INLINE integer minimum(integer a, integer b) { return hn::Min(a, b); }
    static SINTER_INLINE integer maximum(integer a, integer b) { return hn::Max(a, b); }
    static SINTER_INLINE natural minimum(natural a, natural b) { return hn::Min(a, b); }
    static SINTER_INLINE natural maximum(natural a, natural b) { return hn::Max(a, b); }
    static SINTER_INLINE integer bitwise_and(integer a, integer b) { return hn::And(a, b); }
    template <int Bits>
    static SINTER_INLINE integer shift_left(integer v) {
        return hn::ShiftLeft<Bits>(v);
    }
    template <int Bits>
    static SINTER_INLINE integer shift_right(integer v) {
        return hn::ShiftRight<Bits>(v);
    }

    template <class Lanes>
    static SINTER_INLINE mask less(Lanes a, Lanes b) {
        return hn::RebindMask(real_tag(), hn::Lt(a, b));
    }
    template <class Lanes>
    static SINTER_INLINE mask less_equal(Lanes a, Lanes b) {
        return hn::RebindMask(real_tag(), hn::Le(a, b));
    }
    template <class Lanes>
    static SINTER_INLINE mask equal(Lanes a, Lanes b) {
        return hn::RebindMask(real_tag(), hn::Eq(a, b));
    }

    static SINTER_INLINE mask both(mask a, mask b) { return hn::And(a, b); }
    static SINTER_INLINE mask either(mask a, mask b) { return hn::Or(a, b); }
    static SINTER_INLINE mask opposite(mask m) { return hn::Not(m); }
    static SINTER_INLINE real select(mask m, real a, real b) { return hn::IfThenElse(m, a, b); }
    static SINTER_INLINE integer select(mask m, integer a, integer b) {
        return hn::IfThenElse(hn::RebindMask(integer_tag(), m), a, b);
    }
    static SINTER_INLINE real zero_unless(mask m, real v) { return hn::IfThenElseZero(m, v); }
    static SINTER_INLINE integer zero_unless(mask m, integer v) {
        return hn::IfThenElseZero(hn::RebindMask(integer_tag(), m), v);
    }

    static SINTER_INLINE real clamp(real v, real lowest, real highest) { return hn::Min(hn::Max(v, lowest), highest); }
    static SINTER_INLINE real at_most(real v, real highest) { return hn::Min(v, highest); }

#if HWY_ARCH_X86
    static SINTER_INLINE real positive(real v) { return hn::Max(v, hn::Zero(real_tag())); }  // NaN gives the second
    template <bool Nearest>
    static SINTER_INLINE integer convert(real v) {
        if constexpr (Nearest) return integer{x86::nearest(v.raw)};
        else return integer{x86::truncated(v.raw)};
    }
    // Below the range, the conversion itself gives the lowest.
    template <bool Nearest>
    static SINTER_INLINE integer saturate_to_integer(real v) {
        const mask above = less_equal(hn::Set(real_tag(), 0x1p31f), v);
        return select(above, hn::Set(integer_tag(), 0x7fffffff), zero_unless(equal(v, v), convert<Nearest>(v)));
    }
#else
    static SINTER_INLINE real positive(real v) { return zero_unless(less(hn::Zero(real_tag()), v), v); }
    template <bool Nearest>
    static SINTER_INLINE integer convert(real v) {
        return hn::ConvertTo(integer_tag(), Nearest ? hn::Round(v) : v);
    }
    template <bool Nearest>
    static SINTER_INLINE integer saturate_to_integer(real v) {
        return zero_unless(equal(v, v), convert<Nearest>(v));
    }
#endif
    template <bool Nearest>
    static SINTER_INLINE integer saturate_to_natural(real v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
        if constexpr (Nearest) return integer{x86::nearest_natural(v.raw)};
        else return integer{x86::truncated_natural(v.raw)};
#else
        return as_integer(hn::ConvertTo(natural_tag(), Nearest ? hn::Round(v) : v));
#endif
    }
    template <class Lanes>
    static SINTER_INLINE real to_real(Lanes v) {
        return hn::ConvertTo(real_tag(), v);
    }
};

#include "program_kernel-inl.h"

}  // namespace HWY_NAMESPACE
}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
HWY_AFTER_NAMESPACE();

#endif
