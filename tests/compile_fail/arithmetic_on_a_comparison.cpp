// expect: sinter: a comparison has no element type: use it in select, or write cast<T>(comparison)
#include <sinter/sinter.hpp>

#include <vector>

auto mistake(const std::vector<float>& x) { return (sinter::view(x) > 0.f) + 1.f; }
