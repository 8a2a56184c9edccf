// The programs that expressions' types determine.
#include <sinter/sinter.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace {

using sinter::element_type;
using sinter::float16;
using sinter::operation;
using sinter::value_type;

template <class T, std::size_t Rank = 1>
using input = sinter::tensor_view<const T, Rank>;

template <class T, std::size_t Rank = 1>
constexpr input<T, Rank> x{nullptr, {}};

template <class Expression>
constexpr const auto& program_of(const Expression&) {
    return sinter::program_of<Expression>;
}

template <class Program>
constexpr std::size_t count(const Program& p, operation op) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < p.size; ++i) found += p[i].op == op ? 1 : 0;
    return found;
}

template <class Program>
constexpr bool is_well_formed(const Program& p) {
    for (std::size_t i = 0; i < p.size; ++i) {
        const std::size_t operands = operand_count(p[i].op);
        if ((operands > 0 && p[i].a >= i) || (operands > 1 && p[i].b >= i) || (operands > 2 && p[i].c >= i))
            return false;
    }
    return p.result < p.size;
}

// One operator.
constexpr const auto& negated = program_of(-x<std::int16_t>);
static_assert(negated.size == 2 && negated.inputs == 1 && negated.parameters == 0 && negated.result == 1);
static_assert(negated[0].op == operation::input && negated[0].type == value_type::int16);
static_assert(negated[1].op == operation::negate && negated[1].a == 0 && negated.output == element_type::int16);

constexpr const auto& shrunk = program_of(sinter::shrink(x<float>, 1.f, 2.f));
static_assert(is_well_formed(shrunk) && shrunk.size == 11 && shrunk.inputs == 1 && shrunk.parameters == 2);
static_assert(count(shrunk, operation::select) == 2 && count(shrunk, operation::multiply) == 0);
static_assert(count(shrunk, operation::greater) == 1 && count(shrunk, operation::less) == 1);

// Integers pass through float32 and come back by the operator's own rounding.
constexpr const auto& shrunk_bytes = program_of(sinter::shrink(x<std::uint8_t>, 1.f, 2.f));
static_assert(shrunk_bytes.size == 13 && shrunk_bytes.output == element_type::uint8);
static_assert(count(shrunk_bytes, operation::to_float32) == 1 && count(shrunk_bytes, operation::nearest) == 1);
constexpr const auto& scaled_bytes = program_of(sinter::scale_bias(x<std::uint8_t>, 1.f, 2.f));
static_assert(count(scaled_bytes, operation::truncate) == 1 && count(scaled_bytes, operation::nearest) == 0);

// float16 is not rounded within a chain, but where a cast says so.
constexpr auto halves = x<float16> | sinter::scale_bias(2, 1) | sinter::shrink() | sinter::threshold(0);
static_assert(count(program_of(halves), operation::round_to_half) == 0);
static_assert(program_of(halves).output == element_type::float16);
static_assert(count(program_of(sinter::cast<float16>(halves) | sinter::shrink()), operation::round_to_half) == 1);
static_assert(count(program_of(sinter::cast<float16>(sinter::cast<float16>(halves))), operation::round_to_half) == 1);

// What depends on scalars only is marked, and computed once.
constexpr bool marks_uniform_instructions() {
    const auto& p = shrunk;
    for (std::size_t i = 0; i < p.size; ++i) {
        if (p[i].op == operation::parameter && !p[i].uniform) return false;
        if (p[i].op == operation::negate && !p[i].uniform) return false;
        if (p[i].op == operation::input && p[i].uniform) return false;
        if (p[i].op == operation::select && p[i].uniform) return false;
    }
    return true;
}
static_assert(marks_uniform_instructions());

// A bare copy moves bits, so that no NaN changes. A float16 read as float32 is no copy.
constexpr const auto& copied = program_of(x<float>);
static_assert(copied.size == 1 && copied.output == element_type::uint32 && copied[0].type == value_type::uint32);
static_assert(program_of(x<float16>).output == element_type::uint16);
static_assert(program_of(sinter::cast<float>(x<float>)).output == element_type::uint32);
static_assert(program_of(sinter::cast<float16>(x<float16>)).output == element_type::uint16);
static_assert(program_of(sinter::cast<std::int8_t>(x<std::int8_t>)).output == element_type::uint8);
static_assert(program_of(sinter::cast<float>(x<float16>)).output == element_type::float32);
static_assert(program_of(sinter::cast<float>(x<float16>)).input_types[0] == element_type::float16);

// A local that is used several times is computed once, and code stays linear.
struct doubling {
    constexpr auto operator()(auto v) const {
        for (int i = 0; i < 20; ++i) v = v + v;
        return v;
    }
};
constexpr const auto& doubled = program_of(sinter::map(doubling{}, x<float>));
static_assert(doubled.size == 21 && count(doubled, operation::add) == 20);

struct repeated {
    constexpr auto operator()(auto v) const { return (v * 3 + 1) * (v * 3 + 1) - (v * 3 + 1); }
};
static_assert(count(program_of(sinter::map(repeated{}, x<float>)), operation::multiply) == 2);
static_assert(count(program_of(sinter::map(repeated{}, x<float>)), operation::add) == 1);

// What the result does not need is gone.
struct idle {
    constexpr auto operator()(auto v) const {
        [[maybe_unused]] const auto unused = v * v + 5;
        return v - 1;
    }
};
static_assert(program_of(sinter::map(idle{}, x<float>)).size == 3);

// Literals belong to the program; scalars do not.
constexpr const auto& offset = program_of(sinter::map([](auto v) { return v + 5; }, x<std::int8_t>));
static_assert(count(offset, operation::constant) == 1 && offset.parameters == 0);
constexpr const auto& moved = program_of(x<std::int8_t> + 5);
static_assert(count(moved, operation::constant) == 0 && moved.parameters == 1);

// Constants keep their bits: negative ones, the lowest and the highest.
constexpr const auto& extremes =
    program_of(sinter::map([](auto v) { return (v + -1) * std::int32_t{-2147483647 - 1}; }, x<std::int32_t>));
constexpr bool has_constant(const auto& p, std::uint32_t bits) {
    for (std::size_t i = 0; i < p.size; ++i)
        if (p[i].op == operation::constant && p[i].bits == bits) return true;
    return false;
}
static_assert(has_constant(extremes, 0xffffffffu) && has_constant(extremes, 0x80000000u));
static_assert(has_constant(program_of(sinter::map([](auto v) { return v + 4294967295u; }, x<std::uint32_t>)),
                           0xffffffffu));

// The rank, constness and memory of an input do not matter: such expressions share their code.
static_assert(&program_of(sinter::shrink(x<float, 1>)) == &program_of(sinter::shrink(x<float, 5>)));

// Inputs and parameters are numbered from left to right, each occurrence by itself.
constexpr const auto& three = program_of((x<float> + 1.f) * x<float> - x<float> * 2.f);
static_assert(three.inputs == 3 && three.parameters == 2);

// Chains of 100 operators stay within the compilers' default limits for constant expressions.
template <std::size_t Length>
constexpr auto chain(auto v) {
    if constexpr (Length == 0) return v;
    else if constexpr (Length % 3 == 0) return chain<Length - 1>(sinter::scale_bias(v, 1.5f, 0.25f));
    else if constexpr (Length % 3 == 1) return chain<Length - 1>(sinter::shrink(v, 0.1f, 0.2f));
    else return chain<Length - 1>(sinter::threshold(v, -1.f));
}
constexpr const auto& long_chain = program_of(chain<100>(x<float>));
static_assert(is_well_formed(long_chain) && long_chain.inputs == 1);
static_assert(count(long_chain, operation::multiply) == 33 && count(long_chain, operation::maximum) == 33);
static_assert(count(long_chain, operation::greater) == 34);
constexpr const auto& long_byte_chain = program_of(chain<100>(x<std::uint8_t>));
static_assert(is_well_formed(long_byte_chain) && count(long_byte_chain, operation::nearest) == 34);

}  // namespace
