// expect: sinter: the operands have different element types: cast<T>(x) one of them
#include <sinter/sinter.hpp>

void sum(sinter::tensor_view<const std::uint8_t, 1> x, sinter::tensor_view<const float, 1> y,
         sinter::tensor_view<float, 1> out) {
    sinter::evaluate(sinter::map([](auto a, auto b) { return a + b; }, x, y), out);
}
