// Operators that a user writes: literals, locals, loops, logic, scalars, arguments of several types.
#include <vector>

#include "product.hpp"
#include "support/elements.hpp"

namespace {

// Literals, a local used three times, a loop that accumulates, assignment operators.
struct polynomial {
    constexpr auto operator()(auto x) const {
        const auto centred = x - 3;
        auto sum = centred * centred;
        for (int i = 1; i < 6; ++i) sum += centred * i;
        sum -= 7;
        sum *= x;
        return sum;
    }
};

// Comparisons with literals, && || !, nested select, min, max, clamp, abs.
struct gate {
    constexpr auto operator()(auto x, auto y) const {
        const auto inside = x > 2 && !(x >= 100) && x != 37;
        const auto close = sinter::abs(x - y) < 5 || x == y;
        const auto chosen = sinter::select(inside, sinter::min(x, y), sinter::select(close, sinter::max(x, y), 1));
        return sinter::clamp(chosen, 0, 120);
    }
};

// Each argument keeps its type; branches on ordinary constants; a scalar as an argument.
struct blend {
    constexpr auto operator()(auto pixel, auto weight, auto gain) const {
        auto value = sinter::cast<float>(pixel) * weight;
        constexpr bool centred = true;
        if (centred) value += 0.5f;
        return sinter::cast_rne<std::uint8_t>(value * gain);
    }
};

}  // namespace

TEST_CASE_TEMPLATE("literals, locals and a loop", T, ALL_ELEMENT_TYPES) {
    product::check<"polynomial", T, T>([](const auto& x) { return sinter::map(polynomial{}, x); });
}

TEST_CASE_TEMPLATE("logic", T, ALL_ELEMENT_TYPES) {
    product::check<"gate", T, T, T>([](const auto& x, const auto& y) { return sinter::map(gate{}, x, y); });
}

TEST_CASE_TEMPLATE("arguments of several types and a scalar", T, ALL_ELEMENT_TYPES) {
    product::check<"blend", std::uint8_t, T, float>(
        std::vector<float>{1.f, -0.f, 0.1f, 3e38f},
        [](float gain, const auto& pixel, const auto& weight) { return sinter::map(blend{}, pixel, weight, gain); });
}

TEST_CASE_TEMPLATE("sinter's own operators in a body", T, ALL_ELEMENT_TYPES) {
    product::check<"operators in map", T, T>(std::vector<float>{0.5f, -1.f, 300.f}, [](float bias, const auto& x) {
        const auto body = [](auto v, auto b) {
            return sinter::threshold(sinter::shrink(sinter::scale_bias(v, 1.5f, 0.25f), b, 0.75f), -2.f);
        };
        return sinter::map(body, x, bias);
    });
}

TEST_CASE("map over expressions, and expressions over map") {
    product::check<"map of map", float, sinter::float16, std::int16_t>([](const auto& x, const auto& y) {
        const auto difference = [](auto a, auto b) { return sinter::cast<float>(a) - sinter::cast<float>(b) * 0.25f; };
        const auto square = [](auto a) { return a * a; };
        return sinter::map(square, sinter::map(difference, x | sinter::shrink(), y)) * 2.f + 1.f;
    });
}
