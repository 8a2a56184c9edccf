// expect: sinter: select of two literals takes its type from the comparison, and this condition compares several types
#include <sinter/sinter.hpp>

#include <cstdint>
#include <vector>

void mistake(const std::vector<float>& x, const std::vector<std::uint8_t>& y, std::vector<float>& out) {
    const auto both = [](auto a, auto b) { return sinter::select(a > 0.f && b > 0, 1.f, 0.f); };
    sinter::evaluate(sinter::map(both, sinter::view(x), sinter::view(y)), out);
}
