// What a backend is, and how an expression reaches one: checks and plan first, then one call.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../core/inline.hpp"
#include "../core/tensor.hpp"
#include "../expr/lowering.hpp"
#include "../expr/node.hpp"
#include "plan.hpp"

namespace sinter {

// What the operands of one evaluation hold: where the elements are, and the scalars' 32 bits, from left to right.
template <class Location, class OutputLocation>
struct bindings {
    const Location* inputs;
    OutputLocation output;
    const std::uint32_t* parameters;
};

using memory_bindings = bindings<const void*, void*>;

namespace detail {

// A program for the concept's question whether a type can run programs.
struct no_program {
    static constexpr program<1> value{};
};

}  // namespace detail

// A backend runs a program over a plan. The program is a type whose `value` is a constexpr sinter::program.
template <class B>
concept backend = requires(
    B& b, const plan& p,
    const bindings<typename std::remove_cvref_t<B>::input_location, typename std::remove_cvref_t<B>::output_location>&
        data) {
    b.template run<detail::no_program>(p, data);
    b.describe(program_view{}, p);
};

// The type that carries an expression's program.
template <class Expression>
using program_for = detail::lowered<typename detail::signature<Expression>::type>;

namespace detail {

template <class Leaf>
inline constexpr std::size_t parameter_count = 0;
template <class Argument>
inline constexpr std::size_t parameter_count<parameter<Argument>> = 1;
template <class Operator, class... Operands>
inline constexpr std::size_t parameter_count<node<Operator, Operands...>> =
    (std::size_t{0} + ... + parameter_count<Operands>);

template <class Leaf>
inline constexpr std::size_t rank_of = 0;
template <strided_view View>
inline constexpr std::size_t rank_of<View> = View::rank();
template <class Operator, class... Operands>
inline constexpr std::size_t rank_of<node<Operator, Operands...>> = (std::max)({std::size_t{0}, rank_of<Operands>...});

// Calls the visitor for every view and every scalar, from left to right.
template <strided_view View, class Visitor>
constexpr void visit_leaves(const View& view, Visitor&& visitor) {
    visitor.input(view);
}
template <class Argument, class Visitor>
constexpr void visit_leaves(const parameter<Argument>& scalar, Visitor&& visitor) {
    visitor.parameter(scalar.bits);
}
template <class Visitor>
constexpr void visit_operands(const operand_list<>&, Visitor&&) {}
template <class First, class... Rest, class Visitor>
constexpr void visit_operands(const operand_list<First, Rest...>& operands, Visitor&& visitor) {
    visit_leaves(operands.first, visitor);
    visit_operands(operands.rest, visitor);
}
template <class Operator, class... Operands, class Visitor>
constexpr void visit_leaves(const node<Operator, Operands...>& expression, Visitor&& visitor) {
    visit_operands(expression.operands, visitor);
}

template <strided_view View>
operand_view describe_view(const View& view) {
    return {view.address(), element_type_of<std::remove_const_t<typename View::element_type>>, View::rank(),
            view.sizes().data(), view.strides().data()};
}

// The run-time half of an expression, gathered into arrays that live as long as one evaluation.
template <class Expression, class Location>
struct gathered {
    std::array<operand_view, input_count<Expression>> views;
    std::array<Location, input_count<Expression>> locations;
    std::array<std::uint32_t, parameter_count<Expression> + 1> parameters;
    std::size_t inputs = 0;
    std::size_t scalars = 0;

    explicit gathered(const Expression& expression) { visit_leaves(expression, *this); }

    template <class View>
    void input(const View& view) {
        views[inputs] = describe_view(view);
        locations[inputs++] = view.location();
    }
    void parameter(std::uint32_t bits) { parameters[scalars++] = bits; }
};

template <class B, class Leaf>
inline constexpr bool reads_from = true;
template <class B, strided_view View>
inline constexpr bool reads_from<B, View> =
    std::convertible_to<typename View::location_type, typename std::remove_cvref_t<B>::input_location>;
template <class B, class Operator, class... Operands>
inline constexpr bool reads_from<B, node<Operator, Operands...>> = (reads_from<B, Operands> && ...);

// An output: a view, a tensor or a contiguous range, as a view.
template <class Out>
constexpr auto output_view(Out&& out) {
    using U = std::remove_cvref_t<Out>;
    if constexpr (strided_view<U>) return U(out);
    else return view(out);
}

template <class Out>
inline constexpr bool is_output = strided_view<std::remove_cvref_t<Out>> || lvalue_tensor<Out> || viewable_range<Out>;

template <class Out>
using output_view_t = decltype(output_view(std::declval<Out>()));

template <class Out>
using output_element_t = typename output_view_t<Out>::element_type;

template <class B, class Out>
inline constexpr bool writes_to =
    std::convertible_to<typename output_view_t<Out>::location_type, typename std::remove_cvref_t<B>::output_location>;

// What evaluate accepts; each line is one mistake and its cure.
template <class B, class X, class Out>
concept evaluable =
    backend<B> && is_tensor_like<X> &&
    (!is_rvalue_tensor<X> ||
     unsatisfied<"sinter: an expression does not own its tensors: give the temporary tensor a name">) &&
    (!is_mask<X> || unsatisfied<"sinter::evaluate: a comparison has no element type: write cast<T>(comparison)">) &&
    (is_output<Out> ||
     unsatisfied<"sinter::evaluate: the output is a view, or an lvalue tensor, vector, array or span">) &&
    (!std::is_const_v<output_element_t<Out>> ||
     unsatisfied<"sinter::evaluate: the output is const and cannot be written">) &&
    (std::same_as<output_element_t<Out>, element_of<X>> ||
     unsatisfied<"sinter::evaluate: the output has another element type than the expression: cast<T>(expression)">) &&
    ((reads_from<B, leaf_t<X>> && writes_to<B, Out>) ||
     unsatisfied<"sinter::evaluate: this backend cannot reach the memory of an operand: upload or download it">) &&
    (rank_of<leaf_t<X>> <= output_view_t<Out>::rank() ||
     unsatisfied<"sinter::evaluate: an input has more dimensions than the output">);

}  // namespace detail

namespace detail {

// Checks, plans, and hands program, plan and bindings to `use`. Part of its caller, where the expression was just made:
// read back from memory, it would cost as much as the plan.
template <class B, class X, class Out, class Use>
SINTER_INLINE auto with_plan(X&& x, Out&& out, const Use& use) {
    using expression = leaf_t<X>;
    using location = typename std::remove_cvref_t<B>::input_location;
    const auto output = output_view(std::forward<Out>(out));
    const auto& whole = leaf(std::forward<X>(x));
    const gathered<expression, location> operands(whole);
    plan p;
    make_plan(p, operands.views.data(), operands.views.size(), describe_view(output));
    const bindings<location, typename std::remove_cvref_t<B>::output_location> data{
        operands.locations.data(), output.location(), operands.parameters.data()};
    return use.template operator()<program_for<expression>>(p, data);
}

}  // namespace detail

// Computes the expression into the output, in one pass. Checks everything before the first write.
template <class B, class X, class Out>
    requires detail::evaluable<B, X, Out>
SINTER_INLINE auto evaluate(B&& target, X&& x, Out&& out) {
    return detail::with_plan<B>(
        std::forward<X>(x), std::forward<Out>(out),
        [&]<class Program>(const plan& p, const auto& data) { return target.template run<Program>(p, data); });
}

namespace detail {

// The sizes to which all inputs broadcast; where they do not, the plan says so.
template <std::size_t Rank>
struct broadcast_sizes {
    std::array<std::size_t, Rank> sizes;

    template <class Expression>
    explicit broadcast_sizes(const Expression& expression) {
        sizes.fill(1);
        visit_leaves(expression, *this);
    }

    template <class View>
    void input(const View& view) {
        std::size_t* aligned = sizes.data() + (Rank - View::rank());
        for (std::size_t i = 0; i < View::rank(); ++i)
            if (aligned[i] == 1) aligned[i] = view.sizes()[i];
    }
    void parameter(std::uint32_t) {}
};

// A tensor of the expression's sizes, in the backend's memory.
template <class B, class Expression>
auto allocate_for(B& target, const Expression& expression) {
    const broadcast_sizes<rank_of<Expression>> broadcast(expression);
    return target.template allocate<element_of<const Expression&>>(broadcast.sizes);
}

}  // namespace detail

// A new tensor, in the backend's memory, with the value of the expression.
template <backend B, detail::value_operand X>
auto materialize(B&& target, X&& x) {
    const auto expression = detail::leaf(std::forward<X>(x));
    auto result = detail::allocate_for(target, expression);
    evaluate(target, expression, result);
    return result;
}

}  // namespace sinter
