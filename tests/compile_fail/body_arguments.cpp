// expect: sinter: the operator cannot be called with these arguments; a body takes one value per argument
#include <sinter/sinter.hpp>

#include <vector>

void mistake(const std::vector<float>& x, std::vector<float>& out) {
    sinter::evaluate(sinter::map([](auto v, auto w) { return v + w; }, sinter::view(x)), out);
}
