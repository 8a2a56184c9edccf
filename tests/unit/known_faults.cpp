// Faults that other libraries had, each as a test of its kind.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/elements.hpp"
#include "support/guarded_memory.hpp"

#if !defined(_WIN32)
#include <sys/mman.h>
#endif

using sinter::view;
using support::same;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

// Evaluates `make(view)` over `count` copies of x, packed and strided, and expects `expected` in every place.
template <class T, class U, class Make>
void expect_everywhere(std::size_t count, T x, U expected, const Make& make) {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name << ", " << count << " elements");
        const std::vector<T> in(2 * count, x);
        std::vector<U> out(2 * count);
        sinter::evaluate(backend, make(view(in.data(), {count})), view(out.data(), {count}));
        for (std::size_t i = 0; i < count; ++i) CHECK(same(out[i], expected));
        std::fill(out.begin(), out.end(), U{});
        sinter::evaluate(backend, make(view(in.data(), {count}, {2})), view(out.data() + 1, {count}, {2}));
        for (std::size_t i = 0; i < count; ++i) CHECK(same(out[2 * i + 1], expected));
    });
}

template <class T>
void expect_values(const std::vector<T>& x, const std::vector<T>& expected, const auto& make) {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<T> out(x.size());
        sinter::evaluate(backend, make(view(x)), out);
        CHECK(out == expected);
    });
}

using i8 = std::int8_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;

constexpr i32 lowest = std::numeric_limits<i32>::min();

}  // namespace

TEST_CASE("N1: NaN is the same in the body and in the tail") {
    for (const std::size_t count : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 65u}) {
        expect_everywhere(count, quiet_nan, 0.f, [](auto x) { return sinter::shrink(x, 0, 0.5); });
        expect_everywhere(count, quiet_nan, 1.5f, [](auto x) { return sinter::threshold(x, 1.5); });
        expect_everywhere(count, quiet_nan, 2.f, [](auto x) { return sinter::min(x, 2.f); });
        expect_everywhere(count, quiet_nan, u8{0}, [](auto x) { return sinter::cast<u8>(x); });
        expect_everywhere(count, support::half(quiet_nan), support::half(0.f),
                          [](auto x) { return sinter::shrink(x); });
    }
}

TEST_CASE("N2: the infinities and NaN through shrink") {
    expect_everywhere(17, quiet_nan, 0.f, [](auto x) { return sinter::shrink(x, 0, 0.5); });
    expect_everywhere(17, inf, inf, [](auto x) { return sinter::shrink(x, 0, 0.5); });
    expect_everywhere(17, -inf, -inf, [](auto x) { return sinter::shrink(x, 0, 0.5); });
    expect_everywhere(17, inf, quiet_nan, [](auto x) { return sinter::shrink(x, inf, 0.5); });
    expect_everywhere(17, support::half(inf), support::half(quiet_nan),
                      [](auto x) { return sinter::shrink(x, inf, 0.5); });
}

TEST_CASE("N6: the sign of zero, operator by operator") {
    expect_everywhere(17, -0.f, 0.f, [](auto x) { return sinter::threshold(x, 0.f); });
    expect_everywhere(17, 0.f, -0.f, [](auto x) { return sinter::threshold(x, -0.f); });
    expect_everywhere(17, -0.f, 0.f, [](auto x) { return sinter::shrink(x, 0, 0); });
    expect_everywhere(17, -0.f, -0.f, [](auto x) { return sinter::scale_bias(x, 1, 0); });
    expect_everywhere(17, -0.f, -0.f, [](auto x) { return x * 1.f + 0.f; });
    expect_everywhere(17, support::half(-0.f), support::half(-0.f), [](auto x) { return sinter::scale_bias(x, 1, 0); });
    expect_everywhere(17, 0.f, -0.f, [](auto x) { return -x; });
}

TEST_CASE("I1: a negative intermediate on an unsigned type is 0") {
    expect_everywhere(33, u8{1}, u8{0}, [](auto x) { return sinter::shrink(x, 3, 0); });
    expect_everywhere(33, u16{1}, u16{0}, [](auto x) { return sinter::shrink(x, 3, 0); });
    expect_everywhere(33, u32{1}, u32{0}, [](auto x) { return sinter::shrink(x, 3, 0); });
    expect_everywhere(33, -3.7f, u8{0}, [](auto x) { return sinter::cast<u8>(x); });
    expect_everywhere(33, -3e9f, u32{0}, [](auto x) { return sinter::cast_rne<u32>(x); });
}

TEST_CASE("I2: the upper half of an unsigned type survives every narrowing") {
    expect_everywhere(33, u8{250}, u8{250}, [](auto x) { return sinter::shrink(x); });
    expect_everywhere(33, u16{60000}, u16{60000}, [](auto x) { return sinter::shrink(x); });
    expect_everywhere(33, u16{60000}, u16{60000}, [](auto x) { return sinter::scale_bias(x, 1, 0); });
    expect_everywhere(33, u16{60000}, u16{60001}, [](auto x) { return x + 1; });
    expect_everywhere(33, u16{60000}, u8{255}, [](auto x) { return sinter::cast<u8>(x); });
    expect_everywhere(33, u32{4000000000u}, u16{65535}, [](auto x) { return sinter::cast<u16>(x); });
    expect_everywhere(33, 60000.f, u16{60000}, [](auto x) { return sinter::cast<u16>(x); });
    expect_everywhere(33, u32{4000000000u}, 4000000000.f, [](auto x) { return sinter::cast<float>(x); });
    expect_everywhere(33, u32{4000000000u}, u32{4000000000u}, [](auto x) { return sinter::threshold(x, 3e9); });
}

TEST_CASE("I3: -threshold on an unsigned type is no large number") {
    const auto soft = [](auto x) { return sinter::shrink(x, 10, 2); };
    expect_values<u8>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
    expect_values<u16>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
    expect_values<u32>({37, 1, 1, 11}, {27, 0, 0, 1}, soft);
}

TEST_CASE("I8: fractional parameters on integers") {
    expect_values<i8>({1, 2, 3, 4, -1, -2, -3}, {0, 2, 2, 4, 0, -2, -2},
                      [](auto x) { return sinter::shrink(x, .5, .5); });
    expect_values<i8>({1, 3, -1, -3}, {0, 1, 0, -1}, [](auto x) { return sinter::scale_bias(x, .5, .25); });
    expect_values<i8>({0, 1, 2, -2}, {1, 1, 2, 1}, [](auto x) { return sinter::threshold(x, 1.5); });
    expect_values<i8>({0, -1, -2, -3}, {0, -1, -1, -1}, [](auto x) { return sinter::threshold(x, -1.5); });
}

TEST_CASE("I9: where integers saturate, and where they wrap") {
    expect_everywhere(33, i8{100}, i8{127}, [](auto x) { return sinter::scale_bias(x, 2, 0); });
    expect_everywhere(33, i8{100}, i8{-56}, [](auto x) { return x * 2; });
    expect_everywhere(33, u8{200}, u8{250}, [](auto x) { return sinter::scale_bias(x, 2, -150); });
    expect_everywhere(33, u8{200}, u8{250}, [](auto x) { return x * 2 - 150; });
    expect_everywhere(33, u8{200}, u8{105},
                      [](auto x) { return sinter::scale_bias(sinter::scale_bias(x, 2, 0), 1, -150); });
    expect_everywhere(33, i8{-128}, i8{-128}, [](auto x) { return -x; });
    expect_everywhere(33, i8{-128}, i8{-128}, [](auto x) { return sinter::abs(x); });
    expect_everywhere(33, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::min(), [](auto x) { return -x; });
    expect_everywhere(33, std::numeric_limits<i32>::max(), i32{-2}, [](auto x) { return x + x; });
    expect_everywhere(33, u16{65535}, u16{1}, [](auto x) { return x * x; });
}

TEST_CASE("I11: -1, INT_MIN and UINT32_MAX as constants and scalars") {
    expect_everywhere(9, i32{5}, i32{-5}, [](auto x) { return sinter::map([](auto v) { return v * -1; }, x); });
    expect_everywhere(9, i32{5}, i32{5 + lowest}, [](auto x) { return x + lowest; });
    expect_everywhere(9, i32{5}, i32{5},
                      [](auto x) { return sinter::map([](auto v) { return sinter::select(v > lowest, v, -1); }, x); });
    expect_everywhere(9, u32{5}, u32{4}, [](auto x) { return sinter::map([](auto v) { return v + 4294967295u; }, x); });
    expect_everywhere(9, u32{5}, u32{5}, [](auto x) { return sinter::min(x, 4294967295u); });
    expect_everywhere(9, u32{4294967295u}, i32{1}, [](auto x) { return sinter::cast<i32>(x == 4294967295u); });
}

TEST_CASE("A6: padding between rows stays as it is") {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<u8> m(5 * 40, 0xab);
        const auto rows = view(m.data(), {40, 3}, {5, 1});
        sinter::evaluate(backend, sinter::cast<u8>(rows > 1) + 4, rows);
        for (std::size_t i = 0; i < m.size(); ++i) CHECK(m[i] == (i % 5 < 3 ? 5 : 0xab));
        std::vector<u8> wide(205 * 3, 0xab);
        sinter::evaluate(backend, view(m.data(), {1}) * 7, view(wide.data(), {3, 200}, {205, 1}));
        for (std::size_t i = 0; i < wide.size(); ++i) CHECK(wide[i] == (i % 205 < 200 ? 35 : 0xab));
    });
}

TEST_CASE("S1: a column of a matrix, whatever the strides are") {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        for (std::size_t n = 1; n <= 65; ++n) {
            for (const std::ptrdiff_t k : {2, 3, 7}) {
                std::vector<float> in(65 * 7), out(65);
                for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
                sinter::evaluate(backend, view(in.data(), {n, std::size_t{1}}, {k, std::ptrdiff_t{1}}) + 1.f,
                                 view(out.data(), {n, std::size_t{1}}));
                for (std::size_t i = 0; i < 65; ++i)
                    CHECK(out[i] == (i < n ? static_cast<float>(i) * static_cast<float>(k) + 1.f : 0.f));
            }
        }
    });
}

TEST_CASE_TEMPLATE("S6: small outputs touch no neighbour in their word", T, u8, i8, sinter::float16, u16) {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const T one = static_cast<T>(1.f), mark = static_cast<T>(77.f);
        for (const std::size_t n : {1u, 2u, 3u, 5u, 6u, 7u, 4097u}) {
            for (const std::ptrdiff_t stride : {1, 3}) {
                const std::vector<T> in(n, one);
                std::vector<T> out(3 * n + 8, mark);
                sinter::evaluate(backend, sinter::scale_bias(view(in), 2, 0), view(out.data() + 3, {n}, {stride}));
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const auto step = static_cast<std::size_t>(stride);
                    const bool written = i >= 3 && (i - 3) % step == 0 && (i - 3) / step < n;
                    wrong += same(out[i], written ? static_cast<T>(2.f) : mark) ? 0 : 1;
                }
                CHECK(wrong == 0);
            }
        }
    });
}

TEST_CASE_TEMPLATE("S9: buffers between unreadable pages, strided and backwards", T, float, u16, u8) {
    const support::guarded_page in, out;
    const std::size_t fits = in.size() / sizeof(T);
    T* const from = reinterpret_cast<T*>(in.first());
    T* const to = reinterpret_cast<T*>(out.first());
    for (std::size_t i = 0; i < fits; ++i) from[i] = static_cast<T>(i % 100);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        for (std::size_t n = 1; n <= 130; ++n) {
            const std::size_t end = fits - 3 * (n - 1) - 1;
            const auto every_third = view(from + end, {n}, {3});
            sinter::evaluate(backend, sinter::scale_bias(every_third, 1, 1), view(to + end, {n}, {3}));
            CHECK(to[fits - 1] == static_cast<T>(from[fits - 1] + 1));
            sinter::evaluate(backend, sinter::scale_bias(sinter::reverse(view(from, {n}), 0), 1, 2), view(to, {n}));
            CHECK(to[0] == static_cast<T>(from[n - 1] + 2));
            sinter::evaluate(backend, sinter::scale_bias(view(from + fits - 1, {n}, {0}), 1, 3),
                             view(to + fits - n, {n}));
            CHECK(to[fits - n] == static_cast<T>(from[fits - 1] + 3));
        }
    });
}

#if !defined(_WIN32)
TEST_CASE("S10: elements more than 4 GiB apart") {
    constexpr std::size_t rows = 3, row = std::size_t{1} << 31, bytes = rows * row;
    void* const mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    auto* const m = static_cast<u8*>(mapped);
    const auto in = view(m, {rows, std::size_t{2}}, {row, std::size_t{1}});
    const auto out = view(m + 8, {rows, std::size_t{2}}, {row, std::size_t{1}});
    for (std::size_t i = 0; i < rows; ++i) in(i, 1) = static_cast<u8>(i + 1);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, in * 10, out);
        for (std::size_t i = 0; i < rows; ++i) {
            CHECK(out(i, 1) == 10 * (i + 1));
            CHECK(out(i, 0) == 0);
            out(i, 1) = 0;
        }
        sinter::evaluate(backend, sinter::reverse(in, 0) * 10, sinter::reverse(out, 1));
        CHECK(out(0, 0) == 30);
        CHECK(out(2, 0) == 10);
        for (std::size_t i = 0; i < rows; ++i) out(i, 0) = 0;
    });
    munmap(mapped, bytes);
}
#endif
