// clip: max(min(x, highest), lowest).
//
// float32, float16: NaN gives highest; lowest above highest gives lowest; a NaN attribute does not bound. Integers:
// exact, against attributes rounded toward zero and saturated; NaN counts as 0, on int32 as the lowest value.
// Source: DML_ELEMENT_WISE_CLIP_OPERATOR_DESC.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "../expr/apply.hpp"
#include "../expr/arithmetic.hpp"

namespace sinter {

namespace ops {

struct clip {
    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, recorded<float> lowest, recorded<float> highest) const {
        return clamp(x, bound<T>(lowest), bound<T>(highest));
    }

private:
    template <element T>
    static constexpr recorded<T> bound(recorded<float> attribute) {
        if constexpr (floating_element<T>) return {attribute.recorder, attribute.id};
        else if constexpr (std::is_same_v<T, std::int32_t>)
            return select(attribute == attribute, cast<T>(attribute), std::numeric_limits<T>::lowest());
        else return cast<T>(attribute);
    }
};

}  // namespace ops

template <detail::subject X, detail::attribute Lowest, detail::attribute Highest>
constexpr auto clip(X&& x, Lowest lowest, Highest highest) {
    return detail::apply<ops::clip>(std::forward<X>(x), lowest, highest);
}
constexpr auto clip(scalar auto lowest, scalar auto highest) {
    return detail::make_adaptor<ops::clip>(lowest, highest);
}

}  // namespace sinter
