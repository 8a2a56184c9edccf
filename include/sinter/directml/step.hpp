// One operator of a compiled descriptor: which of the library's operators it is, and their programs by element type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../core/element.hpp"
#include "../expr/arithmetic.hpp"
#include "../expr/lowering.hpp"
#include "../ops/abs_saturate.hpp"
#include "../ops/ceil.hpp"
#include "../ops/clip.hpp"
#include "../ops/floor.hpp"
#include "../ops/leaky_relu.hpp"
#include "../ops/linear.hpp"
#include "../ops/negate_saturate.hpp"
#include "../ops/relu.hpp"
#include "../ops/round.hpp"
#include "../ops/scale_bias.hpp"
#include "../ops/shrink.hpp"
#include "../ops/sign.hpp"
#include "../ops/threshold.hpp"
#include "../ops/thresholded_relu.hpp"

namespace sinter::directml::detail {

// In the order of step_types below.
enum class step_kind : std::uint8_t {
    identity,
    scale_bias,
    shrink,
    shrink_scaled,
    threshold,
    threshold_scaled,
    clip,
    clip_scaled,
    relu,
    relu_scaled,
    abs,
    abs_scaled,
    negate,
    sign,
    round_half_even,
    round_toward_zero,
    round_half_away,
    ceil,
    ceil_scaled,
    floor,
    floor_scaled,
    linear,
    leaky_relu,
    thresholded_relu,
    add,
    subtract,
    multiply,
    minimum,
    maximum,
};

struct identity {
    constexpr auto operator()(auto x) const { return x; }
};

// The optional ScaleBias of an operator comes first; between the two, float16 is not rounded.
template <class Next>
struct scaled {
    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> scale, recorded<float> bias,
                                     auto... attributes) const {
        return Next{}(ops::scale_bias{}(x, scale, bias), attributes...);
    }
};
template <class Next>
    requires requires { Next::takes; }
struct scaled<Next> {
    static constexpr auto takes = Next::takes;

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> scale, recorded<float> bias,
                                     auto... attributes) const {
        return Next{}(ops::scale_bias{}(x, scale, bias), attributes...);
    }
};

template <class Operator, std::size_t Inputs, std::size_t Attributes>
struct step_type {
    using operator_type = Operator;
    static constexpr std::size_t inputs = Inputs;
    static constexpr std::size_t attributes = Attributes;

    template <element T>
    static constexpr bool takes =
        !(sinter::detail::takes_only<Operator, sinter::detail::operand_types::floating> && integral_element<T>) &&
        !(sinter::detail::takes_only<Operator, sinter::detail::operand_types::signed_or_floating> &&
          sinter::detail::is_unsigned_element<T>);
};

using step_types =
    std::tuple<step_type<identity, 1, 0>, step_type<ops::scale_bias, 1, 2>, step_type<ops::shrink, 1, 2>,
               step_type<scaled<ops::shrink>, 1, 4>, step_type<ops::threshold, 1, 1>,
               step_type<scaled<ops::threshold>, 1, 3>, step_type<ops::clip, 1, 2>, step_type<scaled<ops::clip>, 1, 4>,
               step_type<ops::relu, 1, 0>, step_type<scaled<ops::relu>, 1, 2>, step_type<ops::abs_saturate, 1, 0>,
               step_type<scaled<ops::abs_saturate>, 1, 2>, step_type<ops::negate_saturate, 1, 0>,
               step_type<ops::sign, 1, 0>, step_type<ops::round<round_mode::half_even>, 1, 0>,
               step_type<ops::round<round_mode::toward_zero>, 1, 0>, step_type<ops::round<round_mode::half_away>, 1, 0>,
               step_type<ops::ceil, 1, 0>, step_type<scaled<ops::ceil>, 1, 2>, step_type<ops::floor, 1, 0>,
               step_type<scaled<ops::floor>, 1, 2>, step_type<ops::linear, 1, 2>, step_type<ops::leaky_relu, 1, 1>,
               step_type<ops::thresholded_relu, 1, 1>, step_type<sinter::detail::add_operator, 2, 0>,
               step_type<sinter::detail::subtract_operator, 2, 0>, step_type<sinter::detail::multiply_operator, 2, 0>,
               step_type<sinter::detail::minimum_operator, 2, 0>, step_type<sinter::detail::maximum_operator, 2, 0>>;

// The same operator with a ScaleBias before it, or itself where there is no such kernel.
constexpr step_kind with_scale_bias(step_kind kind) {
    switch (kind) {
        case step_kind::shrink: return step_kind::shrink_scaled;
        case step_kind::threshold: return step_kind::threshold_scaled;
        case step_kind::clip: return step_kind::clip_scaled;
        case step_kind::relu: return step_kind::relu_scaled;
        case step_kind::abs: return step_kind::abs_scaled;
        case step_kind::ceil: return step_kind::ceil_scaled;
        case step_kind::floor: return step_kind::floor_scaled;
        default: return kind;
    }
}

inline constexpr std::size_t step_kinds = std::tuple_size_v<step_types>;
static_assert(step_kinds == static_cast<std::size_t>(step_kind::maximum) + 1);

using element_types =
    std::tuple<float, float16, std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t, std::uint8_t>;
inline constexpr std::size_t element_type_count = std::tuple_size_v<element_types>;

template <class T, std::size_t>
using repeated = T;

// The fragment from which chains are put together, and the program that computes the operator alone.
template <class Step, element T, class = std::make_index_sequence<Step::inputs>,
          class = std::make_index_sequence<Step::attributes>>
struct programs_of;
template <class Step, element T, std::size_t... Input, std::size_t... Attribute>
struct programs_of<Step, T, std::index_sequence<Input...>, std::index_sequence<Attribute...>> {
    using fragment = sinter::detail::recorded_operator<typename Step::operator_type, repeated<recorded<T>, Input>...,
                                                       repeated<recorded<float>, Attribute>...>;
    using program = sinter::detail::lowered<
        sinter::detail::application_of<typename Step::operator_type, repeated<sinter::detail::input_of<T>, Input>...,
                                       repeated<sinter::detail::parameter_of<recorded<float>>, Attribute>...>>;
};

// Copies move bits, and sums, differences and products of integers have the same bits with and without a sign.
template <class Operator>
inline constexpr bool ignores_sign = false;
template <>
inline constexpr bool ignores_sign<sinter::detail::add_operator> = true;
template <>
inline constexpr bool ignores_sign<sinter::detail::subtract_operator> = true;
template <>
inline constexpr bool ignores_sign<sinter::detail::multiply_operator> = true;

template <class Step, element T>
struct computed_as {
    static constexpr bool by_size = std::is_same_v<typename Step::operator_type, identity> ||
                                    (ignores_sign<typename Step::operator_type> && integral_element<T>);
    static constexpr element_type type_of =
        by_size ? sinter::detail::bits_of_same_size(element_type_of<T>) : element_type_of<T>;
    using type = std::tuple_element_t<static_cast<std::size_t>(type_of), element_types>;
};

// make(step_type, T) for every pair, as an array by kind and type; pairs that do not exist keep a default.
template <class Value, class Make>
constexpr auto table_of_steps(const Make& make) {
    std::array<std::array<Value, element_type_count>, step_kinds> table{};
    const auto fill = [&]<std::size_t Kind, std::size_t Type>() {
        using step = std::tuple_element_t<Kind, step_types>;
        using T = std::tuple_element_t<Type, element_types>;
        if constexpr (step::template takes<T>) table[Kind][Type] = make.template operator()<step, T>();
    };
    [&]<std::size_t... N>(std::index_sequence<N...>) {
        (fill.template operator()<N / element_type_count, N % element_type_count>(), ...);
    }(std::make_index_sequence<step_kinds * element_type_count>{});
    return table;
}

struct fragment_view {
    const instruction* code = nullptr;
    std::size_t size = 0;
    std::uint16_t result = 0;
    std::uint8_t inputs = 0;
    std::uint8_t attributes = 0;
};

inline constexpr auto fragments = table_of_steps<fragment_view>([]<class Step, class T>() {
    constexpr const auto& code = programs_of<Step, T>::fragment::code;
    return fragment_view{code.code.data(), code.code.size(), code.result, Step::inputs, Step::attributes};
});

struct step {
    step_kind kind{};
    std::uint8_t inputs = 1;
    std::uint8_t attributes = 0;
    std::size_t first_parameter = 0;
    element_type type{};

    constexpr const fragment_view& fragment() const {
        return fragments[static_cast<std::size_t>(kind)][static_cast<std::size_t>(type)];
    }
};

}  // namespace sinter::directml::detail
