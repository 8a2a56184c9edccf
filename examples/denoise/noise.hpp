// How much noise a photograph has, and how near two pictures are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <sinter/sinter.hpp>

#include "picture.hpp"
#include "wavelet.hpp"

// The standard deviation of the noise in a plane, by the finest diagonal details: of the photograph itself they hold
// little, and the median ignores that.
template <class View>
float estimate_noise(const View& image) {
    if (std::min(image.sizes()[0], image.sizes()[1]) < 3) return 0;
    sinter::cpu::highway on;
    auto transformed = sinter::materialize(on, image);
    forward(on, transformed.view(), 1);
    auto magnitudes = sinter::materialize(on, sinter::abs(band(transformed.view(), 1, 1)));
    const auto all = magnitudes.elements();
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle / 0.6745f / noise_gain(0, 1, 1);
}

inline double root_mean_square(const planes& image) {
    double sum = 0;
    for (const float x : image.elements()) sum += static_cast<double>(x) * x;
    return std::sqrt(sum / static_cast<double>(image.size()));
}

// In decibels.
inline double psnr(const planes& original, const planes& other) {
    return 20 * std::log10(255 / root_mean_square(sinter::materialize(original - other)));
}
