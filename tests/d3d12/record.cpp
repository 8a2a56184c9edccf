// Evaluations in a command list of the program's own, on its own device, queue and resources.
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "support/d3d12_device.hpp"

namespace d3d12 = sinter::d3d12;
using namespace d3d12::detail;
using sinter::errc;
using support::gpu;

namespace {

// What a program that knows nothing of sinter has: a device, a queue, a list, buffers.
struct own_pipeline {
    const d3d12::runtime& on = gpu().runtime_used();
    com_ptr<ID3D12Device> device = [this] {
        void* made = nullptr;
        REQUIRE(on.create_device(0, interface_id<ID3D12Device>, &made) == S_OK);
        return com_ptr<ID3D12Device>::adopt(on.convention, static_cast<ID3D12Device*>(made));
    }();
    com_ptr<ID3D12CommandQueue> queue = [this] {
        D3D12_COMMAND_QUEUE_DESC described{};
        described.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
        return create<ID3D12CommandQueue>("CreateCommandQueue", device, device, &ID3D12Device::CreateCommandQueue,
                                          &described);
    }();
    com_ptr<ID3D12CommandAllocator> allocator =
        create<ID3D12CommandAllocator>("CreateCommandAllocator", device, device, &ID3D12Device::CreateCommandAllocator,
                                       D3D12_COMMAND_LIST_TYPE_DIRECT);
    com_ptr<ID3D12GraphicsCommandList> list =
        create<ID3D12GraphicsCommandList>("CreateCommandList", device, device, &ID3D12Device::CreateCommandList,
                                          UINT{0}, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.get(), nullptr);
    d3d12::device gpu_ = d3d12::device::from(device.get(), queue.get(), on);

    com_ptr<ID3D12Resource> buffer(std::uint64_t bytes) const {
        return create_buffer(device, D3D12_HEAP_TYPE_DEFAULT, bytes).object;
    }
    // From what a kernel wrote to what a kernel reads.
    void read_after_write(const com_ptr<ID3D12Resource>& resource) const {
        record_transition(on.convention, list.get(), resource.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                          D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
    }
    void execute() const {
        REQUIRE(list.call(&ID3D12GraphicsCommandList::Close) == S_OK);
        ID3D12CommandList* const lists[] = {list.get()};
        queue.call(&ID3D12CommandQueue::ExecuteCommandLists, UINT{1}, lists);
    }
    std::vector<float> read(const com_ptr<ID3D12Resource>& from, std::size_t count) const {
        std::vector<float> values(count);
        gpu_.download_bytes(gpu_.share(from.get()), 0, std::as_writable_bytes(std::span(values)));
        return values;
    }
};

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 97) - 40.f;
    return values;
}

errc code_of(const auto& action) {
    try {
        action();
    } catch (const sinter::error& failure) {
        MESSAGE(std::string(failure.what()));
        return failure.code();
    }
    FAIL("no error");
    return {};
}

}  // namespace

TEST_CASE("K10: two evaluations in one list, the second reads what the first wrote") {
    const own_pipeline own;
    constexpr std::size_t n = 5003;
    const std::vector<float> values = counting(n);
    const auto x = own.buffer(4 * n), y = own.buffer(4 * n), z = own.buffer(4 * n + 64);
    own.gpu_.upload_bytes(own.gpu_.share(x.get()), 0, std::as_bytes(std::span(values)));
    own.gpu_.upload_bytes(own.gpu_.share(z.get()), 0, std::vector<std::byte>(4 * n + 64));

    const auto from = d3d12::view<float>(x.get(), 0, {n});
    const auto middle = d3d12::view<float>(y.get(), 0, {n});
    const auto to = d3d12::view<float>(z.get(), 12, {n});
    own.gpu_.record(own.list.get(), from | sinter::scale_bias(2.f, 1.f), middle);
    own.read_after_write(y);
    own.gpu_.record(own.list.get(), middle | sinter::threshold(0.f), to);
    own.execute();

    std::vector<float> expected(n + 16);
    sinter::evaluate(sinter::cpu::scalar{},
                     sinter::view(values) | sinter::scale_bias(2.f, 1.f) | sinter::threshold(0.f),
                     sinter::view(expected.data() + 3, {n}));
    CHECK(own.read(z, n + 16) == expected);
}

TEST_CASE("evaluations in place need no barrier of the program's own") {
    const own_pipeline own;
    constexpr std::size_t n = 4096;
    std::vector<float> expected = counting(n);
    const auto x = own.buffer(4 * n);
    own.gpu_.upload_bytes(own.gpu_.share(x.get()), 0, std::as_bytes(std::span(expected)));
    const auto values = d3d12::view<float>(x.get(), 0, {64, 64}, {64, 1});
    for (int round = 0; round < 10; ++round) {
        own.gpu_.record(own.list.get(), values * 0.5f + 3.f, values);
        for (float& value : expected) value = value * 0.5f + 3.f;
    }
    own.execute();
    CHECK(own.read(x, n) == expected);
}

TEST_CASE("constants beyond the room of a root signature stand in the program's memory") {
    const own_pipeline own;
    constexpr std::size_t n = 1000;
    const std::vector<float> values = counting(n);
    const auto x = own.buffer(4 * n), y = own.buffer(4 * n);
    own.gpu_.upload_bytes(own.gpu_.share(x.get()), 0, std::as_bytes(std::span(values)));
    const auto few = [](const auto& a, float s) { return a | sinter::scale_bias(s, 1.f) | sinter::shrink(s, 2.f); };
    const auto some = [&](const auto& a, float s) { return few(few(few(few(a, s), s + 1.f), s + 2.f), s + 3.f); };
    const auto many = [&](const auto& a) { return some(some(some(some(some(a, 1.f), 0.25f), 0.5f), -0.75f), 0.125f); };
    const auto from = d3d12::view<float>(x.get(), 0, {n}), to = d3d12::view<float>(y.get(), 0, {n});

    CHECK(own.gpu_.constants_size(some(from, 1.f), to) == 0);
    const std::size_t size = own.gpu_.constants_size(many(from), to);
    CHECK(size > 0);
    CHECK(size % 256 == 0);
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), many(from), to); }) == errc::too_large);
    const mapped_buffer memory = create_mapped_buffer(own.device, D3D12_HEAP_TYPE_UPLOAD, size + 256);
    const auto at = [&](std::size_t offset, std::size_t room) {
        return d3d12::constants{memory.memory.address + offset, {memory.data + offset, room}};
    };
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), many(from), to, at(0, size - 1)); }) == errc::too_large);
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), many(from), to, at(4, size)); }) == errc::too_large);
    own.gpu_.record(own.list.get(), many(from), to, at(256, size));
    own.execute();
    std::vector<float> expected(n);
    sinter::evaluate(sinter::cpu::scalar{}, many(sinter::view(values)), expected);
    CHECK(own.read(y, n) == expected);
}

TEST_CASE("a resource that cannot be an operand is refused") {
    const own_pipeline own;
    const auto y = own.buffer(64);
    const auto read_only = create_buffer(own.device, D3D12_HEAP_TYPE_UPLOAD, 64).object;
    const auto to = d3d12::view<float>(y.get(), 0, {16});
    CHECK(code_of([&] { d3d12::view<float>(nullptr, 0, {16}); }) == errc::null_data);
    CHECK(code_of([&] { d3d12::view<float>(y.get(), 2, {4}); }) == errc::value);
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), to, d3d12::view<float>(read_only.get(), 0, {16})); }) ==
          errc::unsupported);
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), d3d12::view<float>(y.get(), 256 - 60, {16}), to); }) ==
          errc::too_large);
    CHECK(code_of([&] { own.gpu_.record(own.list.get(), to + 1.f, d3d12::view<float>(y.get(), 4, {16})); }) ==
          errc::overlap);
}

TEST_CASE("evaluate on the program's own queue and resources") {
    const own_pipeline own;
    const std::vector<float> values = counting(100);
    const auto x = own.buffer(400), y = own.buffer(400);
    own.gpu_.upload_bytes(own.gpu_.share(x.get()), 0, std::as_bytes(std::span(values)));
    sinter::evaluate(own.gpu_, d3d12::view<float>(x.get(), 0, {100}) - 1.f, d3d12::view<float>(y.get(), 0, {100}));
    const std::vector<float> got = own.read(y, 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(got[i] == values[i] - 1.f);
}
