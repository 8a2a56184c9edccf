// expect: sinter: a floating-point scalar meets an integer tensor: write cast<float>(x) first
#include <sinter/sinter.hpp>

auto half(sinter::tensor_view<const std::uint8_t, 1> x) { return x * 0.5f; }
