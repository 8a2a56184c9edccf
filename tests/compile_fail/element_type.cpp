// expect: sinter: elements are float, float16 or an integer of 8, 16 or 32 bits
#include <sinter/sinter.hpp>

sinter::tensor_view<double, 1> mistake;
