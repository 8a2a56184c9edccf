// IEEE 754 binary16 as a storage type: two bytes in memory, float32 wherever something is computed.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace sinter {

namespace detail {

// Rounds to nearest, ties to even; overflows to infinity; keeps subnormals, the sign of zero and the top payload bits.
constexpr std::uint16_t half_bits(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const auto with_sign = [sign](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };

    if (magnitude > 0x7f800000u) return with_sign(0x7e00u | ((magnitude >> 13) & 0x3ffu));  // NaN, made quiet
    if (magnitude >= 0x477ff000u) return with_sign(0x7c00u);                                // 65520 and above
    if (magnitude < 0x33000000u) return with_sign(0);                                       // below 2^-25
    if (magnitude < 0x38800000u) {                                                          // subnormal half
        const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
        const std::uint32_t shift = 126u - (magnitude >> 23);
        const std::uint32_t half = significand >> shift;
        const std::uint32_t rest = significand & ((1u << shift) - 1u);
        const std::uint32_t tie = 1u << (shift - 1u);
        return with_sign(half + (rest > tie || (rest == tie && (half & 1u) != 0u) ? 1u : 0u));
    }
    return with_sign((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13);
}

constexpr float half_value(std::uint16_t half) noexcept {
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 31u;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 31u) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0u) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
    const float subnormal = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0u ? -subnormal : subnormal;
}

}  // namespace detail

class float16 {
public:
    float16() = default;
    constexpr explicit float16(float value) noexcept : bits_(detail::half_bits(value)) {}
    constexpr explicit operator float() const noexcept { return detail::half_value(bits_); }

private:
    std::uint16_t bits_;
};

static_assert(sizeof(float16) == 2 && std::is_trivially_copyable_v<float16> && std::is_standard_layout_v<float16>);

}  // namespace sinter
