// loop_gcc and loop_clang: contender_loop.cpp, where the build found the compilers.
#include "contenders.hpp"

namespace bench {

#if defined(BENCH_HAS_LOOP_GCC)
pass find_loop_gcc(kind k, sinter::element_type type);
const char* no_loop_gcc() { return nullptr; }
#else
pass find_loop_gcc(kind, sinter::element_type) { return nullptr; }
const char* no_loop_gcc() { return "there was no g++ when this was built"; }
#endif

#if defined(BENCH_HAS_LOOP_CLANG)
pass find_loop_clang(kind k, sinter::element_type type);
const char* no_loop_clang() { return nullptr; }
#else
pass find_loop_clang(kind, sinter::element_type) { return nullptr; }
const char* no_loop_clang() { return "there was no clang++-19 when this was built"; }
#endif

const contender loop_gcc{
    .name = "loop_gcc",
    .description = "the plain scalar loop, g++ -O3 -march=native -ffp-contract=off",
    .what = computes::the_same,
    .find = find_loop_gcc,
    .missing = no_loop_gcc,
};

const contender loop_clang{
    .name = "loop_clang",
    .description = "the plain scalar loop, clang++-19 -O3 -march=native -ffp-contract=off",
    .what = computes::the_same,
    .find = find_loop_clang,
    .missing = no_loop_clang,
};

}  // namespace bench
