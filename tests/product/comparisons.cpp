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

template <product::operator_name Name, class T, class Compare>
void check_select() {
    product::check<Name, T, T, T>([](const auto& x, const auto& y) {
        return sinter::select(Compare{}(x, y), x, y);
    });
}

template <product::operator_name Name, class T, class Compare>
void check_cast() {
    product::check<Name, T, T, T>([](const auto& x, const auto& y) { return sinter::cast<T>(Compare{}(x, y)); });
}

}  // namespace

TEST_CASE_TEMPLATE("select by every comparison", T, ALL_ELEMENT_TYPES) {
    check_select<"select <", T, less>();
    check_select<"select <=", T, less_equal>();
    check_select<"select >", T, greater>();
    check_select<"select >=", T, greater_equal>();
    check_select<"select ==", T, equal>();
    check_select<"select !=", T, not_equal>();
}

TEST_CASE_TEMPLATE("every comparison as 1 and 0", T, ALL_ELEMENT_TYPES) {
    check_cast<"cast <", T, less>();
    check_cast<"cast <=", T, less_equal>();
    check_cast<"cast >", T, greater>();
    check_cast<"cast >=", T, greater_equal>();
    check_cast<"cast ==", T, equal>();
    check_cast<"cast !=", T, not_equal>();
}
