// Compiled for the machine that builds it: cpu::xsimd takes the instruction set of its source file.
#include "contenders.hpp"
#include "contender_sinter.hpp"
#include "sinter/cpu/xsimd.hpp"

namespace bench {

const contender sinter_xsimd{
    .name = "sinter_xsimd",
    .description = "cpu::xsimd, in a source file compiled with -O2 -march=native; several threads: cpu::onetbb",
    .what = computes::the_same,
    .find = find_sinter<sinter::cpu::xsimd>,
    .divides = true,
};

}  // namespace bench
