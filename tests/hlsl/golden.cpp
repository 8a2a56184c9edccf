// The texts of representative kernels, byte for byte. With SINTER_UPDATE_GOLDEN set in the environment the files are
// written instead.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

#include "golden_kernels.hpp"

namespace hlsl = sinter::hlsl;

TEST_CASE("texts are those on file, at compile time and at run time") {
    const bool update = std::getenv("SINTER_UPDATE_GOLDEN") != nullptr;
    golden::for_each([&]<class E, class L>(const std::string& name, std::type_identity<E>, std::type_identity<L>) {
        CAPTURE(name);
        constexpr std::string_view text = hlsl::text_v<E, L>;
        CHECK(hlsl::text(sinter::program_of<E>, L::value) == text);
        if (update) {
            std::ofstream(golden::path_of(name), std::ios::binary) << text;
            return;
        }
        std::ifstream file(golden::path_of(name), std::ios::binary);
        REQUIRE(file);
        const std::string expected(std::istreambuf_iterator<char>(file), {});
        CHECK(expected == text);
    });
}

TEST_CASE("what is in place has elements of the output's size") {
    const hlsl::layout in_place = hlsl::in_place<hlsl::words>::value;
    CHECK_THROWS_AS(hlsl::text(sinter::program_of<golden::bytes_to_half>, in_place), sinter::error);
    CHECK_THROWS_AS(hlsl::text(sinter::program_of<golden::tensor<float>>, hlsl::in_place<hlsl::words, 2>::value),
                    sinter::error);
}
