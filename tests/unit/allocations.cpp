// evaluate allocates nothing on any CPU backend, whatever the layout; materialize allocates its tensor. What compiles
// DirectML's descriptors allocates, and says where that fails.
#include <sinter/directml.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#if defined(_WIN32)
#include <malloc.h>
#endif

#include "support/cpu_backends.hpp"

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> failing_allocation = ~std::size_t{0};  // the one at this count fails

// Not inlined: g++ warns where it sees one half of such a pair without the other.
[[gnu::noinline]] void* counted(std::size_t size, std::size_t alignment) {
    if (allocations++ == failing_allocation) return nullptr;
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
#if defined(_WIN32)
    return _aligned_malloc(rounded == 0 ? alignment : rounded, alignment);
#else
    return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
#endif
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
    void* const memory = counted(size, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

[[gnu::noinline]] void release(void* memory) noexcept {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

}  // namespace

void* operator new(std::size_t size) { return counted_or_throw(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) { return counted_or_throw(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) {
    return counted_or_throw(size, static_cast<std::size_t>(a));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
    return counted(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

TEST_CASE("evaluate allocates nothing") {
    std::vector<float> x(10000, 1.f), out(20000);
    std::vector<std::int8_t> bytes(10000, 1), bytes_out(10000);
    using sinter::view;
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const std::size_t before = allocations;
        const auto matrix = view(x.data(), {100, 100});
        const auto target = view(out.data(), {100, 100});
        const auto chain = [](auto v) {
            return v | sinter::scale_bias(2, 1) | sinter::shrink() | sinter::threshold(0);
        };
        sinter::evaluate(backend, chain(matrix), target);
        sinter::evaluate(backend, chain(sinter::transpose(matrix)), sinter::reverse(target, 1));
        sinter::evaluate(backend, chain(matrix), view(out.data(), {100, 100}, {101, 1}));
        sinter::evaluate(backend, chain(matrix), view(out.data(), {100, 100}, {2, 200}));
        sinter::evaluate(backend, chain(view(x.data(), {100}) + view(x.data(), {100, 1})), target);
        sinter::evaluate(backend, chain(view(bytes)), bytes_out);
        sinter::evaluate(backend, view(x), view(out.data(), {10000}));
        sinter::evaluate(backend, chain(target), target);
        const std::size_t after = allocations;
        CHECK(after == before);
    });
}

TEST_CASE("materialize allocates once; refusals may allocate their message") {
    std::vector<float> x(1000, 1.f);
    const std::size_t before = allocations;
    const auto t = sinter::materialize(sinter::view(x) + 1.f);
    const std::size_t after = allocations;
    CHECK(after == before + 1);
    CHECK(t(999) == 2.f);
}

TEST_CASE("directml::compile: each allocation fails in turn, and is errc::out_of_memory") {
    using namespace sinter::directml;
    const UINT sizes[] = {2, 3};
    DML_BUFFER_TENSOR_DESC buffer{};
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 2;
    buffer.Sizes = sizes;
    buffer.TotalTensorSizeInBytes = 24;
    const DML_TENSOR_DESC tensor{DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_SCALE_BIAS scale_bias{2.f, 1.f};
    const DML_ACTIVATION_SHRINK_OPERATOR_DESC shrink{&tensor, &tensor, 0.5f, 1.f};
    const DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC threshold{&tensor, &tensor, &scale_bias, 0.f};
    const DML_ACTIVATION_RELU_OPERATOR_DESC relu{&tensor, &tensor};
    const DML_OPERATOR_DESC chain[] = {{DML_OPERATOR_ACTIVATION_SHRINK, &shrink},
                                       {DML_OPERATOR_ELEMENT_WISE_THRESHOLD, &threshold},
                                       {DML_OPERATOR_ACTIVATION_RELU, &relu}};
    const std::size_t size = compile(chain).program().size;
    std::size_t failures = 0;
    for (bool failed = true; failed;) {
        std::size_t program_size = 0;
        failing_allocation = allocations + failures;
        try {
            program_size = compile(chain).program().size;
            failed = false;
        } catch (const sinter::error& failure) {
            ++failures;
            CHECK(failure.code() == sinter::errc::out_of_memory);
            CHECK(std::string(failure.what()) == "sinter: compile: no memory for a chain of 3 operators");
        }
        failing_allocation = ~std::size_t{0};
        if (!failed) CHECK(program_size == size);
    }
    CHECK(failures > 5);
}
