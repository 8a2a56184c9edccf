// What types must be: views, expressions and float16 are plain values; an expression's type says what it computes.
#include <sinter/sinter.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/elements.hpp"

namespace {

using sinter::float16;
using sinter::tensor;
using sinter::tensor_view;

template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> &&
                                 std::is_copy_constructible_v<T> && std::is_nothrow_move_constructible_v<T>;

static_assert(is_plain<float16> && sizeof(float16) == 2 && alignof(float16) == 2);
static_assert(std::is_trivial_v<float16> && std::is_standard_layout_v<float16>);
static_assert(!std::is_convertible_v<float, float16> && !std::is_convertible_v<float16, float>);
static_assert(std::is_constructible_v<float16, float> && std::is_constructible_v<float, float16>);

static_assert(is_plain<tensor_view<float, 1>> && is_plain<tensor_view<const std::int8_t, 8>>);
static_assert(std::is_standard_layout_v<tensor_view<float, 3>>);
static_assert(std::is_default_constructible_v<tensor_view<float, 3>>);
static_assert(std::is_convertible_v<tensor_view<float, 2>, tensor_view<const float, 2>>);
static_assert(!std::is_convertible_v<tensor_view<const float, 2>, tensor_view<float, 2>>);
static_assert(!std::is_convertible_v<tensor_view<float, 2>, tensor_view<const float, 3>>);
static_assert(!std::is_convertible_v<tensor_view<float, 2>, tensor_view<const std::int32_t, 2>>);

static_assert(std::is_nothrow_move_constructible_v<tensor<float, 2>> && std::is_copy_constructible_v<tensor<float, 2>>);
static_assert(std::is_nothrow_move_assignable_v<tensor<float, 2>>);

// What the factories deduce.
template <class X>
using viewed = decltype(sinter::view(std::declval<X>()));
static_assert(std::is_same_v<viewed<std::vector<float>&>, tensor_view<float, 1>>);
static_assert(std::is_same_v<viewed<const std::vector<float>&>, tensor_view<const float, 1>>);
static_assert(std::is_same_v<viewed<std::array<std::int16_t, 4>&>, tensor_view<std::int16_t, 1>>);
static_assert(std::is_same_v<viewed<std::uint8_t (&)[7]>, tensor_view<std::uint8_t, 1>>);
static_assert(std::is_same_v<viewed<std::span<float16>>, tensor_view<float16, 1>>);
static_assert(std::is_same_v<viewed<std::span<const float16>>, tensor_view<const float16, 1>>);
static_assert(std::is_same_v<viewed<tensor<float, 3>&>, tensor_view<float, 3>>);
static_assert(std::is_same_v<viewed<const tensor<float, 3>&>, tensor_view<const float, 3>>);

// Expressions.
using view2 = tensor_view<const float, 2>;
using whole = decltype(sinter::select(std::declval<view2>() > 0.f, -std::declval<view2>() * 2.f, 1.f) |
                       sinter::scale_bias(2, 1) | sinter::shrink() | sinter::threshold(0.5));
static_assert(is_plain<whole>);
static_assert(is_plain<decltype(sinter::cast<std::uint8_t>(std::declval<whole>()))>);
static_assert(is_plain<decltype(sinter::map([](auto x, auto y) { return x * y; }, std::declval<whole>(), 2.f))>);

// A node holds its views and scalars, and nothing beside them.
static_assert(sizeof(decltype(-std::declval<view2>())) == sizeof(view2));
static_assert(sizeof(decltype(std::declval<view2>() + std::declval<view2>())) == 2 * sizeof(view2));
static_assert(sizeof(decltype(sinter::shrink(std::declval<view2>(), 1.f, 2.f))) == sizeof(view2) + 2 * sizeof(float));

// The function form and the pipe form are the same node, whatever the numbers' types; a view is held as one of const.
static_assert(std::is_same_v<decltype(sinter::scale_bias(std::declval<view2>(), 2, 1.0)),
                             decltype(std::declval<tensor_view<float, 2>>() | sinter::scale_bias(2.f, 1))>);
static_assert(std::is_same_v<decltype(sinter::shrink(std::declval<view2>())),
                             decltype(std::declval<view2>() | sinter::shrink(0, 0.5))>);
static_assert(std::is_same_v<decltype(sinter::threshold(std::declval<view2>(), 1)),
                             decltype(std::declval<tensor<float, 2>&>() | sinter::threshold(1))>);

// On floating tensors a scaled tensor and a scalar are scale_bias; between tensors they are not.
using scaled = decltype(sinter::scale_bias(std::declval<view2>(), 2.f, 1.f));
static_assert(std::is_same_v<decltype(std::declval<view2>() * 2.f + 1.f), scaled>);
static_assert(std::is_same_v<decltype(2.f * std::declval<view2>() + 1.f), scaled>);
static_assert(std::is_same_v<decltype(1.f + std::declval<view2>() * 2.f), scaled>);
static_assert(std::is_same_v<decltype(1.f + 2.f * std::declval<view2>()), scaled>);
static_assert(std::is_same_v<decltype(std::declval<view2>() * 2.f - 1.f), scaled>);
static_assert(!std::is_same_v<decltype(std::declval<view2>() * std::declval<view2>() + 1.f), scaled>);
using integers = tensor_view<const std::int8_t, 2>;
static_assert(!std::is_same_v<decltype(std::declval<integers>() * 2 + 1),
                              decltype(sinter::scale_bias(std::declval<integers>(), 2, 1))>);

template <class X>
using element_of = sinter::detail::element_of<X>;
static_assert(std::is_same_v<element_of<decltype(std::declval<integers>() * 2 + 1)>, std::int8_t>);
static_assert(std::is_same_v<element_of<decltype(sinter::cast<float16>(std::declval<integers>()))>, float16>);
static_assert(
    std::is_same_v<element_of<decltype(sinter::shrink(sinter::cast<float16>(std::declval<view2>())))>, float16>);
static_assert(std::is_same_v<element_of<decltype(sinter::map([](auto x, auto s) { return sinter::cast<float>(x) * s; },
                                                             std::declval<integers>(), 0.5))>,
                             float>);
static_assert(
    std::is_same_v<element_of<decltype(sinter::map([](auto s, auto x) { return s + x; }, 3, std::declval<integers>()))>,
                   std::int8_t>);
static_assert(
    std::is_same_v<element_of<decltype(sinter::select(std::declval<view2>() > 0, std::declval<integers>(), 1))>,
                   std::int8_t>);
static_assert(std::is_same_v<element_of<decltype(sinter::select(std::declval<integers>() > 0, 1, 0))>, std::int8_t>);

static_assert(sinter::backend<sinter::cpu::scalar> && sinter::backend<const sinter::cpu::highway&>);
static_assert(!sinter::backend<int> && !sinter::backend<std::vector<float>>);
static_assert(is_plain<sinter::cpu::scalar> && is_plain<sinter::cpu::highway>);

// Constant expressions throughout.
constexpr float values[] = {1.f, 2.f, 3.f, 4.f, 5.f, 6.f};
constexpr auto matrix = sinter::view(values, {2, 3});
static_assert(matrix(1, 0) == 4.f && sinter::transpose(matrix)(2, 1) == 6.f && sinter::reverse(matrix, 1)(0, 0) == 3.f);
static_assert(sinter::slice(matrix, 1, 1, 3)(1, 1) == 6.f && sinter::permute<1, 0>(matrix)(0, 1) == 4.f);
static_assert(sinter::reshape(matrix, {3, 2})(2, 0) == 5.f && sinter::broadcast_to(matrix, {4, 2, 3})(3, 1, 2) == 6.f);
static_assert(matrix.size() == 6 && matrix.rank() == 2 && matrix.strides()[0] == 3);
[[maybe_unused]] constexpr auto expression = sinter::select(matrix > 2.f, matrix * 2.f + 1.f, 0.f) | sinter::shrink();

}  // namespace
