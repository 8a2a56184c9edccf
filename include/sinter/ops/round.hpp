// round: to an integer, in one of three modes.
//
// half_even: to the nearest, 2.5 gives 2. toward_zero: -1.9 gives -1. half_away: to the nearest, 2.5 gives 3.
// The sign of x is kept where the result is zero; infinities stay, NaN gives NaN. Elements: float32, float16.
// Source: DML_ELEMENT_WISE_ROUND_OPERATOR_DESC.
#pragma once

#include <cstdint>
#include <utility>

#include "../expr/apply.hpp"
#include "../expr/domain.hpp"
#include "integral_values.hpp"

namespace sinter {

// In the order of DML_ROUNDING_MODE.
enum class round_mode : std::uint8_t { half_even, toward_zero, half_away };

namespace ops {

template <round_mode Mode>
struct round {
    static constexpr auto takes = detail::operand_types::floating;
    struct body {
        constexpr recorded<float> operator()(recorded<float> x) const {
            const recorded<float> magnitude = abs(x);
            if constexpr (Mode == round_mode::half_even) {
                return detail::with_integral_magnitude(x, detail::nearest_magnitude(magnitude));
            } else {
                const recorded<float> whole = detail::truncated_magnitude(magnitude);
                if constexpr (Mode == round_mode::toward_zero) return detail::with_integral_magnitude(x, whole);
                else return detail::with_integral_magnitude(x, select(magnitude - whole >= 0.5f, whole + 1.f, whole));
            }
        }
    };

    template <element T>
    constexpr recorded<T> operator()(recorded<T> x) const {
        return through_float32<body, rounding::truncate>{}(x);
    }
};

}  // namespace ops

template <round_mode Mode = round_mode::half_even, detail::subject_of<ops::round<Mode>> X>
constexpr auto round(X&& x) {
    return detail::apply<ops::round<Mode>>(std::forward<X>(x));
}
template <round_mode Mode = round_mode::half_even>
constexpr auto round() {
    return detail::make_adaptor<ops::round<Mode>>();
}

}  // namespace sinter
