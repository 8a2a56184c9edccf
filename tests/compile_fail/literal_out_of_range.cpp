// expect: a_literal_is_outside_the_range_of_the_element_type
#include <sinter/sinter.hpp>

void limit(sinter::tensor_view<const std::uint8_t, 1> x, sinter::tensor_view<std::uint8_t, 1> y) {
    sinter::evaluate(sinter::map([](auto v) { return max(v, 300); }, x), y);
}
