// What a kernel needs of a program: the inputs that it reads, and the values that the host computes for it.
//
// Uniform instructions are the same for every element. The host evaluates them once; those that a varying instruction
// or the result reads become constants of the kernel. The program's own constants are literals of its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../expr/program.hpp"

namespace sinter::hlsl::detail {

constexpr bool is_uniform(const instruction& i) {
    return i.op == operation::parameter || (i.uniform && i.op != operation::constant);
}
constexpr bool is_varying(const instruction& i) {
    return i.op != operation::parameter && i.op != operation::constant && !i.uniform;
}

template <class Visitor>
constexpr void for_each_operand(const instruction& i, Visitor visit) {
    const std::size_t operands = operand_count(i.op);
    if (operands > 0) visit(i.a);
    if (operands > 1) visit(i.b);
    if (operands > 2) visit(i.c);
}

constexpr std::uint16_t bit(std::size_t k) { return static_cast<std::uint16_t>(1u << k); }
constexpr bool has(std::uint16_t mask, std::size_t k) { return ((mask >> k) & 1u) != 0; }

// Bit k: some instruction reads input k.
constexpr std::uint16_t inputs_read(const program_view& program) {
    std::uint16_t inputs = 0;
    for (std::size_t i = 0; i < program.size; ++i)
        if (program[i].op == operation::input) inputs = static_cast<std::uint16_t>(inputs | bit(program[i].bits));
    return inputs;
}

// Sets one byte per register: whether the shader holds it.
constexpr void find_held_registers(const program_view& program, std::uint8_t* held) {
    for (std::size_t i = 0; i < program.size; ++i) held[i] = 0;
    held[program.result] = 1;
    for (std::size_t i = 0; i < program.size; ++i) {
        const instruction& next = program[i];
        if (!is_varying(next)) continue;
        held[i] = 1;
        for_each_operand(next, [&](std::uint16_t operand) { held[operand] = 1; });
    }
}

constexpr std::vector<std::uint8_t> held_registers(const program_view& program) {
    std::vector<std::uint8_t> held(program.size);
    find_held_registers(program, held.data());
    return held;
}

}  // namespace sinter::hlsl::detail
