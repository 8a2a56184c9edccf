// Eigen's array expressions, compiled with -O3 -march=native.
#include "contenders.hpp"
#include "peers.hpp"

#if __has_include(<eigen3/Eigen/Core>)

#include <eigen3/Eigen/Core>

namespace bench {

namespace {

void run(const job& j) {
    const auto size = static_cast<Eigen::Index>(j.elements);
    const Eigen::Map<const Eigen::ArrayXf> x(static_cast<const float*>(j.input), size);
    Eigen::Map<Eigen::ArrayXf> y(static_cast<float*>(j.output), size);
    const attributes& a = j.a;
    const auto scaled = x * a.scale + a.bias;
    const auto raised = (scaled < -a.shrink_threshold).select(scaled + a.shrink_bias, 0.f);
    y = (scaled > a.shrink_threshold).select(scaled - a.shrink_bias, raised).max(a.minimum);
}

const char* why_missing() { return nullptr; }
pass find(kind k, sinter::element_type type) { return only_float32_chain3(k, type, run); }

}  // namespace

}  // namespace bench

#else

namespace bench {

namespace {
const char* why_missing() { return "there were no headers of Eigen when this was built"; }
pass find(kind, sinter::element_type) { return nullptr; }
}  // namespace

}  // namespace bench

#endif

namespace bench {

const contender eigen{
    .name = "eigen",
    .description = "Eigen's array expressions, -O3 -march=native: float32",
    .what = computes::the_same_or_fused,
    .find = find,
    .missing = why_missing,
};

}  // namespace bench
