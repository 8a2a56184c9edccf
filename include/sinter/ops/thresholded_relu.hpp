// thresholded_relu: x <= alpha ? 0 : x.
//
// NaN gives NaN; with a NaN alpha every x passes. Elements: float32, float16.
// Source: DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

struct thresholded_relu {
    static constexpr auto takes = detail::operand_types::floating;
    struct body {
        constexpr auto operator()(auto x, auto alpha) const { return select(x <= alpha, 0.f, x); }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> alpha) const {
        return through_float32<body, rounding::truncate>{}(x, alpha);
    }
};

}  // namespace ops

template <detail::subject_of<ops::thresholded_relu> X, detail::attribute Alpha>
constexpr auto thresholded_relu(X&& x, Alpha alpha) {
    return detail::apply<ops::thresholded_relu>(std::forward<X>(x), alpha);
}
constexpr auto thresholded_relu(scalar auto alpha) { return detail::make_adaptor<ops::thresholded_relu>(alpha); }

}  // namespace sinter
