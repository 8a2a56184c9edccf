// Every text on file passes glslang's HLSL front end, which is independent of the compilers that run them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <type_traits>

#include "golden_kernels.hpp"

TEST_CASE("glslangValidator accepts every text") {
    if (std::system("glslangValidator --version > glslang.log 2>&1") != 0) {
        // In continuous integration a tool that is missing must not look like a test that passed.
        const char* const ci = std::getenv("CI");
        REQUIRE_MESSAGE((ci == nullptr || std::string(ci) != "true"), "glslangValidator is missing");
        MESSAGE("glslangValidator is missing: skipped");
        return;
    }
    golden::for_each([&]<class E, class L>(const std::string& name, std::type_identity<E>, std::type_identity<L>) {
        CAPTURE(name);
        const std::string command = "glslangValidator -D -V -S comp -e main -o glslang.spv \"" + golden::path_of(name) +
                                    "\" > glslang.log 2>&1";
        CHECK(std::system(command.c_str()) == 0);
    });
}
