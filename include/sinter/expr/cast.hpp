// cast and cast_rne: expressions of another element type.
//
// cast<T>: between float types to nearest even; float to integer toward zero, saturating, NaN becomes 0; integer to
// float to nearest even; integer to integer saturating. cast_rne<T>: the same with halves rounded to even.
// A mask becomes 1 or 0.
#pragma once

#include <utility>

#include "apply.hpp"
#include "node.hpp"

namespace sinter {

namespace detail {

template <element To>
struct cast_operator {
    constexpr auto operator()(auto x) const { return cast<To>(x); }
};
template <element To>
struct cast_rne_operator {
    constexpr auto operator()(auto x) const { return cast_rne<To>(x); }
};

}  // namespace detail

template <element To, detail::operand X>
constexpr auto cast(X&& x) {
    return detail::make_node(detail::cast_operator<To>{}, detail::leaf(std::forward<X>(x)));
}
template <element To, detail::operand X>
constexpr auto cast_rne(X&& x) {
    return detail::make_node(detail::cast_rne_operator<To>{}, detail::leaf(std::forward<X>(x)));
}

}  // namespace sinter
