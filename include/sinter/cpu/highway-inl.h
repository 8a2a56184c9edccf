// One program as a SIMD kernel. Included once per target by hwy/foreach_target.h, and once more for the static one.
//
// Every value lives in lanes of 32 bits, so that registers of all element types have the same number of lanes; narrow
// elements are widened when loaded and narrowed when stored. The code array is walked by an index sequence: a loop
// would keep the registers in memory.
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

using real_tag = hn::ScalableTag<float>;
using integer_tag = hn::RebindToSigned<real_tag>;
using natural_tag = hn::RebindToUnsigned<real_tag>;
using real_lanes = hn::Vec<real_tag>;
using integer_lanes = hn::Vec<integer_tag>;
using mask_lanes = hn::Mask<real_tag>;

// Which member is alive follows from the instruction that wrote it. uint32 bits live in `integer`.
struct lane_register {
    real_lanes real;
    integer_lanes integer;
    mask_lanes mask;
};

// Keeps a product apart from a following addition: g++ fuses across intrinsics, clang with -ffp-contract=fast.
HWY_INLINE real_lanes rounded_product(real_lanes a, real_lanes b) {
    real_lanes product = hn::Mul(a, b);
#if defined(__GNUC__) && (HWY_ARCH_X86)
    asm("" : "+v"(product.raw));
#elif defined(__GNUC__) && (HWY_ARCH_ARM)
    asm("" : "+w"(product.raw));
#endif
    return product;
}

HWY_INLINE auto as_natural(integer_lanes v) { return hn::BitCast(natural_tag(), v); }
HWY_INLINE integer_lanes as_integer(hn::Vec<natural_tag> v) { return hn::BitCast(integer_tag(), v); }
HWY_INLINE mask_lanes as_mask(hn::Mask<integer_tag> m) { return hn::RebindMask(real_tag(), m); }
HWY_INLINE mask_lanes as_mask(hn::Mask<natural_tag> m) { return hn::RebindMask(real_tag(), m); }

// Back into the range of an 8- or 16-bit type, modulo 2^bits.
template <value_type Type>
HWY_INLINE integer_lanes wrapped(integer_lanes v) {
    constexpr int bits = static_cast<int>(size_of(to_element_type(Type))) * 8;
    if constexpr (bits == 32) return v;
    else if constexpr (is_unsigned(to_element_type(Type))) return hn::And(v, hn::Set(integer_tag(), (1 << bits) - 1));
    else return hn::ShiftRight<32 - bits>(hn::ShiftLeft<32 - bits>(v));
}

#if HWY_TARGET == HWY_SSE2
// Highway's promotion is wrong for the infinities and NaNs of float16 here. Shifted into place, a half is its value
// times 2^-112; the product with 2^112 is exact.
template <class D>
HWY_INLINE real_lanes widened_half(D, const std::uint16_t* half) {
    const hn::Rebind<std::uint16_t, natural_tag> narrow;
    const auto bits = hn::PromoteTo(natural_tag(), hn::LoadU(narrow, half));
    const auto magnitude = hn::And(bits, hn::Set(natural_tag(), 0x7fffu));
    const auto sign = hn::ShiftLeft<16>(hn::Xor(bits, magnitude));
    const auto scaled = hn::Mul(hn::BitCast(real_tag(), hn::ShiftLeft<13>(magnitude)), hn::Set(real_tag(), 0x1p112f));
    const auto special = hn::Gt(as_integer(magnitude), hn::Set(integer_tag(), 0x7bff));
    const auto exponent = hn::IfThenElseZero(hn::RebindMask(natural_tag(), special), hn::Set(natural_tag(), 0x7f800000u));
    return hn::BitCast(real_tag(), hn::Or(hn::Or(hn::BitCast(natural_tag(), scaled), exponent), sign));
}
#else
template <class D>
HWY_INLINE real_lanes widened_half(D, const std::uint16_t* half) {
    const hn::Rebind<hwy::float16_t, real_tag> narrow;
    return hn::PromoteTo(real_tag(), hn::BitCast(narrow, hn::LoadU(hn::RebindToUnsigned<decltype(narrow)>(), half)));
}
#endif

HWY_INLINE auto narrowed_half(real_lanes v) {
    const hn::Rebind<hwy::float16_t, real_tag> narrow;
    return hn::BitCast(hn::RebindToUnsigned<decltype(narrow)>(), hn::DemoteTo(narrow, v));
}

HWY_INLINE real_lanes rounded_to_half(real_lanes v) {
    HWY_ALIGN std::uint16_t halves[HWY_MAX_LANES_D(real_tag)];
    hn::StoreU(narrowed_half(v), hn::RebindToUnsigned<hn::Rebind<hwy::float16_t, real_tag>>(), halves);
    return widened_half(real_tag(), halves);
}

template <class Narrow>
HWY_INLINE integer_lanes widened(const Narrow* elements) {
    return hn::PromoteTo(integer_tag(), hn::LoadU(hn::Rebind<Narrow, integer_tag>(), elements));
}

template <class Narrow>
HWY_INLINE void store_narrowed(integer_lanes v, Narrow* elements) {
    const hn::Rebind<Narrow, integer_tag> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, elements);
}

template <value_type Type>
HWY_INLINE void load(lane_register& r, const std::byte* element) {
    const void* at = element;
    if constexpr (Type == value_type::float32) r.real = hn::LoadU(real_tag(), static_cast<const float*>(at));
    else if constexpr (Type == value_type::float16)
        r.real = widened_half(real_tag(), static_cast<const std::uint16_t*>(at));
    else if constexpr (Type == value_type::int16) r.integer = widened(static_cast<const std::int16_t*>(at));
    else if constexpr (Type == value_type::int8) r.integer = widened(static_cast<const std::int8_t*>(at));
    else if constexpr (Type == value_type::uint16) r.integer = widened(static_cast<const std::uint16_t*>(at));
    else if constexpr (Type == value_type::uint8) r.integer = widened(static_cast<const std::uint8_t*>(at));
    else r.integer = hn::LoadU(integer_tag(), static_cast<const std::int32_t*>(at));
}

template <element_type Type>
HWY_INLINE void store(const lane_register& r, std::byte* element) {
    void* at = element;
    if constexpr (Type == element_type::float32) hn::StoreU(r.real, real_tag(), static_cast<float*>(at));
    else if constexpr (Type == element_type::float16)
        hn::StoreU(narrowed_half(r.real), hn::RebindToUnsigned<hn::Rebind<hwy::float16_t, real_tag>>(),
                   static_cast<std::uint16_t*>(at));
    else if constexpr (Type == element_type::int16) store_narrowed(r.integer, static_cast<std::int16_t*>(at));
    else if constexpr (Type == element_type::int8) store_narrowed(r.integer, static_cast<std::int8_t*>(at));
    else if constexpr (Type == element_type::uint16) store_narrowed(r.integer, static_cast<std::uint16_t*>(at));
    else if constexpr (Type == element_type::uint8) store_narrowed(r.integer, static_cast<std::uint8_t*>(at));
    else hn::StoreU(r.integer, integer_tag(), static_cast<std::int32_t*>(at));
}

// Parameters and constants: the same 32 bits in every lane.
template <value_type Type>
HWY_INLINE void broadcast(lane_register& r, std::uint32_t bits) {
    const auto lanes = hn::Set(natural_tag(), bits);
    if constexpr (is_floating(Type)) r.real = hn::BitCast(real_tag(), lanes);
    else r.integer = as_integer(lanes);
}

template <operation Op>
HWY_INLINE real_lanes extremum(real_lanes a, real_lanes b) {
#if HWY_ARCH_X86
    // minps and maxps give the second operand when they are equal or one is NaN; only b NaN is left to mend.
    const real_lanes chosen = Op == operation::minimum ? hn::Min(a, b) : hn::Max(a, b);
    return hn::IfThenElse(hn::IsNaN(b), a, chosen);
#else
    const auto first = Op == operation::minimum ? hn::Lt(a, b) : hn::Gt(a, b);
    return hn::IfThenElse(hn::Or(first, hn::IsNaN(b)), a, b);
#endif
}

template <operation Op>
HWY_INLINE real_lanes compute_real(real_lanes a, real_lanes b) {
    if constexpr (Op == operation::add) return hn::Add(a, b);
    else if constexpr (Op == operation::subtract) return hn::Sub(a, b);
    else if constexpr (Op == operation::multiply) return rounded_product(a, b);
    else if constexpr (Op == operation::negate) return hn::Xor(a, hn::Set(real_tag(), -0.f));
    else if constexpr (Op == operation::absolute) return hn::AndNot(hn::Set(real_tag(), -0.f), a);
    else if constexpr (Op == operation::round_to_half) return rounded_to_half(a);
    else return extremum<Op>(a, b);
}

template <operation Op, value_type Type>
HWY_INLINE integer_lanes compute_integer(integer_lanes a, integer_lanes b) {
    constexpr bool natural = Type == value_type::uint32;
    if constexpr (Op == operation::add) return wrapped<Type>(hn::Add(a, b));
    else if constexpr (Op == operation::subtract) return wrapped<Type>(hn::Sub(a, b));
    else if constexpr (Op == operation::multiply) return wrapped<Type>(hn::Mul(a, b));
    else if constexpr (Op == operation::negate) return wrapped<Type>(hn::Neg(a));
    else if constexpr (Op == operation::absolute)
        return is_unsigned(to_element_type(Type)) ? a : wrapped<Type>(hn::Abs(a));
    else if constexpr (Op == operation::minimum)
        return natural ? as_integer(hn::Min(as_natural(a), as_natural(b))) : hn::Min(a, b);
    else return natural ? as_integer(hn::Max(as_natural(a), as_natural(b))) : hn::Max(a, b);
}

// Compares bit for bit as the scalar reference does: != is true for NaN, everything else false.
template <operation Op, class V>
HWY_INLINE auto compare(V a, V b) {
    if constexpr (Op == operation::less) return hn::Lt(a, b);
    else if constexpr (Op == operation::less_equal) return hn::Le(a, b);
    else if constexpr (Op == operation::greater) return hn::Gt(a, b);
    else if constexpr (Op == operation::greater_equal) return hn::Ge(a, b);
    else if constexpr (Op == operation::equal) return hn::Eq(a, b);
    else return hn::Not(hn::Eq(a, b));
}

// Float32 with an integral value, or any that is then cut toward zero, to the integer type: saturates, NaN is 0.
template <value_type Type>
HWY_INLINE integer_lanes to_integer(real_lanes v) {
    const auto number = hn::Eq(v, v);
    if constexpr (Type == value_type::uint32) {
        const auto lanes = as_integer(hn::ConvertTo(natural_tag(), v));
        return hn::IfThenElseZero(hn::RebindMask(integer_tag(), number), lanes);
    } else if constexpr (Type == value_type::int32) {
        return hn::IfThenElseZero(hn::RebindMask(integer_tag(), number), hn::ConvertTo(integer_tag(), v));
    } else {
        constexpr integer_range range = range_of(to_element_type(Type));
        const auto lowest = hn::Set(real_tag(), static_cast<float>(range.lowest));
        const auto highest = hn::Set(real_tag(), static_cast<float>(range.highest));
        const auto clamped = hn::Min(hn::Max(hn::IfThenElseZero(number, v), lowest), highest);
        return hn::ConvertInRangeTo(integer_tag(), clamped);
    }
}

template <value_type Type, value_type Source>
HWY_INLINE integer_lanes saturated(integer_lanes v) {
    constexpr integer_range wanted = range_of(to_element_type(Type));
    constexpr integer_range given = range_of(to_element_type(Source));
    if constexpr (wanted.lowest > given.lowest)
        v = hn::Max(v, hn::Set(integer_tag(), static_cast<std::int32_t>(wanted.lowest)));
    if constexpr (wanted.highest < given.highest) {
        const auto highest = static_cast<std::uint32_t>(wanted.highest);
        if constexpr (Source == value_type::uint32)
            v = as_integer(hn::Min(as_natural(v), hn::Set(natural_tag(), highest)));
        else v = hn::Min(v, hn::Set(integer_tag(), static_cast<std::int32_t>(highest)));
    }
    return v;
}

// One instruction. Source is the type of its first operand.
template <operation Op, value_type Type, value_type Source>
HWY_INLINE void compute(lane_register& r, const lane_register& a, const lane_register& b, const lane_register& c) {
    if constexpr (Op == operation::logical_and) r.mask = hn::And(a.mask, b.mask);
    else if constexpr (Op == operation::logical_or) r.mask = hn::Or(a.mask, b.mask);
    else if constexpr (Op == operation::logical_not) r.mask = hn::Not(a.mask);
    else if constexpr (Type == value_type::mask) {
        if constexpr (is_floating(Source)) r.mask = compare<Op>(a.real, b.real);
        else if constexpr (Source == value_type::uint32)
            r.mask = as_mask(compare<Op>(as_natural(a.integer), as_natural(b.integer)));
        else r.mask = as_mask(compare<Op>(a.integer, b.integer));
    } else if constexpr (Op == operation::select) {
        if constexpr (is_floating(Type)) r.real = hn::IfThenElse(a.mask, b.real, c.real);
        else r.integer = hn::IfThenElse(hn::RebindMask(integer_tag(), a.mask), b.integer, c.integer);
    } else if constexpr (Op == operation::to_float32) {
        if constexpr (Source == value_type::uint32) r.real = hn::ConvertTo(real_tag(), as_natural(a.integer));
        else r.real = hn::ConvertTo(real_tag(), a.integer);
    } else if constexpr (Op == operation::truncate) r.integer = to_integer<Type>(a.real);
    else if constexpr (Op == operation::nearest) r.integer = to_integer<Type>(hn::Round(a.real));
    else if constexpr (Op == operation::saturate) r.integer = saturated<Type, Source>(a.integer);
    else if constexpr (is_floating(Type)) r.real = compute_real<Op>(a.real, b.real);
    else r.integer = compute_integer<Op, Type>(a.integer, b.integer);
}

template <class Program>
struct program_kernel {
    static constexpr const auto& code = Program::value;
    static constexpr std::size_t lanes = HWY_MAX_LANES_D(real_tag);

    template <std::size_t I>
    static HWY_INLINE void step(lane_register* r) {
        constexpr instruction i = code[I];
        compute<i.op, i.type, code[i.a].type>(r[I], r[i.a], r[i.b], r[i.c]);
    }

    template <std::size_t I>
    static HWY_INLINE void prepare(lane_register* r, const std::uint32_t* parameters) {
        constexpr instruction i = code[I];
        if constexpr (i.op == operation::parameter) broadcast<i.type>(r[I], parameters[i.bits]);
        else if constexpr (i.op == operation::constant) broadcast<i.type>(r[I], i.bits);
        else if constexpr (i.uniform) step<I>(r);
    }

    template <std::size_t I>
    static HWY_INLINE void advance(lane_register* r, const std::byte* const* inputs, std::size_t element) {
        constexpr instruction i = code[I];
        if constexpr (i.op == operation::input)
            load<i.type>(r[I], inputs[i.bits] + element * size_of(to_element_type(i.type)));
        else if constexpr (!i.uniform) step<I>(r);
    }

    template <std::size_t... I>
    static HWY_INLINE void loop(const std::byte* const* given, std::byte* output, const std::uint32_t* parameters,
                                std::size_t count, std::index_sequence<I...>) {
        const std::byte* inputs[max_inputs];
        for (std::size_t k = 0; k < code.inputs; ++k) inputs[k] = given[k];
        lane_register r[code.size];
        // Lists, not folds: clang limits the depth of a fold to 256.
        [[maybe_unused]] const int prepared[] = {(prepare<I>(r, parameters), 0)...};
        for (std::size_t element = 0; element < count; element += lanes) {
            [[maybe_unused]] const int advanced[] = {(advance<I>(r, inputs, element), 0)...};
            store<code.output>(r[code.result], output + element * size_of(code.output));
        }
    }

    static HWY_NOINLINE void run(const std::byte* const* inputs, std::byte* output, const std::uint32_t* parameters,
                                 std::size_t count) {
        loop(inputs, output, parameters, count, std::make_index_sequence<code.size>());
    }

    static constexpr kernel compiled{&run, lanes};
};

}  // namespace HWY_NAMESPACE
}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
HWY_AFTER_NAMESPACE();

#endif
