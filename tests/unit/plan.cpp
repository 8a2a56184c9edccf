// The plan: which dimensions are left, in which order, and which kind of loop they make.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"

using sinter::element_type;
using sinter::loop_kind;

namespace {

using sizes = std::vector<std::size_t>;
using strides = std::vector<std::ptrdiff_t>;

struct given {
    std::uint64_t address;
    sizes n;
    strides s;
    element_type type = element_type::float32;

    sinter::operand_view view() const { return {address, type, n.size(), n.data(), s.data()}; }
};

sinter::plan planned(const std::vector<given>& inputs, const given& output) {
    std::vector<sinter::operand_view> views;
    for (const given& g : inputs) views.push_back(g.view());
    sinter::plan p;
    sinter::make_plan(p, views.data(), views.size(), output.view());
    return p;
}

sizes sizes_of(const sinter::plan& p) { return {p.sizes.begin(), p.sizes.begin() + static_cast<int>(p.rank)}; }
strides strides_of(const sinter::plan& p, std::size_t operand) {
    const auto& s = p.operands[operand].strides;
    return {s.begin(), s.begin() + static_cast<int>(p.rank)};
}

constexpr std::uint64_t a = 1 << 20, b = 2 << 20, c = 3 << 20;

}  // namespace

TEST_CASE("packed operands of any rank are one run") {
    const auto p = planned({{a, {2, 3, 4}, {12, 4, 1}}}, {c, {2, 3, 4}, {12, 4, 1}});
    CHECK(p.kind == loop_kind::packed);
    CHECK(sizes_of(p) == sizes{24});
    CHECK(p.count == 24);
    CHECK(p.narrow_indices);
    CHECK(!p.in_place);
    CHECK(p.output().type == element_type::float32);
}

TEST_CASE("dimensions of size 1 are gone, whatever their stride") {
    const auto p = planned({{a, {1, 24, 1}, {7, 1, -9}}}, {c, {1, 24, 1}, {0, 1, 5}});
    CHECK(p.kind == loop_kind::packed);
    CHECK(sizes_of(p) == sizes{24});
    const auto one = planned({{a, {1, 1}, {0, 0}}}, {c, {1, 1}, {3, 3}});
    CHECK(one.count == 1);
    CHECK(sizes_of(one) == sizes{1});
    CHECK(one.kind == loop_kind::packed);
}

TEST_CASE("rows with gaps") {
    const auto p = planned({{a, {3, 4, 5}, {20, 5, 1}}}, {c, {3, 4, 5}, {32, 8, 1}});
    CHECK(p.kind == loop_kind::rows);
    CHECK(sizes_of(p) == sizes{12, 5});
    CHECK(strides_of(p, 0) == strides{5, 1});
    CHECK(strides_of(p, 1) == strides{8, 1});
}

TEST_CASE("the output's order in memory is the loop's") {
    // Both transposed alike: packed again.
    CHECK(planned({{a, {3, 4}, {1, 3}}}, {c, {3, 4}, {1, 3}}).kind == loop_kind::packed);
    // Only the input: strided.
    const auto p = planned({{a, {3, 4}, {1, 3}}}, {c, {3, 4}, {4, 1}});
    CHECK(p.kind == loop_kind::strided);
    CHECK(strides_of(p, 0) == strides{1, 3});
    // Only the output: its innermost dimension in memory comes last.
    const auto q = planned({{a, {3, 4}, {4, 1}}}, {c, {3, 4}, {1, 3}});
    CHECK(sizes_of(q) == sizes{4, 3});
    CHECK(strides_of(q, 1) == strides{3, 1});
    CHECK(strides_of(q, 0) == strides{1, 4});
}

TEST_CASE("what the output runs through backwards is turned around for everyone") {
    const auto p = planned({{a + 4 * 11, {3, 4}, {-4, -1}}}, {c + 4 * 11, {3, 4}, {-4, -1}});
    CHECK(p.kind == loop_kind::packed);
    CHECK(p.operands[0].offset == -11);
    CHECK(p.output().offset == -11);
    const auto q = planned({{a, {4}, {1}}}, {c + 4 * 3, {4}, {-1}});
    CHECK(q.kind == loop_kind::strided);
    CHECK(q.operands[0].offset == 3);
    CHECK(strides_of(q, 0) == strides{-1});
    CHECK(q.output().offset == -3);
}

TEST_CASE("broadcast inputs have strides of 0, and block merging where they differ") {
    const auto p = planned({{a, {4}, {1}}, {b, {3, 1}, {1, 9}}}, {c, {2, 3, 4}, {12, 4, 1}});
    CHECK(sizes_of(p) == sizes{2, 3, 4});
    CHECK(strides_of(p, 0) == strides{0, 0, 1});
    CHECK(strides_of(p, 1) == strides{0, 1, 0});
    CHECK(p.kind == loop_kind::strided);
    const auto scalar = planned({{a, {1}, {1}}}, {c, {2, 3, 4}, {12, 4, 1}});
    CHECK(sizes_of(scalar) == sizes{24});
    CHECK(strides_of(scalar, 0) == strides{0});
}

TEST_CASE("in place is known per input") {
    const auto p = planned({{a, {8}, {1}}, {c, {8}, {1}, element_type::int32}}, {c, {8}, {1}});
    CHECK(p.in_place);
    CHECK(!p.operands[0].in_place);
    CHECK(p.operands[1].in_place);
    CHECK(p.operands[1].type == element_type::int32);
}

TEST_CASE("S10: indices are 64 bits wide where they must be") {
    // The last element lies 65536 * 65537 + 1 elements behind the first: beyond 32 bits.
    const given large{a, {65537, 2}, {65537, 1}, element_type::uint8};
    const auto p = planned({{a + (std::uint64_t{1} << 40), {65537, 2}, {65537, 1}, element_type::uint8}}, large);
    CHECK(!p.narrow_indices);
    CHECK(sizes_of(p) == sizes{65537, 2});
    // A shift by the extent as 32 bits have it would still share elements.
    const std::uint64_t extent = 65536ull * 65537 + 2;
    sinter::plan q;
    for (const std::uint64_t shift : {extent - 1, extent - 65538}) {
        const given near{a + shift, {65537, 2}, {65537, 1}, element_type::uint8};
        const auto view = near.view();
        support::expect_error(sinter::errc::overlap, {"{65537, 2}"}, [&] { make_plan(q, &view, 1, large.view()); });
    }
    CHECK(planned({{a + extent, {65537, 2}, {65537, 1}, element_type::uint8}}, large).count == 131074);

    const std::size_t most = (std::size_t{1} << 31) - 1;
    CHECK(planned({}, {a, {most}, {1}}).narrow_indices);
    CHECK(!planned({}, {a, {most + 1}, {1}}).narrow_indices);
    CHECK(!planned({{a, {2}, {std::ptrdiff_t{1} << 31}}}, {c, {2}, {1}}).narrow_indices);
}

TEST_CASE("ranks beyond the output's are an error at run time") {
    support::expect_error(sinter::errc::rank, {"input 1", "{1, 4}", "the output", "{4}"},
                          [&] { planned({{a, {1, 4}, {4, 1}}}, {c, {4}, {1}}); });
}

// The loop of any plan visits exactly the pairs of elements that the operands' own indices name.
TEST_CASE("a plan visits every element once, paired as the indices say") {
    std::mt19937 random(9);
    const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int round = 0; round < 3000; ++round) {
        const auto rank = static_cast<std::size_t>(number(1, 8));
        given out{c, {}, {}}, in{a, {}, {}};
        std::ptrdiff_t next = 1;
        for (std::size_t d = 0; d < rank; ++d) {
            out.n.push_back(static_cast<std::size_t>(number(1, 3)));
            out.s.push_back(number(0, 1) == 0 ? next : -next);
            next *= static_cast<std::ptrdiff_t>(out.n[d]) + (number(0, 3) == 0 ? 1 : 0);
            const bool repeated = number(0, 3) == 0;
            in.n.push_back(repeated ? 1 : out.n[d]);
            in.s.push_back(number(-20, 20));
        }
        for (std::size_t d = rank; d > 1; --d) {
            const auto other = static_cast<std::size_t>(number(0, static_cast<int>(d) - 1));
            std::swap(out.n[d - 1], out.n[other]);
            std::swap(out.s[d - 1], out.s[other]);
            std::swap(in.n[d - 1], in.n[other]);
            std::swap(in.s[d - 1], in.s[other]);
        }
        std::multiset<std::pair<std::ptrdiff_t, std::ptrdiff_t>> expected, visited;
        std::size_t count = 1;
        for (const std::size_t size : out.n) count *= size;
        for (std::size_t n = 0; n < count; ++n) {
            std::size_t rest = n;
            std::ptrdiff_t from = 0, to = 0;
            for (std::size_t d = rank; d-- > 0;) {
                const auto index = static_cast<std::ptrdiff_t>(rest % out.n[d]);
                rest /= out.n[d];
                to += index * out.s[d];
                if (in.n[d] != 1) from += index * in.s[d];
            }
            expected.emplace(from, to);
        }
        const sinter::plan p = planned({in}, out);
        for (std::size_t n = 0; n < p.count; ++n) {
            std::size_t rest = n;
            std::ptrdiff_t from = p.operands[0].offset, to = p.output().offset;
            for (std::size_t d = p.rank; d-- > 0;) {
                const auto index = static_cast<std::ptrdiff_t>(rest % p.sizes[d]);
                rest /= p.sizes[d];
                from += index * p.operands[0].strides[d];
                to += index * p.output().strides[d];
            }
            visited.emplace(from, to);
        }
        REQUIRE(visited == expected);
        for (std::size_t d = 1; d < p.rank; ++d) {
            CHECK(p.output().strides[d] > 0);
            CHECK(p.output().strides[d - 1] > p.output().strides[d]);
        }
    }
}
