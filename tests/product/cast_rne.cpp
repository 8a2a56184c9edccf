// cast_rne between every pair of element types.
#include "product.hpp"
#include "support/elements.hpp"

namespace {

template <class To, class From>
void check_cast() {
    product::check<"cast_rne", To, From>([](const auto& x) { return sinter::cast_rne<To>(x); });
}

template <class To, class... From>
void check_casts() {
    (check_cast<To, From>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("cast_rne from every type", To, ALL_ELEMENT_TYPES) { check_casts<To, ALL_ELEMENT_TYPES>(); }
