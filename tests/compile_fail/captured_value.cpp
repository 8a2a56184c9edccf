// expect: sinter::map: the operator captures a value or has state: pass the value: map(f, x, value)
#include <sinter/sinter.hpp>

auto gained(sinter::tensor_view<const float, 1> x, float gain) {
    return sinter::map([gain](auto v) { return v * gain; }, x);
}
