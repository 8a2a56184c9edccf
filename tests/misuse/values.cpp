// Scalars that a type cannot hold, tensors without memory or too large, targets that a machine lacks.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "refusals.hpp"
#include "support/elements.hpp"

using misuse::expect_refusal;
using sinter::errc;
using sinter::view;
using support::expect_error;

TEST_CASE("a scalar outside the element type's range is refused where its value matters") {
    std::vector<std::int8_t> m(8, 1);
    std::vector<std::uint8_t> bytes(8, 1);
    std::vector<std::uint32_t> words(8, 1);
    const auto x = view(m);
    const auto b = view(bytes);
    expect_error(errc::value, {"200", "int8", "-128", "127"}, [&] { (void)sinter::min(x, 200); });
    expect_error(errc::value, {"-129", "int8", "-128", "127"}, [&] { (void)sinter::max(-129, x); });
    expect_error(errc::value, {"-1", "uint8", "0", "255"}, [&] { (void)sinter::clamp(b, -1, 10); });
    expect_error(errc::value, {"256", "uint8"}, [&] { (void)sinter::clamp(b, 0, 256); });
    expect_error(errc::value, {"256", "uint8"}, [&] { (void)(b < 256); });
    expect_error(errc::value, {"-1", "uint8"}, [&] { (void)(-1 == b); });
    expect_error(errc::value, {"128", "int8"}, [&] { (void)sinter::select(x > 0, x, 128); });
    expect_error(errc::value, {"300", "int8"}, [&] { (void)sinter::select(x > 0, 1, 300); });
    expect_error(errc::value, {"4294967296", "uint32", "4294967295"},
                 [&] { (void)(view(words) != std::int64_t{4294967296}); });
    expect_error(errc::value, {"18446744073709551615", "int8"},
                 [&] { (void)sinter::min(x, std::numeric_limits<std::uint64_t>::max()); });
    expect_error(errc::value, {"1000", "int8"},
                 [&] { (void)sinter::map([](auto v, auto s) { return v + s; }, x, 1000); });
    // The ends of the range are inside.
    (void)sinter::clamp(x, -128, 127);
    (void)sinter::clamp(b, 0u, 255u);
    (void)(view(words) <= 4294967295u);
}

TEST_CASE("in + - * integral scalars wrap") {
    std::vector<std::int8_t> x{1, -128, 127, 100}, out(4);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, view(x) + 256, out);
        CHECK(out == x);
        sinter::evaluate(backend, view(x) + 255, out);
        CHECK(out == std::vector<std::int8_t>{0, 127, 126, 99});
        sinter::evaluate(backend, std::int64_t{-3000000000} - view(x), out);
        CHECK(out == std::vector<std::int8_t>{-1, -128, -127, -100});
        sinter::evaluate(backend, view(x) * 65537, out);
        CHECK(out == x);
    });
}

TEST_CASE("a tensor with elements needs memory") {
    std::vector<float> m(8, 1.f);
    float* const nowhere = nullptr;
    expect_refusal(errc::null_data, {"input 1", "sizes {2, 4}", "null"}, m, -view(nowhere, {2, 4}),
                   view(m.data(), {2, 4}));
    expect_refusal(errc::null_data, {"input 2", "null"}, m, view(m) + view(nowhere, {1}), view(m));
    expect_refusal(errc::null_data, {"the output", "sizes {8}", "null"}, m, -view(m), view(nowhere, {8}));
    const sinter::tensor_view<float, 1> unset;
    CHECK(unset.size() == 0);
    sinter::evaluate(-unset, unset);
}

TEST_CASE("sizes beyond index arithmetic are refused, never wrapped") {
    std::vector<float> m(8, 1.f);
    float* const p = m.data();
    constexpr std::size_t half = std::size_t{1} << 32;
    const auto out = view(p + 4, {1});
    expect_refusal(errc::too_large, {"the output", "sizes {4294967296, 4294967296}"}, m, -view(p, {1}),
                   view(p, {half, half}));
    expect_refusal(errc::too_large, {"the output"}, m, -view(p, {1}), view(p, {half, std::size_t{1} << 29}));
    expect_refusal(errc::too_large, {"the output", "18446744073709551615"}, m, -view(p, {1}),
                   view(p, {~std::size_t{0}}));
    expect_refusal(errc::too_large, {"the output", "strides {1152921504606846976}"}, m, -out,
                   view(p, {2}, {std::size_t{1} << 60}));
    expect_refusal(errc::too_large, {"input 1", "strides {-9223372036854775808}"}, m,
                   -view(p, {2}, {std::numeric_limits<std::ptrdiff_t>::min()}), view(p + 4, {2}));
    expect_refusal(errc::too_large, {"input 1", "4611686018427387904"}, m,
                   -view(p, {5, 2}, {std::ptrdiff_t{1} << 62, std::ptrdiff_t{1}}), view(p, {5, 2}));
}

TEST_CASE("an owning tensor that memory cannot hold") {
    constexpr std::size_t half = std::size_t{1} << 32;
    expect_error(errc::too_large, {"4294967296, 4294967296"},
                 [&] { sinter::tensor<float, 2>({support::hidden(half), half}); });
    expect_error(errc::too_large, {"4611686018427387904"},
                 [&] { sinter::tensor<float, 1>({support::hidden(std::size_t{1} << 62)}); });
    expect_error(errc::too_large, {"18446744073709551615"},
                 [&] { sinter::tensor<std::int8_t, 1>({support::hidden(~std::size_t{0})}); });
    CHECK(sinter::tensor<float, 3>({half, half, 0}).size() == 0);
    std::vector<float> one(1);
    expect_error(errc::too_large, {"4294967296"},
                 [&] { sinter::materialize(view(one.data(), {half, half}, {0, 0}) + 1.f); });
}

TEST_CASE("a forced target that is absent is unsupported, and the refusal names what there is") {
    using sinter::cpu::target;
    std::vector<float> x(8, 1.f), out(8, 5.f);
    std::size_t absent = 0;
    for (const target t : {target::sse2, target::avx2, target::avx512, target::neon}) {
        const sinter::cpu::highway forced(t);
        CHECK(forced.target() == t);
        if (is_available(t)) {
            sinter::evaluate(forced, -view(x), out);
            CHECK(out[7] == -1.f);
            continue;
        }
        ++absent;
        out.assign(8, 5.f);
        expect_error(errc::unsupported, {name(t), name(sinter::cpu::highway{}.target())},
                     [&] { sinter::evaluate(forced, -view(x), out); });
        CHECK(out == std::vector<float>(8, 5.f));
        expect_error(errc::unsupported, {name(t)}, [&] { sinter::evaluate(forced, view(x), out); });
        std::vector<float> none;
        expect_error(errc::unsupported, {name(t)}, [&] { sinter::evaluate(forced, -view(none), none); });
    }
    // No processor has both families.
    CHECK(absent > 0);
    CHECK(is_available(sinter::cpu::highway{}.target()));
}

TEST_CASE("every code has a name, and a message says whose it is") {
    CHECK(std::string(name(errc::shape)) == "shape");
    CHECK(std::string(name(errc::invalid_descriptor)) == "invalid_descriptor");
    const sinter::error failure(errc::timeout, "late");
    CHECK(std::string(failure.what()) == "sinter: late");
    CHECK(failure.code() == errc::timeout);
}
