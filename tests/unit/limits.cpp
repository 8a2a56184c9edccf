// Where numbers or memory end: an error that says so, never a wrap, never a write beside the output.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/expect_error.hpp"

#if !defined(_WIN32)
#include <sys/mman.h>
#endif

using sinter::errc;
using sinter::view;
using support::expect_error;
using support::hidden;

namespace {

using i8 = std::int8_t;
using u8 = std::uint8_t;

constexpr std::size_t huge = std::size_t{1} << 62;

// Of every allocation that may fail with a null pointer, as the library's do.
bool allocations_fail = false;

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocations_fail ? nullptr : allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    std::free(memory);
}

TEST_CASE("no memory for a tensor is errc::out_of_memory, and names its bytes") {
    const std::vector<float> x(1000, 1.f);
    sinter::tensor<float, 1> kept({8});
    kept(7) = 3.f;
    sinter::tensor<float, 1> other({8});
    allocations_fail = true;
    expect_error(errc::out_of_memory, {"4000"}, [&] { sinter::tensor<float, 1>({1000}); });
    expect_error(errc::out_of_memory, {"32"}, [&] { sinter::tensor<float, 1> copy = kept; });
    expect_error(errc::out_of_memory, {"32"}, [&] { other = kept; });
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        expect_error(errc::out_of_memory, {"4000"}, [&] { sinter::materialize(backend, view(x) * 2.f); });
    });
    allocations_fail = false;
    CHECK(kept(7) == 3.f);
    CHECK(other.size() == 8);
    CHECK(sinter::materialize(view(x) * 2.f)(999) == 2.f);
}

TEST_CASE("sizes whose product no memory has") {
    const auto big = hidden(std::size_t{1} << 32);
    expect_error(errc::too_large, {"4294967296"}, [&] { sinter::tensor<u8, 2>({big, big}); });
    expect_error(errc::too_large, {}, [&] { sinter::tensor<float, 1>({hidden(huge)}); });
    expect_error(errc::too_large, {}, [&] { sinter::tensor<u8, 3>({big, big / 2, std::size_t{3}}); });
    // A 0 among them is a tensor without elements, in whatever order.
    CHECK(sinter::tensor<u8, 3>({big, big, std::size_t{0}}).size() == 0);
    CHECK(sinter::tensor<u8, 3>({std::size_t{0}, big, big}).elements().empty());
    float x = 1.f, y = 2.f;
    for (const auto& sizes : {std::array{big, big}, std::array{hidden(huge), std::size_t{4}},
                              std::array{hidden(huge) * 2 + 2, std::size_t{2}}}) {
        const auto in = view(&x, sizes, std::array{0, 0});
        const auto out = view(&y, sizes, std::array{1, 1});
        support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
            INFO(name);
            expect_error(errc::too_large, {}, [&] { sinter::evaluate(backend, in + 1.f, out); });
        });
        expect_error(errc::too_large, {}, [&] { sinter::materialize(in + 1.f); });
    }
    CHECK(y == 2.f);
}

TEST_CASE("reshape counts elements without a wrap") {
    std::array<u8, 4> x{};
    const auto v = view(x);
    const auto half = hidden(std::size_t{1} << 63);
    const auto big = hidden(std::size_t{1} << 32);
    // 2 * (2^63 + 2) is 4 modulo 2^64, and 2^32 * 2^32 is 0.
    expect_error(errc::shape, {"{4}"}, [&] { sinter::reshape(v, {std::size_t{2}, half + 2}); });
    expect_error(errc::shape, {"{4}"}, [&] { sinter::reshape(v, {half + 2, std::size_t{2}}); });
    expect_error(errc::shape, {"{0}"}, [&] { sinter::reshape(sinter::slice(v, 0, 1, 1), {big, big}); });
    CHECK(sinter::reshape(sinter::slice(v, 0, 1, 1), {big, std::size_t{0}, big}).size() == 0);
}

TEST_CASE("strides that leave what index arithmetic can reach") {
    constexpr auto furthest = std::numeric_limits<std::ptrdiff_t>::max();
    constexpr auto lowest = std::numeric_limits<std::ptrdiff_t>::min();
    std::array<float, 4> x{}, y{};
    const auto far_view = [](float* data, std::ptrdiff_t outer, std::ptrdiff_t inner) {
        return view(data, {2, 2}, {outer, inner});
    };
    for (const std::ptrdiff_t stride : {furthest, lowest, furthest / 2 + 1, lowest / 4, std::ptrdiff_t{1} << 58}) {
        INFO(stride);
        const std::ptrdiff_t step = hidden(stride);
        const auto packed = view(x.data(), {2, 2});
        expect_error(errc::too_large, {"input 1", "strides"},
                     [&] { sinter::evaluate(far_view(x.data(), step, 1) + 1.f, view(y.data(), {2, 2})); });
        expect_error(errc::too_large, {"the output", "strides"},
                     [&] { sinter::evaluate(packed + 1.f, far_view(y.data(), 1, step)); });
        expect_error(errc::too_large, {"strides"},
                     [&] { sinter::evaluate(far_view(x.data(), step, step) + 1.f, far_view(y.data(), step, step)); });
        // The stride of a dimension with one element counts for nothing.
        sinter::evaluate(view(x.data(), {1, 4}, {step, std::ptrdiff_t{1}}) + 1.f,
                         view(y.data(), {1, 4}, {step, std::ptrdiff_t{1}}));
        CHECK(y == std::array{1.f, 1.f, 1.f, 1.f});
        y = {};
    }
    const auto far_apart = view(x.data(), {3}, {hidden(furthest)});
    expect_error(errc::too_large, {"slice"}, [&] { sinter::slice(far_apart, 0, 0, 3, 2); });
    expect_error(errc::too_large, {"slice"}, [&] { sinter::slice(far_apart, 0, 2, 3); });
    expect_error(errc::too_large, {"reverse"}, [&] { sinter::reverse(far_apart, 0); });
    const auto single = view(x.data(), {1}, {hidden(lowest)});
    CHECK(sinter::reverse(single, 0).data() == x.data());
    CHECK(sinter::slice(single, 0, 0, 1, 5).data() == x.data());
}

#if !defined(_WIN32)

TEST_CASE("more than 2^32 elements, of which few are touched") {
    // Two arrays of 2^32 + 3 * 2^12 bytes that take memory only where they are written.
    constexpr std::size_t rows = (std::size_t{1} << 20) + 3, row = std::size_t{1} << 12, bytes = rows * row;
    static_assert(bytes > std::numeric_limits<std::uint32_t>::max());
    void* const mapped =
        mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    auto* const x = static_cast<u8*>(mapped);
    auto* const y = x + bytes;
    const auto all = view(x, {rows, row});
    const auto result = view(y, {rows, row});
    // Elements of both ends and from either side of 2^31 and 2^32.
    constexpr std::size_t step = std::size_t{1} << 19, picked = rows / step + 1;
    for (std::size_t i = 0; i < picked; ++i) all(i * step, row - 1) = static_cast<u8>(10 * i + 1);
    all(rows - 1, row - 1) = 99;
    const auto few = [&](auto v) { return sinter::slice(sinter::slice(v, 0, 0, rows, step), 1, row - 2, row); };
    const auto last = [&](auto v) { return sinter::slice(sinter::slice(v, 0, rows - 2, rows), 1, row - 200, row); };
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, few(all) + 1, few(result));
        sinter::evaluate(backend, last(all) + 2, last(result));
        for (std::size_t i = 0; i < picked; ++i) {
            CHECK(result(i * step, row - 1) == 10 * i + 2);
            CHECK(result(i * step, row - 2) == 1);
        }
        CHECK(result(rows - 1, row - 1) == 101);
        CHECK(result(rows - 2, row - 1) == 2);
        CHECK(result(rows - 4, row - 1) == 0);
        // Backwards and transposed: from the far end, through all of it.
        sinter::evaluate(backend, sinter::transpose(sinter::reverse(few(all), 0)) * 3, sinter::transpose(few(result)));
        for (std::size_t i = 0; i < picked; ++i)
            CHECK(result((picked - 1 - i) * step, row - 1) == static_cast<u8>(3 * (10 * i + 1)));
        madvise(y, bytes, MADV_DONTNEED);
    });
    // The whole array is one run of more than 2^32 elements.
    sinter::plan p;
    const std::array<std::size_t, 2> sizes{rows, row};
    const std::array<std::ptrdiff_t, 2> strides{static_cast<std::ptrdiff_t>(row), 1};
    const sinter::operand_view in{reinterpret_cast<std::uintptr_t>(x), sinter::element_type::uint8, 2, sizes.data(),
                                  strides.data()};
    sinter::operand_view out = in;
    out.address = reinterpret_cast<std::uintptr_t>(y);
    sinter::make_plan(p, &in, 1, out);
    CHECK(p.count == bytes);
    CHECK(p.kind == sinter::loop_kind::packed);
    CHECK(!p.narrow_indices);
    CHECK(sinter::view(x, {bytes}).size() == bytes);
    munmap(mapped, 2 * bytes);
}

#endif
