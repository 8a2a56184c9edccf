// explain: what an evaluation will do, for people to read. It makes the plan and asks the backend as evaluate does, and
// computes nothing.
//
// Not part of <sinter/sinter.hpp>: programs that only compute go without its text.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "cpu/highway.hpp"
#include "expr/program.hpp"
#include "plan/backend.hpp"

namespace sinter {

struct explanation {
    std::string text;
    std::size_t elements = 0;
    std::size_t operations = 0;  // per element
    std::size_t bytes_read = 0;
    std::size_t bytes_written = 0;

    operator const std::string&() const noexcept { return text; }
    friend std::ostream& operator<<(std::ostream& to, const explanation& what) { return to << what.text; }
};

namespace detail {

constexpr const char* symbol(operation op) noexcept {
    switch (op) {
        case operation::add: return "+";
        case operation::subtract: return "-";
        case operation::multiply: return "*";
        case operation::less: return "<";
        case operation::less_equal: return "<=";
        case operation::greater: return ">";
        case operation::greater_equal: return ">=";
        case operation::equal: return "==";
        case operation::not_equal: return "!=";
        case operation::logical_and: return "&&";
        case operation::logical_or: return "||";
        default: return nullptr;
    }
}

constexpr const char* name_of(value_type type) noexcept {
    return type == value_type::mask ? "mask" : name(to_element_type(type));
}

// The value whose 32 bits a parameter or constant is.
inline std::string value_text(std::uint32_t bits, value_type type) {
    char text[32];
    const auto written = [&](auto value) {
        return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
    };
    if (is_floating(type)) return written(std::bit_cast<float>(bits));
    if (is_unsigned(to_element_type(type))) return written(bits);
    return written(static_cast<std::int32_t>(bits));
}

inline std::string register_name(std::size_t number) { return "r" + std::to_string(number); }

inline std::string right_side(const instruction& i, const std::uint32_t* parameters) {
    const std::string number = std::to_string(i.bits + 1);
    if (i.op == operation::input) return "input " + number;
    if (i.op == operation::parameter) return "scalar " + number + ": " + value_text(parameters[i.bits], i.type);
    if (i.op == operation::constant) return value_text(i.bits, i.type);
    if (const char* const infix = symbol(i.op)) return register_name(i.a) + " " + infix + " " + register_name(i.b);
    std::string text = std::string(name(i.op)) + "(" + register_name(i.a);
    if (operand_count(i.op) > 1) text += ", " + register_name(i.b);
    if (operand_count(i.op) > 2) text += ", " + register_name(i.c);
    return text + ")";
}

// One line per instruction.
inline std::string program_text(const program_view& p, const std::uint32_t* parameters) {
    std::string text;
    for (std::size_t i = 0; i < p.size; ++i) {
        std::string line = "  " + register_name(i) + " = " + right_side(p[i], parameters);
        if (line.size() < 36) line.resize(36, ' ');
        text += line + " " + name_of(p[i].type) + (is_per_element(p[i]) ? "\n" : ", once\n");
    }
    return text;
}

// Backends for which it matters are told where the operands lie, too.
template <class B, class Bindings>
std::string describe_on(B& target, const program_view& program, const plan& p, const Bindings& data) {
    if constexpr (requires { target.describe(program, p, data); }) return target.describe(program, p, data);
    else return target.describe(program, p);
}

inline explanation explain_plan(const program_view& program, const plan& p, const std::uint32_t* parameters,
                                const std::string& operands, const std::string& how) {
    explanation made;
    made.elements = p.count;
    made.operations = operations_per_element(program);
    made.bytes_read = p.bytes_read();
    made.bytes_written = p.bytes_written();
    made.text = operands;
    if (p.count != 0) {
        made.text += "loop: " + std::string(name(p.kind)) + ", sizes " + describe(p.sizes.data(), p.rank) +
                     (p.in_place ? ", in place" : "") + "\nrun by: " + how +
                     "\nmemory: " + std::to_string(made.bytes_read) + " bytes read, " +
                     std::to_string(made.bytes_written) + " written\n";
    }
    made.text += "program: " + std::to_string(made.operations) + " operations for each of " + std::to_string(p.count) +
                 " elements\n" + program_text(program, parameters);
    return made;
}

}  // namespace detail

template <class B, class X, class Out>
    requires detail::evaluable<B, X, Out>
explanation explain(B&& target, X&& x, Out&& out) {
    const auto output = detail::output_view(std::forward<Out>(out));
    const auto expression = detail::leaf(std::forward<X>(x));
    const detail::gathered<decltype(detail::leaf(expression)), typename std::remove_cvref_t<B>::input_location> given(
        expression);
    std::string operands;
    for (std::size_t i = 0; i < given.inputs; ++i)
        operands += detail::describe_operand(given.views[i], i, false) + "\n";
    operands += detail::describe_operand(detail::describe_view(output), 0, true) + "\n";
    return detail::with_plan<B>(expression, output, [&]<class Program>(const plan& p, const auto& data) {
        const std::string how = p.count == 0 ? "" : detail::describe_on(target, Program::value, p, data);
        return detail::explain_plan(Program::value, p, data.parameters, operands, how);
    });
}

template <class X, class Out>
    requires detail::evaluable<cpu::highway, X, Out>
explanation explain(X&& x, Out&& out) {
    return explain(cpu::highway{}, std::forward<X>(x), std::forward<Out>(out));
}

// Into a new tensor, as materialize makes one.
template <backend B, detail::value_operand X>
explanation explain(B&& target, X&& x) {
    auto out = detail::allocate_for(target, detail::leaf(x));
    return explain(target, std::forward<X>(x), out);
}

template <detail::value_operand X>
explanation explain(X&& x) {
    return explain(cpu::highway{}, std::forward<X>(x));
}

}  // namespace sinter
