// Code that does not compile, and code beside it that does.
#include <sinter/sinter.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using sinter::float16;
using sinter::tensor;
using sinter::tensor_view;

template <class T, std::size_t Rank = 1>
using view = tensor_view<const T, Rank>;
using floats = view<float>;
using bytes = view<std::uint8_t>;
using mask = decltype(std::declval<floats>() > 0.f);

template <class X, class Y>
concept adds = requires { std::declval<X>() + std::declval<Y>(); };
template <class X, class Y>
concept compares = requires { std::declval<X>() < std::declval<Y>(); };
template <class X, class Y>
concept has_minimum = requires { sinter::min(std::declval<X>(), std::declval<Y>()); };
template <class C, class X, class Y>
concept selects = requires { sinter::select(std::declval<C>(), std::declval<X>(), std::declval<Y>()); };
template <class X>
concept shrinks = requires { std::declval<X>() | sinter::shrink(); };
template <class X>
concept scales = requires { sinter::scale_bias(std::declval<X>(), 2, 1); };
template <class X, class Out>
concept evaluates = requires { sinter::evaluate(std::declval<X>(), std::declval<Out>()); };
template <class X>
concept materializes = requires { sinter::materialize(std::declval<X>()); };
template <class F, class... X>
concept maps = requires { sinter::map(std::declval<F>(), std::declval<X>()...); };
template <class X>
concept views = requires { sinter::view(std::declval<X>()); };

// Element types do not mix.
static_assert(adds<floats, floats> && !adds<floats, bytes> && !adds<floats, view<float16>>);
static_assert(!adds<view<std::int8_t>, bytes> && !compares<floats, view<std::int32_t>>);
static_assert(!has_minimum<floats, bytes> && !selects<mask, floats, bytes> && selects<mask, bytes, bytes>);

// Integers take integral scalars, floats take any; bool is no number.
static_assert(adds<floats, int> && adds<floats, double> && adds<float, floats> && adds<view<float16>, double>);
static_assert(adds<bytes, int> && adds<long, bytes> && !adds<bytes, float> && !adds<double, bytes>);
static_assert(!has_minimum<bytes, float> && !compares<bytes, double> && !selects<mask, bytes, float>);
static_assert(!adds<floats, bool> && !adds<floats, const char*> && !adds<floats, std::string>);

// A temporary tensor is gone before the expression runs; a named one, a view and a span are not.
static_assert(shrinks<tensor<float, 2>&> && shrinks<const tensor<float, 2>&> && !shrinks<tensor<float, 2>>);
static_assert(adds<tensor<float, 2>&, floats> && !adds<tensor<float, 2>, floats> && !adds<floats, tensor<float, 2>>);
static_assert(scales<tensor<float, 2>&> && !scales<tensor<float, 2>> &&
              !evaluates<tensor<float, 1>, std::vector<float>&>);
static_assert(!materializes<tensor<float, 1>> && materializes<tensor<float, 1>&>);
static_assert(views<std::vector<float>&> && !views<std::vector<float>> && views<std::span<float>>);
static_assert(!views<std::array<float, 3>> && views<std::array<float, 3>&> && !views<std::vector<double>&>);
static_assert(!views<std::vector<bool>&> && !views<std::vector<std::int64_t>&> && !views<int>);

// A vector is viewed by name; where it would be an expression it must say so.
static_assert(!shrinks<std::vector<float>&> && shrinks<decltype(sinter::view(std::declval<std::vector<float>&>()))>);

// Outputs: writable, of the expression's type and of no lower rank.
static_assert(evaluates<floats, std::vector<float>&> && evaluates<floats, tensor_view<float, 1>>);
static_assert(evaluates<floats, tensor<float, 1>&> && evaluates<floats, tensor<float, 4>&>);
static_assert(evaluates<floats, std::array<float, 4>&> && evaluates<floats, float (&)[4]>);
static_assert(evaluates<floats, std::span<float>&> && evaluates<floats, const std::span<float>&>);
static_assert(!evaluates<floats, const std::vector<float>&> && !evaluates<floats, floats>);
static_assert(!evaluates<floats, std::span<const float>&> && !evaluates<floats, std::vector<float>>);
static_assert(!evaluates<floats, const tensor<float, 1>&> && !evaluates<floats, tensor<float, 1>>);
static_assert(!evaluates<floats, std::vector<std::int32_t>&> && !evaluates<bytes, std::vector<float>&>);
static_assert(!evaluates<floats, float> && !evaluates<floats, float*> && !evaluates<float, std::vector<float>&>);
static_assert(!evaluates<view<float, 2>, std::vector<float>&> && !evaluates<view<float, 3>, tensor_view<float, 2>>);
static_assert(evaluates<view<float, 8>, tensor_view<float, 8>> && evaluates<floats, tensor_view<float, 8>>);

// A comparison is no tensor of its own.
static_assert(!evaluates<mask, std::vector<float>&> && !evaluates<mask, std::vector<std::uint8_t>&>);
static_assert(evaluates<decltype(sinter::cast<std::uint8_t>(std::declval<mask>())), std::vector<std::uint8_t>&>);
static_assert(!materializes<mask> && !adds<mask, floats> && !adds<mask, int> && !shrinks<mask> && !scales<mask>);
static_assert(!has_minimum<mask, mask> && !compares<mask, mask> && !selects<floats, floats, floats>);

template <class X, class Y>
concept conjoins = requires { std::declval<X>() && std::declval<Y>(); };
static_assert(conjoins<mask, mask> && !conjoins<mask, floats>);

// map takes callables without state, and at least one tensor.
struct stateless {
    constexpr auto operator()(auto x) const { return x + x; }
};
struct stateful {
    float gain;
    constexpr auto operator()(auto x) const { return x * gain; }
};
static_assert(maps<stateless, floats> && maps<stateless, mask> == false && !maps<stateful, floats>);
static_assert(!maps<stateless, tensor<float, 1>> && maps<stateless, tensor<float, 1>&> && !maps<stateless, float>);
static_assert(!maps<float (*)(float), floats>);

// Plain numbers are elements too, if they are of an element type.
static_assert(shrinks<bytes> && shrinks<float> && scales<std::int8_t> && scales<float16>);
static_assert(!scales<const char*> && !shrinks<double> && !scales<long> && !shrinks<bool>);

}  // namespace
