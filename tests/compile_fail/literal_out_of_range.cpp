// expect: sinter: a literal in the operator's body is outside the range of the element type that it meets: cast<T>(x)
// to a wider type
#include <sinter/sinter.hpp>

void limit(sinter::tensor_view<const std::uint8_t, 1> x, sinter::tensor_view<std::uint8_t, 1> y) {
    sinter::evaluate(sinter::map([](auto v) { return max(v, 300); }, x), y);
}
