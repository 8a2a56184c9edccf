// && || ! between comparisons, select between tensors and scalars of any type, masks cast to other types.
#include <tuple>
#include <vector>

#include "product.hpp"
#include "support/elements.hpp"

TEST_CASE_TEMPLATE("&&", T, ALL_ELEMENT_TYPES) {
    product::check<"&&", T, T, T>([](const auto& x, const auto& y) { return sinter::cast<T>(x < y && x != 0); });
}

TEST_CASE_TEMPLATE("||", T, ALL_ELEMENT_TYPES) {
    product::check<"||", T, T, T>([](const auto& x, const auto& y) { return sinter::cast<T>(x < y || y == 0); });
}

TEST_CASE_TEMPLATE("!", T, ALL_ELEMENT_TYPES) {
    product::check<"!", T, T, T>([](const auto& x, const auto& y) { return sinter::select(!(x < y), x, y); });
}

TEST_CASE_TEMPLATE("select between two scalars", T, ALL_ELEMENT_TYPES) {
    product::check<"select scalars", T, T, T>(
        std::vector<int>{0, 1, 100}, [](int s, const auto& x, const auto& y) { return sinter::select(x >= y, s, 7); });
}

namespace {

// Each type is compared for the sake of one other: the one `Distance` places on.
template <class T, unsigned Distance>
using other_type = std::tuple_element_t<(static_cast<unsigned>(sinter::element_type_of<T>) + Distance) % 8,
                                        std::tuple<ALL_ELEMENT_TYPES>>;

}  // namespace

TEST_CASE_TEMPLATE("select by a comparison of another type", T, ALL_ELEMENT_TYPES) {
    using compared = other_type<T, 3>;
    product::check<"select by another", T, compared, T, T>(
        [](const auto& c, const auto& x, const auto& y) { return sinter::select(c > 3, x, y); });
}

TEST_CASE_TEMPLATE("a comparison cast to another type", T, ALL_ELEMENT_TYPES) {
    using compared = other_type<T, 5>;
    product::check<"mask of another", T, compared, compared>(
        [](const auto& x, const auto& y) { return sinter::cast<T>(x <= y); });
}
