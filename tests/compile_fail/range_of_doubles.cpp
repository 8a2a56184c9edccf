// expect: sinter: elements are float, float16 or an integer of 8, 16 or 32 bits
#include <sinter/sinter.hpp>

#include <vector>

std::vector<double> x(3);
auto mistake = sinter::view(x);
