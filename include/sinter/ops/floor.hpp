// floor: the greatest integer not above x.
//
// The sign of zero is kept; infinities stay, NaN gives NaN. Elements: float32, float16.
// Source: DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"
#include "integral_values.hpp"

namespace sinter {

namespace ops {

struct floor {
    static constexpr auto takes = detail::operand_types::floating;
    struct body {
        constexpr recorded<float> operator()(recorded<float> x) const { return detail::floor_of(x); }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x) const {
        return through_float32<body, rounding::truncate>{}(x);
    }
};

}  // namespace ops

template <detail::subject_of<ops::floor> X>
constexpr auto floor(X&& x) {
    return detail::apply<ops::floor>(std::forward<X>(x));
}
constexpr auto floor() { return detail::make_adaptor<ops::floor>(); }

}  // namespace sinter
