// expect: the output has another element type than the expression: cast<T>(expression)
#include <sinter/sinter.hpp>

void narrow(sinter::tensor_view<const float, 1> x, sinter::tensor_view<std::int8_t, 1> y) {
    sinter::evaluate(x + 1, y);
}
