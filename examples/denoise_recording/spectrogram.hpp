// What a recording holds at which time (to the right) and frequency (up), as a picture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include <unsupported/Eigen/FFT>

#include <sinter/sinter.hpp>

#include "common/png_file.hpp"

inline constexpr std::size_t spectrum_window = 512, spectrum_bins = spectrum_window / 2, spectrum_columns = 640;

// In decibels below the loudest possible tone; sizes {bins, columns}, low frequencies first.
template <class View>
sinter::tensor<float, 2> spectrum_of(const View& channel) {
    const auto samples = sinter::materialize(channel);
    sinter::tensor<float, 2> levels({spectrum_bins, spectrum_columns});
    Eigen::FFT<float> transform;
    std::vector<float> window(spectrum_window), part(spectrum_window);
    std::vector<std::complex<float>> spectrum;
    for (std::size_t i = 0; i < spectrum_window; ++i)
        window[i] = 0.5f - 0.5f * std::cos(2 * std::numbers::pi_v<float> * static_cast<float>(i) / spectrum_window);
    const std::size_t last = samples.size() < spectrum_window ? 0 : samples.size() - spectrum_window;
    for (std::size_t column = 0; column < spectrum_columns; ++column) {
        const std::size_t first = last * column / (spectrum_columns - 1);
        const std::size_t count = std::min(spectrum_window, samples.size() - first);
        std::fill(part.begin(), part.end(), 0.f);
        const auto some = [&](auto& from) { return sinter::slice(sinter::view(from), 0, 0, count); };
        sinter::evaluate(sinter::slice(samples, 0, first, first + count) * some(window), some(part));
        transform.fwd(spectrum, part);
        for (std::size_t bin = 0; bin < spectrum_bins; ++bin)
            levels.data()[bin * spectrum_columns + column] =
                20 * std::log10(std::abs(spectrum[bin]) * (4.f / spectrum_window) + 1e-9f);
    }
    return levels;
}

// Black, violet, orange, white: each colour is a ramp over the levels, written where it lies among the others.
template <class Picture>
void paint(const sinter::tensor<float, 2>& levels, const Picture& rows) {
    constexpr float quietest = -100, loudest = -20;
    constexpr std::array<std::array<float, 2>, 3> ramps{{{0.1f, 0.7f}, {0.4f, 1.f}, {0.f, 0.45f}}};
    const auto share = (levels - quietest) * (1 / (loudest - quietest));
    for (std::size_t colour = 0; colour < ramps.size(); ++colour) {
        const auto [from, to] = ramps[colour];
        const auto bytes = sinter::cast_rne<std::uint8_t>((share - from) * (255 / (to - from)));
        const auto plane = sinter::slice(rows, 2, colour, colour + 1);
        sinter::evaluate(bytes, sinter::reverse(sinter::reshape(plane, levels.sizes()), 0));
    }
}

// Above, before; below, after.
inline png_file compare(const sinter::tensor<float, 2>& before, const sinter::tensor<float, 2>& after) {
    constexpr std::size_t gap = 8;
    pixels_8 picture({2 * spectrum_bins + gap, spectrum_columns, 3});
    paint(before, sinter::slice(picture, 0, 0, spectrum_bins));
    paint(after, sinter::slice(picture, 0, spectrum_bins + gap, 2 * spectrum_bins + gap));
    return {std::move(picture), {}};
}
