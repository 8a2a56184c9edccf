// The conversions between element values, each defined once: wrapping, saturating, rounding to nearest even.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "element.hpp"

// Fast-math compilers drop NaN, signed zeros and the order of roundings, on which every result here rests.
#if (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)) && \
    !defined(SINTER_ALLOW_FAST_MATH)
#error "sinter: results are undefined under -ffast-math; compile without it or define SINTER_ALLOW_FAST_MATH"
#endif
// Clang says _M_FP_CONTRACT of what it does by default, which is harmless here.
#if (defined(_M_FP_FAST) || (defined(_M_FP_CONTRACT) && !defined(__clang__))) && !defined(SINTER_ALLOW_FAST_MATH)
#error "sinter: results are undefined under /fp:fast and /fp:contract; compile without or define SINTER_ALLOW_FAST_MATH"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && !defined(SINTER_ALLOW_FAST_MATH)
#error "sinter: float arithmetic must round to float32 after every operation (x86: use -msse2 -mfpmath=sse)"
#endif

namespace sinter::detail {

// Clang takes arithmetic that gives NaN for no constant expression; there, NaN is decided before it computes.
inline constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr bool is_infinite(float value) noexcept { return value == infinity || value == -infinity; }

constexpr float sum(float a, float b) noexcept {
    if (std::is_constant_evaluated())
        if (a != a || b != b || (is_infinite(a) && is_infinite(b) && a != b)) return quiet_nan;
    return a + b;
}

constexpr float difference(float a, float b) noexcept {
    if (std::is_constant_evaluated())
        if (a != a || b != b || (is_infinite(a) && a == b)) return quiet_nan;
    return a - b;
}

// Keeps a product apart from a following addition: compilers that may contract fuse across intrinsics otherwise.
constexpr float rounded_product(float a, float b) noexcept {
    if (std::is_constant_evaluated()) {
        if (a != a || b != b || (is_infinite(a) && b == 0.f) || (a == 0.f && is_infinite(b))) return quiet_nan;
        return a * b;
    }
    float product = a * b;
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
    asm("" : "+x"(product));
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
    asm("" : "+w"(product));
#endif
    return product;
}

// Values of every integer element type are carried in 64 bits; this brings one back, modulo 2^bits.
constexpr std::int64_t wrap(element_type type, std::int64_t value) noexcept {
    switch (type) {
        case element_type::int32: return static_cast<std::int32_t>(value);
        case element_type::int16: return static_cast<std::int16_t>(value);
        case element_type::int8: return static_cast<std::int8_t>(value);
        case element_type::uint32: return static_cast<std::uint32_t>(value);
        case element_type::uint16: return static_cast<std::uint16_t>(value);
        default: return static_cast<std::uint8_t>(value);
    }
}

constexpr std::int64_t saturate(element_type type, std::int64_t value) noexcept {
    const auto [lowest, highest] = range_of(type);
    return value < lowest ? lowest : value > highest ? highest : value;
}

// Toward zero, saturating; NaN is 0. Float32 bounds are exact in double, and 2^31 or 2^32 are one above the range.
constexpr std::int64_t truncate(element_type type, float value) noexcept {
    const auto [lowest, highest] = range_of(type);
    if (value != value) return 0;
    if (static_cast<double>(value) <= static_cast<double>(lowest)) return lowest;
    if (static_cast<double>(value) >= static_cast<double>(highest)) return highest;
    return static_cast<std::int64_t>(value);
}

// Half to even. Beyond 2^23 every float32 is an integer already; below, adding 2^23 makes the addition round.
constexpr float nearest_even(float value) noexcept {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x4b000000u) return value;
    const float rounded = (std::bit_cast<float>(magnitude) + 0x1p23f) - 0x1p23f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) | (bits & 0x80000000u));
}

constexpr float round_to_half(float value) noexcept { return half_value(half_bits(value)); }

}  // namespace sinter::detail
