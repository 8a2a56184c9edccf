// The Direct3D 12 layer on a real runtime: hand-written kernels, transfers, failures, threads.
#include <sinter/d3d12/device.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "kernels.hpp"
#include "support/d3d12_device.hpp"

namespace d3d12 = sinter::d3d12;
using kernels::parameters;
using support::gpu;

namespace {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span<const T>(values));
}

template <class T>
d3d12::buffer uploaded(const std::vector<T>& values) {
    const d3d12::buffer made = gpu().allocate_bytes(values.size() * sizeof(T));
    gpu().upload_bytes(made, 0, bytes_of(values));
    return made;
}

template <class T>
std::vector<T> downloaded(const d3d12::buffer& from) {
    std::vector<T> values(from.size() / sizeof(T));
    gpu().download_bytes(from, 0, std::as_writable_bytes(std::span<T>(values)));
    return values;
}

float rounded(float value) {
    volatile float kept = value;
    return kept;
}

float chain(float x, const parameters& p) {
    const float r = rounded(rounded(x * p.scale) + p.bias);
    const float s = r > p.threshold ? r - p.shrink_bias : r < p.negative_threshold ? r + p.shrink_bias : 0.f;
    const float minimum = std::bit_cast<float>(p.minimum);
    return s > minimum ? s : minimum;
}

float saturated(float value) { return std::isnan(value) ? 0.f : std::fmin(std::fmax(value, -128.f), 127.f); }

std::int8_t chain(std::int8_t x, const parameters& p) {
    const float r = std::trunc(saturated(rounded(rounded(x * p.scale) + p.bias)));
    const float s = r > p.threshold ? r - p.shrink_bias : r < p.negative_threshold ? r + p.shrink_bias : 0.f;
    return std::max(static_cast<std::int8_t>(saturated(std::nearbyint(s))), static_cast<std::int8_t>(p.minimum));
}

std::array<std::uint32_t, 3> groups_for(std::uint32_t items, parameters& p) {
    const std::uint32_t groups = (items + 63) / 64;
    const std::uint32_t y = (groups + 65534) / 65535;
    p.groups_x = (groups + y - 1) / y;
    return {p.groups_x, y, 1};
}

// What the word kernel needs to know of n bytes from x_offset to y_offset.
parameters words_of(std::uint32_t x_offset, std::uint32_t y_offset, std::uint32_t n) {
    parameters p;
    const std::uint32_t skipped = y_offset % 4;
    const std::uint32_t last = (skipped + n) % 4;
    p.y_word = y_offset / 4;
    p.count = (skipped + n + 3) / 4;
    p.mask0 = ~0u << (8 * skipped);
    p.mask1 = last == 0 ? ~0u : (1u << (8 * last)) - 1;
    const std::uint32_t distance = x_offset + 4 - skipped;  // of the first word of y from x, plus 4 bytes
    p.x_shift = 8 * (distance % 4);
    p.x_word = distance / 4;
    p.x_last = (x_offset + n - 1) / 4;
    return p;
}

template <class T>
std::vector<T> random_values(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(n);
    for (T& value : values)
        if constexpr (std::is_same_v<T, float>) value = std::uniform_real_distribution<float>(-4.f, 4.f)(random);
        else value = static_cast<T>(random());
    return values;
}

d3d12::submission run_floats(const d3d12::device& on, const d3d12::buffer& x, const d3d12::buffer& y, std::uint32_t n) {
    parameters p;
    p.count = n / 4;
    const auto groups = groups_for(p.count, p);
    const auto words = p.words();
    const d3d12::bound_buffer from[] = {{x, 0}}, to[] = {{y, 0}};
    const d3d12::dispatch_part parts[] = {{d3d12::kernel(kernels::f32_skt_vec), words, groups}};
    return on.run({from, to, parts});
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

sinter::errc code_of(const auto& action) {
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

TEST_CASE("the runtime, its adapters and its compiler have names") {
    const auto adapters = d3d12::device::adapters();
    REQUIRE(!adapters.empty());
    for (const auto& adapter : adapters) MESSAGE(adapter.name, std::string(adapter.software ? " (software)" : ""));
    MESSAGE(gpu().runtime_used().name, "; ", gpu().adapter_used().name, "; ", gpu().compiler_used());
    CHECK(!gpu().adapter_used().name.empty());
    CHECK(!gpu().compiler_used().empty());
}

TEST_CASE("an adapter is chosen by index or by a part of its name") {
    const auto adapters = d3d12::device::adapters();
    d3d12::device_options options;
    options.adapter_index = adapters.size() - 1;
    CHECK(d3d12::device::create(options).adapter_used().name == adapters.back().name);
    options = {};
    options.adapter_name = adapters.front().name.substr(0, 4);
    CHECK(d3d12::device::create(options).adapter_used().name == adapters.front().name);
    options.adapter_name = "no such adapter";
    CHECK(code_of([&] { d3d12::device::create(options); }) == sinter::errc::d3d12_unavailable);
    options = {};
    options.adapter_index = adapters.size();
    CHECK(code_of([&] { d3d12::device::create(options); }) == sinter::errc::d3d12_unavailable);
}

TEST_CASE("a missing library is reported with all that was tried") {
    CHECK(code_of([] { d3d12::find_runtime("/nowhere/libnothing.so"); }) == sinter::errc::d3d12_unavailable);
}

TEST_CASE("transfers move exactly the bytes asked for") {
    constexpr std::size_t size = 1003;
    for (const std::size_t offset : {0u, 1u, 2u, 3u, 5u, 64u})
        for (const std::size_t count : {0u, 1u, 3u, 4u, 17u, 900u}) {
            std::vector<std::uint8_t> expected = random_values<std::uint8_t>(size, 1);
            const d3d12::buffer there = uploaded(expected);
            const std::vector<std::uint8_t> piece = random_values<std::uint8_t>(count, 2);
            gpu().upload_bytes(there, offset, bytes_of(piece));
            std::copy(piece.begin(), piece.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
            CHECK(downloaded<std::uint8_t>(there) == expected);
            std::vector<std::uint8_t> back(count + 2, 0xab);
            gpu().download_bytes(there, offset, std::as_writable_bytes(std::span(back)).subspan(1, count));
            CHECK(back.front() == 0xab);
            CHECK(back.back() == 0xab);
            CHECK(std::equal(piece.begin(), piece.end(), back.begin() + 1));
        }
}

TEST_CASE("a transfer of many pieces") {
    const std::vector<std::uint32_t> values = random_values<std::uint32_t>((std::size_t{50} << 20) / 4 + 3, 3);
    CHECK(downloaded<std::uint32_t>(uploaded(values)) == values);
}

TEST_CASE("a transfer outside of the buffer is refused") {
    const d3d12::buffer memory = gpu().allocate_bytes(10);
    std::vector<std::byte> bytes(11);
    CHECK(code_of([&] { gpu().upload_bytes(memory, 0, bytes); }) == sinter::errc::too_large);
    CHECK(code_of([&] { gpu().download_bytes(memory, 1, std::span(bytes).first(10)); }) == sinter::errc::too_large);
    CHECK(code_of([&] { gpu().upload_bytes({}, 0, bytes); }) == sinter::errc::too_large);
    gpu().upload_bytes({}, 0, {});
    CHECK(!gpu().allocate_bytes(0));
}

TEST_CASE("float: whole vectors") {
    for (const std::uint32_t n : {4u, 252u, 256u, 260u, 100000u}) {
        const std::vector<float> x = random_values<float>(n, n);
        const d3d12::buffer y = uploaded(std::vector<float>(n + 8, -1.f));
        run_floats(gpu(), uploaded(x), y, n).wait();
        std::vector<float> expected(n + 8, -1.f);
        for (std::uint32_t i = 0; i < n; ++i) expected[i] = chain(x[i], parameters());
        CHECK(same_bits(downloaded<float>(y), expected));
    }
}

TEST_CASE("int8: odd sizes and offsets leave the neighbours alone") {
    for (std::uint32_t round = 0; round < 200; ++round) {
        std::mt19937 random(round);
        const auto below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
        const std::uint32_t n = 1 + below(130), x_offset = below(40), y_offset = below(40);
        const std::vector<std::int8_t> x = random_values<std::int8_t>(200, round);
        std::vector<std::int8_t> expected = random_values<std::int8_t>(200, round + 1000);
        const d3d12::buffer from = uploaded(x), to = uploaded(expected);
        parameters p = words_of(x_offset, y_offset, n);
        const auto groups = groups_for(p.count, p);
        const auto words = p.words();
        const d3d12::bound_buffer read[] = {{from, 0}}, write[] = {{to, 0}};
        const d3d12::dispatch_part parts[] = {{d3d12::kernel(kernels::i8_skt_word), words, groups}};
        gpu().run({read, write, parts});
        for (std::uint32_t i = 0; i < n; ++i) expected[y_offset + i] = chain(x[x_offset + i], p);
        CHECK(downloaded<std::int8_t>(to) == expected);
    }
}

TEST_CASE("several dispatches in one list, in place, from an offset that is bound in part") {
    constexpr std::uint32_t n = 1000, offset = 512 + 32;
    std::vector<std::int8_t> expected = random_values<std::int8_t>(2000, 7);
    const d3d12::buffer memory = uploaded(expected);
    constexpr auto at = d3d12::split_offset::of(offset);
    static_assert(at.bound == 512 && at.rest == 32);
    parameters front, back;
    front.first = at.rest / 16;
    front.count = 20;
    back.first = front.first + front.count;
    back.count = (n + 8) / 16 - front.count;
    const auto front_groups = groups_for(front.count, front), back_groups = groups_for(back.count, back);
    const auto front_words = front.words(), back_words = back.words();
    const d3d12::kernel code(kernels::i8_skt_vec_inplace);
    const d3d12::bound_buffer write[] = {{memory, at.bound}};
    const d3d12::dispatch_part parts[] = {{code, front_words, front_groups}, {code, back_words, back_groups}};
    gpu().run({{}, write, parts});
    for (std::uint32_t i = offset; i < offset + (n + 8) / 16 * 16; ++i) expected[i] = chain(expected[i], front);
    CHECK(downloaded<std::int8_t>(memory) == expected);
}

TEST_CASE("evaluations see what those before them wrote") {
    constexpr std::uint32_t n = 4096;
    std::vector<float> expected = random_values<float>(n, 11);
    d3d12::buffer x = uploaded(expected), y = gpu().allocate_bytes(n * sizeof(float));
    for (int round = 0; round < 50; ++round) {
        run_floats(gpu(), x, y, n);
        std::swap(x, y);
        for (float& value : expected) value = chain(value, parameters());
    }
    CHECK(same_bits(downloaded<float>(x), expected));
}

namespace {

// y[i] = the sum of `count` constants, which stand in vectors of four.
std::string sum_of_constants(std::size_t count) {
    std::string fields, sum;
    for (std::size_t i = 0; i < count; i += 4) {
        fields += "    uint4 c" + std::to_string(i) + ";\n";
        sum += (i ? " + " : "") + ("dot4(c" + std::to_string(i) + ")");
    }
    return "cbuffer parameters : register(b0)\n{\n" + fields +
           "};\nuint dot4(uint4 v) { return v.x + 10u * v.y + 100u * v.z + 1000u * v.w; }\n"
           "RWStructuredBuffer<uint> y : register(u0);\n[numthreads(64, 1, 1)]\n"
           "void main(uint3 g : SV_GroupID, uint t : SV_GroupIndex) { y[g.x * 64u + t] = " +
           sum + "; }\n";
}

}  // namespace

TEST_CASE("constants beyond the room of a root signature") {
    for (const std::uint32_t count : {4u, 60u, 64u, 68u, 100u, 400u}) {
        const std::string text = sum_of_constants(count);
        const d3d12::buffer y = gpu().allocate_bytes(128 * 4);
        for (std::uint32_t round = 1; round <= 4; ++round) {
            std::vector<std::uint32_t> constants(count);
            std::uint32_t expected = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                constants[i] = round + i;
                expected += constants[i] * std::array<std::uint32_t, 4>{1, 10, 100, 1000}[i % 4];
            }
            const d3d12::bound_buffer write[] = {{y, 0}};
            const d3d12::dispatch_part parts[] = {{d3d12::kernel(text), constants, {2, 1, 1}}};
            gpu().run({{}, write, parts});
            CHECK(downloaded<std::uint32_t>(y) == std::vector<std::uint32_t>(128, expected));
        }
    }
}

TEST_CASE("more groups than one dimension has") {
    constexpr std::uint32_t n = 4 * 64 * 65600;
    const std::vector<float> x = random_values<float>(n, 5);
    const d3d12::buffer y = gpu().allocate_bytes(std::uint64_t{n} * sizeof(float));
    run_floats(gpu(), uploaded(x), y, n);
    std::vector<float> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = chain(x[i], parameters());
    CHECK(same_bits(downloaded<float>(y), expected));
}

TEST_CASE("work in flight keeps its buffers") {
    constexpr std::uint32_t n = 1 << 20;
    const std::vector<float> x = random_values<float>(n, 6);
    const d3d12::buffer y = gpu().allocate_bytes(n * sizeof(float));
    for (int round = 0; round < 8; ++round) {
        const d3d12::buffer from = uploaded(x);
        run_floats(gpu(), from, y, n);  // `from` is dropped while the kernel may still run
    }
    std::vector<float> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = chain(x[i], parameters());
    CHECK(same_bits(downloaded<float>(y), expected));
}

TEST_CASE("a device that is dropped waits for its work, a submission can outlive it") {
    constexpr std::uint32_t n = 1 << 20;
    d3d12::submission last;
    {
        const d3d12::device own = d3d12::device::create();
        const d3d12::buffer x = own.allocate_bytes(n * 4), y = own.allocate_bytes(n * 4);
        for (int round = 0; round < 4; ++round) last = run_floats(own, x, y, n);
    }
    last.wait();
    CHECK(last.wait(std::chrono::nanoseconds(0)));
}

TEST_CASE("waiting with a limit") {
    CHECK(d3d12::submission().wait(std::chrono::nanoseconds(0)));
    constexpr std::uint32_t n = 1 << 22;
    const d3d12::buffer x = gpu().allocate_bytes(n * 4), y = gpu().allocate_bytes(n * 4);
    run_floats(gpu(), x, y, n).wait();
    d3d12::submission last;
    for (int round = 0; round < 20; ++round) last = run_floats(gpu(), x, y, n);
    CHECK(!last.wait(std::chrono::nanoseconds(0)));
    CHECK(!last.wait(std::chrono::microseconds(50)));
    CHECK(last.wait((std::chrono::nanoseconds::max)()));
    CHECK(last.wait(std::chrono::nanoseconds(-1)));
}

TEST_CASE("a kernel that does not compile is explained, and the device goes on") {
    const d3d12::device own = d3d12::device::create();
    const d3d12::buffer y = own.allocate_bytes(256);
    const d3d12::bound_buffer write[] = {{y, 0}};
    const std::string broken =
        "RWStructuredBuffer<uint> y : register(u0);\n[numthreads(64, 1, 1)]\nvoid main() { y[0] = no_such; }\n";
    const d3d12::dispatch_part parts[] = {{d3d12::kernel(broken), {}, {1, 1, 1}}};
    for (int round = 0; round < 3; ++round) {
        try {
            own.run({{}, write, parts});
            FAIL("no error");
        } catch (const sinter::error& failure) {
            const std::string message = failure.what();
            CHECK(failure.code() == sinter::errc::compile_failed);
            CHECK(message.find("   3  void main() { y[0] = no_such; }") != message.npos);
            CHECK(message.find("no_such") != message.rfind("no_such"));  // in the log and in the text
            CHECK(message.find(own.compiler_used()) != message.npos);
            if (round == 0) MESSAGE(message);
        }
    }
    CHECK(own.pipelines_kept() == 0);
    const std::string whole = sum_of_constants(4);
    const std::vector<std::uint32_t> constants{1, 1, 1, 1};
    const d3d12::dispatch_part good[] = {{d3d12::kernel(whole), constants, {1, 1, 1}}};
    own.run({{}, write, good});
    std::vector<std::uint32_t> values(64);
    own.download_bytes(y, 0, std::as_writable_bytes(std::span(values)));
    CHECK(values == std::vector<std::uint32_t>(64, 1111));
}

TEST_CASE("wrong bindings are refused before anything runs") {
    const d3d12::buffer y = gpu().allocate_bytes(256);
    const d3d12::kernel code(kernels::f32_skt_vec);
    const auto words = parameters().words();
    const d3d12::dispatch_part part[] = {{code, words, {1, 1, 1}}};
    const d3d12::bound_buffer good[] = {{y, 0}}, none[] = {{{}, 0}}, beyond[] = {{y, 256}}, crooked[] = {{y, 2}};
    CHECK(code_of([&] { gpu().run({none, good, part}); }) == sinter::errc::null_data);
    CHECK(code_of([&] { gpu().run({{}, beyond, part}); }) == sinter::errc::too_large);
    CHECK(code_of([&] { gpu().run({{}, crooked, part}); }) == sinter::errc::too_large);
    CHECK(code_of([&] { gpu().run({good, good, part}); }) == sinter::errc::overlap);
    const d3d12::dispatch_part many[] = {{code, words, {65536, 1, 1}}};
    CHECK(code_of([&] { gpu().run({{}, good, many}); }) == sinter::errc::too_large);
    const std::vector<d3d12::bound_buffer> crowd(40, {y, 0});
    CHECK(code_of([&] { gpu().run({{}, crowd, part}); }) == sinter::errc::too_large);
}

TEST_CASE("a buffer that cannot be had is an error") {
    const auto code = code_of([] { gpu().allocate_bytes(std::uint64_t{1} << 46); });
    CHECK(code == sinter::errc::out_of_memory);
    CHECK(code_of([] { gpu().allocate_bytes(~std::uint64_t{0}); }) == sinter::errc::too_large);
    run_floats(gpu(), gpu().allocate_bytes(16), gpu().allocate_bytes(16), 4).wait();
}

TEST_CASE("a kernel runs on 2 GiB, and not on more") {
    const std::string text =
        "cbuffer parameters : register(b0) { uint index; uint value; };\nRWStructuredBuffer<uint> y : register(u0);\n"
        "[numthreads(1, 1, 1)]\nvoid main() { y[index] = value; }\n";
    for (const std::uint64_t size : {std::uint64_t{1} << 31, (std::uint64_t{1} << 31) + 4}) {
        const d3d12::buffer y = gpu().allocate_bytes(size);
        const std::uint32_t index = static_cast<std::uint32_t>(size / 4 - 1);
        const std::uint32_t constants[] = {index, 77};
        const d3d12::bound_buffer write[] = {{y, 0}};
        const d3d12::dispatch_part parts[] = {{d3d12::kernel(text), constants, {1, 1, 1}}};
        if (size > d3d12::dispatch::most_bytes) {
            CHECK(code_of([&] { gpu().run({{}, write, parts}); }) == sinter::errc::too_large);
            continue;
        }
        gpu().run({{}, write, parts});
        std::uint32_t value = 0;
        gpu().download_bytes(y, std::uint64_t{4} * index, std::as_writable_bytes(std::span(&value, 1)));
        CHECK(value == 77);
    }
}

TEST_CASE("one device, many threads: each pipeline is compiled once") {
    const d3d12::device own = d3d12::device::create();
    std::atomic<int> wrong = 0;
    std::atomic<int> refused = 0;
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < 8; ++thread)
        threads.emplace_back([&, thread] {
            constexpr std::uint32_t n = 1024;
            for (unsigned round = 0; round < 20; ++round) {
                const std::vector<float> x = random_values<float>(n, 100 * thread + round);
                const d3d12::buffer from = own.allocate_bytes(n * 4), to = own.allocate_bytes(n * 4);
                own.upload_bytes(from, 0, bytes_of(x));
                run_floats(own, from, to, n);
                std::vector<float> y(n), expected(n);
                own.download_bytes(to, 0, std::as_writable_bytes(std::span(y)));
                for (std::uint32_t i = 0; i < n; ++i) expected[i] = chain(x[i], parameters());
                if (!same_bits(y, expected)) ++wrong;
                try {
                    const d3d12::bound_buffer write[] = {{to, 0}};
                    const d3d12::dispatch_part parts[] = {{d3d12::kernel("void main() { broken }"), {}, {1, 1, 1}}};
                    own.run({{}, write, parts});
                } catch (const sinter::error& failure) {
                    if (failure.code() == sinter::errc::compile_failed) ++refused;
                }
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(refused == 8 * 20);
    CHECK(own.pipelines_kept() == 1);
}

TEST_CASE("on the program's own device, queue, resource and command list") {
    using namespace d3d12::detail;
    const d3d12::runtime& on = gpu().runtime_used();
    void* made = nullptr;
    REQUIRE(on.create_device(0, interface_id<ID3D12Device>, &made) == S_OK);
    const auto own = com_ptr<ID3D12Device>::adopt(on.convention, static_cast<ID3D12Device*>(made));
    D3D12_COMMAND_QUEUE_DESC described{};
    described.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
    const auto queue =
        create<ID3D12CommandQueue>("CreateCommandQueue", own, own, &ID3D12Device::CreateCommandQueue, &described);
    const d3d12::device shared = d3d12::device::from(own.get(), queue.get(), on);
    const resource x = create_buffer(own, D3D12_HEAP_TYPE_DEFAULT, 4096), y = create_buffer(own, x.heap, 4096);
    const d3d12::buffer from = shared.share(x.object.get()), to = shared.share(y.object.get());
    CHECK(from.size() == 4096);
    CHECK(from.writable());
    const std::vector<float> values = random_values<float>(1024, 9);
    shared.upload_bytes(from, 0, bytes_of(values));

    parameters p;
    p.count = 256;
    const auto groups = groups_for(p.count, p);
    const auto words = p.words();
    const d3d12::bound_buffer read[] = {{from, 0}}, write[] = {{to, 0}};
    const d3d12::bound_buffer both[] = {{to, 0}};
    const std::string again = sum_of_constants(68);
    const std::vector<std::uint32_t> many(68, 1);
    const d3d12::dispatch_part parts[] = {{d3d12::kernel(kernels::f32_skt_vec), words, groups}};
    const d3d12::dispatch_part sums[] = {{d3d12::kernel(again), many, {1, 1, 1}}};
    const auto allocator = create<ID3D12CommandAllocator>(
        "CreateCommandAllocator", own, own, &ID3D12Device::CreateCommandAllocator, D3D12_COMMAND_LIST_TYPE_DIRECT);
    const auto list =
        create<ID3D12GraphicsCommandList>("CreateCommandList", own, own, &ID3D12Device::CreateCommandList, UINT{0},
                                          D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.get(), nullptr);
    shared.record(list.get(), {read, write, parts});
    CHECK(code_of([&] { shared.record(list.get(), {{}, both, sums}); }) == sinter::errc::too_large);
    const mapped_buffer room = create_mapped_buffer(own, D3D12_HEAP_TYPE_UPLOAD, 4096);
    CHECK(d3d12::device::constants_size({{}, both, sums}) == 512);
    shared.record(list.get(), {{}, both, sums}, {room.memory.address, {room.data, 4096}});
    REQUIRE(list.call(&ID3D12GraphicsCommandList::Close) == S_OK);
    ID3D12CommandList* const lists[] = {list.get()};
    queue.call(&ID3D12CommandQueue::ExecuteCommandLists, UINT{1}, lists);

    std::vector<float> result(1024), expected(1024);
    shared.download_bytes(to, 0, std::as_writable_bytes(std::span(result)));
    for (std::size_t i = 0; i < 1024; ++i)
        expected[i] = i < 64 ? std::bit_cast<float>(17u * 1111u) : chain(values[i], p);
    CHECK(same_bits(result, expected));
}
