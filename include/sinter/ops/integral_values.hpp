// What round, ceil and floor have in common: float32 values without a fraction, made of additions that round.
//
// Below 2^23, |x| + 2^23 has no room for a fraction, and the addition rounds it half to even. From 2^23 on, every
// float32 is an integer; so are the infinities, and NaN passes. The sign of x is kept, of zeros too.
#pragma once

#include "../expr/recorder.hpp"

namespace sinter::detail {

inline constexpr float first_without_fraction = 0x1p23f;

// |x|, half to even; of |x| below 2^23.
constexpr recorded<float> nearest_magnitude(recorded<float> magnitude) {
    return magnitude + first_without_fraction - first_without_fraction;
}

// |x| without its fraction; of |x| below 2^23.
constexpr recorded<float> truncated_magnitude(recorded<float> magnitude) {
    const recorded<float> nearest = nearest_magnitude(magnitude);
    return select(nearest > magnitude, nearest - 1.f, nearest);
}

// x where it has no fraction by its size; else `magnitude` with the sign of x.
constexpr recorded<float> with_integral_magnitude(recorded<float> x, recorded<float> magnitude) {
    const recorded<float> with_sign = select(x < 0.f, -magnitude, select(x > 0.f, magnitude, x * 0.f));
    return select(abs(x) < first_without_fraction, with_sign, x);
}

constexpr recorded<float> floor_of(recorded<float> x) {
    const recorded<float> nearest = with_integral_magnitude(x, nearest_magnitude(abs(x)));
    return select(nearest > x, nearest - 1.f, nearest);
}

}  // namespace sinter::detail
