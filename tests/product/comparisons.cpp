// The six comparisons, as 1 and 0 and as a choice.
#include "product.hpp"
#include "support/elements.hpp"

namespace {

struct less {
    constexpr auto operator()(const auto& x, const auto& y) const { return x < y; }
};
struct less_equal {
    constexpr auto operator()(const auto& x, const auto& y) const { return x <= y; }
};
struct greater {
    constexpr auto operator()(const auto& x, const auto& y) const { return x > y; }
};
struct greater_equal {
    constexpr auto operator()(const auto& x, const auto& y) const { return x >= y; }
};
struct equal {
    constexpr auto operator()(const auto& x, const auto& y) const { return x == y; }
};
struct not_equal {
    constexpr auto operator()(const auto& x, const auto& y) const { return x != y; }
};

// As a choice for half of the types and as 1 and 0 for the other half, which swap from one comparison to the next.
template <product::operator_name Name, unsigned Number, class T, class Compare>
void check_comparison() {
    if constexpr ((Number + static_cast<unsigned>(sinter::element_type_of<T>)) % 2 == 0)
        product::check<Name, T, T, T>(
            [](const auto& x, const auto& y) { return sinter::select(Compare{}(x, y), x, y); });
    else product::check<Name, T, T, T>([](const auto& x, const auto& y) { return sinter::cast<T>(Compare{}(x, y)); });
}

}  // namespace

TEST_CASE_TEMPLATE("every comparison", T, ALL_ELEMENT_TYPES) {
    check_comparison<"<", 0, T, less>();
    check_comparison<"<=", 1, T, less_equal>();
    check_comparison<">", 2, T, greater>();
    check_comparison<">=", 3, T, greater_equal>();
    check_comparison<"==", 4, T, equal>();
    check_comparison<"!=", 5, T, not_equal>();
}
