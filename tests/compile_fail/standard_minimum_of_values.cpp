// expect: use select(condition, a, b) instead of if, ?:, while, std::min or std::max
#include <sinter/sinter.hpp>

#include <algorithm>
#include <vector>

void mistake(const std::vector<float>& x, std::vector<float>& out) {
    sinter::evaluate(sinter::map([](auto v) { return std::min(v, v + v); }, sinter::view(x)), out);
}
