// The meaning of every instruction, on plain numbers: the reference that all backends are compared with. Constexpr.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "../core/convert.hpp"
#include "program.hpp"

namespace sinter::detail {

struct scalar_register {
    float real = 0;
    std::int64_t integer = 0;
    bool mask = false;
};

constexpr scalar_register real_register(float value) { return {.real = value}; }
constexpr scalar_register integer_register(std::int64_t value) { return {.integer = value}; }
constexpr scalar_register mask_register(bool value) { return {.mask = value}; }

// A parameter's or constant's 32 bits as a register of the given type, and back.
constexpr scalar_register from_bits(value_type type, std::uint32_t bits) {
    if (is_floating(type)) return real_register(std::bit_cast<float>(bits));
    return integer_register(wrap(to_element_type(type), static_cast<std::int32_t>(bits)));
}

constexpr std::uint32_t to_bits(value_type type, const scalar_register& r) {
    if (type == value_type::mask) return r.mask ? 1u : 0u;
    if (is_floating(type)) return std::bit_cast<std::uint32_t>(r.real);
    return static_cast<std::uint32_t>(r.integer);
}

constexpr float flip_sign(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 0x80000000u);
}
constexpr float clear_sign(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
}

template <class T>
constexpr bool compare(operation op, T a, T b) {
    switch (op) {
        case operation::less: return a < b;
        case operation::less_equal: return a <= b;
        case operation::greater: return a > b;
        case operation::greater_equal: return a >= b;
        case operation::equal: return a == b;
        default: return a != b;
    }
}

constexpr float compute_real(operation op, float a, float b) {
    switch (op) {
        case operation::add: return sum(a, b);
        case operation::subtract: return difference(a, b);
        case operation::multiply: return rounded_product(a, b);
        case operation::negate: return flip_sign(a);
        case operation::absolute: return clear_sign(a);
        case operation::minimum: return a < b || b != b ? a : b;
        case operation::maximum: return a > b || b != b ? a : b;
        default: return round_to_half(a);
    }
}

constexpr std::int64_t compute_integer(operation op, element_type type, std::int64_t a, std::int64_t b) {
    switch (op) {
        case operation::add: return wrap(type, a + b);
        case operation::subtract: return wrap(type, a - b);
        case operation::multiply:
            return wrap(type, static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
        case operation::negate: return wrap(type, -a);
        case operation::absolute: return wrap(type, a < 0 ? -a : a);
        case operation::minimum: return a < b ? a : b;
        case operation::maximum: return a > b ? a : b;
        default: return saturate(type, a);
    }
}

constexpr scalar_register interpret(const instruction& i, const instruction* code, const scalar_register* registers) {
    const scalar_register& a = registers[i.a];
    const scalar_register& b = registers[i.b];
    switch (i.op) {
        case operation::constant: return from_bits(i.type, i.bits);
        case operation::less:
        case operation::less_equal:
        case operation::greater:
        case operation::greater_equal:
        case operation::equal:
        case operation::not_equal:
            return mask_register(is_floating(code[i.a].type) ? compare(i.op, a.real, b.real)
                                                             : compare(i.op, a.integer, b.integer));
        case operation::logical_and: return mask_register(a.mask && b.mask);
        case operation::logical_or: return mask_register(a.mask || b.mask);
        case operation::logical_not: return mask_register(!a.mask);
        case operation::select: return a.mask ? b : registers[i.c];
        case operation::to_float32: return real_register(static_cast<float>(a.integer));
        case operation::truncate: return integer_register(truncate(to_element_type(i.type), a.real));
        case operation::nearest: return integer_register(truncate(to_element_type(i.type), nearest_even(a.real)));
        default: break;
    }
    if (is_floating(i.type)) return real_register(compute_real(i.op, a.real, b.real));
    return integer_register(compute_integer(i.op, to_element_type(i.type), a.integer, b.integer));
}

// Runs a whole program for one element. `registers` has room for every instruction.
template <class Load>
constexpr const scalar_register& interpret(const program_view& program, const std::uint32_t* parameters, Load load,
                                           scalar_register* registers) {
    for (std::size_t i = 0; i < program.size; ++i) {
        const instruction& next = program[i];
        if (next.op == operation::input) registers[i] = load(next);
        else if (next.op == operation::parameter) registers[i] = from_bits(next.type, parameters[next.bits]);
        else registers[i] = interpret(next, program.code, registers);
    }
    return registers[program.result];
}

// Element values in and out of registers.
template <element T>
constexpr scalar_register to_register(T value) {
    if constexpr (floating_element<T>) return real_register(static_cast<float>(value));
    else return integer_register(value);
}

template <element T>
constexpr T from_register(const scalar_register& r) {
    if constexpr (floating_element<T>) return static_cast<T>(r.real);
    else return static_cast<T>(r.integer);
}

}  // namespace sinter::detail
