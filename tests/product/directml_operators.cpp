// scale_bias, shrink, threshold, their chain, and what is the same as one of them.
#include <limits>
#include <vector>

#include "product.hpp"
#include "support/elements.hpp"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

struct pair {
    float first, second;
};

const std::vector<pair> scales_and_biases{{1.f, 0.f},
                                          {1.f, -0.f},
                                          {0.5f, 0.25f},
                                          {2.f, 1.f},
                                          {-1.f, 0.f},
                                          {1.f, 1.f},
                                          {0.75f, 0x1p-24f},
                                          {quiet_nan, 0.f},
                                          {infinity, 1.f},
                                          {3e38f, -1.f},
                                          {1.f + 0x1p-12f, -(1.f + 0x1p-11f)}};
const std::vector<pair> biases_and_thresholds{{0.f, 0.5f},      {0.5f, 0.5f},      {300.f, 0.5f},       {3.f, 0.f},
                                              {-1.f, -0.5f},    {quiet_nan, 0.5f}, {0.f, quiet_nan},    {infinity, 2.f},
                                              {10.f, infinity}, {0.f, 0.09995f},   {0x1p-24f, 0x1p-24f}};
const std::vector<float> minima{0.f, -0.f, 1.5f, -1.5f, 300.f, quiet_nan, infinity, -infinity, 3e9f, 0x1p-149f};

}  // namespace

TEST_CASE_TEMPLATE("scale_bias", T, ALL_ELEMENT_TYPES) {
    product::check<"scale_bias", T, T>(scales_and_biases,
                                       [](pair a, const auto& x) { return sinter::scale_bias(x, a.first, a.second); });
}

TEST_CASE_TEMPLATE("shrink", T, ALL_ELEMENT_TYPES) {
    product::check<"shrink", T, T>(biases_and_thresholds,
                                   [](pair a, const auto& x) { return x | sinter::shrink(a.first, a.second); });
}

TEST_CASE_TEMPLATE("threshold", T, ALL_ELEMENT_TYPES) {
    product::check<"threshold", T, T>(minima,
                                      [](float minimum, const auto& x) { return sinter::threshold(x, minimum); });
}

TEST_CASE_TEMPLATE("scale_bias, shrink and threshold in one chain", T, ALL_ELEMENT_TYPES) {
    product::check<"chain", T, T>(biases_and_thresholds, [](pair a, const auto& x) {
        return x | sinter::scale_bias(1.5f, 0.25f) | sinter::shrink(a.first, a.second) | sinter::threshold(-2.f);
    });
}

TEST_CASE("the chain on float16 with a cast after every operator") {
    using sinter::float16;
    product::check<"chain rounded to float16", float16, float16>(biases_and_thresholds, [](pair a, const auto& x) {
        const auto scaled = sinter::cast<float16>(sinter::scale_bias(x, 1.5f, 0.1f));
        const auto shrunk = sinter::cast<float16>(sinter::shrink(scaled, a.first, a.second));
        return sinter::cast<float16>(sinter::threshold(shrunk, -2.f));
    });
}

TEST_CASE_TEMPLATE("x * scale + bias with scalars, in every order", T, float, sinter::float16) {
    product::check<"x*s+b", T, T>(scales_and_biases, [](pair a, const auto& x) { return x * a.first + a.second; });
    product::check<"b+s*x", T, T>(scales_and_biases, [](pair a, const auto& x) { return a.second + a.first * x; });
    product::check<"x*s-b", T, T>(scales_and_biases, [](pair a, const auto& x) { return x * a.first - a.second; });
}
