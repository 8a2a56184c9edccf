// expect: sinter: an expression does not own its tensors: give the temporary tensor a name
#include <sinter/sinter.hpp>

auto dangling() { return sinter::scale_bias(sinter::tensor<float, 1>({3}), 2.f, 1.f); }
