// What the program computes: included where it is evaluated, and where its kernels are compiled ahead of time.
#pragma once

#include <sinter/sinter.hpp>

// Scaled to -1 to 1, small values shrunk away; for tensors on the CPU and on a device.
inline constexpr auto soften = [](const auto& x) {
    return x | sinter::scale_bias(1.f / 128.f, -1.f) | sinter::shrink(0.0625f, 0.0625f);
};
