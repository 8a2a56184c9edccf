// A chain of three operators, written lazily and computed in one pass over memory.
#include <cstdio>
#include <vector>

#include <sinter/sinter.hpp>

int main() {
    std::vector<float> x{-3.f, -0.4f, 0.f, 0.7f, 2.5f}, y(x.size());
    auto chain = sinter::view(x) | sinter::scale_bias(2, 1) | sinter::shrink(0.5, 1) | sinter::threshold(-4);
    sinter::evaluate(chain, y);
    for (float v : y) std::printf("%g ", v);
    std::printf("\n");
}
