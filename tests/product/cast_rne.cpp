// cast_rne between every pair of element types. It differs from cast where a float becomes an integer; elsewhere the
// two are the same program.
#include <type_traits>
#include <utility>

#include "product.hpp"
#include "support/elements.hpp"

namespace {

template <class To, class From>
inline constexpr bool is_the_same_program = [] {
    using view = sinter::tensor_view<const From, 1>;
    constexpr auto plain = sinter::program_of<decltype(sinter::cast<To>(std::declval<view>()))>;
    constexpr auto rounding = sinter::program_of<decltype(sinter::cast_rne<To>(std::declval<view>()))>;
    if constexpr (plain.size == rounding.size) return plain.code == rounding.code && plain.result == rounding.result;
    else return false;
}();

template <class To, class From>
void check_cast() {
    if constexpr (sinter::floating_element<From> && sinter::integral_element<To>) {
        static_assert(!is_the_same_program<To, From>);
        product::check<"cast_rne", To, From>([](const auto& x) { return sinter::cast_rne<To>(x); });
    } else {
        static_assert(is_the_same_program<To, From>);
    }
}

template <class To, class... From>
void check_casts() {
    (check_cast<To, From>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("cast_rne from every type", To, ALL_ELEMENT_TYPES) { check_casts<To, ALL_ELEMENT_TYPES>(); }
