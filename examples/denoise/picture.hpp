// A picture as planes of float32, and its way from and to pixels: each a single pass over memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

#include <sinter/sinter.hpp>

#include "common/png_file.hpp"

// Sizes {planes, height, width}, on the scale 0 .. 255 whatever the file's bits are.
using planes = sinter::tensor<float, 3>;

template <class Planes>
auto plane(Planes& image, std::size_t index) {
    const auto [count, height, width] = image.sizes();
    return sinter::reshape(sinter::slice(image, 0, index, index + 1), {height, width});
}

// The pixels without alpha, seen as planes.
template <class Pixels>
auto colour_planes(Pixels& pixels) {
    const std::size_t channels = pixels.sizes()[2];
    const auto colours = sinter::slice(pixels, 2, 0, channels <= 2 ? 1 : 3);
    return sinter::permute<2, 0, 1>(colours);
}

template <class T>
inline constexpr float steps_per_level = static_cast<float>(std::numeric_limits<T>::max()) / 255.f;

inline planes to_planes(const png_file& file) {
    return std::visit(
        [](const auto& pixels) {
            using T = typename std::remove_cvref_t<decltype(pixels)>::element_type;
            return sinter::materialize(sinter::cast<float>(colour_planes(pixels)) * (1.f / steps_per_level<T>));
        },
        file.pixels);
}

// Rounded and clamped into the colours of the file; its alpha stays.
inline void to_pixels(const planes& image, png_file& file) {
    std::visit(
        [&](auto& pixels) {
            using T = typename std::remove_cvref_t<decltype(pixels)>::element_type;
            sinter::evaluate(sinter::cast_rne<T>(image * steps_per_level<T>), colour_planes(pixels));
        },
        file.pixels);
}

// Luma and two chroma planes in place of red, green and blue. The rotation is orthonormal: noise keeps its standard
// deviation, and is again independent in the three. Gray stays as it is.
inline void to_luma_chroma(planes& image) {
    if (image.sizes()[0] == 1) return;
    const planes rgb = image;
    const auto r = plane(rgb, 0), g = plane(rgb, 1), b = plane(rgb, 2);
    sinter::evaluate((r + g + b) * 0.57735027f, plane(image, 0));
    sinter::evaluate((r - b) * 0.70710678f, plane(image, 1));
    sinter::evaluate((r + b) * 0.40824829f - g * 0.81649658f, plane(image, 2));
}

inline void to_rgb(planes& image) {
    if (image.sizes()[0] == 1) return;
    const planes turned = image;
    const auto luma = plane(turned, 0) * 0.57735027f;
    const auto red_blue = plane(turned, 1) * 0.70710678f;
    const auto magenta = plane(turned, 2) * 0.40824829f;
    sinter::evaluate(luma + red_blue + magenta, plane(image, 0));
    sinter::evaluate(luma - magenta * 2.f, plane(image, 1));
    sinter::evaluate(luma - red_blue + magenta, plane(image, 2));
}
