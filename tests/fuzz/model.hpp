// What every result must be, written a second time and apart from the library: from docs/numeric_contract.md, one value
// after the other, in double and 64-bit integers. Nothing of sinter is used here.
//
// Every value of every element type is a double exactly; an operation of float32 values in double, rounded once more
// to float32, is the float32 operation.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace model {

enum class kind { f32, f16, i32, i16, i8, u32, u16, u8 };
inline constexpr std::size_t kinds = 8;

constexpr bool is_float(kind k) { return k == kind::f32 || k == kind::f16; }
constexpr bool is_signed(kind k) { return k == kind::i32 || k == kind::i16 || k == kind::i8; }
constexpr std::size_t bytes_of(kind k) {
    if (k == kind::f32 || k == kind::i32 || k == kind::u32) return 4;
    return k == kind::i8 || k == kind::u8 ? 1 : 2;
}
constexpr int bits_of(kind k) { return static_cast<int>(bytes_of(k)) * 8; }
inline double lowest(kind k) { return is_signed(k) ? -std::ldexp(1., bits_of(k) - 1) : 0.; }
inline double highest(kind k) { return std::ldexp(1., bits_of(k) - (is_signed(k) ? 1 : 0)) - 1.; }

inline double f32(double v) { return static_cast<double>(static_cast<float>(v)); }

// ---- elements in memory

inline double half_to_number(unsigned h) {
    const int exponent = static_cast<int>(h >> 10 & 31u);
    const double fraction = h & 1023u;
    double magnitude = std::ldexp(fraction, -24);
    if (exponent == 31) magnitude = fraction == 0 ? HUGE_VAL : NAN;
    else if (exponent != 0) magnitude = std::ldexp(1024. + fraction, exponent - 25);
    return (h & 0x8000u) != 0 ? -magnitude : magnitude;
}

// A half has 11 bits from 2^-14 on; below, its steps stay 2^-24.
inline unsigned number_to_half(double v) {
    const unsigned sign = std::signbit(v) ? 0x8000u : 0u;
    const double magnitude = std::fabs(v);
    if (std::isnan(v)) return sign | 0x7e00u;
    if (magnitude >= 65520.) return sign | 0x7c00u;
    if (magnitude == 0.) return sign;
    const int exponent = std::ilogb(magnitude) < -14 ? -14 : std::ilogb(magnitude);
    const double steps = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
    return sign | (static_cast<unsigned>(steps) + static_cast<unsigned>(exponent + 14) * 1024u);
}

inline double round_to_half(double v) { return half_to_number(number_to_half(v)); }

inline double load(kind k, const void* from) {
    const auto as = [from](auto value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    };
    switch (k) {
        case kind::f32: return as(float{});
        case kind::f16: return half_to_number(static_cast<unsigned>(as(std::uint16_t{})));
        case kind::i32: return as(std::int32_t{});
        case kind::i16: return as(std::int16_t{});
        case kind::i8: return as(std::int8_t{});
        case kind::u32: return as(std::uint32_t{});
        case kind::u16: return as(std::uint16_t{});
        default: return as(std::uint8_t{});
    }
}

// Whether an element holds the value: bit for bit, but any NaN for a NaN.
inline bool holds(kind k, const void* element, double v) {
    if (k == kind::f16) v = round_to_half(v);
    const double found = load(k, element);
    if (std::isnan(v) || std::isnan(found)) return std::isnan(v) && std::isnan(found);
    return found == v && std::signbit(found) == std::signbit(v);
}

// ---- conversions

inline double saturated(kind k, double integral) {
    if (std::isnan(integral)) return 0.;
    return integral < lowest(k) ? lowest(k) : integral > highest(k) ? highest(k) : integral + 0.;
}
inline double truncated_to(kind k, double v) { return saturated(k, std::trunc(v)); }
inline double rounded_to(kind k, double v) { return saturated(k, std::nearbyint(v)); }

// Modulo 2^bits; the argument as 64 bits, which products of two 32-bit numbers need.
inline double wrapped(kind k, std::uint64_t v) {
    const int unused = 64 - bits_of(k);
    if (is_signed(k)) return static_cast<double>(static_cast<std::int64_t>(v << unused) >> unused);
    return static_cast<double>(v << unused >> unused);
}
inline std::uint64_t bits64(double integral) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(integral)); }

// ---- operators on one value; of float16, the value is a float32 that is rounded where it is stored

// The operand that is not NaN, and the second of equal ones.
inline double minimum(double a, double b) { return std::isnan(b) || a < b ? a : b; }
inline double maximum(double a, double b) { return std::isnan(b) || a > b ? a : b; }

inline double scale_bias(kind k, double x, double scale, double bias) {
    if (scale == 1. && bias == 0.) return x;
    const double y = f32(f32(f32(x) * scale) + bias);
    return is_float(k) ? y : truncated_to(k, y);
}
inline double shrink(kind k, double x, double bias, double threshold) {
    const double v = f32(x);
    double y = 0.;
    if (v > threshold) y = f32(v - bias);
    else if (v < -threshold) y = f32(v + bias);
    return is_float(k) ? y : rounded_to(k, y);
}
inline double threshold(kind k, double x, double least) {
    return maximum(x, is_float(k) ? least : truncated_to(k, least));
}
// An int32 bound that is NaN is no bound from below and the lowest number from above.
inline double clip(kind k, double x, double least, double most) {
    const auto bound = [k](double v) {
        if (is_float(k)) return v;
        return k == kind::i32 && std::isnan(v) ? lowest(k) : truncated_to(k, v);
    };
    return maximum(minimum(x, bound(most)), bound(least));
}
inline double relu(double x) { return x > 0. ? x : 0.; }
// Computed in 32 bits, then saturated: int32's lowest gives itself.
inline double absolute_saturated(kind k, double x) {
    if (is_float(k)) return std::fabs(x);
    return k == kind::i32 && x == lowest(k) ? x : saturated(k, std::fabs(x));
}
inline double negated_saturated(kind k, double x) {
    if (is_float(k)) return -x;
    return k == kind::i32 && x == lowest(k) ? x : saturated(k, -x);
}
inline double sign(double x) { return x > 0. ? 1. : x < 0. ? -1. : 0.; }
inline double linear(double x, double alpha, double beta) { return f32(f32(x * alpha) + beta); }
inline double leaky_relu(double x, double alpha) { return x >= 0. ? x : f32(x * alpha); }
inline double thresholded_relu(double x, double alpha) { return x <= alpha ? 0. : x; }
inline double round(double x, int mode) {
    return mode == 0 ? std::nearbyint(x) : mode == 1 ? std::trunc(x) : std::round(x);
}
inline double add(kind k, double a, double b) { return is_float(k) ? f32(a + b) : wrapped(k, bits64(a) + bits64(b)); }
inline double subtract(kind k, double a, double b) {
    return is_float(k) ? f32(a - b) : wrapped(k, bits64(a) - bits64(b));
}
inline double multiply(kind k, double a, double b) {
    return is_float(k) ? f32(a * b) : wrapped(k, bits64(a) * bits64(b));
}

// ---- the same as a language, so that one generic callable makes an expression of sinter's or a value of this model

// Thrown where sinter must refuse a scalar that the element type cannot hold.
struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class T>
constexpr kind kind_of() {
    if constexpr (std::same_as<T, float>) return kind::f32;
    else if constexpr (!std::is_integral_v<T>) return kind::f16;
    else if constexpr (std::is_signed_v<T>) return sizeof(T) == 4 ? kind::i32 : sizeof(T) == 2 ? kind::i16 : kind::i8;
    else return sizeof(T) == 4 ? kind::u32 : sizeof(T) == 2 ? kind::u16 : kind::u8;
}

// Inside a map body x * s + b is plain arithmetic; outside it is scale_bias.
struct value {
    kind k;
    double v;
    bool in_body = false;
};
struct product_with_scalar {
    value x;
    double scale;
    operator value() const { return {x.k, multiply(x.k, x.v, scale), x.in_body}; }
};
struct mask {
    bool set;
};

template <class N>
concept number = std::is_arithmetic_v<N>;

inline value scalar_that_wraps(value like, number auto n) {
    if (is_float(like.k)) return {like.k, static_cast<double>(static_cast<float>(n)), like.in_body};
    return {like.k, wrapped(like.k, static_cast<std::uint64_t>(n)), like.in_body};
}
inline value scalar_that_fits(value like, number auto n) {
    if (!is_float(like.k) && (static_cast<double>(n) < lowest(like.k) || static_cast<double>(n) > highest(like.k)))
        throw refused("a scalar does not fit");
    return scalar_that_wraps(like, n);
}

inline value operator+(value a, value b) { return {a.k, add(a.k, a.v, b.v), a.in_body}; }
inline value operator-(value a, value b) { return {a.k, subtract(a.k, a.v, b.v), a.in_body}; }
inline value operator*(value a, value b) { return {a.k, multiply(a.k, a.v, b.v), a.in_body}; }
inline value& operator+=(value& a, value b) { return a = a + b; }
inline value operator-(value a) { return {a.k, is_float(a.k) ? -a.v : wrapped(a.k, 0u - bits64(a.v)), a.in_body}; }
inline value operator+(value a, number auto n) { return a + scalar_that_wraps(a, n); }
inline value operator-(value a, number auto n) { return a - scalar_that_wraps(a, n); }
inline value operator-(number auto n, value a) { return scalar_that_wraps(a, n) - a; }
inline product_with_scalar operator*(value a, number auto n) { return {a, scalar_that_wraps(a, n).v}; }
inline product_with_scalar operator*(number auto n, value a) { return a * n; }
inline value operator+(product_with_scalar p, number auto n) {
    if (!is_float(p.x.k) || p.x.in_body) return value(p) + n;
    return {p.x.k, scale_bias(p.x.k, p.x.v, p.scale, static_cast<float>(n))};
}
inline value operator-(product_with_scalar p, number auto n) {
    if (!is_float(p.x.k) || p.x.in_body) return value(p) - n;
    return {p.x.k, scale_bias(p.x.k, p.x.v, p.scale, -static_cast<float>(n))};
}

inline value scale_bias(value x, float s, float b) { return {x.k, scale_bias(x.k, x.v, s, b), x.in_body}; }
inline value shrink(value x, float b, float t) { return {x.k, shrink(x.k, x.v, b, t), x.in_body}; }
inline value threshold(value x, float m) { return {x.k, threshold(x.k, x.v, m), x.in_body}; }

inline value min(value a, value b) { return {a.k, minimum(a.v, b.v), a.in_body}; }
inline value max(value a, value b) { return {a.k, maximum(a.v, b.v), a.in_body}; }
inline value min(value a, number auto n) { return min(a, scalar_that_fits(a, n)); }
inline value max(value a, number auto n) { return max(a, scalar_that_fits(a, n)); }
inline value clamp(value x, number auto lo, number auto hi) { return max(min(x, hi), lo); }
inline value abs(value a) {
    return {a.k, is_float(a.k) ? std::fabs(a.v) : wrapped(a.k, bits64(std::fabs(a.v))), a.in_body};
}

inline mask operator<(value a, value b) { return {a.v < b.v}; }
inline mask operator>(value a, value b) { return {a.v > b.v}; }
inline mask operator<=(value a, value b) { return {a.v <= b.v}; }
inline mask operator>=(value a, value b) { return {a.v >= b.v}; }
inline mask operator==(value a, value b) { return {a.v == b.v}; }
inline mask operator!=(value a, value b) { return {a.v != b.v}; }
inline mask operator>(value a, number auto n) { return a > scalar_that_fits(a, n); }
inline mask operator<(value a, number auto n) { return a < scalar_that_fits(a, n); }
inline mask operator==(value a, number auto n) { return a == scalar_that_fits(a, n); }
inline mask operator&&(mask a, mask b) { return {a.set && b.set}; }
inline mask operator||(mask a, mask b) { return {a.set || b.set}; }
inline mask operator!(mask a) { return {!a.set}; }
inline value select(mask c, value a, value b) { return c.set ? a : b; }
inline value select(mask c, value a, number auto n) { return c.set ? a : scalar_that_fits(a, n); }

template <class To>
value cast(value x, double (*to_integer)(kind, double) = truncated_to) {
    constexpr kind to = kind_of<To>();
    if (to == kind::f16) return {to, round_to_half(f32(x.v)), x.in_body};
    if (to == kind::f32) return {to, f32(x.v), x.in_body};
    return {to, to_integer(to, x.v), x.in_body};
}
template <class To>
value cast(mask m) {
    return {kind_of<To>(), m.set ? 1. : 0.};
}
template <class To>
value cast_rne(value x) {
    return cast<To>(x, rounded_to);
}

template <class F, std::same_as<value>... X>
value map(const F& f, X... x) {
    value y = f(value{x.k, x.v, true}...);
    y.in_body = false;
    return y;
}

}  // namespace model
