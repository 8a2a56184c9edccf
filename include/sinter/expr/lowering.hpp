// From the type of an expression to its program: fragments concatenated, merged, and cut to what the result needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "node.hpp"
#include "program.hpp"
#include "recorder.hpp"

namespace sinter {

namespace detail {

// An expression's signature: its type without ranks and memory, so that expressions that compute the same share code.
template <element T>
struct input_of {};
template <class Argument>
struct parameter_of {};
template <class Operator, class... Operands>
struct application_of {};

template <class Leaf>
struct signature;
template <strided_view View>
struct signature<View> {
    using type = input_of<std::remove_const_t<typename View::element_type>>;
};
template <class Argument>
struct signature<parameter<Argument>> {
    using type = parameter_of<Argument>;
};
template <class Operator, class... Operands>
struct signature<node<Operator, Operands...>> {
    using type = application_of<Operator, typename signature<Operands>::type...>;
};

// Inputs and parameters are numbered from left to right.
struct leaf_table {
    std::uint16_t inputs = 0;
    std::uint16_t parameters = 0;
    std::array<element_type, max_inputs> input_types{};
};

constexpr bool uniform_after(const recorder& r, const instruction& i) {
    switch (operand_count(i.op)) {
        case 0: return i.op != operation::input;
        case 1: return r[i.a].uniform;
        case 2: return r[i.a].uniform && r[i.b].uniform;
        default: return r[i.a].uniform && r[i.b].uniform && r[i.c].uniform;
    }
}

// Rounding to float16 what float16 already holds changes nothing, not even a NaN's payload. It holds all 8-bit
// integers.
constexpr bool holds_half(const recorder& r, std::uint16_t id) {
    switch (r[id].op) {
        case operation::round_to_half: return true;
        case operation::input: return r[id].type == value_type::float16;
        case operation::to_float32: return size_of(to_element_type(r[r[id].a].type)) == 1;
        default: return false;
    }
}

// Appends a fragment whose arguments are the registers `arguments`; returns the register of its result.
constexpr std::uint16_t append(recorder& r, const instruction* code, std::size_t size, std::uint16_t result,
                               const std::uint16_t* arguments, std::uint16_t* registers) {
    for (std::size_t i = 0; i < size; ++i) {
        instruction next = code[i];
        if (next.op == operation::input) {
            registers[i] = arguments[next.bits];
            continue;
        }
        const std::size_t operands = operand_count(next.op);
        if (operands > 0) next.a = registers[next.a];
        if (operands > 1) next.b = registers[next.b];
        if (operands > 2) next.c = registers[next.c];
        next.uniform = uniform_after(r, next);
        registers[i] = next.op == operation::round_to_half && holds_half(r, next.a) ? next.a : r.push(next);
    }
    return registers[result];
}

template <class Signature>
struct lowering;

template <class T>
struct lowering<input_of<T>> {
    using argument = recorded<T>;
    static constexpr std::size_t capacity = 1;
    static constexpr std::uint16_t emit(recorder& r, leaf_table& leaves) {
        leaves.input_types[leaves.inputs] = element_type_of<T>;
        return r.push({.op = operation::input, .type = to_value_type(element_type_of<T>), .bits = leaves.inputs++});
    }
};

template <class Argument>
struct lowering<parameter_of<Argument>> {
    using argument = Argument;
    static constexpr std::size_t capacity = 1;
    static constexpr std::uint16_t emit(recorder& r, leaf_table& leaves) {
        return r.push({.op = operation::parameter,
                       .type = argument_type<Argument>,
                       .uniform = true,
                       .bits = leaves.parameters++});
    }
};

template <class Operator, class... Operands>
struct lowering<application_of<Operator, Operands...>> {
    using body = recorded_operator<Operator, typename lowering<Operands>::argument...>;
    using argument = typename body::result;
    static constexpr std::size_t capacity = (body::code.code.size() + ... + lowering<Operands>::capacity);
    static constexpr std::uint16_t emit(recorder& r, leaf_table& leaves) {
        const std::uint16_t arguments[] = {lowering<Operands>::emit(r, leaves)...};
        std::uint16_t registers[body::code.code.size()]{};
        return append(r, body::code.code.data(), body::code.code.size(), body::code.result, arguments, registers);
    }
};

// Keeps what the result needs, in order. Returns the number of instructions kept.
constexpr std::size_t keep_needed(instruction* code, std::size_t size, std::uint16_t& result, bool* needed,
                                  std::uint16_t* moved) {
    needed[result] = true;
    for (std::size_t i = size; i-- > 0;) {
        if (!needed[i]) continue;
        const std::size_t operands = operand_count(code[i].op);
        if (operands > 0) needed[code[i].a] = true;
        if (operands > 1) needed[code[i].b] = true;
        if (operands > 2) needed[code[i].c] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (!needed[i]) continue;
        instruction next = code[i];
        const std::size_t operands = operand_count(next.op);
        if (operands > 0) next.a = moved[next.a];
        if (operands > 1) next.b = moved[next.b];
        if (operands > 2) next.c = moved[next.c];
        moved[i] = static_cast<std::uint16_t>(kept);
        code[kept++] = next;
    }
    result = moved[result];
    return kept;
}

constexpr element_type bits_of_same_size(element_type type) {
    switch (size_of(type)) {
        case 4: return element_type::uint32;
        case 2: return element_type::uint16;
        default: return element_type::uint8;
    }
}

// A bare copy moves bits: as integers, so that no register may change a NaN.
template <std::size_t Size>
constexpr void copy_as_bits(program<Size>& p) {
    if (!is_bare_copy(p)) return;
    instruction& source = p.code[p.result];
    p.output = bits_of_same_size(p.output);
    source.type = to_value_type(p.output);
    p.input_types[source.bits] = p.output;
}

template <class Signature>
struct lowered {
    using root = lowering<Signature>;

    struct whole {
        recording<root::capacity> made;
        leaf_table leaves;
    };

    static constexpr whole lower() {
        whole w;
        recorder r(w.made.code.data(), w.made.code.size(), w.made.slots.data(), w.made.slots.size());
        std::array<bool, root::capacity> needed{};
        std::array<std::uint16_t, root::capacity> moved{};
        w.made.result = root::emit(r, w.leaves);
        w.made.size = keep_needed(w.made.code.data(), r.size(), w.made.result, needed.data(), moved.data());
        return w;
    }

    static constexpr auto cut() {
        constexpr whole w = lower();
        program<w.made.size> p;
        for (std::size_t i = 0; i < w.made.size; ++i) p.code[i] = w.made.code[i];
        p.result = w.made.result;
        p.output = element_type_of<typename element_of_argument<typename root::argument>::type>;
        p.inputs = w.leaves.inputs;
        p.parameters = w.leaves.parameters;
        p.input_types = w.leaves.input_types;
        copy_as_bits(p);
        return p;
    }

    static constexpr auto value = cut();
};

}  // namespace detail

// The program that an expression's type determines.
template <class Expression>
inline constexpr const auto& program_of = detail::lowered<typename detail::signature<Expression>::type>::value;

}  // namespace sinter
