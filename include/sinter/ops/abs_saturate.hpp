// abs_saturate: |x|, saturated.
//
// float32, float16: the sign bit; NaN stays NaN. int8, int16: the lowest value gives the highest. int32: computed in 32
// bits, so that the lowest value gives itself. Plain abs(x) wraps in all of them.
// Source: DML_ELEMENT_WISE_ABS_OPERATOR_DESC.
#pragma once

#include <cstdint>
#include <utility>

#include "../expr/apply.hpp"

namespace sinter {

namespace ops {

struct abs_saturate {
    static constexpr auto takes = detail::operand_types::signed_or_floating;

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x) const {
        if constexpr (floating_element<T>) return abs(x);
        else return cast<T>(abs(cast<std::int32_t>(x)));
    }
};

}  // namespace ops

template <detail::subject_of<ops::abs_saturate> X>
constexpr auto abs_saturate(X&& x) {
    return detail::apply<ops::abs_saturate>(std::forward<X>(x));
}
constexpr auto abs_saturate() { return detail::make_adaptor<ops::abs_saturate>(); }

}  // namespace sinter
