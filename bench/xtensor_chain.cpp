// xtensor's lazy expressions on xsimd, compiled with -O3 -march=native. A library of its own: the xsimd that it takes
// is another version than sinter's, and two versions in one program would break the one-definition rule.
#include <array>
#include <cstddef>

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include "contender.hpp"

namespace bench {

[[gnu::visibility("default")]] void xtensor_chain3(const job& j);

void xtensor_chain3(const job& j) {
    const std::array<std::size_t, 1> shape{j.elements};
    const auto x = xt::adapt(static_cast<const float*>(j.input), j.elements, xt::no_ownership(), shape);
    auto y = xt::adapt(static_cast<float*>(j.output), j.elements, xt::no_ownership(), shape);
    const attributes& a = j.a;
    const auto scaled = x * a.scale + a.bias;
    const auto raised = xt::where(scaled < -a.shrink_threshold, scaled + a.shrink_bias, 0.f);
    const auto shrunk = xt::where(scaled > a.shrink_threshold, scaled - a.shrink_bias, raised);
    xt::noalias(y) = xt::maximum(shrunk, a.minimum);
}

}  // namespace bench
