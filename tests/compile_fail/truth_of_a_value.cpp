// expect: sinter: a tensor value has no truth value: use select(x != 0, a, b) instead of if, ?: or while
#include <sinter/sinter.hpp>

#include <cstdint>
#include <vector>

void mistake(const std::vector<std::int32_t>& x, std::vector<std::int32_t>& out) {
    sinter::evaluate(sinter::map([](auto v) { return v ? v : v + 1; }, sinter::view(x)), out);
}
