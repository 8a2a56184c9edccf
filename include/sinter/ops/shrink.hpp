// shrink: x > threshold ? x - bias : x < -threshold ? x + bias : 0.
//
// float32, float16: float32 arithmetic; NaN gives 0; both comparisons are strict; x > threshold is asked first, which
// decides where threshold is negative. A NaN threshold lets nothing pass, a NaN bias gives NaN where a branch is taken.
// Integers: the element as float32 (to nearest even), the same, then half to even, saturated; NaN becomes 0.
// With bias = threshold it is soft shrinkage, with bias = 0 hard shrinkage.
// Source: DML_ACTIVATION_SHRINK_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

struct shrink_body {
    constexpr auto operator()(auto x, auto bias, auto threshold) const {
        return select(x > threshold, x - bias, select(x < -threshold, x + bias, 0.f));
    }
};
using shrink = through_float32<shrink_body, rounding::half_even>;

}  // namespace ops

template <detail::subject X, detail::attribute Bias = float, detail::attribute Threshold = float>
    requires(!element<std::remove_cvref_t<X>>)
constexpr auto shrink(X&& x, Bias bias = 0.f, Threshold threshold = 0.5f) {
    return detail::apply<ops::shrink>(std::forward<X>(x), bias, threshold);
}
template <element X>
constexpr X shrink(X x, scalar auto bias, scalar auto threshold) {
    return detail::apply<ops::shrink>(x, bias, threshold);
}
template <scalar Bias = float, scalar Threshold = float>
constexpr auto shrink(Bias bias = 0.f, Threshold threshold = 0.5f) {
    return detail::make_adaptor<ops::shrink>(bias, threshold);
}

}  // namespace sinter
