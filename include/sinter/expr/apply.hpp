// How a built-in operator meets what it is given: a tensor or expression, a value inside a body, or a plain number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "interpret.hpp"
#include "lowering.hpp"
#include "node.hpp"

namespace sinter {

namespace detail {

template <class X>
concept subject =
    (is_tensor_like<X> || recorded_value<std::remove_cvref_t<X>> || element<std::remove_cvref_t<X>>) &&
    (!is_rvalue_tensor<X> ||
     unsatisfied<"sinter: an expression does not own its tensors: give the temporary tensor a name">) &&
    (!is_mask<X> ||
     unsatisfied<"sinter: a comparison has no element type: use it in select, or write cast<T>(comparison)">);

// Some operators say which element types they take: static constexpr operand_types takes.
enum class operand_types : std::uint8_t { floating, signed_or_floating };

template <class X>
struct subject_element {
    using type = std::remove_cvref_t<X>;
};
template <class X>
    requires is_tensor_like<X>
struct subject_element<X> {
    using type = element_of<X>;
};
template <element T>
struct subject_element<recorded<T>> {
    using type = T;
};
template <>
struct subject_element<recorded_scalar> {
    using type = float;
};

template <class Operator, operand_types Types>
inline constexpr bool takes_only = false;
template <class Operator, operand_types Types>
    requires(Operator::takes == Types)
inline constexpr bool takes_only<Operator, Types> = true;

template <class T>
inline constexpr bool is_unsigned_element = integral_element<T> && !std::is_signed_v<T>;

template <class X, class Operator>
concept subject_of =
    subject<X> &&
    (!takes_only<Operator, operand_types::floating> ||
     floating_element<typename subject_element<std::remove_cvref_t<X>>::type> ||
     unsatisfied<"sinter: this operator takes float and float16 elements: cast<float>(x) first">) &&
    (!takes_only<Operator, operand_types::signed_or_floating> ||
     !is_unsigned_element<typename subject_element<std::remove_cvref_t<X>>::type> ||
     unsatisfied<"sinter: this operator takes no unsigned elements: cast<T>(x) to a signed type first">);

template <class A>
concept attribute = scalar<A> || std::same_as<A, recorded<float>> || std::same_as<A, recorded_scalar>;

constexpr recorded<float> attribute_in_body(recorder* r, const attribute auto& value) {
    if constexpr (recorded_value<std::remove_cvref_t<decltype(value)>>) return {r, value.id};
    else return literal<float, literal_use::wraps>(r, value);
}

template <class Operator, element T, class... Attributes>
constexpr T apply_to_scalar(T x, Attributes... attributes) {
    using expression =
        application_of<Operator, input_of<T>, parameter_of<recorded<std::enable_if_t<scalar<Attributes>, float>>>...>;
    constexpr const auto& program = lowered<expression>::value;
    const std::uint32_t parameters[] = {attribute_operand(attributes).bits..., 0u};
    scalar_register registers[program.size]{};
    // A bare copy was lowered to bits; here the value itself passes through.
    if (program[program.result].op == operation::input) return x;
    return from_register<T>(
        interpret(program, parameters, [x](const instruction&) { return to_register(x); }, registers));
}

template <class Operator, subject X, attribute... Attributes>
constexpr auto apply(X&& x, Attributes... attributes) {
    using U = std::remove_cvref_t<X>;
    if constexpr (recorded_value<U>) return Operator{}(x, attribute_in_body(x.recorder, attributes)...);
    else if constexpr (element<U>) return apply_to_scalar<Operator>(x, attributes...);
    else return make_node(Operator{}, leaf(std::forward<X>(x)), attribute_operand(attributes)...);
}

// An operator that waits for its tensor: what stands at the right of a pipe.
template <class Operator, std::size_t Attributes>
struct adaptor {
    std::array<float, Attributes> attributes;

    template <class X>
        requires subject_of<X, Operator>
    friend constexpr auto operator|(X&& x, const adaptor& a) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return apply<Operator>(std::forward<X>(x), a.attributes[I]...);
        }(std::make_index_sequence<Attributes>{});
    }
};

template <class Operator, scalar... Attributes>
constexpr adaptor<Operator, sizeof...(Attributes)> make_adaptor(Attributes... attributes) {
    return {{static_cast<float>(attributes)...}};
}

}  // namespace detail

}  // namespace sinter
