// A program as an HLSL function: one named line per instruction, on 1, 2 or 4 elements at once.
//
// 8- and 16-bit integers are held in 32 bits, extended, and brought back after every operation that can leave their
// range. Float16 lives as float32. The program's float constants are bit patterns that no compiler can fold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../core/element.hpp"
#include "../expr/program.hpp"
#include "helpers.hpp"
#include "usage.hpp"
#include "writer.hpp"

namespace sinter::hlsl::detail {

class body_writer {
public:
    constexpr body_writer(text_writer& out, std::size_t lanes, const program_view& program, const std::uint8_t* held)
        : w_(out, lanes), program_(program), held_(held) {}

    // uint4 compute(uint4 e0, uint4 e1): every input's elements as they lie in memory, in the low bits; above them
    // may be anything. The result has zeros there.
    constexpr void begin() {
        w_.type("uint") << " compute(";
        const std::uint16_t inputs = inputs_read(program_);
        bool first = true;
        for (std::size_t k = 0; k < program_.inputs; ++k) {
            if (!has(inputs, k)) continue;
            if (!first) w_ << ", ";
            first = false;
            w_.type("uint") << " e" << k;
        }
        w_ << ")\n{\n";
    }
    constexpr void lines(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            if (held_[i] != 0) line(i);
    }
    constexpr void end() {
        w_ << "    return ";
        result();
        w_ << ";\n}\n";
    }

private:
    // A bare copy moves bits, whatever the element type is.
    constexpr bool is_copied(std::size_t i) const { return i == program_.result && is_bare_copy(program_); }

    constexpr void register_(std::size_t i) { w_ << detail::name_of(program_[i].op) << "_" << i; }

    constexpr void type_of(std::size_t i) {
        const value_type type = program_[i].type;
        if (is_copied(i)) w_.type("uint");
        else if (type == value_type::mask) w_.type("bool");
        else if (is_floating(type)) w_.type("float");
        else if (is_signed_integer(type)) w_.type("int");
        else w_.type("uint");
    }

    constexpr void line(std::size_t i) {
        w_ << "    ";
        type_of(i);
        w_ << " ";
        register_(i);
        w_ << " = ";
        const instruction& next = program_[i];
        if (next.op == operation::constant) constant(next);
        else if (is_uniform(next)) uniform(i);
        else if (next.op == operation::input) input(i);
        else if (next.type == value_type::mask) mask(next);
        else if (next.op == operation::select) call("pick", next);
        else if (next.op >= operation::to_float32) conversion(next);
        else if (is_floating(next.type)) real(next);
        else integer(next);
        w_ << ";\n";
    }

    constexpr void call(literal function, const instruction& i) {
        w_ << function << "(";
        bool first = true;
        for_each_operand(i, [&](std::uint16_t operand) {
            if (!first) w_ << ", ";
            first = false;
            register_(operand);
        });
        w_ << ")";
    }

    constexpr void infix(const instruction& i, literal sign) {
        register_(i.a);
        w_ << sign;
        register_(i.b);
    }

    // 32 bits, the same for all lanes, as a register of a type.
    constexpr void begin_bits(value_type type) {
        if (is_floating(type)) w_ << "asfloat(";
        else if (is_signed_integer(type)) w_ << "asint(";
        if (w_.lanes() > 1) w_ << "splat(";
    }
    constexpr void end_bits(value_type type) {
        if (w_.lanes() > 1) w_ << ")";
        if (type == value_type::mask) w_ << " != 0u";
        else if (is_floating(type) || is_signed_integer(type)) w_ << ")";
    }

    constexpr void constant(const instruction& i) {
        begin_bits(i.type);
        w_ << bit_pattern{i.bits};
        if (is_floating(i.type)) w_ << " ^ zero";
        end_bits(i.type);
    }

    constexpr void uniform(std::size_t i) {
        begin_bits(program_[i].type);
        w_ << "uniform_" << i;
        end_bits(program_[i].type);
    }

    constexpr void input(std::size_t i) {
        const value_type type = program_[i].type;
        const auto e = program_[i].bits;
        if (is_copied(i)) {
            w_ << "e" << e;
            wrap_unsigned(size_of(to_element_type(type)));
            return;
        }
        switch (type) {
            case value_type::float32: w_ << "asfloat(e" << e << ")"; return;
            case value_type::float16: w_ << "f16tof32(e" << e << " & 0xffffu)"; return;
            case value_type::int32: w_ << "asint(e" << e << ")"; return;
            case value_type::int16: w_ << "asint(e" << e << " << 16) >> 16"; return;
            case value_type::int8: w_ << "asint(e" << e << " << 24) >> 24"; return;
            default: w_ << "e" << e; return wrap_unsigned(size_of(to_element_type(type)));
        }
    }

    constexpr void wrap_unsigned(std::size_t bytes) {
        if (bytes == 2) w_ << " & 0xffffu";
        if (bytes == 1) w_ << " & 0xffu";
    }

    constexpr void mask(const instruction& i) {
        // Compared with itself a value asks for NaN, which some compilers fold away.
        const bool with_itself = i.a == i.b && operand_count(i.op) == 2 && is_floating(program_[i.a].type);
        switch (i.op) {
            case operation::logical_and: return call("both", i);
            case operation::logical_or: return call("either", i);
            case operation::logical_not: return call("opposite", i);
            case operation::less: return infix(i, " < ");
            case operation::greater: return infix(i, " > ");
            case operation::less_equal: return with_itself ? is_number(i) : infix(i, " <= ");
            case operation::greater_equal: return with_itself ? is_number(i) : infix(i, " >= ");
            case operation::equal: return with_itself ? is_number(i) : infix(i, " == ");
            default: break;
        }
        if (!with_itself) return infix(i, " != ");
        w_ << "is_nan(";
        register_(i.a);
        w_ << ")";
    }

    constexpr void is_number(const instruction& i) {
        w_ << "(asuint(";
        register_(i.a);
        w_ << ") & 0x7fffffffu) <= 0x7f800000u";
    }

    constexpr void real(const instruction& i) {
        switch (i.op) {
            case operation::minimum: return call("minimum", i);
            case operation::maximum: return call("maximum", i);
            case operation::negate: return sign(i, " ^ 0x80000000u)");
            case operation::absolute: return sign(i, " & 0x7fffffffu)");
            default: break;
        }
        w_ << "rounded(";
        if (i.op == operation::add) infix(i, " + ");
        else if (i.op == operation::multiply) infix(i, " * ");
        else difference(i);
        w_ << ")";
    }

    constexpr void sign(const instruction& i, literal change) {
        w_ << "asfloat(asuint(";
        register_(i.a);
        w_ << ")" << change;
    }

    // Compilers fold x - x even where they find out only later that both are the same value.
    constexpr void difference(const instruction& i) {
        if (!is_varying(program_[i.b])) return infix(i, " - ");
        register_(i.a);
        w_ << " - rounded(";
        register_(i.b);
        w_ << ")";
    }

    constexpr void integer(const instruction& i) {
        const bool is_signed = is_signed_integer(i.type);
        switch (i.op) {
            case operation::minimum: return call("min", i);
            case operation::maximum: return call("max", i);
            case operation::absolute:
                if (!is_signed) return register_(i.a);
                break;
            default: break;
        }
        const std::size_t bytes = size_of(to_element_type(i.type));
        if (bytes < 4) w_ << "(";
        switch (i.op) {
            case operation::add: infix(i, " + "); break;
            case operation::subtract: infix(i, " - "); break;
            case operation::multiply: infix(i, " * "); break;
            case operation::negate:
                if (is_signed) w_ << "0 - ";
                else w_ << "0u - ";
                register_(i.a);
                break;
            default:
                w_ << "max(";
                register_(i.a);
                w_ << ", 0 - ";
                register_(i.a);
                w_ << ")";
                break;
        }
        if (bytes < 4) w_ << ")";
        if (!is_signed) wrap_unsigned(bytes);
        else if (bytes == 2) w_ << " << 16 >> 16";
        else if (bytes == 1) w_ << " << 24 >> 24";
    }

    constexpr void conversion(const instruction& i) {
        switch (i.op) {
            case operation::to_float32:
                w_.type("float") << "(";
                register_(i.a);
                w_ << ")";
                return;
            case operation::round_to_half:
                w_ << "f16tof32(to_half(";
                register_(i.a);
                w_ << "))";
                return;
            case operation::saturate: return saturate(i);
            default: break;
        }
        const bool nearest = i.op == operation::nearest;
        const auto value = [&] {
            if (nearest) w_ << "round(";
            register_(i.a);
            if (nearest) w_ << ")";
        };
        const bool wide = size_of(to_element_type(i.type)) == 4;
        if (is_signed_integer(i.type)) w_ << "to_int";
        else w_ << "to_uint";
        if (wide) w_ << "32";
        w_ << "(";
        value();
        if (!wide) {
            if (is_signed_integer(i.type)) w_ << ", " << lowest_of(i.type) << ".0";
            w_ << ", " << highest_of(i.type) << ".0";
        }
        w_ << ")";
    }

    static constexpr std::string_view lowest_of(value_type type) {
        switch (type) {
            case value_type::int32: return "-2147483648";
            case value_type::int16: return "-32768";
            case value_type::int8: return "-128";
            default: return "0";
        }
    }
    static constexpr std::string_view highest_of(value_type type) {
        switch (type) {
            case value_type::int32: return "2147483647";
            case value_type::uint32: return "4294967295";
            case value_type::int16: return "32767";
            case value_type::int8: return "127";
            case value_type::uint16: return "65535";
            default: return "255";
        }
    }

    // Clamped in the source's signedness, then reinterpreted: every value left is in both types.
    constexpr void saturate(const instruction& i) {
        const value_type from = program_[i.a].type;
        const auto [from_lowest, from_highest] = range_of(to_element_type(from));
        const auto [to_lowest, to_highest] = range_of(to_element_type(i.type));
        const bool was_signed = is_signed_integer(from);
        const bool reinterprets = was_signed != is_signed_integer(i.type);
        const bool clamps_below = from_lowest < to_lowest;
        const bool clamps_above = from_highest > to_highest;
        if (reinterprets && was_signed) w_ << "asuint(";
        if (reinterprets && !was_signed) w_ << "asint(";
        if (clamps_above) w_ << "min(";
        if (clamps_below) w_ << "max(";
        register_(i.a);
        if (clamps_below) w_ << ", " << lowest_of(i.type) << ")";
        if (clamps_above) {
            w_ << ", " << highest_of(i.type);
            if (!was_signed) w_ << "u";
            w_ << ")";
        }
        if (reinterprets) w_ << ")";
    }

    constexpr void result() {
        const std::size_t r = program_.result;
        const std::size_t bytes = size_of(program_.output);
        if (is_copied(r)) return register_(r);
        if (program_.output == element_type::float16) {
            w_ << "to_half(";
            register_(r);
            w_ << ")";
        } else if (is_unsigned(program_.output)) {
            register_(r);
        } else {
            w_ << "asuint(";
            register_(r);
            w_ << ")";
            wrap_unsigned(bytes);
        }
    }

    lane_writer w_;
    const program_view& program_;
    const std::uint8_t* held_;
};

}  // namespace sinter::hlsl::detail
