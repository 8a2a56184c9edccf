// Compiled for the machine that builds it: cpu::xsimd takes the instruction set of its source file.
#include "contenders.hpp"

#if __has_include(<xsimd/xsimd.hpp>)

#include "contender_sinter.hpp"
#include "sinter/cpu/xsimd.hpp"

namespace {
const char* why_missing() { return nullptr; }
constexpr auto find = bench::find_sinter<sinter::cpu::xsimd>;
}  // namespace

#else

namespace {
const char* why_missing() { return "there were no headers of xsimd when this was built"; }
bench::pass find(bench::kind, sinter::element_type) { return nullptr; }
}  // namespace

#endif

namespace bench {

const contender sinter_xsimd{
    .name = "sinter_xsimd",
    .description = "cpu::xsimd, in a source file compiled with -O2 -march=native; several threads: cpu::onetbb",
    .what = computes::the_same,
    .find = find,
    .missing = why_missing,
    .divides = true,
};

}  // namespace bench
