// relu: max(x, 0).
//
// NaN gives 0, and so does -0. Elements: float32, float16, int32, int16, int8.
// Source: DML_ACTIVATION_RELU_OPERATOR_DESC.
#pragma once

#include <utility>

#include "../expr/apply.hpp"

namespace sinter {

namespace ops {

struct relu {
    static constexpr auto takes = detail::operand_types::signed_or_floating;

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x) const {
        return (max)(x, 0);
    }
};

}  // namespace ops

template <detail::subject_of<ops::relu> X>
constexpr auto relu(X&& x) {
    return detail::apply<ops::relu>(std::forward<X>(x));
}
constexpr auto relu() { return detail::make_adaptor<ops::relu>(); }

}  // namespace sinter
