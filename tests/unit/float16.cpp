// float16 against IEEE 754 binary16, pattern by pattern.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/elements.hpp"

using sinter::float16;
using sinter::view;
using support::bits_of;
using support::half_from_bits;

namespace {

// The value that a pattern stands for, by its definition.
double value_of(unsigned bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31u);
    const int fraction = static_cast<int>(bits & 0x3ffu);
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

constexpr unsigned infinite = 0x7c00;

std::vector<float16> all_patterns() {
    std::vector<float16> values;
    for (unsigned bits = 0; bits < 0x10000u; ++bits) values.push_back(half_from_bits(bits));
    return values;
}

}  // namespace

TEST_CASE("every pattern has its value, and comes back from float") {
    for (unsigned bits = 0; bits < 0x10000u; ++bits) {
        const float value = static_cast<float>(half_from_bits(bits));
        if ((bits & 0x7fffu) > infinite) {
            CHECK(std::isnan(value));
            CHECK(support::is_nan(float16(value)));
        } else {
            if ((bits & 0x7fffu) < infinite) CHECK(static_cast<double>(value) == value_of(bits));
            else CHECK(std::isinf(value));
            CHECK(std::signbit(value) == ((bits & 0x8000u) != 0));
            CHECK(bits_of(float16(value)) == bits);
        }
    }
}

TEST_CASE("between neighbours, the nearer; halfway, the even") {
    for (unsigned bits = 0; bits < 0x7bffu; ++bits) {
        const double low = value_of(bits);
        const double high = value_of(bits + 1);
        const auto middle = static_cast<float>((low + high) / 2);
        const unsigned even = (bits & 1u) == 0 ? bits : bits + 1;
        CHECK(bits_of(float16(middle)) == even);
        CHECK(bits_of(float16(-middle)) == (even | 0x8000u));
        CHECK(bits_of(float16(std::nextafter(middle, 0.f))) == bits);
        CHECK(bits_of(float16(std::nextafter(middle, 1e9f))) == bits + 1);
    }
}

TEST_CASE("H1: 1 + 3 * 2^-11 is 0x3c02 on every path") {
    const std::vector<float> x(67, 1.f + 3 * 0x1p-11f);
    std::vector<float16> ones(67, float16(1.f)), out(67);
    CHECK(bits_of(float16(x[0])) == 0x3c02);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto check = [&](const auto& expression) {
            out.assign(out.size(), float16(0.f));
            sinter::evaluate(backend, expression, out);
            for (const float16 v : out) CHECK(bits_of(v) == 0x3c02);
            out.assign(out.size(), float16(0.f));
            sinter::evaluate(backend, expression, sinter::reverse(view(out), 0));
            for (const float16 v : out) CHECK(bits_of(v) == 0x3c02);
        };
        check(sinter::cast<float16>(view(x)));
        check(sinter::cast_rne<float16>(view(x)));
        check(sinter::scale_bias(view(ones), 1.f, 3 * 0x1p-11f));
        check(view(ones) + 3 * 0x1p-11f);
        check(sinter::map([](auto v) { return v * (1.f + 0x1.8p-10f); }, view(ones)));
        check(sinter::threshold(view(ones), 1.f + 3 * 0x1p-11f));
        check(sinter::select(view(ones) > 0.f, 1.f + 3 * 0x1p-11f, 0.f));
        // Rounded once at the end: rounding after every operator would give 0x3c00.
        check(view(ones) + 0x1p-11f + 0x1p-11f + 0x1p-11f);
    });
}

TEST_CASE("H3: all patterns survive a copy, with every bit of their NaNs") {
    const std::vector<float16> all = all_patterns();
    std::vector<float16> out(all.size());
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto check = [&](const auto& expression, const auto& target) {
            out.assign(out.size(), float16(0.f));
            sinter::evaluate(backend, expression, target);
            std::size_t wrong = 0;
            for (unsigned bits = 0; bits < 0x10000u; ++bits) wrong += bits_of(out[bits]) != bits ? 1 : 0;
            CHECK(wrong == 0);
        };
        check(view(all), view(out));
        check(sinter::cast<float16>(view(all)), view(out));
        check(sinter::reverse(view(all), 0), sinter::reverse(view(out), 0));
        check(view(all.data(), {256, 256}), view(out.data(), {256, 256}));
        check(sinter::transpose(view(all.data(), {256, 256})), sinter::transpose(view(out.data(), {256, 256})));

        // Through registers, every pattern but the NaNs' own.
        sinter::evaluate(backend, sinter::scale_bias(view(all), 1, 0), out);
        for (unsigned bits = 0; bits < 0x10000u; ++bits) CHECK(support::same(out[bits], all[bits]));
    });
}

TEST_CASE("H3: float16 subnormals are computed and rounded") {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto scaled = [&](float x, float scale, float bias) {
            const std::vector<float16> in(9, float16(x));
            std::vector<float16> out(9);
            sinter::evaluate(backend, sinter::scale_bias(view(in), scale, bias), out);
            CHECK(bits_of(out[0]) == bits_of(out[8]));
            return bits_of(out[0]);
        };
        CHECK(scaled(1.f, 0.f, 0x1p-24f) == 0x0001);
        CHECK(scaled(0x1p-24f, 0.75f, 0.f) == 0x0001);
        CHECK(scaled(0x1p-24f, 0.5f, 0.f) == 0x0000);
    });
}

TEST_CASE("H4: an attribute is not rounded to float16 before it is compared") {
    const float16 x = half_from_bits(0x2e66);
    CHECK(static_cast<float>(x) > 0.09995f);
    CHECK(bits_of(float16(0.09995f)) == 0x2e66);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const std::vector<float16> in(17, x);
        std::vector<float16> out(17);
        sinter::evaluate(backend, sinter::shrink(view(in), 0.f, 0.09995f), out);
        for (const float16 v : out) CHECK(bits_of(v) == 0x2e66);
    });
}
