// The arithmetic, comparing and choosing operators between tensors, expressions and scalars.
//
// float32 and float16: float32 arithmetic, every operation rounded once. Integers: + - * and unary - and abs wrap to
// the element type; min, max, clamp, select and comparisons are exact, and their scalars must fit the type.
// min and max give the operand that is not NaN, and the second of equal ones; clamp(x, lo, hi) is max(min(x, hi), lo).
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "node.hpp"

namespace sinter {

// Inside a body and on tensors alike.
template <class X, class Lo, class Hi>
    requires(detail::recorded_value<X>)
constexpr auto clamp(const X& x, const Lo& lo, const Hi& hi) {
    return (max)((min)(x, hi), lo);
}

namespace detail {

struct add_operator {
    constexpr auto operator()(auto a, auto b) const { return a + b; }
};
struct subtract_operator {
    constexpr auto operator()(auto a, auto b) const { return a - b; }
};
struct multiply_operator {
    constexpr auto operator()(auto a, auto b) const { return a * b; }
};
struct negate_operator {
    constexpr auto operator()(auto a) const { return -a; }
};
struct absolute_operator {
    constexpr auto operator()(auto a) const { return abs(a); }
};
struct minimum_operator {
    constexpr auto operator()(auto a, auto b) const { return (min)(a, b); }
};
struct maximum_operator {
    constexpr auto operator()(auto a, auto b) const { return (max)(a, b); }
};
struct clamp_operator {
    constexpr auto operator()(auto x, auto lo, auto hi) const { return clamp(x, lo, hi); }
};
struct less_operator {
    constexpr auto operator()(auto a, auto b) const { return a < b; }
};
struct less_equal_operator {
    constexpr auto operator()(auto a, auto b) const { return a <= b; }
};
struct greater_operator {
    constexpr auto operator()(auto a, auto b) const { return a > b; }
};
struct greater_equal_operator {
    constexpr auto operator()(auto a, auto b) const { return a >= b; }
};
struct equal_operator {
    constexpr auto operator()(auto a, auto b) const { return a == b; }
};
struct not_equal_operator {
    constexpr auto operator()(auto a, auto b) const { return a != b; }
};
struct and_operator {
    constexpr auto operator()(auto a, auto b) const { return a && b; }
};
struct or_operator {
    constexpr auto operator()(auto a, auto b) const { return a || b; }
};
struct not_operator {
    constexpr auto operator()(auto a) const { return !a; }
};
struct select_operator {
    constexpr auto operator()(auto condition, auto a, auto b) const { return select(condition, a, b); }
};

// The element type that the first tensor among the operands has.
template <class X, class... Rest>
struct leading_element : leading_element<Rest...> {};
template <value_operand X, class... Rest>
struct leading_element<X, Rest...> {
    using type = element_of<X>;
};
template <class... X>
using leading_element_t = typename leading_element<X...>::type;

template <class X>
inline constexpr bool is_number = scalar<std::remove_cvref_t<X>>;

template <class T, class X>
inline constexpr bool same_element = true;
template <class T, value_operand X>
inline constexpr bool same_element<T, X> = std::same_as<T, element_of<X>>;

template <class T, class X>
inline constexpr bool exact_number = floating_element<T> || !floating_scalar<std::remove_cvref_t<X>>;

// Tensors, expressions and scalars that share one element type, given by the first that is not a scalar.
template <class... X>
concept terms =
    ((is_number<X> || is_tensor_like<X>) && ...) && (is_tensor_like<X> || ...) &&
    ((!is_rvalue_tensor<X> && ...) ||
     unsatisfied<"sinter: an expression does not own its tensors: give the temporary tensor a name">) &&
    ((!is_mask<X> && ...) ||
     unsatisfied<"sinter: a comparison has no element type: use it in select, or write cast<T>(comparison)">) &&
    ((same_element<leading_element_t<X...>, X> && ...) ||
     unsatisfied<"sinter: the operands have different element types: cast<T>(x) one of them">) &&
    ((exact_number<leading_element_t<X...>, X> && ...) ||
     unsatisfied<"sinter: a floating-point scalar meets an integer tensor: write cast<float>(x) first">);

template <literal_use Use, class Operator, class... X>
constexpr auto make_term_node(Operator op, X&&... x) {
    using T = leading_element_t<X...>;
    return make_node(op, operand_as<T, Use>(std::forward<X>(x))...);
}

}  // namespace detail

template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator+(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::wraps>(detail::add_operator{}, std::forward<X>(x),
                                                              std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator-(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::wraps>(detail::subtract_operator{}, std::forward<X>(x),
                                                              std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator*(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::wraps>(detail::multiply_operator{}, std::forward<X>(x),
                                                              std::forward<Y>(y));
}
template <detail::value_operand X>
constexpr auto operator-(X&& x) {
    return detail::make_node(detail::negate_operator{}, detail::leaf(std::forward<X>(x)));
}
template <detail::value_operand X>
constexpr auto abs(X&& x) {
    return detail::make_node(detail::absolute_operator{}, detail::leaf(std::forward<X>(x)));
}

template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator<(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::less_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator<=(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::less_equal_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator>(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::greater_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator>=(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::greater_equal_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator==(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::equal_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto operator!=(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::not_equal_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}

template <detail::mask_operand X, detail::mask_operand Y>
constexpr auto operator&&(X&& x, Y&& y) {
    return detail::make_node(detail::and_operator{}, detail::leaf(std::forward<X>(x)),
                             detail::leaf(std::forward<Y>(y)));
}
template <detail::mask_operand X, detail::mask_operand Y>
constexpr auto operator||(X&& x, Y&& y) {
    return detail::make_node(detail::or_operator{}, detail::leaf(std::forward<X>(x)), detail::leaf(std::forward<Y>(y)));
}
template <detail::mask_operand X>
constexpr auto operator!(X&& x) {
    return detail::make_node(detail::not_operator{}, detail::leaf(std::forward<X>(x)));
}

// Names in parentheses, so that a macro min or max does not touch them.
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto(min)(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::minimum_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
template <class X, class Y>
    requires detail::terms<X, Y>
constexpr auto(max)(X&& x, Y&& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::maximum_operator{}, std::forward<X>(x),
                                                                 std::forward<Y>(y));
}
// The same once more for equal types: as specialized as std::min, and constrained, so that using namespace std is safe.
template <class X>
    requires detail::terms<const X&, const X&>
constexpr auto(min)(const X& x, const X& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::minimum_operator{}, x, y);
}
template <class X>
    requires detail::terms<const X&, const X&>
constexpr auto(max)(const X& x, const X& y) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::maximum_operator{}, x, y);
}

template <class X, class Lo, class Hi>
    requires(detail::value_operand<X> && detail::terms<X, Lo, Hi>)
constexpr auto clamp(X&& x, Lo&& lo, Hi&& hi) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::clamp_operator{}, std::forward<X>(x),
                                                                 std::forward<Lo>(lo), std::forward<Hi>(hi));
}
template <class X>
    requires detail::terms<const X&, const X&, const X&>
constexpr auto clamp(const X& x, const X& lo, const X& hi) {
    return detail::make_term_node<detail::literal_use::must_fit>(detail::clamp_operator{}, x, lo, hi);
}

namespace detail {

template <class Mask>
struct compared_element;
template <class T>
struct compared_element<recorded_mask<T>> {
    using type = T;
};
template <mask_operand C>
using compared_element_t = typename compared_element<argument_t<leaf_t<C>>>::type;

template <class C, class X, class Y>
concept scalar_arms =
    is_number<X> && is_number<Y> &&
    (element<compared_element_t<C>> ||
     unsatisfied<"sinter: two scalars take their type from the comparison, and this one compares several types">) &&
    ((exact_number<compared_element_t<C>, X> && exact_number<compared_element_t<C>, Y>) ||
     unsatisfied<"sinter: a floating-point scalar meets an integer tensor: write cast<float>(x) first">);

}  // namespace detail

// condition ? x : y for every element. Two scalars take their type from what the condition compared.
template <detail::mask_operand C, class X, class Y>
    requires detail::terms<X, Y>
constexpr auto select(C&& condition, X&& x, Y&& y) {
    using T = detail::leading_element_t<X, Y>;
    constexpr auto use = detail::literal_use::must_fit;
    return detail::make_node(detail::select_operator{}, detail::leaf(std::forward<C>(condition)),
                             detail::operand_as<T, use>(std::forward<X>(x)),
                             detail::operand_as<T, use>(std::forward<Y>(y)));
}
template <detail::mask_operand C, scalar X, scalar Y>
    requires detail::scalar_arms<C, X, Y>
constexpr auto select(C&& condition, X x, Y y) {
    using T = detail::compared_element_t<C>;
    constexpr auto use = detail::literal_use::must_fit;
    return detail::make_node(detail::select_operator{}, detail::leaf(std::forward<C>(condition)),
                             detail::scalar_operand<T, use>(x), detail::scalar_operand<T, use>(y));
}

}  // namespace sinter
