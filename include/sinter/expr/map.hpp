// map: the user's own operator over tensors, expressions and scalars.
//
// The operator is a callable without captures. It is called once per combination of element types, on recording
// values, and may use + - * += -= *= min max clamp abs select cast comparisons && || !, literals, locals, loops and
// branches on ordinary constants, and sinter's own operators. Tensors keep their element types inside the body; a
// floating scalar argument is a float32, an integral one takes the type of the first tensor among the arguments.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "node.hpp"

namespace sinter {

namespace detail {

template <class F>
concept stateless =
    (std::is_empty_v<F> && std::default_initializable<F>) ||
    unsatisfied<"sinter::map: the operator captures a value or has state: pass the value: map(f, x, value)">;

template <class... X>
concept map_arguments =
    ((is_tensor_like<X> || scalar<std::remove_cvref_t<X>>) && ...) &&
    ((!is_rvalue_tensor<X> && ...) ||
     unsatisfied<"sinter: an expression does not own its tensors: give the temporary tensor a name">) &&
    ((is_tensor_like<X> && !is_mask<X>) || ... ||
     unsatisfied<"sinter::map: at least one argument is a tensor or an expression">);

template <class First, class... Rest>
struct first_element {
    using type = typename first_element<Rest...>::type;
};
template <value_operand First, class... Rest>
struct first_element<First, Rest...> {
    using type = element_of<First>;
};

template <element T, class X>
constexpr auto map_operand(X&& x) {
    using U = std::remove_cvref_t<X>;
    if constexpr (floating_scalar<U>) return parameter<recorded_scalar>{float_bits(x)};
    else return operand_as<T, literal_use::must_fit>(std::forward<X>(x));
}

}  // namespace detail

template <detail::stateless F, class... X>
    requires detail::map_arguments<X...>
constexpr auto map(F, X&&... x) {
    using T = typename detail::first_element<X...>::type;
    return detail::make_node(F{}, detail::map_operand<T>(std::forward<X>(x))...);
}

}  // namespace sinter
