// expect: sinter: an expression does not own its tensors: give the temporary tensor a name
#include <sinter/sinter.hpp>

auto dangling() { return sinter::tensor<float, 1>({3}) | sinter::shrink(); }
