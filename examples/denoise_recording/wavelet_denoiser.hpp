// Denoising of one channel by soft shrinkage of wavelet details.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <sinter/sinter.hpp>

#include "common/lifting.hpp"

// Every other sample, from 0 (coarse) or 1 (details) on: after a level of the transform they hold the two bands.
template <class View>
View band(const View& signal, std::size_t first) {
    return sinter::slice(signal, 0, first, signal.sizes()[0], 2);
}

template <class View>
void forward(const View& signal, int levels) {
    if (levels == 0) return;
    const sinter::cpu::highway on;
    for (const auto [first, weight] : lifting_steps) lift(on, signal, 0, first, weight);
    forward(band(signal, 0), levels - 1);
}

template <class View>
void inverse(const View& signal, int levels) {
    if (levels == 0) return;
    inverse(band(signal, 0), levels - 1);
    const sinter::cpu::highway on;
    for (std::size_t i = lifting_steps.size(); i-- > 0;)
        lift(on, signal, 0, lifting_steps[i].first, -lifting_steps[i].weight);
}

// The standard deviation of the noise in a band: what the quietest tenth of its parts hold.
template <class View>
float noise_in(const View& details) {
    constexpr std::size_t shortest = 32;
    const auto energy = sinter::materialize(details * details);
    const std::size_t parts = std::clamp<std::size_t>(energy.size() / shortest, 1, 100);
    std::vector<float> means(parts);
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t first = energy.size() * i / parts, last = energy.size() * (i + 1) / parts;
        double sum = 0;
        for (std::size_t k = first; k < last; ++k) sum += static_cast<double>(energy.data()[k]);
        means[i] = static_cast<float>(sum / static_cast<double>(last - first));
    }
    const auto quiet = means.begin() + static_cast<std::ptrdiff_t>(parts / 10);
    std::nth_element(means.begin(), quiet, means.end());
    return std::sqrt(*quiet);
}

// Details toward zero by `strength` times their noise, in place. What is smaller than that becomes zero.
template <class View>
void shrink_details(const View& signal, int levels, float strength) {
    if (levels == 0) return;
    const auto details = band(signal, 1);
    const float toward_zero = strength * noise_in(details);
    sinter::evaluate(details | sinter::shrink(toward_zero, toward_zero), details);
    shrink_details(band(signal, 0), levels - 1, strength);
}

// Replaces the channel. A wavelet transform treats even and odd samples differently, which alone would be heard: so the
// channel is denoised at several offsets, and the results are averaged.
template <class View>
void denoise(const View& channel, float strength) {
    constexpr int levels = 5;
    constexpr std::size_t margin = std::size_t{1} << levels;
    constexpr std::array<std::size_t, 8> offsets{0, 5, 11, 14, 18, 23, 25, 31};
    const std::size_t samples = channel.sizes()[0];
    if (samples < 4 * margin) return;

    // In front of it lies its mirror image, so that every offset covers the channel.
    const std::size_t length = margin + samples;
    sinter::tensor<float, 1> padded({length}), shifted({length}), mean({length});
    sinter::evaluate(sinter::reverse(sinter::slice(channel, 0, 1, margin + 1), 0), sinter::slice(padded, 0, 0, margin));
    sinter::evaluate(channel, sinter::slice(padded, 0, margin, length));
    for (const std::size_t offset : offsets) {
        const auto work = sinter::slice(shifted, 0, offset, length);
        const auto sum = sinter::slice(mean, 0, offset, length);
        sinter::evaluate(sinter::slice(padded, 0, offset, length), work);
        forward(work, levels);
        shrink_details(work, levels, strength);
        inverse(work, levels);
        sinter::evaluate(sum + work * (1.f / offsets.size()), sum);
    }
    sinter::evaluate(sinter::slice(mean, 0, margin, length), channel);
}
