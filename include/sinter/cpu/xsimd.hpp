// cpu::xsimd: SIMD kernels for the architecture that the program is compiled for.
//
// Needs the headers of xsimd 8.1 or later, and is absent where they support no architecture. Not part of
// <sinter/sinter.hpp>, which would take longer to compile. To choose the instruction set when the program runs, use
// cpu::highway.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "wide_vectors.hpp"
// Where this is not the unit's first header of xsimd, the assertion below says so.
#if !SINTER_HAS_WIDE_VECTORS && defined(__AVX__) && !defined(XSIMD_DEFAULT_ARCH)
#define XSIMD_DEFAULT_ARCH sse4_2
#endif
#include <xsimd/xsimd.hpp>

#include "../core/inline.hpp"
#include "../plan/backend.hpp"
#include "blocks.hpp"
#include "copy_kernel.hpp"
#include "executor.hpp"
#include "memory_backend.hpp"
#include "static_namespace.hpp"
#include "thresholds.hpp"
#include "xsimd_x86.hpp"

#if !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)

namespace sinter::cpu {

namespace detail {
inline namespace SINTER_STATIC_NAMESPACE {
namespace on_xsimd {

// g++ 12 finds its own AVX-512 intrinsics reading what they leave undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// The primitives of kernels on xsimd's batches. Casts of the same bits are std::bit_cast, since xsimd's own have
// changed their form; != is left to `opposite`, since it was false for NaN in early versions.
struct simd {
    using real = ::xsimd::batch<float>;
    using integer = ::xsimd::batch<std::int32_t>;
    using natural = ::xsimd::batch<std::uint32_t>;
    using mask = ::xsimd::batch_bool<float>;
    using integer_mask = ::xsimd::batch_bool<std::int32_t>;

    static constexpr std::size_t lanes = real::size;
    static constexpr vector_shape shape{lanes, lanes};
    static constexpr bool is_worth_code = true;
    static SINTER_INLINE whole_vector first(std::size_t) { return {}; }
    static_assert(SINTER_HAS_WIDE_VECTORS || sizeof(real) <= 16,
                  "sinter: vectors above 128 bits crash where GCC made them for 64-bit Windows (GCC bug 54412): "
                  "compile without -mavx, or include <sinter/cpu/xsimd.hpp> before xsimd, newer than 8.1");
    using lanes_constant = std::integral_constant<std::size_t, lanes>;
    template <class Lanes>
    using register_of = typename Lanes::register_type;

    static SINTER_INLINE natural broadcast(std::uint32_t bits) { return natural(bits); }
    static SINTER_INLINE real as_real(natural v) { return std::bit_cast<real>(v); }
    static SINTER_INLINE integer as_integer(natural v) { return std::bit_cast<integer>(v); }
    static SINTER_INLINE natural as_natural(integer v) { return std::bit_cast<natural>(v); }
    static SINTER_INLINE natural as_natural(real v) { return std::bit_cast<natural>(v); }

    static SINTER_INLINE real load(const float* elements, whole_vector = {}) { return real::load_unaligned(elements); }
    static SINTER_INLINE integer load(const std::int32_t* elements, whole_vector = {}) {
        return integer::load_unaligned(elements);
    }
    template <class Narrow>
    static SINTER_INLINE integer load(const Narrow* elements, whole_vector = {}) {
        if constexpr (requires { integer(x86::widened(elements, lanes_constant())); })
            return integer(x86::widened(elements, lanes_constant()));
        else return ::xsimd::load_as<std::int32_t>(elements, ::xsimd::unaligned_mode());
    }

    static SINTER_INLINE void store(real v, float* elements, whole_vector = {}) { v.store_unaligned(elements); }
    static SINTER_INLINE void store(integer v, std::int32_t* elements, whole_vector = {}) {
        v.store_unaligned(elements);
    }
    template <class Narrow>
    static SINTER_INLINE void store(integer v, Narrow* elements, whole_vector = {}) {
        if constexpr (requires { x86::store_narrowed(register_of<integer>(v), elements); })
            x86::store_narrowed(register_of<integer>(v), elements);
        else ::xsimd::store_as(elements, v, ::xsimd::unaligned_mode());
    }

    // Ordinary stores on processors without others.
    template <class Lanes, class Element>
    static SINTER_INLINE void stream(Lanes v, Element* elements) {
        if constexpr (requires { x86::stream(register_of<Lanes>(v), elements); })
            x86::stream(register_of<Lanes>(v), elements);
        else store(v, elements);
    }

    template <class Half>
    static SINTER_INLINE real load_half(const Half* halves, whole_vector = {}) {
        if constexpr (requires { real(x86::widened_half(halves, lanes_constant())); })
            return real(x86::widened_half(halves, lanes_constant()));
        else return half_value(as_natural(load(halves)));
    }
    template <class Half>
    static SINTER_INLINE void store_half(real v, Half* halves, whole_vector = {}) {
        if constexpr (requires { x86::store_half(register_of<real>(v), halves); })
            x86::store_half(register_of<real>(v), halves);
        else store(as_integer(half_bits(v)), halves);
    }

    // Shifted into place, a half is its value times 2^-112; the product with 2^112 is exact.
    static SINTER_INLINE real half_value(natural half) {
        const natural magnitude = half & broadcast(0x7fffu);
        const natural sign = (half ^ magnitude) << 16;
        const real scaled = as_real(magnitude << 13) * real(0x1p112f);
        const mask special = less(broadcast_integer(0x7bff), as_integer(magnitude));
        return as_real(as_natural(scaled) | as_natural(zero_unless(special, broadcast_integer(0x7f800000))) | sign);
    }

    // Added to 2^13 times its own power of two, the magnitude is rounded to the bits that a half keeps. What the sum
    // has above that number is the half's significand, to which its exponent is added; a significand that was rounded
    // up to the next power of two carries into it. Magnitudes from 2^16 on are cut to that, which gives infinity.
    static SINTER_INLINE natural half_bits(real v) {
        const natural sign = as_natural(v) & broadcast(0x80000000u);
        const integer given = as_integer(as_natural(v) ^ sign);
        const integer magnitude = minimum(given, broadcast_integer(0x47800000));
        const integer exponent = maximum(magnitude & broadcast_integer(0x7f800000), broadcast_integer(0x38800000));
        const integer rounder = exponent + broadcast_integer(13 << 23);
        const real sum = as_real(as_natural(magnitude)) + as_real(as_natural(rounder));
        const integer significand = as_integer(as_natural(sum)) - rounder;
        const integer half = significand + (exponent >> 13) - broadcast_integer(113 << 10);
        const integer quiet = zero_unless(less(broadcast_integer(0x7f800000), given), broadcast_integer(0x200));
        return as_natural(half | quiet) | (sign >> 16);
    }

    static SINTER_INLINE real add(real a, real b) { return a + b; }
    static SINTER_INLINE real subtract(real a, real b) { return a - b; }
    // Keeps a product apart from a following addition: g++ fuses across intrinsics, clang with -ffp-contract=fast.
    static SINTER_INLINE real multiply(real a, real b) {
#if (defined(__GNUC__) || defined(__clang__)) && defined(SINTER_HAS_SSE2)
        real::register_type product = a * b;
        asm("" : "+v"(product));
        return real(product);
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__ARM_NEON)
        real::register_type product = a * b;
        asm("" : "+w"(product));
        return real(product);
#else
        return a * b;
#endif
    }
    static SINTER_INLINE real negate(real v) { return v ^ real(-0.f); }
    static SINTER_INLINE real absolute(real v) { return as_real(as_natural(v) & broadcast(0x7fffffffu)); }
    static SINTER_INLINE real minimum(real a, real b) { return select(equal(b, b), second_or_less(a, b), a); }
    static SINTER_INLINE real maximum(real a, real b) { return select(equal(b, b), second_or_greater(a, b), a); }

    // The second where they are equal or one is NaN.
    template <class Real>
    static SINTER_INLINE real second_or_less(Real a, Real b) {
        if constexpr (requires { Real(x86::minimum(register_of<Real>(a), register_of<Real>(b))); })
            return Real(x86::minimum(register_of<Real>(a), register_of<Real>(b)));
        else return select(less(a, b), a, b);
    }
    template <class Real>
    static SINTER_INLINE real second_or_greater(Real a, Real b) {
        if constexpr (requires { Real(x86::maximum(register_of<Real>(a), register_of<Real>(b))); })
            return Real(x86::maximum(register_of<Real>(a), register_of<Real>(b)));
        else return select(less(b, a), a, b);
    }

    static SINTER_INLINE integer add(integer a, integer b) { return a + b; }
    static SINTER_INLINE integer subtract(integer a, integer b) { return a - b; }
    // Of naturals: where xsimd multiplies lane by lane, the overflow of an int would be undefined.
    static SINTER_INLINE integer multiply(integer a, integer b) { return wrapping_product(a, b); }
    template <class Integer>
    static SINTER_INLINE integer wrapping_product(Integer a, Integer b) {
        if constexpr (requires { Integer(x86::multiply(register_of<Integer>(a), register_of<Integer>(b))); })
            return Integer(x86::multiply(register_of<Integer>(a), register_of<Integer>(b)));
        else return as_integer(as_natural(a) * as_natural(b));
    }
    static SINTER_INLINE integer negate(integer v) { return as_integer(natural(0u) - as_natural(v)); }
    static SINTER_INLINE integer absolute(integer v) { return maximum(v, negate(v)); }
    static SINTER_INLINE integer minimum(integer a, integer b) { return (::xsimd::min)(a, b); }
    static SINTER_INLINE integer maximum(integer a, integer b) { return (::xsimd::max)(a, b); }
    static SINTER_INLINE natural minimum(natural a, natural b) { return (::xsimd::min)(a, b); }
    static SINTER_INLINE natural maximum(natural a, natural b) { return (::xsimd::max)(a, b); }
    static SINTER_INLINE integer bitwise_and(integer a, integer b) { return a & b; }
    template <int Bits>
    static SINTER_INLINE integer shift_left(integer v) {
        return v << Bits;
    }
    template <int Bits>
    static SINTER_INLINE integer shift_right(integer v) {
        return v >> Bits;
    }

    template <class Lanes>
    static SINTER_INLINE mask less(Lanes a, Lanes b) {
        return std::bit_cast<mask>(a < b);
    }
    template <class Lanes>
    static SINTER_INLINE mask less_equal(Lanes a, Lanes b) {
        return std::bit_cast<mask>(a <= b);
    }
    template <class Lanes>
    static SINTER_INLINE mask equal(Lanes a, Lanes b) {
        return std::bit_cast<mask>(a == b);
    }

    static SINTER_INLINE mask both(mask a, mask b) { return a & b; }
    static SINTER_INLINE mask either(mask a, mask b) { return a | b; }
    static SINTER_INLINE mask opposite(mask m) { return ~m; }
    static SINTER_INLINE real select(mask m, real a, real b) { return ::xsimd::select(m, a, b); }
    static SINTER_INLINE integer select(mask m, integer a, integer b) {
        return ::xsimd::select(std::bit_cast<integer_mask>(m), a, b);
    }
    static SINTER_INLINE real zero_unless(mask m, real v) {
        if constexpr (sizeof(mask) == sizeof(real)) return as_real(as_natural(v) & lanes_of(m));
        else return select(m, v, real(0.f));
    }
    static SINTER_INLINE integer zero_unless(mask m, integer v) {
        if constexpr (sizeof(mask) == sizeof(integer)) return as_integer(as_natural(v) & lanes_of(m));
        else return select(m, v, integer(0));
    }
    template <class Mask>
    static SINTER_INLINE natural lanes_of(Mask m) {
        return std::bit_cast<natural>(m);
    }

    static SINTER_INLINE real clamp(real v, real lowest, real highest) {
        return (::xsimd::min)((::xsimd::max)(v, lowest), highest);
    }
    static SINTER_INLINE real at_most(real v, real highest) { return (::xsimd::min)(v, highest); }

    static SINTER_INLINE real positive(real v) { return second_or_greater(v, real(0.f)); }
    template <bool Nearest>
    static SINTER_INLINE integer convert(real v) {
        if constexpr (Nearest) return ::xsimd::nearbyint_as_int(v);
        else return ::xsimd::to_int(v);
    }
    // Below the range, the conversion itself gives the lowest.
    template <bool Nearest>
    static SINTER_INLINE integer saturate_to_integer(real v) {
        return select(less_equal(real(0x1p31f), v), broadcast_integer(0x7fffffff),
                      zero_unless(equal(v, v), convert<Nearest>(v)));
    }
    template <bool Nearest, class Real>
    static SINTER_INLINE integer saturate_to_natural(Real v) {
        using choice = std::bool_constant<Nearest>;
        if constexpr (requires { integer(x86::saturate_to_natural(register_of<Real>(v), choice())); }) {
            return integer(x86::saturate_to_natural(register_of<Real>(v), choice()));
        } else {
            if constexpr (Nearest) v = ::xsimd::nearbyint(v);
            const mask above = less_equal(real(0x1p31f), v);
            const integer low_bits = convert<false>(v - zero_unless(above, real(0x1p31f)));
            const integer high_bit = zero_unless(above, broadcast_integer(0x80000000u));
            return select(less_equal(real(0x1p32f), v), broadcast_integer(0xffffffffu), low_bits ^ high_bit);
        }
    }
    static SINTER_INLINE real to_real(integer v) { return ::xsimd::to_float(v); }
    static SINTER_INLINE real to_real(natural v) { return ::xsimd::batch_cast<float>(v); }

private:
    static SINTER_INLINE integer broadcast_integer(std::uint32_t bits) { return as_integer(broadcast(bits)); }
};

#include "program_kernel-inl.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace on_xsimd

template <class Program>
constexpr const kernel& xsimd_kernel() noexcept {
    if constexpr (is_copy<Program>) return copy_kernel<Program>;
    else return on_xsimd::program_kernel<Program>::compiled;
}

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace detail

// A type of its own in every unit that is compiled for another instruction set, as its kernels are.
inline namespace SINTER_STATIC_NAMESPACE {

class xsimd : public memory_backend {
public:
    // The same with other thresholds.
    xsimd with(const cpu::thresholds& chosen) const noexcept {
        xsimd tuned = *this;
        tuned.thresholds_ = chosen;
        return tuned;
    }
    const cpu::thresholds& thresholds() const noexcept { return thresholds_; }

    // The same on the threads of an executor.
    template <executor Executor>
    parallel<xsimd, Executor> with(Executor threads) const {
        return {*this, std::move(threads)};
    }

    template <class Program>
    const detail::kernel& compiled() const noexcept {
        return detail::xsimd_kernel<Program>();
    }

    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        detail::run_kernel(compiled<Program>(), p, data, thresholds_, calling_thread());
    }

    std::string title() const { return std::string("xsimd, architecture ") + ::xsimd::default_arch::name(); }
    detail::kernel outline(const program_view& program) const noexcept {
        return detail::kernel_without_code(program, detail::on_xsimd::simd::shape);
    }
    std::string describe(const program_view& program, const plan& p) const {
        return title() + ", " + detail::describe_run(outline(program), p, thresholds_, calling_thread());
    }

private:
    cpu::thresholds thresholds_;
};

}  // namespace SINTER_STATIC_NAMESPACE

}  // namespace sinter::cpu

#endif
