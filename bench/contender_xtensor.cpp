// xtensor: xtensor_chain.cpp, where the build found its headers.
#include "contenders.hpp"
#include "peers.hpp"

namespace bench {

#if defined(BENCH_HAS_XTENSOR)
void xtensor_chain3(const job& j);
#endif

namespace {

#if defined(BENCH_HAS_XTENSOR)
const char* why_missing() { return nullptr; }
pass find(kind k, sinter::element_type type) {
    return operators_of(k) == 3 ? only_float32_chains(k, type, xtensor_chain3) : nullptr;
}
#else
const char* why_missing() { return "there were no headers of xtensor when this was built"; }
pass find(kind, sinter::element_type) { return nullptr; }
#endif

}  // namespace

const contender xtensor{
    .name = "xtensor",
    .description = "xtensor's lazy expressions on xsimd, -O3 -march=native: float32",
    .what = computes::the_same_rounded_otherwise,
    .find = find,
    .missing = why_missing,
    .most_bytes = most_bytes_of_slow_peers,
};

}  // namespace bench
