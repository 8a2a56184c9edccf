// What several threads may share: expressions, views, outputs that touch, executors, compiled operators, a device and
// its pipelines. The results are checked here; that nothing races is for the thread sanitizer to see.
#include <sinter/directml.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "support/cpu_backends.hpp"

#if __has_include(<directx/d3d12.h>) && __has_include(<unknwn.h>)
#define HAS_D3D12 1
#include "d3d12/fake_runtime.hpp"
#endif

using sinter::view;

namespace {

constexpr std::size_t thread_count = 8;

// Calls job(0) .. job(n - 1), each on a thread of its own; all begin at once.
template <class Job>
void at_once(std::size_t n, const Job& job) {
    std::barrier together(static_cast<std::ptrdiff_t>(n));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n; ++i)
        threads.emplace_back([&, i] {
            together.arrive_and_wait();
            job(i);
        });
    for (std::thread& thread : threads) thread.join();
}

struct threads {
    static constexpr std::size_t concurrency() { return thread_count; }
    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        at_once(parts, job);
    }
};

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 257) - 128.f;
    return values;
}

template <class X>
auto chain(const X& x) {
    return x | sinter::scale_bias(1.5f, 0.25f) | sinter::shrink(0.5f, 2.f) | sinter::threshold(-8.f);
}

}  // namespace

TEST_CASE("K6: one constant expression, and views of one matrix") {
    const std::vector<float> x = counting(3 * 1001);
    const auto matrix = view(x.data(), {3, 1001});
    const auto expression = chain(sinter::transpose(matrix)) + view(x.data(), {3});
    std::vector<float> expected(x.size());
    sinter::evaluate(sinter::cpu::scalar{}, expression, view(expected.data(), {1001, 3}));
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::array<std::vector<float>, thread_count> out;
        at_once(thread_count, [&](std::size_t i) {
            out[i].resize(x.size());
            for (int round = 0; round < 3; ++round)
                sinter::evaluate(backend, expression, view(out[i].data(), {1001, 3}));
        });
        for (const std::vector<float>& own : out) CHECK(own == expected);
    });
}

TEST_CASE("outputs whose elements lie between one another") {
    const std::vector<std::uint8_t> x(1003, 3);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<std::uint8_t> between(thread_count * x.size()), beside(thread_count * x.size());
        at_once(thread_count, [&](std::size_t i) {
            sinter::evaluate(backend, view(x) + i,
                             view(between.data() + i, {x.size()}, {std::ptrdiff_t{thread_count}}));
            sinter::evaluate(backend, view(x) * i, view(beside.data() + i * x.size(), {x.size()}));
        });
        for (std::size_t i = 0; i < between.size(); ++i) {
            CHECK(between[i] == 3 + i % thread_count);
            CHECK(beside[i] == 3 * (i / x.size()));
        }
    });
}

TEST_CASE("a parallel backend, used by several threads at once") {
    const std::vector<float> x = counting(600'000);
    const auto expression = chain(view(x));
    std::vector<float> expected(x.size());
    sinter::evaluate(expression, expected);
    const auto backend = sinter::cpu::highway{}.with(threads{});
    std::array<std::vector<float>, 3> out;
    at_once(out.size(), [&](std::size_t i) {
        out[i].resize(x.size());
        sinter::evaluate(backend, expression, out[i]);
        sinter::evaluate(backend, sinter::reverse(view(out[i]), 0) * 1.f,
                         view(out[i].data() + x.size() - 1, {x.size()}, {-1}));
    });
    for (const std::vector<float>& own : out) CHECK(own == expected);
    // Rows that are padded and bytes that share words, in parts.
    std::vector<std::uint8_t> rows(1'500 * 1'001, 1), results(rows.size(), 9);
    sinter::evaluate(backend, view(rows.data(), {1'500, 1'000}, {1'001, 1}) + 1,
                     view(results.data(), {1'500, 1'000}, {1'001, 1}));
    CHECK(std::count(results.begin(), results.end(), 2) == 1'500'000);
    CHECK(std::count(results.begin(), results.end(), 9) == 1'500);
}

#if defined(HAS_D3D12)

namespace {

namespace d3d12 = sinter::d3d12;

std::ptrdiff_t calls_of(const fake::world& world, const std::string& name) {
    return std::count(world.calls.begin(), world.calls.end(), name);
}

d3d12::device created(fake::world& in) {
    d3d12::device_options options;
    options.on = fake::runtime(in);
    return d3d12::device::create(options);
}

}  // namespace

TEST_CASE("one device: memory, evaluations, and pipelines of which each is made once") {
    fake::world world;
    world.pipelines_take = std::chrono::milliseconds(2);
    std::atomic<int> refused = 0;
    {
        const d3d12::device gpu = created(world);
        const std::vector<float> x = counting(1024);
        const auto there = gpu.upload(x);
        const auto expression = chain(there);
        at_once(thread_count, [&](std::size_t i) {
            auto out = gpu.allocate<float>({1024});
            std::vector<float> back(1024);
            for (int round = 0; round < 6; ++round) {
                sinter::evaluate(gpu, expression, out);
                if (i % 2 == 0) sinter::evaluate(gpu, there + out, out).wait();
                else sinter::evaluate(gpu, there * 2.f, out);
                gpu.download(there, back);
                CHECK(back == x);
                try {
                    const d3d12::dispatch_part parts[] = {{d3d12::kernel("broken"), {}, {1, 1, 1}}};
                    gpu.run({{}, {}, parts});
                } catch (const sinter::error& failure) {
                    refused += failure.code() == sinter::errc::compile_failed;
                }
            }
        });
        CHECK(gpu.pipelines_kept() == 3);
        CHECK(calls_of(world, "ID3D12Device::CreateComputePipelineState") == 3);
        CHECK(refused == 6 * thread_count);
    }
    CHECK(world.alive == 0);
}

TEST_CASE("one compiled operator: it is prepared for a device once, by whoever comes first") {
    using namespace sinter::directml;
    const UINT size = 256;
    DML_BUFFER_TENSOR_DESC buffer{};
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 1;
    buffer.Sizes = &size;
    buffer.TotalTensorSizeInBytes = 4 * size;
    const DML_TENSOR_DESC tensor{DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ACTIVATION_SHRINK_OPERATOR_DESC shrink{&tensor, &tensor, 0.5f, 1.f};
    const compiled_operator op = compile({DML_OPERATOR_ACTIVATION_SHRINK, &shrink});
    fake::world world;
    world.pipelines_take = std::chrono::milliseconds(2);
    {
        const d3d12::device gpu = created(world);
        // Allocated before: the first dispatches then meet.
        const d3d12::buffer x = gpu.allocate_bytes(4 * size);
        std::array<d3d12::buffer, thread_count> y;
        for (d3d12::buffer& own : y) own = gpu.allocate_bytes(4 * size);
        at_once(thread_count, [&](std::size_t t) {
            const compiled_operator own = op;
            for (int round = 0; round < 10; ++round) own.dispatch(gpu, {x.resource()}, {y[t].resource()});
        });
        CHECK(calls_of(world, "ID3D12Device::CreateComputePipelineState") == 1);
        CHECK(world.dispatches == 10 * thread_count);
    }
    CHECK(world.alive == 0);
}

TEST_CASE("K1 K2: a pipeline is found by its text, and by each device apart") {
    fake::world first, second;
    {
        const d3d12::device one = created(first);
        d3d12::kernel yesterday("a kernel"), today("another");
        today.hash = yesterday.hash;
        const auto run = [](const d3d12::device& on, const d3d12::kernel& code) {
            const d3d12::buffer y = on.allocate_bytes(16);
            const d3d12::bound_buffer write[] = {{y, 0}};
            const d3d12::dispatch_part parts[] = {{code, {}, {1, 1, 1}}};
            on.run({{}, write, parts});
        };
        run(one, yesterday);
        run(one, today);
        run(one, yesterday);
        CHECK(one.pipelines_kept() == 2);
        const d3d12::device two = created(second);
        run(two, yesterday);
        CHECK(two.pipelines_kept() == 1);
        CHECK(calls_of(first, "ID3D12Device::CreateComputePipelineState") == 2);
        CHECK(calls_of(second, "ID3D12Device::CreateComputePipelineState") == 1);
    }
    CHECK(first.alive == 0);
    CHECK(second.alive == 0);
}

#endif
