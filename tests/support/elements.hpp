// The eight element types, and what tests ask of a value: its bits, and whether two are the same.
#pragma once

#include <sinter/core/element.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

// For doctest's TEST_CASE_TEMPLATE.
#define ALL_ELEMENT_TYPES \
    float, sinter::float16, std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t
#define INTEGER_ELEMENT_TYPES std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t

namespace support {

template <sinter::element T>
constexpr std::uint32_t bits_of(T value) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    else if constexpr (sizeof(T) == 2) return std::bit_cast<std::uint16_t>(value);
    else return std::bit_cast<std::uint8_t>(value);
}

template <sinter::element T>
constexpr bool is_nan(T value) {
    if constexpr (std::is_same_v<T, float>) return value != value;
    else if constexpr (std::is_same_v<T, sinter::float16>) return (bits_of(value) & 0x7fffu) > 0x7c00u;
    else return false;
}

// Bit for bit; of NaN neither sign nor payload counts.
template <sinter::element T>
constexpr bool same(T a, T b) {
    return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
}

template <sinter::element T>
std::string text_of(T value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, " (bits %x)", bits_of(value));
    if constexpr (sinter::floating_element<T>) return std::to_string(static_cast<float>(value)) + buffer;
    else return std::to_string(value) + buffer;
}

constexpr sinter::float16 half(float value) { return sinter::float16(value); }
constexpr sinter::float16 half_from_bits(unsigned bits) {
    return std::bit_cast<sinter::float16>(static_cast<std::uint16_t>(bits));
}

}  // namespace support
