// What holds for every text: it is a constant of the expression's type, linear in the program, and free of what some
// compiler gets wrong.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "golden_kernels.hpp"

namespace hlsl = sinter::hlsl;
using golden::tensor;

namespace {

constexpr bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <std::size_t Nodes>
constexpr auto repeated(auto x) {
    if constexpr (Nodes == 0) return x;
    else return repeated<Nodes - 1>(x) | sinter::shrink(1, 1);
}
template <class T, std::size_t Nodes>
using nodes = decltype(repeated<Nodes>(tensor<T>{}));

}  // namespace

// The text is a constant, also of an expression that is none.
static_assert(hlsl::text(tensor<float>{} | sinter::shrink()) == hlsl::text_v<nodes<float, 1>>);

// Ranks, memory and scalars are not part of it.
static_assert(hlsl::text_v<tensor<float>>.data() == hlsl::text_v<sinter::tensor_view<const float, 5>>.data());

// It is a C string.
static_assert(*(hlsl::text_v<tensor<float>>.data() + hlsl::text_v<tensor<float>>.size()) == '\0');

// A hundred nodes, more than a thousand instructions, within the compilers' default limits; linear.
static_assert(sinter::program_of<nodes<std::int8_t, 100>>.size > 1000);
static_assert(hlsl::text_v<nodes<std::int8_t, 100>>.size() < 2 * hlsl::text_v<nodes<std::int8_t, 50>>.size() + 2000);
static_assert(hlsl::text_v<nodes<float, 100>, hlsl::in_place<hlsl::words>>.size() < 70000);

// Long programs stand in a loop instead of being called once for each byte of a word.
static_assert(contains(hlsl::text_v<nodes<std::int8_t, 50>>, "[loop]"));
static_assert(!contains(hlsl::text_v<nodes<std::int8_t, 3>>, "[loop]"));

// A bare copy touches no float.
static_assert(!contains(hlsl::text_v<tensor<float>>, "float "));
static_assert(!contains(hlsl::text_v<tensor<sinter::float16>, hlsl::words>, "f16tof32"));

// What is uniform is a constant of the kernel.
struct of_scalar {
    constexpr auto operator()(auto, auto gain) const { return gain * gain + 1.f; }
};
static_assert(contains(hlsl::text_v<decltype(sinter::map(of_scalar{}, tensor<float>{}, 2.f))>, "= compute();"));

// A value compared with itself is asked for NaN by its bits.
struct finds_nan {
    constexpr auto operator()(auto x) const { return select(x != x, 1.f, 0.f); }
};
static_assert(contains(hlsl::text_v<decltype(sinter::map(finds_nan{}, tensor<float>{}))>, "= is_nan(input_0);"));

// The second operand of a difference passes through rounded, so that x - x is not folded.
struct takes_itself_away {
    constexpr auto operator()(auto x) const { return x - x; }
};
static_assert(contains(hlsl::text_v<decltype(sinter::map(takes_itself_away{}, tensor<float>{}))>,
                       "rounded(input_0 - rounded(input_0))"));

TEST_CASE("H6: no text has a line that some compiler takes amiss") {
    constexpr std::string_view forbidden[] = {"isnan",  "isfinite", "select(", "precise", "RWByteAddressBuffer",
                                              "double", "min16",    " -0.0",   "= -",     "(-v"};
    golden::for_each([&]<class E, class L>(const std::string& name, std::type_identity<E>, std::type_identity<L>) {
        CAPTURE(name);
        for (const std::string_view word : forbidden) {
            CAPTURE(word);
            CHECK_FALSE(contains(hlsl::text_v<E, L>, word));
        }
        CHECK(hlsl::text_v<E, L>.ends_with("}\n"));
        CHECK_FALSE(contains(hlsl::text_v<E, L>, "\t"));
        CHECK_FALSE(contains(hlsl::text_v<E, L>, " \n"));
    });
}

TEST_CASE("helper functions are there only where they are used") {
    constexpr std::string_view copy = hlsl::text_v<tensor<std::int32_t>>;
    for (const std::string_view helper : {"rounded", "pick", "is_nan", "to_int32", "to_half", "splat"})
        CHECK_FALSE(contains(copy, helper));
}
