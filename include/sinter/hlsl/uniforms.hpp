// The values that the host computes for a kernel: uniform instructions, evaluated once by the scalar reference.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../expr/interpret.hpp"
#include "../expr/program.hpp"
#include "usage.hpp"

namespace sinter::hlsl {

// The registers whose values follow the geometry among a kernel's constants, in this order. A mask is 1 or 0.
constexpr std::vector<std::uint16_t> uniform_registers(const program_view& program) {
    std::vector<std::uint16_t> registers;
    const auto held = detail::held_registers(program);
    for (std::size_t i = 0; i < program.size; ++i)
        if (held[i] != 0 && detail::is_uniform(program[i])) registers.push_back(static_cast<std::uint16_t>(i));
    return registers;
}

namespace detail {

constexpr bool is_comparison(operation op) { return op >= operation::less && op <= operation::not_equal; }

// Uniform floats that do nothing but be compared with integers, and which therefore may be any value between the same
// two integers.
constexpr std::vector<std::uint8_t> compared_with_integers(const program_view& program) {
    std::vector<std::uint8_t> compared(program.size, std::uint8_t{0});
    std::vector<std::uint8_t> otherwise(program.size, std::uint8_t{0});
    otherwise[program.result] = 1;
    for (std::size_t i = 0; i < program.size; ++i) {
        const instruction& next = program[i];
        if (!is_varying(next)) continue;
        if (is_comparison(next.op)) {
            (program[next.b].op == operation::to_float32 ? compared : otherwise)[next.a] = 1;
            (program[next.a].op == operation::to_float32 ? compared : otherwise)[next.b] = 1;
        } else {
            for_each_operand(next, [&](std::uint16_t operand) { otherwise[operand] = 1; });
        }
    }
    for (std::size_t i = 0; i < program.size; ++i)
        if (otherwise[i] != 0 || program[i].type != value_type::float32) compared[i] = 0;
    return compared;
}

// Some drivers take subnormal numbers as zero; the smallest normal one has the same integers below and above it.
constexpr std::uint32_t without_subnormal(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    return magnitude != 0 && magnitude < 0x00800000u ? (bits & 0x80000000u) | 0x00800000u : bits;
}

}  // namespace detail

// Made once per program; called for every set of parameters. The program must outlive it.
class uniform_evaluation {
public:
    explicit constexpr uniform_evaluation(const program_view& program)
        : program_(program), wanted_(uniform_registers(program)) {
        const auto compared = detail::compared_with_integers(program);
        for (std::size_t i = 0; i < program.size; ++i)
            if (!detail::is_varying(program[i])) computed_.push_back(static_cast<std::uint16_t>(i));
        for (const std::uint16_t r : wanted_) compared_.push_back(compared[r]);
    }

    constexpr std::size_t size() const noexcept { return wanted_.size(); }

    // Writes size() values, the bits of each, to `values`.
    constexpr void operator()(const std::uint32_t* parameters, std::uint32_t* values) const {
        constexpr std::size_t few = 128;
        if (program_.size <= few) {
            std::array<sinter::detail::scalar_register, few> registers{};
            run(parameters, values, registers.data());
        } else {
            std::vector<sinter::detail::scalar_register> registers(program_.size);
            run(parameters, values, registers.data());
        }
    }

private:
    constexpr void run(const std::uint32_t* parameters, std::uint32_t* values,
                       sinter::detail::scalar_register* registers) const {
        for (const std::uint16_t i : computed_) {
            const instruction& next = program_[i];
            registers[i] = next.op == operation::parameter ? sinter::detail::from_bits(next.type, parameters[next.bits])
                                                           : sinter::detail::interpret(next, program_.code, registers);
        }
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            const std::uint16_t r = wanted_[i];
            const std::uint32_t bits = sinter::detail::to_bits(program_[r].type, registers[r]);
            values[i] = compared_[i] != 0 ? detail::without_subnormal(bits) : bits;
        }
    }

    program_view program_;
    std::vector<std::uint16_t> computed_;
    std::vector<std::uint16_t> wanted_;
    std::vector<std::uint8_t> compared_;
};

}  // namespace sinter::hlsl
