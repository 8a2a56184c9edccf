// The Direct3D 12 layer on a runtime of the tests' own, in which calls fail, devices go and work never ends.
#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fake_runtime.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINTER_TEST_FINDS_LEAKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SINTER_TEST_FINDS_LEAKS
#endif
#if defined(SINTER_TEST_FINDS_LEAKS)
#include <sanitizer/lsan_interface.h>
#endif

namespace d3d12 = sinter::d3d12;
using sinter::errc;

namespace {

d3d12::device created(fake::world& in, std::chrono::nanoseconds stall_limit = std::chrono::minutes(1)) {
    d3d12::device_options options;
    options.on = fake::runtime(in);
    options.stall_limit = stall_limit;
    return d3d12::device::create(options);
}

d3d12::submission run(const d3d12::device& on, const d3d12::buffer& x, const d3d12::buffer& y,
                      std::size_t constants = 4) {
    const std::vector<std::uint32_t> words(constants);
    const d3d12::bound_buffer read[] = {{x, 0}}, write[] = {{y, 0}};
    const d3d12::dispatch_part parts[] = {{d3d12::kernel("a kernel"), words, {1, 1, 1}}};
    return on.run({read, write, parts});
}

// Uses everything that a device offers.
void use(const d3d12::device& on) {
    const std::vector<std::byte> sent(100, std::byte{7});
    std::vector<std::byte> received(100);
    const d3d12::buffer x = on.allocate_bytes(100), y = on.allocate_bytes(100);
    on.upload_bytes(x, 0, sent);
    run(on, x, y);
    run(on, x, y, 100).wait();
    on.download_bytes(x, 0, received);
    CHECK(sent == received);
}

std::optional<sinter::error> error_of(const auto& action) {
    try {
        action();
    } catch (const sinter::error& failure) {
        return failure;
    }
    return std::nullopt;
}

// What is made in its scope may be left behind.
struct leaks_on_purpose {
#if defined(SINTER_TEST_FINDS_LEAKS)
    leaks_on_purpose() { __lsan_disable(); }
    ~leaks_on_purpose() { __lsan_enable(); }
#endif
};

bool mentions(const sinter::error& failure, const std::string& text) {
    return std::string(failure.what()).find(text) != std::string::npos;
}

// What docs/d3d12.md says of failures, with one space for all white space, so that its lines may break anywhere.
std::string documented_failures() {
    std::ifstream file(SINTER_TEST_DATA "/../../docs/d3d12.md");
    std::string text, word;
    while (file >> word) text += word + " ";
    const std::size_t first = text.find("## Failures "), last = text.find("## Differences ");
    REQUIRE(first < last);
    return text.substr(first, last - first);
}

// A row of the table there: the message's first line, with three dots for the call's name.
std::string row_of(const std::string& call, const sinter::error& failure) {
    std::string message = failure.what();
    message = message.substr(std::string("sinter: ").size());
    message = message.substr(0, message.find('\n'));
    if (message.starts_with(call)) message.replace(0, call.size(), "...");
    return "| `" + call + "` | `" + sinter::name(failure.code()) + "` | " + message + " |";
}

}  // namespace

TEST_CASE("everything that was made is released") {
    fake::world world;
    use(created(world));
    CHECK(world.alive == 0);
    CHECK(world.dispatches == 2);
}

TEST_CASE("each call fails in turn: the error names it, nothing leaks, the device goes on") {
    fake::world whole;
    use(created(whole));
    std::set<std::string> seen;
    const std::string documented = documented_failures();
    for (std::size_t position = 0; position < whole.calls.size(); ++position) {
        CAPTURE(whole.calls[position]);
        fake::world world;
        world.failing_call = position;
        {
            std::optional<d3d12::device> device;
            const auto failure = error_of([&] {
                device = created(world);
                use(*device);
            });
            REQUIRE(failure);
            const std::string& call = whole.calls[position];
            const errc expected = call == "D3DCompile"          ? errc::compile_failed
                                  : call == "D3D12CreateDevice" ? errc::d3d12_unavailable
                                                                : errc::out_of_memory;
            CHECK(failure->code() == expected);
            CHECK(mentions(*failure, expected == errc::out_of_memory    ? call
                                     : expected == errc::compile_failed ? "1: broken"
                                                                        : "fake adapter"));
            if (expected == errc::out_of_memory) CHECK(mentions(*failure, "0x8007000E (E_OUTOFMEMORY"));
            if (device) use(*device);
            if (seen.insert(call).second) {
                const std::string row = row_of(call, *failure);
                CHECK_MESSAGE(documented.find(row) != documented.npos, "docs/d3d12.md lacks ", row);
            }
        }
        CHECK(world.alive == 0);
    }
    CHECK(seen.size() >= 12);
    for (const std::string row_start : {"| `D3D", "| `ID3D"}) {
        std::size_t at = 0;
        while ((at = documented.find(row_start, at)) != documented.npos) {
            const std::size_t name = at + 3;
            const std::string call = documented.substr(name, documented.find('`', name) - name);
            CHECK_MESSAGE(seen.contains(call), "docs/d3d12.md names ", call, ", which did not fail");
            at = name;
        }
    }
}

TEST_CASE("a compiler of shader model 6 needs a device that takes it") {
    for (const auto highest : {std::optional<D3D_SHADER_MODEL>(), std::optional(D3D_SHADER_MODEL_5_1),
                               std::optional(D3D_SHADER_MODEL_6_0)}) {
        fake::world world;
        world.highest_shader_model = highest;
        d3d12::device_options options;
        options.on = fake::runtime(world);
        d3d12::compiler newer = options.on->hlsl_compiler;
        newer.identity = "newer compiler";
        newer.shader_model = D3D_SHADER_MODEL_6_0;
        options.on->other_compilers.push_back(newer);
        use(d3d12::device::create(options));
        options.compiler_name = "NEWER";
        if (highest == D3D_SHADER_MODEL_6_0) {
            const d3d12::device device = d3d12::device::create(options);
            CHECK(device.compiler_used() == "newer compiler");
            use(device);
            continue;
        }
        const auto failure = error_of([&] { d3d12::device::create(options); });
        REQUIRE(failure);
        CHECK(failure->code() == errc::unsupported);
        CHECK(mentions(*failure, "newer compiler makes shader model 6.0, and fake adapter takes no more than 5.1"));
        CHECK(world.alive == 0);
    }
}

TEST_CASE("K8: a removed device: an error with the reason, no endless wait, another device works") {
    for (const bool fence_tells : {true, false}) {
        fake::world world;
        {
            const d3d12::device device = created(world);
            const d3d12::buffer x = device.allocate_bytes(16), y = device.allocate_bytes(16);
            const d3d12::submission before = run(device, x, y);
            before.wait();
            world.held = true;
            const d3d12::submission last = run(device, x, y);
            CHECK(!last.wait(std::chrono::milliseconds(1)));
            world.removed_reason = static_cast<HRESULT>(0x887a0006);
            world.removed_fence = fence_tells;
            for (const auto& failure :
                 {error_of([&] { last.wait(); }), error_of([&] { last.wait(std::chrono::seconds(100)); })}) {
                REQUIRE(failure);
                CHECK(failure->code() == errc::device_removed);
                CHECK(mentions(*failure, "0x887A0006 (DXGI_ERROR_DEVICE_HUNG"));
                CHECK(documented_failures().find(std::string("`") + failure->what() + "`") != std::string::npos);
            }
            before.wait();  // that work was done
            world.failing_call = world.calls.size();
            world.failure = static_cast<HRESULT>(0x887a0005);
            const auto failure = error_of([&] { device.allocate_bytes(16); });
            REQUIRE(failure);
            CHECK(failure->code() == errc::device_removed);
            CHECK(mentions(*failure, "DXGI_ERROR_DEVICE_HUNG"));
        }
        CHECK(world.alive == 0);
        fake::world next;
        use(created(next));
    }
}

TEST_CASE("work that never ends") {
    fake::world world;
    {
        [[maybe_unused]] const leaks_on_purpose allowed;
        const d3d12::device device = created(world, std::chrono::milliseconds(20));
        const d3d12::buffer x = device.allocate_bytes(16), y = device.allocate_bytes(16);
        world.held = true;
        const d3d12::submission last = run(device, x, y);
        CHECK(!last.wait(std::chrono::nanoseconds(0)));
        CHECK(!last.wait(std::chrono::milliseconds(2)));
        const auto failure = error_of([&] { last.wait(); });
        REQUIRE(failure);
        CHECK(failure->code() == errc::timeout);
        CHECK(documented_failures().find(std::string("`") + failure->what() + "`") != std::string::npos);
    }
    CHECK(world.alive > 0);  // what the device may still use
}

TEST_CASE("work in flight keeps its buffers, and gives them back") {
    fake::world world;
    const d3d12::device device = created(world);
    const int before = world.alive;
    world.held = true;
    const d3d12::submission last = run(device, device.allocate_bytes(16), device.allocate_bytes(16));
    const int with_pipeline_and_list = 4;
    CHECK(world.alive == before + 2 + with_pipeline_and_list);
    world.finish();
    last.wait();
    CHECK(world.alive == before + with_pipeline_and_list);
}

TEST_CASE("command lists are used again, and there is an end to how many are in flight") {
    fake::world world;
    const d3d12::device device = created(world);
    const d3d12::buffer x = device.allocate_bytes(16), y = device.allocate_bytes(16);
    run(device, x, y);
    const int before = world.alive;
    for (int round = 0; round < 1000; ++round) run(device, x, y);
    CHECK(world.alive == before);
    world.held = true;
    for (int round = 0; round < 256; ++round) run(device, x, y);
    CHECK(world.alive == before + 2 * 255);
    world.removed_reason = E_FAIL;
    CHECK(error_of([&] { run(device, x, y); }).value().code() == errc::device_removed);
    world.removed_reason = S_OK;
    world.finish();
}

TEST_CASE("the program's own device and queue stay the program's") {
    fake::world world;
    const d3d12::runtime on = fake::runtime(world);
    void* device = nullptr;
    REQUIRE(on.create_device(0, GUID{}, &device) == S_OK);
    void* queue = nullptr;
    fake::create(world, "a queue", fake::queue_functions(), &queue);
    use(d3d12::device::from(static_cast<ID3D12Device*>(device), static_cast<ID3D12CommandQueue*>(queue), on));
    use(d3d12::device::from(static_cast<ID3D12Device*>(device), nullptr, on));
    CHECK(world.alive == 2);
    CHECK(d3d12::detail::com_call(on.convention, static_cast<ID3D12CommandQueue*>(queue), &IUnknown::Release) == 0);
    CHECK(d3d12::detail::com_call(on.convention, static_cast<ID3D12Device*>(device), &IUnknown::Release) == 0);
    CHECK(error_of([&] { d3d12::device::from(nullptr, nullptr, on); }).value().code() == errc::null_data);
}
