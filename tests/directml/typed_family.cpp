// The operators around shrink and threshold as typed expressions: every recorded DirectML result, the roundings against
// <cmath>, and what they refuse.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "family.hpp"
#include "support/cpu_backends.hpp"
#include "support/elements.hpp"
#include "support/values.hpp"

namespace {

using sinter::round_mode;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr auto i8 = [](int v) { return static_cast<std::int8_t>(v); };

static_assert(sinter::clip(i8(5), -0.5, 1.5) == 1);
static_assert(sinter::clip(nan, -1, 2) == 2.f);
static_assert(sinter::clip(0.f, 2, 1) == 2.f);
static_assert(sinter::relu(nan) == 0.f);
static_assert(std::bit_cast<std::uint32_t>(sinter::relu(-0.f)) == 0);
static_assert(sinter::sign(i8(-7)) == -1 && sinter::sign(7u) == 1u && sinter::sign(nan) == 0.f);
static_assert(sinter::abs_saturate(i8(-128)) == 127 && sinter::negate_saturate(i8(-128)) == 127);
static_assert(sinter::abs_saturate(lowest) == lowest && sinter::negate_saturate(lowest) == lowest);
static_assert(sinter::clip(-5, nan, 1) == -5 && sinter::clip(5, -1, nan) == -1 && sinter::clip(i8(-5), nan, 1) == 0);
static_assert(sinter::round(2.5f) == 2.f && sinter::round<round_mode::half_away>(2.5f) == 3.f);
static_assert(sinter::round<round_mode::toward_zero>(-1.9f) == -1.f);
static_assert(sinter::floor(-0.5f) == -1.f && sinter::ceil(0.5f) == 1.f);
static_assert(sinter::linear(2.f, 3, 4) == 10.f);
static_assert(sinter::leaky_relu(-2.f, 0.5) == -1.f && sinter::thresholded_relu(0.5f, 1) == 0.f);

// What is refused, in both forms.
template <class X, class Op>
concept pipes = requires(X x, Op op) { x | op; };
template <class X>
concept floors = requires(X x) { sinter::floor(x); };
template <class X>
concept rectifies = requires(X x) { sinter::relu(x); };
template <class T>
using view = sinter::tensor_view<const T, 1>;
static_assert(floors<view<float>> && floors<view<sinter::float16>> && !floors<view<std::int32_t>> && !floors<int>);
static_assert(!pipes<view<int>, decltype(sinter::round())> && pipes<view<float>, decltype(sinter::round())>);
static_assert(rectifies<view<std::int8_t>> && !rectifies<view<std::uint8_t>> && !rectifies<std::uint8_t>);

// Inside a body, and on plain numbers.
constexpr auto in_body = [](auto x, auto gain) { return sinter::floor(sinter::linear(x, gain, 0.5f)); };

template <class X, class Use>
void apply(const family::setting& s, X x, Use&& use) {
    using T = typename sinter::detail::subject_element<X>::type;
    if (s.op == "clip") return use(sinter::clip(x, s["min"], s["max"]));
    if (s.op == "sign") return use(sinter::sign(x));
    if constexpr (!sinter::detail::is_unsigned_element<T>) {
        if (s.op == "relu") return use(sinter::relu(x));
        if (s.op == "abs") return use(sinter::abs_saturate(x));
        if (s.op == "negate") return use(sinter::negate_saturate(x));
    }
    if constexpr (sinter::floating_element<T>) {
        if (s.op == "linear") return use(sinter::linear(x, s["alpha"], s["beta"]));
        if (s.op == "leaky_relu") return use(sinter::leaky_relu(x, s["alpha"]));
        if (s.op == "thresholded_relu") return use(sinter::thresholded_relu(x, s["alpha"]));
    }
    FAIL("unknown operator " << s.op << " of " << s.type);
}

template <class T>
std::size_t agreeing(const std::string& where, const family::setting& s, const std::vector<T>& x,
                     const std::vector<T>& got, const std::vector<T>& expected) {
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (support::same(got[i], expected[i])) ++agreed;
        else
            FAIL_CHECK(where << ": " << s.text() << " of " << support::text_of(x[i]) << " is "
                             << support::text_of(got[i]) << ", in DirectML " << support::text_of(expected[i]));
    }
    return agreed;
}

std::vector<float> values_to_round() {
    std::vector<float> values = support::special_values<float>();
    std::mt19937 random(5);
    for (int i = 0; i < 100000; ++i) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    for (int i = -2000; i <= 2000; ++i) {
        const float quarter = static_cast<float>(i) * 0.25f;
        for (const float v : {quarter, std::nextafter(quarter, 1e9f), std::nextafter(quarter, -1e9f), 0x1p23f + quarter,
                              0x1p22f + quarter, -0x1p23f - quarter})
            values.push_back(v);
    }
    return values;
}

template <class Make>
void check_rounding(const char* name, const Make& make, float (*expected)(float)) {
    static const std::vector<float> x = values_to_round();
    std::vector<float> y(x.size());
    support::for_each_cpu_backend([&](const std::string& backend, const auto& b) {
        std::fill(y.begin(), y.end(), 0.f);
        sinter::evaluate(b, make(sinter::view(x)), y);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!support::same(y[i], expected(x[i])))
                FAIL_CHECK(name << " on " << backend << " of " << support::text_of(x[i]) << " is "
                                << support::text_of(y[i]) << ", not " << support::text_of(expected(x[i])));
    });
}

}  // namespace

TEST_CASE("every recorded DirectML result of the family") {
    std::map<std::string, std::size_t> agreed;
    for (const family::samples& rows : family::read_file()) {
        family::with_type(rows.of.type, [&]<class T>() {
            const std::vector<T> x = family::parsed<T>(rows.x);
            const std::vector<T> y = family::parsed<T>(rows.y);
            std::vector<T> got(x.size());
            support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
                std::fill(got.begin(), got.end(), T{});
                apply(rows.of, sinter::view(x), [&](const auto& e) { sinter::evaluate(backend, e, got); });
                agreed[name] += agreeing(name, rows.of, x, got, y);
            });
            for (std::size_t i = 0; i < x.size(); ++i) apply(rows.of, x[i], [&](T value) { got[i] = value; });
            agreed["plain numbers"] += agreeing("plain numbers", rows.of, x, got, y);
        });
    }
    std::size_t backends = 0;
    support::for_each_cpu_backend([&](const std::string&, const auto&) { ++backends; });
    CHECK(agreed.size() == backends + 1);  // and plain numbers
    for (const auto& [where, count] : agreed) {
        INFO(where);
        CHECK(count == family::rows_in_file);
    }
}

TEST_CASE("floor, ceil and round are the C library's, bit for bit") {
    check_rounding("floor", [](auto x) { return x | sinter::floor(); }, [](float v) { return std::floor(v); });
    check_rounding("ceil", [](auto x) { return x | sinter::ceil(); }, [](float v) { return std::ceil(v); });
    check_rounding("half_even", [](auto x) { return x | sinter::round(); }, [](float v) { return std::nearbyint(v); });
    check_rounding(
        "toward_zero", [](auto x) { return sinter::round<round_mode::toward_zero>(x); },
        [](float v) { return std::trunc(v); });
    check_rounding(
        "half_away", [](auto x) { return x | sinter::round<round_mode::half_away>(); },
        [](float v) { return std::round(v); });
}

TEST_CASE("pipe and function forms are the same, and bodies may call both") {
    const std::vector<float> x{-2.6f, -0.f, 0.3f, 5.5f};
    std::vector<float> a(4), b(4);
    sinter::evaluate(sinter::view(x) | sinter::linear(2, 0.25) | sinter::clip(-3, 4) | sinter::leaky_relu(0.5) |
                         sinter::thresholded_relu(-2) | sinter::abs_saturate() | sinter::negate_saturate() |
                         sinter::sign() | sinter::relu() | sinter::ceil(),
                     a);
    const auto clipped = sinter::leaky_relu(sinter::clip(sinter::linear(sinter::view(x), 2, 0.25), -3, 4), 0.5);
    const auto negated = sinter::negate_saturate(sinter::abs_saturate(sinter::thresholded_relu(clipped, -2)));
    sinter::evaluate(sinter::ceil(sinter::relu(sinter::sign(negated))), b);
    CHECK(a == b);
    sinter::evaluate(sinter::map(in_body, sinter::view(x), 2), a);
    CHECK(a == std::vector<float>{-5.f, 0.f, 1.f, 11.f});
}
