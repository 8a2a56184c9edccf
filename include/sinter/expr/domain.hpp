// The domains in which a built-in operator's body computes.
#pragma once

#include "recorder.hpp"

namespace sinter {

using detail::rounding;

// The element as float32, the body, and back: integers by the stated rounding and saturated, float16 not rounded.
template <class Body, rounding Rounding>
struct through_float32 {
    template <element T>
    constexpr recorded<T> operator()(recorded<T> x, auto... attributes) const {
        const recorded<float> result = Body{}(cast<float>(x), attributes...);
        if constexpr (floating_element<T>) return {result.recorder, result.id};
        else if constexpr (Rounding == rounding::truncate) return cast<T>(result);
        else return cast_rne<T>(result);
    }
};

// In the element type itself: exact, wrapping integers; float32 values for the floating types.
template <class Body>
struct exact {
    constexpr auto operator()(auto... values) const { return Body{}(values...); }
};

}  // namespace sinter
