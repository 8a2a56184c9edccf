// Overlap is decided exactly: thousands of small strided views against sets of addresses.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using sinter::element_type;

struct region {
    std::uint64_t address = 0;
    element_type type{};
    std::vector<std::size_t> sizes;
    std::vector<std::ptrdiff_t> strides;

    sinter::operand_view view() const { return {address, type, sizes.size(), sizes.data(), strides.data()}; }
};

// The addresses of all elements, in row-major order.
std::vector<std::uint64_t> elements_of(const region& r) {
    std::vector<std::uint64_t> all{r.address};
    for (std::size_t d = 0; d < r.sizes.size(); ++d) {
        std::vector<std::uint64_t> next;
        for (const std::uint64_t address : all)
            for (std::size_t i = 0; i < r.sizes[d]; ++i)
                next.push_back(address + static_cast<std::uint64_t>(static_cast<std::ptrdiff_t>(i) * r.strides[d] *
                                                                    static_cast<std::ptrdiff_t>(size_of(r.type))));
        all = next;
    }
    return all;
}

bool names_an_element_twice(const region& r) {
    const std::vector<std::uint64_t> all = elements_of(r);
    return std::set<std::uint64_t>(all.begin(), all.end()).size() != all.size();
}

bool share_a_byte(const region& a, const region& b) {
    std::set<std::uint64_t> bytes;
    for (const std::uint64_t address : elements_of(a))
        for (std::size_t i = 0; i < size_of(a.type); ++i) bytes.insert(address + i);
    for (const std::uint64_t address : elements_of(b))
        for (std::size_t i = 0; i < size_of(b.type); ++i)
            if (bytes.contains(address + i)) return true;
    return false;
}

bool is_in_place(const region& input, const region& output) {
    return size_of(input.type) == size_of(output.type) && elements_of(input) == elements_of(output);
}

std::string text_of(const region& r) {
    return std::to_string(r.address) + " " + sinter::detail::describe_operand(r.view(), 0, false);
}

class source {
public:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

    region any(std::size_t rank, int widest_stride) {
        constexpr std::array types{element_type::uint8, element_type::float16, element_type::float32};
        region r;
        r.address = 4096 + static_cast<std::uint64_t>(number(0, 48));
        r.type = types[static_cast<std::size_t>(number(0, 2))];
        for (std::size_t d = 0; d < rank; ++d) {
            r.sizes.push_back(static_cast<std::size_t>(number(1, 4)));
            r.strides.push_back(number(-widest_stride, widest_stride));
        }
        return r;
    }

private:
    std::mt19937 random_{4};
};

// Whether make_plan refuses for overlap. Another refusal, or one for want of time, fails the test.
bool is_refused(const region& output, const region* input) {
    sinter::plan p;
    try {
        const sinter::operand_view given = input != nullptr ? input->view() : sinter::operand_view{};
        sinter::make_plan(p, &given, input != nullptr ? 1 : 0, output.view());
    } catch (const sinter::error& failure) {
        REQUIRE_MESSAGE(failure.code() == sinter::errc::overlap, failure.what());
        CHECK(std::string(failure.what()).find("not decided") == std::string::npos);
        return true;
    }
    if (input != nullptr && p.count < 1000) CHECK(p.in_place == is_in_place(*input, output));
    return false;
}

}  // namespace

TEST_CASE("an output with itself") {
    source random;
    int twice = 0;
    for (int i = 0; i < 20000; ++i) {
        const region out = random.any(static_cast<std::size_t>(random.number(1, 4)), i % 2 == 0 ? 6 : 40);
        const bool expected = names_an_element_twice(out);
        twice += expected ? 1 : 0;
        if (is_refused(out, nullptr) != expected) FAIL_CHECK(text_of(out) << " should be refused: " << expected);
    }
    // Both answers occur often, else this would show nothing.
    CHECK(twice > 4000);
    CHECK(twice < 16000);
}

TEST_CASE("an input with the output") {
    source random;
    int shared = 0, apart = 0, in_place = 0;
    while (shared + apart < 20000) {
        const auto rank = static_cast<std::size_t>(random.number(1, 3));
        region out = random.any(rank, 12);
        region in = random.any(rank, 12);
        in.sizes = out.sizes;
        if (random.number(0, 9) == 0) in = out;
        if (random.number(0, 9) == 0) in.type = out.type;
        if (names_an_element_twice(out)) continue;
        const bool same = is_in_place(in, out);
        const bool expected = share_a_byte(in, out) && !same;
        in_place += same ? 1 : 0;
        (expected ? shared : apart) += 1;
        if (is_refused(out, &in) != expected)
            FAIL_CHECK(text_of(in) << " into " << text_of(out) << " should be refused: " << expected);
    }
    CHECK(shared > 4000);
    CHECK(apart > 4000);
    CHECK(in_place > 500);
}

TEST_CASE("large regions are decided in few steps") {
    const std::size_t n = std::size_t{1} << 20;
    const auto rows = static_cast<std::ptrdiff_t>(2 * n);
    // Two images, whose rows alternate in memory, and one shifted by a pixel.
    const region even{4096, element_type::float32, {n, n}, {rows, 1}};
    const region odd{4096 + 4 * n, element_type::float32, {n, n}, {rows, 1}};
    const region shifted{4096 + 4 * (n - 1), element_type::float32, {n, n}, {rows, 1}};
    CHECK(!is_refused(even, &odd));
    CHECK(is_refused(even, &shifted));
    // Channels of interleaved pixels.
    const region red{4096, element_type::uint8, {n, n}, {static_cast<std::ptrdiff_t>(3 * n), 3}};
    const region blue{4098, element_type::uint8, {n, n}, {static_cast<std::ptrdiff_t>(3 * n), 3}};
    const region words{4097, element_type::uint16, {n}, {3}};
    CHECK(!is_refused(red, &blue));
    CHECK(is_refused(blue, &words));
    CHECK(!is_refused(red, &words));
    // A transposed square in place.
    const region square{4096, element_type::float32, {n, n}, {static_cast<std::ptrdiff_t>(n), 1}};
    const region transposed{4096, element_type::float32, {n, n}, {1, static_cast<std::ptrdiff_t>(n)}};
    CHECK(is_refused(square, &transposed));
    // Diagonal bands that cross only far out.
    const region band{4096, element_type::uint8, {n}, {1000003}};
    const region other{4096 + 999983 * 5ull, element_type::uint8, {n}, {999983}};
    CHECK(is_refused(band, &other));
}

TEST_CASE("usable at compile time") {
    using sinter::detail::byte_region;
    using sinter::detail::meeting;
    constexpr byte_region even{.first = 0, .element_bytes = 4, .rank = 1, .sizes = {100}, .strides = {8}};
    constexpr byte_region odd{.first = 4, .element_bytes = 4, .rank = 1, .sizes = {100}, .strides = {8}};
    constexpr byte_region all{.first = 0, .element_bytes = 4, .rank = 1, .sizes = {100}, .strides = {4}};
    static_assert(meet(even, odd) == meeting::disjoint);
    static_assert(meet(even, all) == meeting::shared && meet(all, odd) == meeting::shared);
    static_assert(meets_itself(all) == meeting::disjoint);
    constexpr byte_region folded{.first = 0, .element_bytes = 1, .rank = 2, .sizes = {4, 3}, .strides = {2, 3}};
    static_assert(meets_itself(folded) == meeting::shared);
}
