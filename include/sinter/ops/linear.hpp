// linear: x * alpha + beta, the product and the sum each rounded once, never fused.
//
// Unlike scale_bias it has no copy rule: with alpha = 1 and beta = 0, -0 gives +0. Elements: float32, float16.
// Source: DML_ACTIVATION_LINEAR_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

struct linear {
    static constexpr auto takes = detail::operand_types::floating;
    struct body {
        constexpr auto operator()(auto x, auto alpha, auto beta) const { return x * alpha + beta; }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> alpha, recorded<float> beta) const {
        return through_float32<body, rounding::truncate>{}(x, alpha, beta);
    }
};

}  // namespace ops

template <detail::subject_of<ops::linear> X, detail::attribute Alpha, detail::attribute Beta>
constexpr auto linear(X&& x, Alpha alpha, Beta beta) {
    return detail::apply<ops::linear>(std::forward<X>(x), alpha, beta);
}
constexpr auto linear(scalar auto alpha, scalar auto beta) { return detail::make_adaptor<ops::linear>(alpha, beta); }

}  // namespace sinter
