// The eight element types of a tensor, and what is known about each at compile time and at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "float16.hpp"

namespace sinter {

enum class element_type : std::uint8_t { float32, float16, int32, int16, int8, uint32, uint16, uint8 };

template <class T>
concept floating_element = std::same_as<T, float> || std::same_as<T, float16>;

template <class T>
concept integral_element =
    std::same_as<T, std::int32_t> || std::same_as<T, std::int16_t> || std::same_as<T, std::int8_t> ||
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint16_t> || std::same_as<T, std::uint8_t>;

template <class T>
concept element = floating_element<T> || integral_element<T>;

// A plain number that may stand beside tensors in an expression.
template <class T>
concept scalar = (std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::same_as<T, float16>;

template <class T>
concept floating_scalar = std::floating_point<T> || std::same_as<T, float16>;

template <element T>
inline constexpr element_type element_type_of = [] {
    if constexpr (std::same_as<T, float>) return element_type::float32;
    else if constexpr (std::same_as<T, float16>) return element_type::float16;
    else if constexpr (std::same_as<T, std::int32_t>) return element_type::int32;
    else if constexpr (std::same_as<T, std::int16_t>) return element_type::int16;
    else if constexpr (std::same_as<T, std::int8_t>) return element_type::int8;
    else if constexpr (std::same_as<T, std::uint32_t>) return element_type::uint32;
    else if constexpr (std::same_as<T, std::uint16_t>) return element_type::uint16;
    else return element_type::uint8;
}();

constexpr std::size_t size_of(element_type type) noexcept {
    switch (type) {
        case element_type::float32:
        case element_type::int32:
        case element_type::uint32: return 4;
        case element_type::float16:
        case element_type::int16:
        case element_type::uint16: return 2;
        default: return 1;
    }
}

constexpr bool is_floating(element_type type) noexcept {
    return type == element_type::float32 || type == element_type::float16;
}

constexpr bool is_unsigned(element_type type) noexcept {
    return type == element_type::uint32 || type == element_type::uint16 || type == element_type::uint8;
}

constexpr const char* name(element_type type) noexcept {
    switch (type) {
        case element_type::float32: return "float32";
        case element_type::float16: return "float16";
        case element_type::int32: return "int32";
        case element_type::int16: return "int16";
        case element_type::int8: return "int8";
        case element_type::uint32: return "uint32";
        case element_type::uint16: return "uint16";
        default: return "uint8";
    }
}

// The range of an integer element type; 64-bit, so that every comparison against it is exact.
struct integer_range {
    std::int64_t lowest;
    std::int64_t highest;
};

constexpr integer_range range_of(element_type type) noexcept {
    const int bits = static_cast<int>(size_of(type)) * 8;
    if (is_unsigned(type)) return {0, (std::int64_t{1} << bits) - 1};
    return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

}  // namespace sinter
