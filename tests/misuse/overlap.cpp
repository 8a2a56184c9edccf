// Outputs that share elements with an input or with themselves: refused before anything is written. In place, and
// interleaved without sharing: accepted.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "refusals.hpp"
#include "support/elements.hpp"

using misuse::expect_refusal;
using sinter::errc;
using sinter::view;

namespace {

std::vector<float> ramp(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.f);
    return values;
}

}  // namespace

TEST_CASE("A2: an output shifted against its input is refused in both directions") {
    std::vector<float> m = ramp(64);
    for (const std::size_t shift : {1u, 2u, 3u, 7u, 31u}) {
        INFO(shift);
        expect_refusal(errc::overlap, {"input 1", "the output", "sizes {32}", "strides {1}"}, m,
                       view(m.data(), {32}) | sinter::shrink(), view(m.data() + shift, {32}));
        expect_refusal(errc::overlap, {"input 1", "the output"}, m, view(m.data() + shift, {32}) * 2.f,
                       view(m.data(), {32}));
        expect_refusal(errc::overlap, {"input 2", "the output"}, m,
                       view(m.data() + 63, {1}) + view(m.data() + shift, {8, 4}), view(m.data(), {8, 4}));
    }
    sinter::evaluate(-view(m.data(), {32}), view(m.data() + 32, {32}));
    CHECK(m[32] == -1.f);
    CHECK(m[63] == -32.f);
    sinter::evaluate(-view(m.data() + 32, {32}), view(m.data(), {32}));
    CHECK(m[0] == 1.f);
}

TEST_CASE("A2: interleaved views that share no element are accepted") {
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<float> m = ramp(300);
        sinter::evaluate(backend, -view(m.data(), {150}, {2}), view(m.data() + 1, {150}, {2}));
        for (std::size_t i = 0; i < 300; ++i)
            CHECK(m[i] == (i % 2 == 0 ? 1.f : -1.f) * static_cast<float>(i / 2 * 2 + 1));
        // Columns 0 to 2 of a matrix into columns 3 and 4 of it, and backwards.
        m = ramp(100);
        const auto matrix = view(m.data(), {10, 10});
        sinter::evaluate(backend, sinter::slice(matrix, 1, 0, 3) * 100, sinter::slice(matrix, 1, 4, 7));
        CHECK(m[4] == 100.f);
        CHECK(m[96] == 9300.f);
        CHECK(m[97] == 98.f);
        sinter::evaluate(backend, sinter::reverse(sinter::slice(matrix, 0, 0, 10, 2), 0) + 0,
                         sinter::slice(matrix, 0, 1, 10, 2));
        CHECK(m[10] == 81.f);
        CHECK(m[90] == 1.f);
        expect_refusal(errc::overlap, {"{10, 3}", "strides {10, 1}"}, m, sinter::slice(matrix, 1, 0, 3) * 2,
                       sinter::slice(matrix, 1, 2, 5));
    });
}

TEST_CASE("A4: an output that names one element twice is refused") {
    std::vector<float> m = ramp(64);
    const auto x = view(m.data() + 32, {2, 4});
    expect_refusal(errc::overlap, {"the output", "sizes {2, 4}", "strides {0, 1}", "itself"}, m, -x,
                   view(m.data(), {2, 4}, {0, 1}));
    expect_refusal(errc::overlap, {"the output", "strides {1, 1}"}, m, -x, view(m.data(), {2, 4}, {1, 1}));
    expect_refusal(errc::overlap, {"the output", "strides {3, 1}"}, m, -x, view(m.data(), {2, 4}, {3, 1}));
    expect_refusal(errc::overlap, {"the output", "strides {-3, 1}"}, m, -x, view(m.data() + 8, {2, 4}, {-3, 1}));
    expect_refusal(errc::overlap, {"the output", "strides {4, 0}"}, m, -x, view(m.data(), {2, 4}, {4, 0}));
    expect_refusal(errc::overlap, {"the output", "itself"}, m, -x, sinter::broadcast_to(view(m.data(), {4}), {2, 4}));
    // 2 * 3 = 3 * 2: the elements {3, 0} and {0, 2} are one.
    expect_refusal(errc::overlap, {"the output", "itself"}, m, -view(m.data() + 40, {1}),
                   view(m.data(), {4, 3}, {2, 3}));
    // The same strides with fewer elements never meet.
    sinter::evaluate(-view(m.data() + 40, {1}), view(m.data(), {3, 2}, {2, 3}));
    CHECK(m[7] == -41.f);
    CHECK(m[1] == 2.f);
    CHECK(m[6] == 7.f);
    // A stride of 0 where the size is 1 repeats nothing.
    sinter::evaluate(-view(m.data() + 40, {1, 4}), view(m.data(), {1, 4}, {0, 1}));
    CHECK(m[3] == -44.f);
}

TEST_CASE("A1: in place, every element is computed once, at every size") {
    // 3 * x + 1 applied twice would be 9 * x + 4.
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        for (std::size_t n = 1; n <= 130; ++n) {
            std::vector<float> m = ramp(n);
            sinter::evaluate(backend, view(m) | sinter::scale_bias(3, 1) | sinter::shrink(1, 0.5), m);
            for (std::size_t i = 0; i < n; ++i) CHECK(m[i] == 3.f * static_cast<float>(i + 1));
        }
    });
}

TEST_CASE("in place is the same region with the same strides and element size") {
    std::vector<float> m = ramp(64);
    const auto square = view(m.data(), {4, 4});
    // The element type may change, if its size does not.
    auto* const integers = reinterpret_cast<std::int32_t*>(m.data() + 32);
    sinter::evaluate(sinter::cast<std::int32_t>(view(m.data() + 32, {8})), view(integers, {8}));
    CHECK(std::bit_cast<std::int32_t>(m[33]) == 34);
    // Ranks may differ, size-1 dimensions do not count.
    sinter::evaluate(view(m.data(), {16}) + 0.f, view(m.data(), {1, 1, 16}));
    CHECK(m[15] == 16.f);
    // Several inputs may be the output.
    sinter::evaluate(square + square * square, square);
    CHECK(m[3] == 20.f);
    // Strided, padded and backwards.
    sinter::evaluate(sinter::reverse(square, 1) * 1.f, sinter::reverse(square, 1));
    const float before = m[5];
    sinter::evaluate(-view(m.data(), {3, 4}, {5, 1}), view(m.data(), {3, 4}, {5, 1}));
    CHECK(m[5] == -before);

    expect_refusal(errc::overlap, {"input 1", "strides {1, 4}", "strides {4, 1}"}, m, -sinter::transpose(square),
                   square);
    expect_refusal(errc::overlap, {"input 1", "strides {-4, 1}", "strides {4, 1}"}, m, -sinter::reverse(square, 0),
                   square);
    expect_refusal(errc::overlap, {"input 2", "strides {1, 4}"}, m, square + sinter::transpose(square), square);
    // One row, as every row's input.
    expect_refusal(errc::overlap, {"sizes {4}", "sizes {4, 4}"}, m, -view(m.data(), {4}), square);
    expect_refusal(errc::overlap, {"sizes {1}", "sizes {4}"}, m, -view(m.data(), {1}), view(m.data(), {4}));
    expect_refusal(errc::overlap, {"sizes {1}", "sizes {4}"}, m, -view(m.data() + 3, {1}), view(m.data(), {4}));
    // A transposed row is the row.
    sinter::evaluate(-sinter::transpose(view(m.data(), {4, 1}, {1, 9})), view(m.data(), {1, 4}));
}

TEST_CASE("element sizes that differ meet byte by byte") {
    std::vector<std::uint8_t> m(64, 3);
    auto* const words = reinterpret_cast<std::uint16_t*>(m.data());
    const auto bytes = [&](std::size_t first, std::ptrdiff_t stride) { return view(m.data() + first, {8}, {stride}); };
    using sinter::cast;
    expect_refusal(errc::overlap, {"uint8", "uint16"}, m, cast<std::uint16_t>(bytes(0, 1)), view(words, {8}));
    expect_refusal(errc::overlap, {"uint8", "uint16"}, m, cast<std::uint16_t>(bytes(15, 1)), view(words, {8}));
    expect_refusal(errc::overlap, {"uint16", "uint8"}, m, cast<std::uint8_t>(view(words, {8})), bytes(0, 1));
    sinter::evaluate(cast<std::uint16_t>(bytes(16, 1)), view(words, {8}));
    CHECK(m[0] == 3);
    CHECK(m[1] == 0);
    // Every other word against the bytes of the words between.
    sinter::evaluate(cast<std::uint16_t>(bytes(2, 4)), view(words, {8}, {2}));
    sinter::evaluate(cast<std::uint16_t>(bytes(3, 4)), view(words, {8}, {2}));
    expect_refusal(errc::overlap, {"strides {4}", "strides {2}"}, m, cast<std::uint16_t>(bytes(1, 4)),
                   view(words, {8}, {2}));
}

TEST_CASE("what would take too long to decide is refused, and says so") {
    // Eight dimensions whose strides have nothing in common; no two elements meet, but the search is long.
    const sinter::tensor_view<std::uint8_t, 8> out(
        nullptr, {4, 4, 4, 4, 4, 4, 4, 4},
        {11467575, 12360905, 10923403, 13965821, 11862619, 13879121, 13455621, 16697469});
    sinter::operand_view described = sinter::detail::describe_view(out);
    described.address = 4096;
    sinter::plan p;
    support::expect_error(sinter::errc::overlap, {"the output", "strides {11467575", "not decided"},
                          [&] { sinter::make_plan(p, nullptr, 0, described); });
}
