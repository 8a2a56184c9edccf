// expect: sinter: a floating-point literal meets an integer element: write cast<float>(x) first
#include <sinter/sinter.hpp>

void half(sinter::tensor_view<const std::uint8_t, 1> x, sinter::tensor_view<std::uint8_t, 1> y) {
    sinter::evaluate(sinter::map([](auto v) { return v * 0.5f; }, x), y);
}
