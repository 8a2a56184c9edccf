// The operators against formulas written out in plain C++, and those results that have no constant expression.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/elements.hpp"
#include "support/values.hpp"

using sinter::view;
using support::same;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

// Every intermediate is stored, so that no compiler keeps or fuses more than float32.
float stored(float value) {
    volatile float kept = value;
    return kept;
}

template <class T>
T saturated(double value) {
    if (std::isnan(value)) return T{0};
    if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}

template <class T>
T scale_bias_formula(T x, float scale, float bias) {
    const auto f = stored(static_cast<float>(x));
    if (scale == 1.f && bias == 0.f) return x;
    const float y = stored(stored(f * scale) + bias);
    if constexpr (sinter::floating_element<T>) return static_cast<T>(y);
    else return saturated<T>(std::trunc(static_cast<double>(y)));
}

template <class T>
T shrink_formula(T x, float bias, float threshold) {
    const auto f = stored(static_cast<float>(x));
    const float y = f > threshold ? stored(f - bias) : f < -threshold ? stored(f + bias) : 0.f;
    if constexpr (sinter::floating_element<T>) return static_cast<T>(y);
    else return saturated<T>(std::nearbyint(static_cast<double>(y)));
}

template <class T>
T threshold_formula(T x, float minimum) {
    if constexpr (sinter::floating_element<T>) {
        const auto f = static_cast<float>(x);
        if (std::isnan(minimum)) return x;
        return static_cast<T>(f > minimum ? f : minimum);
    } else {
        const T least = saturated<T>(std::trunc(static_cast<double>(minimum)));
        return x > least ? x : least;
    }
}

template <class T>
std::vector<T> values() {
    std::vector<T> all;
    if constexpr (sizeof(T) == 1) {
        for (int v = std::numeric_limits<T>::min(); v <= std::numeric_limits<T>::max(); ++v)
            all.push_back(static_cast<T>(v));
    } else if constexpr (sizeof(T) == 2) {
        for (unsigned bits = 0; bits < 0x10000u; ++bits)
            all.push_back(std::bit_cast<T>(static_cast<std::uint16_t>(bits)));
    } else {
        all = support::special_values<T>();
        support::value_source<T> source(7);
        for (int i = 0; i < 5000; ++i) all.push_back(source.next());
    }
    return all;
}

std::vector<float> attributes() {
    std::vector<float> all{0.f,   -0.f,   0.25f,   0.5f, -0.5f, 1.f,      -1.f,      1.5f, 2.f,  3.25f,    100.f,
                           300.f, -300.f, 70000.f, 5e9f, -5e9f, 0x1p-24f, 0x1p-149f, inf,  -inf, quiet_nan};
    support::value_source<float> source(11);
    for (int i = 0; i < 10; ++i) all.push_back(source.next());
    return all;
}

}  // namespace

TEST_CASE_TEMPLATE("the operators are their formulas, for every attribute against every value", T, ALL_ELEMENT_TYPES) {
    const std::vector<T> x = values<T>();
    const std::vector<float> numbers = attributes();
    std::vector<T> out(x.size());
    const auto check = [&](const char* what, float first, float second, const auto& expression, const auto& formula) {
        sinter::evaluate(expression, out);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const T expected = formula(x[i]);
            if (same(out[i], expected)) continue;
            if (++wrong == 1)
                MESSAGE(what << "(" << support::text_of(x[i]) << "; " << first << ", " << second << ") is "
                             << support::text_of(out[i]) << " and not " << support::text_of(expected));
        }
        CHECK(wrong == 0);
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float a = numbers[i];
        check("threshold", a, 0, sinter::threshold(view(x), a), [a](T v) { return threshold_formula(v, a); });
        // All pairs for the small types, some for the large ones.
        for (std::size_t j = 0; j < numbers.size(); j += sizeof(T) == 1 ? 1 : 1 + i % 7) {
            const float b = numbers[(i + j) % numbers.size()];
            check("scale_bias", a, b, sinter::scale_bias(view(x), a, b),
                  [a, b](T v) { return scale_bias_formula(v, a, b); });
            check("shrink", a, b, sinter::shrink(view(x), a, b), [a, b](T v) { return shrink_formula(v, a, b); });
        }
    }
}

TEST_CASE("N2: shrink at the infinities and NaN") {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const std::vector<float> x{quiet_nan, inf, -inf, quiet_nan, inf, -inf, quiet_nan, inf, -inf};
        std::vector<float> out(x.size());
        const auto check = [&](float bias, float threshold, float of_nan, float of_inf, float of_minus_inf) {
            sinter::evaluate(backend, sinter::shrink(view(x), bias, threshold), out);
            for (std::size_t i = 0; i < x.size(); i += 3) {
                CHECK(same(out[i], of_nan));
                CHECK(same(out[i + 1], of_inf));
                CHECK(same(out[i + 2], of_minus_inf));
            }
        };
        check(0.f, 0.5f, 0.f, inf, -inf);
        check(inf, 0.5f, 0.f, quiet_nan, quiet_nan);
        check(1.f, inf, 0.f, 0.f, 0.f);
        check(quiet_nan, 0.5f, 0.f, quiet_nan, quiet_nan);
        check(0.f, quiet_nan, 0.f, 0.f, 0.f);
    });
    CHECK(same(sinter::shrink(inf, inf, 1.f), quiet_nan));
    CHECK(same(sinter::scale_bias(inf, 0.f, 0.f), quiet_nan));
    CHECK(same(sinter::scale_bias(inf, 1.f, -inf), quiet_nan));
    CHECK(same(sinter::scale_bias(3e38f, 2.f, -3e38f), inf));
    CHECK(sinter::scale_bias(std::int8_t{0}, inf, 0.f) == 0);
    CHECK(sinter::shrink(std::int8_t{1}, 3e38f, -3e38f) == -128);
}

TEST_CASE("two roundings where a fused multiply-add would give 2^-24") {
    const std::vector<float> x(67, 1.f + 0x1p-12f), b(67, -(1.f + 0x1p-11f));
    std::vector<float> out(67);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto check = [&](const auto& expression) {
            out.assign(67, 1.f);
            sinter::evaluate(backend, expression, out);
            for (const float v : out) CHECK(same(v, 0.f));
        };
        check(sinter::scale_bias(view(x), x[0], b[0]));
        check(view(x) * x[0] + b[0]);
        check(view(x) * view(x) + view(b));
        check(view(b) + view(x) * view(x));
        check(view(x) * view(x) - (1.f + 0x1p-11f));
        check(sinter::map([](auto v, auto w) { return v * v + w; }, view(x), view(b)));
        check(sinter::map([](auto v, auto w) { return w + v * v; }, view(x), view(b)));
        check(sinter::map([](auto v, auto w) { return -v * v - w; }, view(x), view(b)) * -1.f + 0.f);
    });
    CHECK(same(sinter::scale_bias(x[0], x[0], b[0]), 0.f));
}

TEST_CASE("min, max and clamp with NaN and equal zeros") {
    const std::vector<float> a{quiet_nan, 1.f, quiet_nan, 0.f, -0.f, 2.f}, b{1.f, quiet_nan, quiet_nan, -0.f, 0.f, 1.f};
    std::vector<float> out(6);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto is = [&](std::vector<float> expected) {
            for (std::size_t i = 0; i < 6; ++i) CHECK(same(out[i], expected[i]));
        };
        sinter::evaluate(backend, sinter::min(view(a), view(b)), out);
        is({1.f, 1.f, quiet_nan, -0.f, 0.f, 1.f});
        sinter::evaluate(backend, sinter::max(view(a), view(b)), out);
        is({1.f, 1.f, quiet_nan, -0.f, 0.f, 2.f});
        sinter::evaluate(backend, sinter::clamp(view(a), -1.f, 1.5f), out);
        is({1.5f, 1.f, 1.5f, 0.f, -0.f, 1.5f});
        sinter::evaluate(backend, sinter::clamp(view(a), 3.f, 1.f), out);
        is({3.f, 3.f, 3.f, 3.f, 3.f, 3.f});
        sinter::evaluate(backend, -sinter::abs(view(a)), out);
        is({quiet_nan, -1.f, quiet_nan, -0.f, -0.f, -2.f});
    });
}

TEST_CASE("in a body x * s + b is plain arithmetic: it adds +0, and so loses the sign of -0") {
    const std::vector<float> x(5, -0.f);
    std::vector<float> out(5);
    sinter::evaluate(view(x) * 1.f + 0.f, out);
    CHECK(same(out[4], -0.f));
    sinter::evaluate(sinter::map([](auto v) { return v * 1.f + 0.f; }, view(x)), out);
    CHECK(same(out[4], 0.f));
    sinter::evaluate(sinter::map([](auto v, auto s, auto b) { return v * s + b; }, view(x), 1.f, 0.f), out);
    CHECK(same(out[4], 0.f));
    sinter::evaluate(view(x) * view(x) + 0.f, out);
    CHECK(same(out[4], 0.f));
}

TEST_CASE("operators on integer expressions are rounded and saturated one by one") {
    const std::vector<std::int8_t> x{100, -100, 3, 1};
    std::vector<std::int8_t> out(4);
    sinter::evaluate(view(x) | sinter::scale_bias(2, 0) | sinter::scale_bias(0.5, 0), out);
    CHECK(out == std::vector<std::int8_t>{63, -64, 3, 1});
    sinter::evaluate(view(x) | sinter::scale_bias(0.5, 0) | sinter::scale_bias(2, 0), out);
    CHECK(out == std::vector<std::int8_t>{100, -100, 2, 0});
    sinter::evaluate((view(x) + 100) - 100, out);
    CHECK(out == x);
}

#if defined(__SSE2__)
TEST_CASE("H3: the caller's floating-point environment is left alone") {
    const std::vector<float> x(33, 0x1p-149f);
    std::vector<float> out(33);
    const unsigned before = __builtin_ia32_stmxcsr();
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        // Subnormals are kept in the default environment.
        sinter::evaluate(backend, view(x) * 3.f, out);
        CHECK(out[32] == 3 * 0x1p-149f);
        for (const unsigned mode : {0x8040u, 0x6000u, 0xe040u}) {
            __builtin_ia32_ldmxcsr(before | mode);
            sinter::evaluate(backend, view(x) | sinter::shrink() | sinter::scale_bias(2, 1), out);
            const unsigned after = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before);
            CHECK((after & 0xffc0u) == ((before | mode) & 0xffc0u));
        }
    });
}
#endif
