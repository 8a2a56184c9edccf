// Faults that other libraries had, on Direct3D 12: what unit/known_faults.cpp tries on the CPU.
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "support/d3d12_device.hpp"
#include "support/elements.hpp"

using sinter::view;
using support::gpu;
using support::half;
using support::same;

namespace {

using i8 = std::int8_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using sinter::float16;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr i32 lowest = std::numeric_limits<i32>::min();

// Evaluates over `count` copies of x, packed and at every second element, and expects one value in every place and
// nothing between them.
template <class T, class U, class Make>
void expect_everywhere(std::size_t count, T x, U expected, const Make& make) {
    const std::vector<T> in(2 * count, x);
    const auto there = gpu().upload(in);
    std::vector<U> out(count), blank(2 * count + 1, U{});
    gpu().download(sinter::materialize(gpu(), make(sinter::slice(there, 0, 0, count))), out);
    for (std::size_t i = 0; i < count; ++i) CHECK_MESSAGE(same(out[i], expected), count << ": " << i);
    const auto target = gpu().upload(blank);
    sinter::evaluate(gpu(), make(sinter::slice(there, 0, 1, 2 * count, 2)), sinter::slice(target, 0, 1, 2 * count, 2));
    gpu().download(target, blank);
    for (std::size_t i = 0; i < blank.size(); ++i)
        CHECK_MESSAGE(same(blank[i], i % 2 == 1 ? expected : U{}), count << ", strided: " << i);
}

template <class T>
void expect_values(const std::vector<T>& x, const std::vector<T>& expected, const auto& make) {
    std::vector<T> out(x.size());
    gpu().download(sinter::materialize(gpu(), make(gpu().upload(x))), out);
    CHECK(out == expected);
}

}  // namespace

TEST_CASE("N1: NaN is the same in the body and in the tail") {
    for (const std::size_t count : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 65u}) {
        expect_everywhere(count, quiet_nan, 0.f, [](auto x) { return sinter::shrink(x, 0, 0.5); });
        expect_everywhere(count, quiet_nan, 1.5f, [](auto x) { return sinter::threshold(x, 1.5); });
        expect_everywhere(count, quiet_nan, u8{0}, [](auto x) { return sinter::cast<u8>(x); });
        expect_everywhere(count, half(quiet_nan), half(0.f), [](auto x) { return sinter::shrink(x); });
    }
}

TEST_CASE("N2 N6: infinities, NaN and the sign of zero") {
    expect_everywhere(17, inf, inf, [](auto x) { return sinter::shrink(x, 0, 0.5); });
    expect_everywhere(17, -inf, -inf, [](auto x) { return sinter::shrink(x, 0, 0.5); });
    expect_everywhere(17, inf, quiet_nan, [](auto x) { return sinter::shrink(x, inf, 0.5); });
    expect_everywhere(17, -0.f, 0.f, [](auto x) { return sinter::threshold(x, 0.f); });
    expect_everywhere(17, 0.f, -0.f, [](auto x) { return sinter::threshold(x, -0.f); });
    expect_everywhere(17, -0.f, 0.f, [](auto x) { return sinter::shrink(x, 0, 0); });
    expect_everywhere(17, -0.f, -0.f, [](auto x) { return sinter::scale_bias(x, 1, 0); });
}

TEST_CASE("I1 I2 I3: unsigned types") {
    expect_everywhere(33, u8{1}, u8{0}, [](auto x) { return sinter::shrink(x, 3, 0); });
    expect_everywhere(33, -3e9f, u32{0}, [](auto x) { return sinter::cast_rne<u32>(x); });
    expect_everywhere(33, u8{250}, u8{250}, [](auto x) { return sinter::shrink(x); });
    expect_everywhere(33, u16{60000}, u16{60001}, [](auto x) { return x + 1; });
    expect_everywhere(33, u32{4000000000u}, 4000000000.f, [](auto x) { return sinter::cast<float>(x); });
    const auto soft = [](auto x) { return sinter::shrink(x, 10, 2); };
    expect_values<u8>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
    expect_values<u16>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
    expect_values<u32>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
}

TEST_CASE("I8 I9 I11: fractions, saturation, and constants at the limits") {
    expect_values<i8>({1, 2, 3, 4, -1, -2, -3}, {0, 2, 2, 4, 0, -2, -2},
                      [](auto x) { return sinter::shrink(x, .5, .5); });
    expect_values<i8>({1, 3, -1, -3}, {0, 1, 0, -1}, [](auto x) { return sinter::scale_bias(x, .5, .25); });
    expect_everywhere(33, i8{100}, i8{127}, [](auto x) { return sinter::scale_bias(x, 2, 0); });
    expect_everywhere(33, i8{100}, i8{-56}, [](auto x) { return x * 2; });
    expect_everywhere(33, u8{200}, u8{250}, [](auto x) { return sinter::scale_bias(x, 2, -150); });
    expect_everywhere(9, i32{5}, i32{-5}, [](auto x) { return sinter::map([](auto v) { return v * -1; }, x); });
    expect_everywhere(9, i32{5}, i32{5 + lowest}, [](auto x) { return x + lowest; });
    expect_everywhere(9, i32{5}, i32{5},
                      [](auto x) { return sinter::map([](auto v) { return sinter::select(v > lowest, v, -1); }, x); });
    expect_everywhere(9, u32{5}, u32{4}, [](auto x) { return sinter::map([](auto v) { return v + 4294967295u; }, x); });
    expect_everywhere(9, u32{5}, u32{5}, [](auto x) { return sinter::min(x, 4294967295u); });
}

TEST_CASE("H1 H3 H4: float16 is rounded once, to nearest even, subnormals kept") {
    const auto bits = [](unsigned b) { return support::half_from_bits(b); };
    expect_everywhere(33, half(1.f), bits(0x3c02), [](auto x) { return x + 3 * 0x1p-11f; });
    expect_everywhere(33, half(1.f), bits(0x0001), [](auto x) { return sinter::scale_bias(x, 0, 0x1p-24f); });
    expect_everywhere(33, half(0x1p-24f), bits(0x0001), [](auto x) { return sinter::scale_bias(x, 0.75f, 0); });
    expect_everywhere(33, half(0x1p-24f), bits(0x0000), [](auto x) { return sinter::scale_bias(x, 0.5f, 0); });
    expect_everywhere(33, bits(0x2e66), bits(0x2e66), [](auto x) { return sinter::shrink(x, 0, 0.09995f); });
    std::vector<float16> all(65536), copied(65536);
    for (unsigned b = 0; b < 65536; ++b) all[b] = bits(b);
    gpu().download(sinter::materialize(gpu(), gpu().upload(all)), copied);
    CHECK(std::equal(all.begin(), all.end(), copied.begin(),
                     [](float16 a, float16 b) { return support::bits_of(a) == support::bits_of(b); }));
}

TEST_CASE("A1: in place, every element is computed once") {
    for (const std::size_t n : {1u, 9u, 17u, 33u, 4097u}) {
        const auto x = gpu().upload(std::vector<i8>(n, 1));
        sinter::evaluate(gpu(), x * 3 + 1, x);
        std::vector<i8> out(n);
        gpu().download(x, out);
        CHECK(std::count(out.begin(), out.end(), i8{4}) == static_cast<std::ptrdiff_t>(n));
    }
}

TEST_CASE("A2 A4: shifted and folded outputs are refused") {
    const std::vector<float> values(64, 1.f);
    const auto x = gpu().upload(values);
    const auto part = [&](std::size_t first) { return sinter::slice(x, 0, first, first + 33); };
    const auto refuses = [&](const auto& expression, const auto& out) {
        try {
            sinter::evaluate(gpu(), expression, out);
        } catch (const sinter::error& failure) {
            return failure.code() == sinter::errc::overlap;
        }
        return false;
    };
    for (const std::size_t shift : {1u, 2u, 3u, 7u}) {
        CHECK(refuses(part(0) + 1.f, part(shift)));
        CHECK(refuses(part(shift) + 1.f, part(0)));
    }
    CHECK(refuses(part(0) + 1.f, sinter::broadcast_to(sinter::slice(x, 0, 40, 41), {33})));
    sinter::evaluate(gpu(), sinter::slice(x, 0, 0, 64, 2) + 1.f, sinter::slice(x, 0, 1, 64, 2));
    std::vector<float> out(64);
    gpu().download(x, out);
    for (std::size_t i = 0; i < 64; ++i) CHECK(out[i] == (i % 2 == 0 ? 1.f : 2.f));
}

TEST_CASE_TEMPLATE("A6 S6: neighbours within a word and padding stay as they are", T, u8, i8, float16, u16) {
    const T mark = static_cast<T>(77.f), one = static_cast<T>(1.f), two = static_cast<T>(2.f);
    for (const std::size_t n : {1u, 2u, 3u, 5u, 6u, 7u, 4097u}) {
        for (const std::size_t stride : {1u, 3u}) {
            const auto in = gpu().upload(std::vector<T>(n, one));
            std::vector<T> out(3 * n + 8, mark);
            const auto there = gpu().upload(out);
            sinter::evaluate(gpu(), sinter::scale_bias(in, 2, 0),
                             sinter::slice(there, 0, 3, 3 + (n - 1) * stride + 1, stride));
            gpu().download(there, out);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < out.size(); ++i) {
                const bool written = i >= 3 && (i - 3) % stride == 0 && (i - 3) / stride < n;
                wrong += same(out[i], written ? two : mark) ? 0 : 1;
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("S1: a column of a matrix, whatever the strides are") {
    std::vector<float> in(65 * 7);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const auto there = gpu().upload(in);
    for (std::size_t n = 1; n <= 65; n += 4) {
        for (const std::size_t k : {2u, 3u, 7u}) {
            std::vector<float> out(n);
            const auto column = sinter::reshape(sinter::slice(there, 0, 0, (n - 1) * k + 1, k), {n, std::size_t{1}});
            gpu().download(sinter::materialize(gpu(), column + 1.f), view(out.data(), {n, std::size_t{1}}));
            for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == static_cast<float>(i * k) + 1.f);
        }
    }
}

TEST_CASE("S3 L4: what does not broadcast is refused; no elements are no work") {
    const auto x = gpu().upload(std::vector<float>(5, 1.f));
    const auto out = gpu().allocate<float>({5, 2});
    CHECK_THROWS_AS(sinter::evaluate(gpu(), x + 1.f, out), sinter::error);
    const auto none = gpu().allocate<float>({2, 0, 3});
    sinter::evaluate(gpu(), sinter::slice(x, 0, 0, 0) + 1.f, gpu().allocate<float>({0}));
    sinter::evaluate(gpu(), none + 1.f, none);
    CHECK(sinter::materialize(gpu(), none * 2.f).size() == 0);
}
