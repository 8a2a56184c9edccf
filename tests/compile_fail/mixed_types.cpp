// expect: sinter: the operands have different element types: cast<T>(x) one of them
#include <sinter/sinter.hpp>

auto sum(sinter::tensor_view<const float, 1> x, sinter::tensor_view<const std::int32_t, 1> y) { return x + y; }
