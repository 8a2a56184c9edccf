// The HLSL compilers that the runtime has: each takes every text on file, and one is chosen by its name.
#include <sinter/d3d12/device.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/d3d12_device.hpp"

namespace d3d12 = sinter::d3d12;

namespace {

std::vector<d3d12::compiler> compilers() {
    const d3d12::runtime& on = support::gpu().runtime_used();
    std::vector<d3d12::compiler> all{on.hlsl_compiler};
    all.insert(all.end(), on.other_compilers.begin(), on.other_compilers.end());
    return all;
}

// And DXC with a later target.
std::vector<d3d12::compiler> compilers_and_targets() {
    std::vector<d3d12::compiler> all = compilers();
#if defined(_WIN32)
    using namespace d3d12::detail;
    std::string report;
    const entry_point<dxc_create_instance> create(d3d12::calling_convention::native,
                                                  library::open("dxcompiler.dll", report).symbol("DxcCreateInstance"));
    if (create) all.push_back(make_dxc("DXC", create, static_cast<D3D_SHADER_MODEL>(0x66)));
#endif
    return all;
}

}  // namespace

TEST_CASE("every compiler takes every text on file") {
    std::size_t texts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SINTER_TEST_DATA "/hlsl")) {
        CAPTURE(entry.path().string());
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        REQUIRE(!text.empty());
        ++texts;
        for (const d3d12::compiler& with : compilers_and_targets()) {
            const d3d12::compilation result = with.compile(text);
            CHECK_MESSAGE(result.succeeded, with.identity, "\n", result.log);
            CHECK(!result.bytecode.empty());
        }
    }
    CHECK(texts > 50);
    for (const d3d12::compiler& with : compilers_and_targets()) MESSAGE(with.identity, " took ", texts, " texts");
}

TEST_CASE("what is wrong is refused and explained") {
    for (const d3d12::compiler& with : compilers()) {
        CAPTURE(with.identity);
        const d3d12::compilation result = with.compile("[numthreads(1, 1, 1)] void main() { no_such = 1; }\n");
        CHECK(!result.succeeded);
        CHECK(result.log.find("no_such") != result.log.npos);
    }
}

#if defined(_WIN32)
TEST_CASE("warnings of Microsoft's compilers are errors") {
    const std::string_view cut_off =
        "RWStructuredBuffer<uint> y : register(u0);\n[numthreads(1, 1, 1)]\n"
        "void main(uint3 id : SV_DispatchThreadID) { uint i = id; y[i] = i; }\n";
    for (const d3d12::compiler& with : compilers()) {
        CAPTURE(with.identity);
        const d3d12::compilation result = with.compile(cut_off);
        CHECK(!result.succeeded);
        CHECK(result.log.find("truncation") != result.log.npos);
    }
}

TEST_CASE("FXC and DXC are there where a run must be whole") {
    const char* const whole = std::getenv("CI");
    if (whole == nullptr || *whole == '\0') return;
    REQUIRE(compilers().size() == 2);
    CHECK(compilers()[0].identity.starts_with("FXC (d3dcompiler_47.dll 10."));
    CHECK(compilers()[1].identity.starts_with("DXC (dxcompiler.dll "));
}
#endif

TEST_CASE("a compiler is chosen by a part of its name") {
    for (const d3d12::compiler& with : compilers()) {
        CAPTURE(with.identity);
        d3d12::device_options options;
        options.compiler_name = with.identity.substr(0, 3);
        try {
            const d3d12::device made = d3d12::device::create(options);
            CHECK(made.compiler_used() == with.identity);
        } catch (const sinter::error& failure) {
            // Wine and vkd3d take no shader model 6.
            const std::string message = failure.what();
            CHECK(with.shader_model > D3D_SHADER_MODEL_5_1);
            CHECK(failure.code() == sinter::errc::unsupported);
            CHECK(message.find(with.identity + " makes shader model 6.0") != message.npos);
            CHECK(message.find("takes no more than 5.") != message.npos);
        }
    }
}

TEST_CASE("a compiler that is not there is an error that lists those that are") {
    d3d12::device_options options;
    options.compiler_name = "no such compiler";
    try {
        d3d12::device::create(options);
        FAIL("no error");
    } catch (const sinter::error& failure) {
        const std::string message = failure.what();
        CHECK(failure.code() == sinter::errc::d3d12_unavailable);
        CHECK(message.find("'no such compiler'") != message.npos);
        for (const d3d12::compiler& with : compilers()) CHECK(message.find(with.identity) != message.npos);
    }
}
