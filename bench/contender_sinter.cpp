#include "contender_sinter.hpp"
#include "contenders.hpp"

namespace bench {

const contender sinter_highway{
    .name = "sinter",
    .description = "cpu::highway, as a program built with plain -O2 calls it; several threads: cpu::onetbb",
    .what = computes::the_same,
    .find = find_sinter<sinter::cpu::highway>,
    .divides = true,
};

}  // namespace bench
