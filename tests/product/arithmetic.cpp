// + - * unary - abs min max clamp between tensors and with scalars.
#include <limits>
#include <type_traits>
#include <vector>

#include "product.hpp"
#include "support/elements.hpp"

namespace {

// Scalars that an element type holds: what min, max, clamp and select ask for.
template <class T>
std::vector<float> scalars() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if constexpr (sinter::floating_element<T>)
        return {0.f, -0.f, 1.5f, -2.f, infinity, std::numeric_limits<float>::quiet_NaN()};
    else return {};
}
template <sinter::integral_element T>
std::vector<T> scalars() {
    return {T{0}, T{1}, T{37}, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

}  // namespace

TEST_CASE_TEMPLATE("x + y", T, ALL_ELEMENT_TYPES) {
    product::check<"x+y", T, T, T>([](const auto& x, const auto& y) { return x + y; });
}

TEST_CASE_TEMPLATE("x - y", T, ALL_ELEMENT_TYPES) {
    product::check<"x-y", T, T, T>([](const auto& x, const auto& y) { return x - y; });
}

TEST_CASE_TEMPLATE("x * y", T, ALL_ELEMENT_TYPES) {
    product::check<"x*y", T, T, T>([](const auto& x, const auto& y) { return x * y; });
}

TEST_CASE_TEMPLATE("x * y + z stays two roundings", T, ALL_ELEMENT_TYPES) {
    product::check<"x*y+z", T, T, T, T>([](const auto& x, const auto& y, const auto& z) { return x * y + z; });
}

TEST_CASE_TEMPLATE("-x", T, ALL_ELEMENT_TYPES) {
    product::check<"-x", T, T>([](const auto& x) { return -x; });
}

TEST_CASE_TEMPLATE("abs", T, ALL_ELEMENT_TYPES) {
    product::check<"abs", T, T>([](const auto& x) { return sinter::abs(x); });
}

TEST_CASE_TEMPLATE("min", T, ALL_ELEMENT_TYPES) {
    product::check<"min", T, T, T>([](const auto& x, const auto& y) { return sinter::min(x, y); });
}

TEST_CASE_TEMPLATE("max", T, ALL_ELEMENT_TYPES) {
    product::check<"max", T, T, T>([](const auto& x, const auto& y) { return sinter::max(x, y); });
}

TEST_CASE_TEMPLATE("clamp", T, ALL_ELEMENT_TYPES) {
    product::check<"clamp", T, T, T, T>(
        [](const auto& x, const auto& lo, const auto& hi) { return sinter::clamp(x, lo, hi); });
}

TEST_CASE_TEMPLATE("clamp, min and max with scalars", T, ALL_ELEMENT_TYPES) {
    product::check<"clamp with scalars", T, T>(
        scalars<T>(), [](auto s, const auto& x) { return sinter::max(sinter::clamp(x, s, 100), sinter::min(s, x)); });
}

TEST_CASE_TEMPLATE("+ - * with scalars on either side", T, ALL_ELEMENT_TYPES) {
    product::check<"scalar arithmetic", T, T>(scalars<T>(),
                                              [](auto s, const auto& x) { return (s - x) * (x + s) - 3 * x; });
}
