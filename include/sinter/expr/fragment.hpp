// An operator's body, recorded once per combination of argument types: the piece from which programs are put together.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "recorder.hpp"

namespace sinter::detail {

template <class V>
inline constexpr value_type argument_type = value_type::mask;
template <class T>
inline constexpr value_type argument_type<recorded<T>> = register_type<T>;
template <>
inline constexpr value_type argument_type<recorded_scalar> = value_type::float32;

template <class V>
constexpr V make_argument(recorder* r, std::uint16_t id) {
    if constexpr (std::same_as<V, recorded_scalar>) return {{r, id}};
    else return {r, id};
}

template <class V>
concept body_result = recorded_value<V> || is_recorded_mask<V>;

// Arguments stand first in the code, as inputs numbered from 0.
template <std::size_t Capacity>
struct recording {
    std::array<instruction, Capacity> code{};
    std::array<std::uint16_t, recorder::slots_for(Capacity)> slots{};
    std::size_t size = 0;
    std::uint16_t result = 0;
    bool overflowed = false;
    bool refused_literal = false;
};

template <std::size_t Capacity, class Operator, class... Arguments>
constexpr recording<Capacity> record() {
    recording<Capacity> made;
    recorder r(made.code.data(), Capacity, made.slots.data(), made.slots.size());
    std::uint16_t next = 0;
    const auto argument = [&]<class V>(std::type_identity<V>) {
        return make_argument<V>(&r, r.push({.op = operation::input, .type = argument_type<V>, .bits = next++}));
    };
    const auto result = [&]<std::size_t... I>(std::index_sequence<I...>) {
        std::uint16_t ids[] = {argument(std::type_identity<Arguments>{}).id...};
        return Operator{}(make_argument<Arguments>(&r, ids[I])...);
    }(std::index_sequence_for<Arguments...>{});
    made.size = r.size();
    made.result = result.id;
    made.overflowed = r.overflowed();
    made.refused_literal = r.refused_literal();
    return made;
}

template <std::size_t Size>
struct fragment {
    std::array<instruction, Size> code{};
    std::uint16_t result = 0;
};

template <class Operator, std::size_t Capacity, class... Arguments>
constexpr auto make_fragment() {
    constexpr auto made = record<Capacity, Operator, Arguments...>();
    static_assert(!made.refused_literal,
                  "sinter: a literal in the operator's body is outside the range of the element type that it meets: "
                  "cast<T>(x) to a wider type");
    if constexpr (made.overflowed) {
        static_assert(Capacity < 16384, "sinter: the operator's body records more than 16384 instructions");
        return make_fragment<Operator, Capacity * 4, Arguments...>();
    } else {
        fragment<made.size> result;
        for (std::size_t i = 0; i < made.size; ++i) result.code[i] = made.code[i];
        result.result = made.result;
        return result;
    }
}

// Stands in for an operator with a mistake, so that the compiler reports nothing that only follows from the mistake.
struct first_argument {
    constexpr auto operator()(const auto& first, const auto&...) const { return first; }
};

template <class Operator, class... Arguments>
inline constexpr bool gives_a_value = false;
template <class Operator, class... Arguments>
    requires std::is_invocable_v<Operator, Arguments...>
inline constexpr bool gives_a_value<Operator, Arguments...> =
    body_result<std::remove_cvref_t<std::invoke_result_t<Operator, Arguments...>>>;

template <class Operator, class... Arguments>
using valid_operator = std::conditional_t<gives_a_value<Operator, Arguments...>, Operator, first_argument>;

// The checks stand in a function, since a class in which one fails is of no more use to clang.
template <class Operator, class... Arguments>
constexpr auto make_checked_fragment() {
    constexpr bool callable = std::is_invocable_v<Operator, Arguments...>;
    static_assert(callable,
                  "sinter: the operator cannot be called with these arguments; a body takes one value per argument");
    static_assert(!callable || gives_a_value<Operator, Arguments...>,
                  "sinter: an operator returns one computed value; a plain number has no element type: use "
                  "select(x == x, ..) or return a value that depends on an argument");
    return make_fragment<valid_operator<Operator, Arguments...>, 32, Arguments...>();
}

template <class Operator, class... Arguments>
struct recorded_operator {
    using result = std::remove_cvref_t<std::invoke_result_t<valid_operator<Operator, Arguments...>, Arguments...>>;
    static constexpr auto code = make_checked_fragment<Operator, Arguments...>();
};

}  // namespace sinter::detail
