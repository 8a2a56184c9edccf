// scale_bias: x * scale + bias.
//
// float32, float16: float32 arithmetic, the product and the sum each rounded once, never fused.
// Integers: the element as float32 (to nearest even), the same, then toward zero, saturated; NaN becomes 0.
// scale = 1 with bias = 0 or -0 is a copy: the sign of zero, subnormals and integers above 2^24 are kept.
// On float types, x * s + b, s * x + b, b + x * s and x * s - b with scalars are the same operator.
// Source: DML_SCALE_BIAS, applied by DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC.
#pragma once

#include <bit>
#include <type_traits>
#include <utility>

#include "../expr/apply.hpp"
#include "../expr/arithmetic.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

// x * 1 + -0 is x for every x, and NaN stays NaN: only 32-bit integers, which float32 cannot hold, need a select.
struct scale_bias {
    struct body {
        constexpr auto operator()(auto x, auto scale, auto bias) const {
            return x * scale + select(scale == 1.f && bias == 0.f, -0.f, bias);
        }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> scale, recorded<float> bias) const {
        const recorded<T> y = through_float32<body, rounding::truncate>{}(x, scale, bias);
        if constexpr (integral_element<T> && sizeof(T) == 4) return select(scale == 1.f && bias == 0.f, x, y);
        else return y;
    }
};

}  // namespace ops

template <detail::subject X, detail::attribute Scale, detail::attribute Bias>
constexpr auto scale_bias(X&& x, Scale scale, Bias bias) {
    return detail::apply<ops::scale_bias>(std::forward<X>(x), scale, bias);
}
constexpr auto scale_bias(scalar auto scale, scalar auto bias) {
    return detail::make_adaptor<ops::scale_bias>(scale, bias);
}

namespace detail {

// x * s with a floating x and a scalar s, in either order.
template <class X>
inline constexpr bool is_scaled = false;
template <class X, floating_element T>
inline constexpr bool is_scaled<node<multiply_operator, X, parameter<recorded<T>>>> = true;
template <class X, floating_element T>
inline constexpr bool is_scaled<node<multiply_operator, parameter<recorded<T>>, X>> = true;

template <class X>
concept scaled = is_scaled<std::remove_cvref_t<X>>;

template <class X, class T>
constexpr auto scaled_plus(const node<multiply_operator, X, parameter<recorded<T>>>& product, float bias) {
    const float scale = std::bit_cast<float>(product.operands.rest.first.bits);
    return scale_bias(product.operands.first, scale, bias);
}
template <class X, class T>
constexpr auto scaled_plus(const node<multiply_operator, parameter<recorded<T>>, X>& product, float bias) {
    const float scale = std::bit_cast<float>(product.operands.first.bits);
    return scale_bias(product.operands.rest.first, scale, bias);
}

}  // namespace detail

template <class X, class Y>
    requires(detail::terms<X, Y> && detail::scaled<X> && detail::is_number<Y>)
constexpr auto operator+(X&& x, Y&& bias) {
    return detail::scaled_plus(x, static_cast<float>(bias));
}
template <class X, class Y>
    requires(detail::terms<X, Y> && detail::is_number<X> && detail::scaled<Y>)
constexpr auto operator+(X&& bias, Y&& y) {
    return detail::scaled_plus(y, static_cast<float>(bias));
}
template <class X, class Y>
    requires(detail::terms<X, Y> && detail::scaled<X> && detail::is_number<Y>)
constexpr auto operator-(X&& x, Y&& bias) {
    return detail::scaled_plus(x, -static_cast<float>(bias));
}

}  // namespace sinter
