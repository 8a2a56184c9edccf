// Lazy expressions: plain values that hold views, scalars and other expressions, and compute nothing.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../core/tensor.hpp"
#include "../core/unsatisfied.hpp"
#include "../core/view.hpp"
#include "fragment.hpp"

namespace sinter {

namespace detail {

// A scalar in an expression; Argument is what a body sees in its place.
template <class Argument>
struct parameter {
    std::uint32_t bits;
};

template <class... Operands>
struct operand_list {};
template <class First, class... Rest>
struct operand_list<First, Rest...> {
    First first;
    [[no_unique_address]] operand_list<Rest...> rest;
};

constexpr operand_list<> make_operands() { return {}; }
template <class First, class... Rest>
constexpr operand_list<First, Rest...> make_operands(First first, Rest... rest) {
    return {std::move(first), make_operands(std::move(rest)...)};
}

}  // namespace detail

// An operator applied to operands. What it computes is decided by the type alone; what it holds is data.
template <class Operator, class... Operands>
struct node {
    [[no_unique_address]] detail::operand_list<Operands...> operands;

    template <class Bool>
        requires(std::same_as<Bool, bool>)
    explicit constexpr operator Bool() const {
        static_assert(detail::false_for<Bool>,
                      "sinter: a comparison of tensors has no single truth value: "
                      "use select(condition, a, b) instead of if, ?:, while, std::min or std::max");
        return false;
    }
};

namespace detail {

template <class X>
inline constexpr bool is_node = false;
template <class Operator, class... Operands>
inline constexpr bool is_node<node<Operator, Operands...>> = true;

// What may stand as a tensor in an expression. An owning tensor must be an lvalue: the expression only looks at it.
template <class X>
inline constexpr bool is_rvalue_tensor = is_tensor<std::remove_cvref_t<X>> && !std::is_lvalue_reference_v<X>;

template <class X>
inline constexpr bool is_tensor_like =
    strided_view<std::remove_cvref_t<X>> || is_tensor<std::remove_cvref_t<X>> || is_node<std::remove_cvref_t<X>>;

template <class X>
concept operand = is_tensor_like<X> &&
                  (!is_rvalue_tensor<X> ||
                   unsatisfied<"sinter: an expression does not own its tensors: give the temporary tensor a name">);

template <operand X>
constexpr auto leaf(X&& x) {
    using U = std::remove_cvref_t<X>;
    if constexpr (is_node<U>) return U(std::forward<X>(x));
    else if constexpr (is_tensor<U>) return tensor_view<const typename U::element_type, U::rank()>(x.view());
    else return typename U::const_view(std::forward<X>(x));
}

template <operand X>
using leaf_t = decltype(leaf(std::declval<X>()));

// What an operand looks like to a body.
template <class Leaf>
struct argument_of;
template <strided_view View>
struct argument_of<View> {
    using type = recorded<std::remove_const_t<typename View::element_type>>;
};
template <class Argument>
struct argument_of<parameter<Argument>> {
    using type = Argument;
};
template <class Operator, class... Operands>
struct argument_of<node<Operator, Operands...>> {
    using type = typename recorded_operator<Operator, typename argument_of<Operands>::type...>::result;
};

template <class Leaf>
using argument_t = typename argument_of<Leaf>::type;

template <class Argument>
struct element_of_argument {
    using type = void;
};
template <class T>
struct element_of_argument<recorded<T>> {
    using type = T;
};
template <>
struct element_of_argument<recorded_scalar> {
    using type = float;
};

// The element type of a tensor or expression; void for a mask.
template <operand X>
using element_of = typename element_of_argument<argument_t<leaf_t<X>>>::type;

template <class X>
inline constexpr bool is_mask = false;
template <operand X>
inline constexpr bool is_mask<X> = is_recorded_mask<argument_t<leaf_t<X>>>;

template <class X>
concept mask_operand = operand<X> && is_mask<X>;

template <class X>
concept value_operand = operand<X> && !is_mask<X>;

template <class Leaf>
inline constexpr std::size_t input_count = 1;
template <class Argument>
inline constexpr std::size_t input_count<parameter<Argument>> = 0;
template <class Operator, class... Operands>
inline constexpr std::size_t input_count<node<Operator, Operands...>> = (std::size_t{0} + ... + input_count<Operands>);

template <class... Leaves>
concept few_inputs = (std::size_t{0} + ... + input_count<Leaves>) <= max_inputs ||
                     unsatisfied<"sinter: an expression has at most 16 inputs: materialize a part of it">;

template <class Operator, class... Leaves>
    requires few_inputs<Leaves...>
constexpr node<Operator, Leaves...> make_node(Operator, Leaves... leaves) {
    return {make_operands(std::move(leaves)...)};
}

// A scalar that takes the place of an element of type T.
template <element T, literal_use Use, scalar V>
constexpr parameter<recorded<T>> scalar_operand(V value) {
    if constexpr (floating_element<T>) {
        return {float_bits(static_cast<float>(value))};
    } else {
        if constexpr (Use == literal_use::must_fit) {
            if (!std::in_range<T>(value)) {
                const auto [lowest, highest] = range_of(element_type_of<T>);
                fail(errc::value, "the scalar " + std::to_string(value) + " does not fit " + name(element_type_of<T>) +
                                      ", whose range is " + std::to_string(lowest) + " to " + std::to_string(highest));
            }
        }
        return {wrapped_bits<T>(value)};
    }
}

template <element T, literal_use Use, class X>
constexpr auto operand_as(X&& x) {
    if constexpr (scalar<std::remove_cvref_t<X>>) return scalar_operand<T, Use>(x);
    else return leaf(std::forward<X>(x));
}

// Attributes are float32 whatever the tensor's type is.
constexpr parameter<recorded<float>> attribute_operand(scalar auto value) {
    return {float_bits(static_cast<float>(value))};
}

}  // namespace detail

}  // namespace sinter
