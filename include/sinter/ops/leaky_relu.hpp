// leaky_relu: x >= 0 ? x : x * alpha.
//
// NaN gives NaN; -0 stays -0. Elements: float32, float16.
// Source: DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

struct leaky_relu {
    static constexpr auto takes = detail::operand_types::floating;
    struct body {
        constexpr auto operator()(auto x, auto alpha) const { return select(x >= 0.f, x, x * alpha); }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> alpha) const {
        return through_float32<body, rounding::truncate>{}(x, alpha);
    }
};

}  // namespace ops

template <detail::subject_of<ops::leaky_relu> X, detail::attribute Alpha>
constexpr auto leaky_relu(X&& x, Alpha alpha) {
    return detail::apply<ops::leaky_relu>(std::forward<X>(x), alpha);
}
constexpr auto leaky_relu(scalar auto alpha) { return detail::make_adaptor<ops::leaky_relu>(alpha); }

}  // namespace sinter
