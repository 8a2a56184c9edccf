// expect: sinter::evaluate: the output is a view, or an lvalue tensor, vector, array or span
#include <sinter/sinter.hpp>

#include <vector>

void mistake(const std::vector<float>& x) { sinter::evaluate(-sinter::view(x), std::vector<float>(x.size())); }
