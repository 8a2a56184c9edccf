// expect: sinter: results are undefined under -ffast-math
#define __FAST_MATH__ 1
#include <sinter/sinter.hpp>
