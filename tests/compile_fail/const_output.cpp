// expect: sinter::evaluate: the output is const and cannot be written
#include <sinter/sinter.hpp>

#include <vector>

void copy(sinter::tensor_view<const float, 1> x, const std::vector<float>& y) { sinter::evaluate(x + 1, y); }
