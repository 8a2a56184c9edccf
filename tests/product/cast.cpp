// cast between every pair of element types.
#include "product.hpp"
#include "support/elements.hpp"

namespace {

template <class To, class From>
void check_cast() {
    product::check<"cast", To, From>([](const auto& x) { return sinter::cast<To>(x); });
}

template <class To, class... From>
void check_casts() {
    (check_cast<To, From>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("cast from every type", To, ALL_ELEMENT_TYPES) { check_casts<To, ALL_ELEMENT_TYPES>(); }
