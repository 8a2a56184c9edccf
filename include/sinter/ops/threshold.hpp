// threshold: max(x, minimum).
//
// float32, float16: x > minimum ? x : minimum, and x where minimum is NaN; NaN gives minimum; of equals, minimum, so
// that threshold(-0, 0) is +0. Integers: exact, against minimum rounded toward zero and saturated; NaN counts as 0.
// Source: DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"

namespace sinter {

namespace ops {

struct threshold {
    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> minimum) const {
        if constexpr (floating_element<T>) return (max)(x, recorded<T>{minimum.recorder, minimum.id});
        else return (max)(x, cast<T>(minimum));
    }
};

}  // namespace ops

template <detail::subject X, detail::attribute Minimum>
constexpr auto threshold(X&& x, Minimum minimum) {
    return detail::apply<ops::threshold>(std::forward<X>(x), minimum);
}
constexpr auto threshold(scalar auto minimum) { return detail::make_adaptor<ops::threshold>(minimum); }

}  // namespace sinter
