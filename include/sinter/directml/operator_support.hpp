// The operators, as DirectML names them, and which ranks and types of tensors each feature level allows.
//
// Source: the pages of the operators' structs, "Tensor support". Of the types that pages name, those of this library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "../core/element.hpp"
#include "descriptors.hpp"

namespace sinter::directml {

namespace detail {

// Bit i stands for element_type(i).
using type_set = std::uint8_t;

constexpr type_set set_of(std::initializer_list<element_type> types) {
    type_set set = 0;
    for (const element_type t : types) set = static_cast<type_set>(set | 1u << static_cast<unsigned>(t));
    return set;
}
constexpr bool contains(type_set set, element_type type) { return (set >> static_cast<unsigned>(type) & 1u) != 0; }

inline constexpr type_set floats = set_of({element_type::float32, element_type::float16});
inline constexpr type_set words = floats | set_of({element_type::int32, element_type::uint32});
inline constexpr type_set signed_types =
    floats | set_of({element_type::int32, element_type::int16, element_type::int8});
inline constexpr type_set all_types = 0xff;

}  // namespace detail

// What a feature level allows an operator's tensors to be.
struct tensor_support {
    std::uint16_t level;  // 0x3100 is DML_FEATURE_LEVEL_3_1
    std::uint8_t lowest_rank;
    std::uint8_t highest_rank;
    detail::type_set types;
};

struct operator_support {
    DML_OPERATOR_TYPE type;
    const char* name;  // of the struct, without DML_ and _OPERATOR_DESC
    std::uint8_t inputs;
    bool scale_bias;  // whether the struct has that field
    std::uint8_t level_count;
    std::array<tensor_support, 4> levels;  // from the lowest

    constexpr std::span<const tensor_support> support() const { return {levels.data(), level_count}; }
};

namespace detail {

constexpr operator_support supported(DML_OPERATOR_TYPE type, const char* name, std::uint8_t inputs, bool scale_bias,
                                     std::initializer_list<tensor_support> levels) {
    operator_support made{type, name, inputs, scale_bias, 0, {}};
    for (const tensor_support& level : levels) made.levels[made.level_count++] = level;
    return made;
}

constexpr operator_support arithmetic(DML_OPERATOR_TYPE type, const char* name) {
    return supported(type, name, 2, false,
                     {{0x1000, 4, 5, floats}, {0x2100, 4, 5, words}, {0x3000, 1, 8, words}, {0x5100, 1, 8, all_types}});
}
constexpr operator_support extremum(DML_OPERATOR_TYPE type, const char* name) {
    return supported(type, name, 2, false,
                     {{0x1000, 4, 4, floats}, {0x2100, 4, 4, all_types}, {0x3000, 1, 8, all_types}});
}
constexpr operator_support activation(DML_OPERATOR_TYPE type, const char* name) {
    return supported(type, name, 1, false, {{0x1000, 4, 4, floats}, {0x2000, 4, 5, floats}, {0x3000, 1, 8, floats}});
}

inline constexpr std::array operator_table{
    supported(DML_OPERATOR_ELEMENT_WISE_IDENTITY, "ELEMENT_WISE_IDENTITY", 1, true,
              {{0x1000, 4, 5, floats}, {0x2100, 4, 5, all_types}, {0x3000, 1, 8, all_types}}),
    supported(DML_OPERATOR_ELEMENT_WISE_ABS, "ELEMENT_WISE_ABS", 1, true,
              {{0x1000, 4, 4, floats}, {0x2100, 4, 4, signed_types}, {0x3000, 1, 8, signed_types}}),
    arithmetic(DML_OPERATOR_ELEMENT_WISE_ADD, "ELEMENT_WISE_ADD"),
    supported(DML_OPERATOR_ELEMENT_WISE_CEIL, "ELEMENT_WISE_CEIL", 1, true,
              {{0x1000, 4, 4, floats}, {0x3000, 1, 8, floats}}),
    supported(DML_OPERATOR_ELEMENT_WISE_CLIP, "ELEMENT_WISE_CLIP", 1, true,
              {{0x1000, 4, 4, floats}, {0x2100, 4, 4, all_types}, {0x3000, 1, 8, all_types}}),
    supported(DML_OPERATOR_ELEMENT_WISE_FLOOR, "ELEMENT_WISE_FLOOR", 1, true,
              {{0x1000, 4, 4, floats}, {0x3000, 1, 8, floats}}),
    extremum(DML_OPERATOR_ELEMENT_WISE_MAX, "ELEMENT_WISE_MAX"),
    extremum(DML_OPERATOR_ELEMENT_WISE_MIN, "ELEMENT_WISE_MIN"),
    arithmetic(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, "ELEMENT_WISE_MULTIPLY"),
    supported(DML_OPERATOR_ELEMENT_WISE_NEGATE, "ELEMENT_WISE_NEGATE", 1, false, {{0x5000, 1, 8, signed_types}}),
    supported(DML_OPERATOR_ELEMENT_WISE_ROUND, "ELEMENT_WISE_ROUND", 1, false,
              {{0x2100, 4, 4, floats}, {0x3000, 1, 8, floats}}),
    supported(DML_OPERATOR_ELEMENT_WISE_SIGN, "ELEMENT_WISE_SIGN", 1, false,
              {{0x2000, 4, 4, floats}, {0x2100, 4, 4, all_types}, {0x3000, 1, 8, all_types}}),
    arithmetic(DML_OPERATOR_ELEMENT_WISE_SUBTRACT, "ELEMENT_WISE_SUBTRACT"),
    supported(DML_OPERATOR_ELEMENT_WISE_THRESHOLD, "ELEMENT_WISE_THRESHOLD", 1, true,
              {{0x1000, 4, 4, floats}, {0x2100, 4, 4, all_types}, {0x3000, 1, 8, all_types}}),
    activation(DML_OPERATOR_ACTIVATION_LEAKY_RELU, "ACTIVATION_LEAKY_RELU"),
    activation(DML_OPERATOR_ACTIVATION_LINEAR, "ACTIVATION_LINEAR"),
    supported(DML_OPERATOR_ACTIVATION_RELU, "ACTIVATION_RELU", 1, false,
              {{0x1000, 4, 4, floats}, {0x2000, 4, 5, floats}, {0x3000, 1, 8, floats}, {0x5100, 1, 8, signed_types}}),
    supported(DML_OPERATOR_ACTIVATION_SHRINK, "ACTIVATION_SHRINK", 1, false,
              {{0x2000, 4, 5, floats}, {0x3000, 1, 8, floats}, {0x5100, 1, 8, all_types}}),
    activation(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU, "ACTIVATION_THRESHOLDED_RELU"),
};

}  // namespace detail

inline constexpr std::span<const operator_support> supported_operators = detail::operator_table;

namespace detail {

// The level that is enforced where none is given: everything that the newest DirectML has.
inline constexpr std::uint16_t newest_level = 0x6400;

constexpr const operator_support* support_of(DML_OPERATOR_TYPE type) {
    for (const operator_support& known : operator_table)
        if (known.type == type) return &known;
    return nullptr;
}

constexpr bool allows(const tensor_support& row, std::size_t rank, element_type type) {
    return rank >= row.lowest_rank && rank <= row.highest_rank && contains(row.types, type);
}

// What the given level allows; null where the operator came with a later one.
constexpr const tensor_support* support_at(const operator_support& of, unsigned level) {
    const tensor_support* found = nullptr;
    for (const tensor_support& row : of.support())
        if (row.level <= level) found = &row;
    return found;
}

inline std::string level_name(unsigned level) {
    return "DML_FEATURE_LEVEL_" + std::to_string(level >> 12) + "_" + std::to_string(level >> 8 & 15u);
}

// FLOAT32 and so on, as in DML_TENSOR_DATA_TYPE.
constexpr const char* data_type_name(element_type type) {
    switch (type) {
        case element_type::float32: return "FLOAT32";
        case element_type::float16: return "FLOAT16";
        case element_type::int32: return "INT32";
        case element_type::int16: return "INT16";
        case element_type::int8: return "INT8";
        case element_type::uint32: return "UINT32";
        case element_type::uint16: return "UINT16";
        default: return "UINT8";
    }
}

inline std::string names_of(type_set types) {
    std::string list;
    for (unsigned t = 0; t < 8; ++t)
        if (contains(types, static_cast<element_type>(t)))
            list += (list.empty() ? "" : ", ") + std::string(data_type_name(static_cast<element_type>(t)));
    return list;
}

inline std::string ranks_of(const tensor_support& row) {
    return row.lowest_rank == row.highest_rank
               ? "rank " + std::to_string(row.lowest_rank)
               : "ranks " + std::to_string(row.lowest_rank) + " to " + std::to_string(row.highest_rank);
}

}  // namespace detail

}  // namespace sinter::directml
