// && || ! between comparisons, select between tensors and scalars of any type, masks cast to other types.
#include <vector>

#include "product.hpp"
#include "support/elements.hpp"

TEST_CASE_TEMPLATE("&&", T, ALL_ELEMENT_TYPES) {
    product::check<"&&", T, T, T>([](const auto& x, const auto& y) {
        return sinter::cast<T>(x < y && x != 0);
    });
}

TEST_CASE_TEMPLATE("||", T, ALL_ELEMENT_TYPES) {
    product::check<"||", T, T, T>([](const auto& x, const auto& y) {
        return sinter::cast<T>(x < y || y == 0);
    });
}

TEST_CASE_TEMPLATE("!", T, ALL_ELEMENT_TYPES) {
    product::check<"!", T, T, T>([](const auto& x, const auto& y) { return sinter::select(!(x < y), x, y); });
}

TEST_CASE_TEMPLATE("select between two scalars", T, ALL_ELEMENT_TYPES) {
    product::check<"select scalars", T, T, T>(std::vector<int>{0, 1, 100}, [](int s, const auto& x, const auto& y) {
        return sinter::select(x >= y, s, 7);
    });
}

TEST_CASE_TEMPLATE("select by a comparison of another type", T, ALL_ELEMENT_TYPES) {
    product::check<"select by float", T, float, T, T>([](const auto& c, const auto& x, const auto& y) {
        return sinter::select(c > 0, x, y);
    });
    product::check<"select by uint8", T, std::uint8_t, T, T>([](const auto& c, const auto& x, const auto& y) {
        return sinter::select(c > 3, x, y);
    });
}

TEST_CASE_TEMPLATE("a comparison cast to another type", T, ALL_ELEMENT_TYPES) {
    product::check<"mask from float", T, float, float>([](const auto& x, const auto& y) {
        return sinter::cast<T>(x <= y);
    });
    product::check<"mask from uint32", T, std::uint32_t, std::uint32_t>([](const auto& x, const auto& y) {
        return sinter::cast<T>(x <= y);
    });
}
