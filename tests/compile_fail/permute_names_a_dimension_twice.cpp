// expect: sinter::permute: name every dimension of the tensor once
#include <sinter/sinter.hpp>

auto mistake(sinter::tensor<float, 3>& x) { return sinter::permute<0, 2, 2>(x); }
