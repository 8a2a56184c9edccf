// The time that an evaluation took on the adapter.
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "support/d3d12_device.hpp"

using std::chrono::nanoseconds;

namespace {

sinter::d3d12::device timed_device() {
    support::gpu();  // skips the program where there is none
    sinter::d3d12::device_options options;
    options.timed = true;
    return sinter::d3d12::device::create(options);
}

}  // namespace

TEST_CASE("an evaluation takes some time, and no more than passed meanwhile") {
    const sinter::d3d12::device gpu = timed_device();
    constexpr std::size_t n = 1 << 20;
    const std::vector<float> x(n, 2.f);
    std::vector<float> result(n);
    const auto there = gpu.upload(x);
    auto out = gpu.allocate<float>({n});
    for (int round = 0; round < 3; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const auto done = sinter::evaluate(gpu, there * 3.f, out);
        const nanoseconds taken = done.elapsed();
        CHECK(taken > nanoseconds(0));
        CHECK(taken < std::chrono::steady_clock::now() - start);
        CHECK(done.elapsed() == taken);
    }
    gpu.download(out, result);
    CHECK(result == std::vector<float>(n, 6.f));
}

TEST_CASE("more work takes longer") {
    const sinter::d3d12::device gpu = timed_device();
    const auto least = [&](std::size_t n) {
        const auto x = gpu.upload(std::vector<float>(n, 1.f));
        auto y = gpu.allocate<float>({n});
        nanoseconds shortest = (nanoseconds::max)();
        for (int round = 0; round < 5; ++round)
            shortest = (std::min)(shortest, sinter::evaluate(gpu, x + 1.f, y).elapsed());
        return shortest;
    };
    const nanoseconds few = least(1024), many = least(std::size_t{1} << 22);
    INFO(few.count() << " ns, " << many.count() << " ns");
    CHECK(many > 4 * few);
}

TEST_CASE("work that was not timed says so; nothing took no time") {
    const sinter::d3d12::device& gpu = support::gpu();
    auto y = gpu.allocate<float>({16});
    const auto done = sinter::evaluate(gpu, y * 2.f, y);
    try {
        done.elapsed();
        FAIL("no error");
    } catch (const sinter::error& failure) {
        CHECK(failure.code() == sinter::errc::unsupported);
        CHECK(std::string(failure.what()).find("device_options::timed") != std::string::npos);
    }
    CHECK(sinter::d3d12::submission().elapsed() == nanoseconds(0));
}
