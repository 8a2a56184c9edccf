// sign: -1, 0 or 1.
//
// 0 of both signs gives +0, and so does NaN. All element types.
// Source: DML_ELEMENT_WISE_SIGN_OPERATOR_DESC.
#pragma once

#include <type_traits>
#include <utility>

#include "../expr/apply.hpp"

namespace sinter {

namespace ops {

struct sign {
    template <element T>
    constexpr recorded<T> operator()(recorded<T> x) const {
        if constexpr (detail::is_unsigned_element<T>) return cast<T>(x > 0);
        else return select(x > 0, 1, select(x < 0, -1, 0));
    }
};

}  // namespace ops

template <detail::subject X>
constexpr auto sign(X&& x) {
    return detail::apply<ops::sign>(std::forward<X>(x));
}
constexpr auto sign() { return detail::make_adaptor<ops::sign>(); }

}  // namespace sinter
