// The Direct3D 12 device that tests run on, and how it treats subnormal numbers.
#pragma once

#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace support {

// Whether a test must not be left out for what the machine lacks.
inline bool run_must_be_whole() {
    const char* const whole = std::getenv("CI");
    return whole != nullptr && *whole != '\0';
}

// Without Direct3D 12 a test program is skipped, except where a run must be whole.
inline sinter::d3d12::device create_d3d12_device() {
    try {
        return sinter::d3d12::device::create();
    } catch (const sinter::error& failure) {
        if (failure.code() != sinter::errc::d3d12_unavailable || run_must_be_whole()) throw;
        std::printf("skipped: %s\n", failure.what());
        std::exit(77);
    }
}

inline const sinter::d3d12::device& gpu() {
    static const sinter::d3d12::device created = create_d3d12_device();
    return created;
}

// Whether kernels keep float32 subnormals as operands, as results and as scalars, and in comparisons: Direct3D lets a
// driver take them as zero.
inline bool keeps_subnormals(const sinter::d3d12::device& on) {
    constexpr float tiny = 0x1p-149f;
    constexpr float normal = 0x1p-126f;
    const std::array<float, 4> x{tiny, -tiny, normal, -normal};
    const std::array<float, 4> y{tiny, -2 * tiny, -normal / 2, normal - tiny};
    const auto there_x = on.upload(x);
    const auto there_y = on.upload(y);
    const auto keeps = [&](const auto& of) {
        std::array<float, 4> expected{}, got{};
        sinter::evaluate(sinter::cpu::scalar{}, of(sinter::view(x), sinter::view(y)), expected);
        on.download(sinter::materialize(on, of(there_x, there_y)), got);
        return std::bit_cast<std::array<std::uint32_t, 4>>(expected) ==
               std::bit_cast<std::array<std::uint32_t, 4>>(got);
    };
    return keeps([](const auto& a, const auto& b) { return a + b; }) &&
           keeps([](const auto& a, const auto& b) { return a * 0.25f + b * 0.5f; }) &&
           keeps([](const auto& a, const auto& b) { return sinter::min(a, b) + 0x1p-149f; }) &&
           keeps([](const auto& a, const auto&) { return sinter::select(a > 0.f, a, 1.f); });
}

}  // namespace support
