// The same denoiser on Direct3D 12, where there is one: the time it takes, and whether its bits are the CPU's.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include <sinter/sinter.hpp>

#include "denoise.hpp"
#include "picture.hpp"

#if defined(_WIN32) || __has_include(<directx/d3d12.h>)

#include <sinter/d3d12.hpp>

// What is printed about it.
inline std::string compare_on_d3d12(const planes& before, const planes& after, std::span<const float> noise) try {
    using clock = std::chrono::steady_clock;
    const auto gpu = sinter::d3d12::device::create();
    const auto [count, height, width] = before.sizes();
    denoiser machine(gpu, height, width);
    auto image = gpu.upload(before);
    const auto start = clock::now();
    for (std::size_t i = 0; i < noise.size(); ++i) machine.run(plane(image, i), noise[i]);
    planes result(before.sizes());
    gpu.download(image, result);
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    const bool same = std::memcmp(result.data(), after.data(), after.size() * sizeof(float)) == 0;
    char text[160];
    std::snprintf(text, sizeof text, "%.1f ms with %zu kernels to compile; the bits %s\n          on ", seconds * 1e3,
                  gpu.pipelines_kept(), same ? "are the CPU's" : "DIFFER from the CPU's");
    return text + gpu.adapter_used().name + (gpu.adapter_used().software ? ", which is software" : "");
} catch (const sinter::error& failure) {
    if (failure.code() != sinter::errc::d3d12_unavailable) throw;
    return "none on this machine";
}

#else

inline std::string compare_on_d3d12(const planes&, const planes&, std::span<const float>) {
    return "built without DirectX-Headers";
}

#endif
