// expect: sinter: a tensor has at least one dimension; give a scalar the sizes {1}
#include <sinter/sinter.hpp>

sinter::tensor_view<float, 0> none;
