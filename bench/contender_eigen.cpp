// Eigen's array expressions, compiled with -O3 -march=native.
#include "contenders.hpp"
#include "peers.hpp"

#if __has_include(<eigen3/Eigen/Core>)

#include <eigen3/Eigen/Core>

namespace bench {

namespace {

auto scale_bias(const auto& x, const attributes& a) { return x * a.scale + a.bias; }
auto shrink(const auto& x, const attributes& a) {
    const auto raised = (x < -a.shrink_threshold).select(x + a.shrink_bias, 0.f);
    return (x > a.shrink_threshold).select(x - a.shrink_bias, raised);
}
auto threshold(const auto& x, const attributes& a) { return x.max(a.minimum); }

// An assignment for every three operators: an expression computes what it names twice twice, so that two shrinks in one
// take a hundred times longer.
void run(const job& j) {
    const auto size = static_cast<Eigen::Index>(j.elements);
    Eigen::Map<Eigen::ArrayXf> y(static_cast<float*>(j.output), size);
    const attributes& a = j.a;
    const auto* from = static_cast<const float*>(j.input);
    for (int left = j.operators; left > 0; left -= 3) {
        const Eigen::Map<const Eigen::ArrayXf> x(from, size);
        if (left == 1) y = scale_bias(x, a);
        else if (left == 2) y = shrink(scale_bias(x, a), a);
        else y = threshold(shrink(scale_bias(x, a), a), a);
        from = y.data();
    }
}

const char* why_missing() { return nullptr; }
pass find(kind k, sinter::element_type type) { return only_float32_chains(k, type, run); }

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
    .description = "Eigen's array expressions, one for three operators, -O3 -march=native: float32",
    .what = computes::the_same_rounded_otherwise,
    .find = find,
    .missing = why_missing,
};

}  // namespace bench
