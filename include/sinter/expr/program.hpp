// The one thing that backends read: an expression as a flat array of instructions on registers.
//
// Register i is the result of instruction i; operands name earlier registers. A register holds a float32 (float16
// values, too, live as float32), an integer of one of the six integer types, or a mask. Uniform instructions depend on
// parameters and constants only: their value is the same for every element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../core/element.hpp"

namespace sinter {

inline constexpr std::size_t max_inputs = 16;

enum class operation : std::uint8_t {
    input,      // element of input number `bits`
    parameter,  // run-time scalar number `bits`
    constant,   // the bit pattern `bits`: of a float32, or of an integer extended to 32 bits
    add,        // integers wrap to their type after every operation
    subtract,
    multiply,
    negate,
    absolute,
    minimum,  // the operand that is not NaN; of equals, the second
    maximum,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    logical_not,
    select,         // a ? b : c
    to_float32,     // from an integer, to nearest even
    truncate,       // float32 to the integer type, toward zero, saturating, NaN is 0
    nearest,        // float32 to the integer type, half to even, saturating, NaN is 0
    saturate,       // integer to another integer type
    round_to_half,  // float32 to the nearest float16 value, as a float32
};

// What a register holds. Float16 appears as the type of an input only.
enum class value_type : std::uint8_t { float32, float16, int32, int16, int8, uint32, uint16, uint8, mask };

constexpr value_type to_value_type(element_type type) noexcept { return static_cast<value_type>(type); }
constexpr element_type to_element_type(value_type type) noexcept { return static_cast<element_type>(type); }

constexpr bool is_floating(value_type type) noexcept {
    return type == value_type::float32 || type == value_type::float16;
}

struct instruction {
    operation op{};
    value_type type{};
    bool uniform = false;
    std::uint16_t a = 0;
    std::uint16_t b = 0;
    std::uint16_t c = 0;
    std::uint32_t bits = 0;

    friend constexpr bool operator==(const instruction&, const instruction&) = default;
};

// What does not depend on an element is computed before the loop.
constexpr bool is_per_element(const instruction& i) noexcept {
    return i.op != operation::parameter && i.op != operation::constant && !i.uniform;
}

constexpr std::size_t operand_count(operation op) noexcept {
    switch (op) {
        case operation::input:
        case operation::parameter:
        case operation::constant: return 0;
        case operation::negate:
        case operation::absolute:
        case operation::logical_not:
        case operation::to_float32:
        case operation::truncate:
        case operation::nearest:
        case operation::saturate:
        case operation::round_to_half: return 1;
        case operation::select: return 3;
        default: return 2;
    }
}

constexpr const char* name(operation op) noexcept {
    switch (op) {
        case operation::input: return "input";
        case operation::parameter: return "parameter";
        case operation::constant: return "constant";
        case operation::add: return "add";
        case operation::subtract: return "subtract";
        case operation::multiply: return "multiply";
        case operation::negate: return "negate";
        case operation::absolute: return "absolute";
        case operation::minimum: return "minimum";
        case operation::maximum: return "maximum";
        case operation::less: return "less";
        case operation::less_equal: return "less_equal";
        case operation::greater: return "greater";
        case operation::greater_equal: return "greater_equal";
        case operation::equal: return "equal";
        case operation::not_equal: return "not_equal";
        case operation::logical_and: return "logical_and";
        case operation::logical_or: return "logical_or";
        case operation::logical_not: return "logical_not";
        case operation::select: return "select";
        case operation::to_float32: return "to_float32";
        case operation::truncate: return "truncate";
        case operation::nearest: return "nearest";
        case operation::saturate: return "saturate";
        case operation::round_to_half: return "round_to_half";
    }
    return "unknown";
}

// A program of any length, as generators read it at compile time and at run time.
struct program_view {
    const instruction* code = nullptr;
    std::size_t size = 0;
    std::uint16_t result = 0;
    element_type output{};
    std::size_t inputs = 0;
    std::size_t parameters = 0;
    std::array<element_type, max_inputs> input_types{};

    constexpr const instruction& operator[](std::size_t i) const noexcept { return code[i]; }
};

template <std::size_t Size>
struct program {
    std::array<instruction, Size> code{};
    std::uint16_t result = 0;
    element_type output{};
    std::size_t inputs = 0;
    std::size_t parameters = 0;
    std::array<element_type, max_inputs> input_types{};

    static constexpr std::size_t size = Size;
    constexpr const instruction& operator[](std::size_t i) const noexcept { return code[i]; }
    constexpr operator program_view() const noexcept {
        return {code.data(), Size, result, output, inputs, parameters, input_types};
    }
};

// What is computed for each element, loads and stores apart.
constexpr std::size_t operations_per_element(const program_view& p) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < p.size; ++i)
        if (is_per_element(p[i]) && p[i].op != operation::input) ++count;
    return count;
}

// Whether the result is an input as it lies in memory. A float16 input whose result is float32 is not: it is widened.
constexpr bool is_bare_copy(const program_view& p) noexcept {
    return p[p.result].op == operation::input && p[p.result].type == to_value_type(p.output);
}

}  // namespace sinter
