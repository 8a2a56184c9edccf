// expect: use select(condition, a, b) instead of if, ?:, while, std::min or std::max
#include <sinter/sinter.hpp>

void positive(sinter::tensor_view<const float, 1> x, sinter::tensor_view<float, 1> y) {
    sinter::evaluate(sinter::map(
                         [](auto v) {
                             if (v > 0.f) return v;
                             return -v;
                         },
                         x),
                     y);
}
