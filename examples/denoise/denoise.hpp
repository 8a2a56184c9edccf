// Denoising by soft shrinkage of wavelet details, on any backend of sinter.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <sinter/sinter.hpp>

#include "wavelet.hpp"

// Soft shrinkage: toward zero by the threshold, and what lies within it becomes zero. Every detail has a threshold of
// its own, BayesShrink's: the variance of the noise over the standard deviation of the signal, which is the energy
// around the detail less that of the noise. So fur stays fur where a plain background is smoothed.
struct shrink_by_energy {
    constexpr auto operator()(auto detail, auto energy, auto noise, auto inverse_variance) const {
        const auto signal = sinter::clamp(energy * inverse_variance - 1.f, 1.f / 9, 100.f);
        // 1 / sqrt(signal) by Newton's method; the first step, from 0.17, is a line.
        auto root = 0.255f - signal * 0.0024565f;
        for (int step = 0; step < 9; ++step) root *= 1.5f - 0.5f * signal * root * root;
        const auto threshold = noise * root;
        return sinter::shrink(detail, threshold, threshold);
    }
};

// The mean of every sample and its two neighbours at a distance. Beyond the ends of the image lies its mirror image.
template <class Backend, class From, class To>
void smooth(Backend& on, const From& from, const To& to, std::size_t dimension, std::size_t distance) {
    const std::size_t size = from.sizes()[dimension];
    if (size < 2 * distance) {
        sinter::evaluate(on, from, to);
        return;
    }
    const auto part = [&](const auto& image, std::size_t first, std::size_t last) {
        return sinter::slice(image, dimension, first, last);
    };
    const auto mean = [&](auto before, auto at, auto after, auto out) {
        sinter::evaluate(on, (before + at + after) * (1.f / 3), out);
    };
    const std::size_t last = size - distance;
    const auto head = part(from, 0, distance), tail = part(from, last, size);
    mean(part(from, 0, last - distance), part(from, distance, last), part(from, 2 * distance, size),
         part(to, distance, last));
    mean(sinter::reverse(head, dimension), head, part(from, distance, 2 * distance), part(to, 0, distance));
    mean(part(from, last - distance, last), tail, sinter::reverse(tail, dimension), part(to, last, size));
}

// Rows and columns from `row` and `column` on.
template <class Image>
auto from_corner(Image& image, std::size_t row, std::size_t column) {
    const auto [height, width] = image.sizes();
    return sinter::slice(sinter::slice(image, 0, row, height), 1, column, width);
}

// As many rows and columns as the other image has.
template <class Image, class Other>
auto as_large_as(const Other& other, Image& image) {
    const auto [height, width] = other.sizes();
    return sinter::slice(sinter::slice(image, 0, 0, height), 1, 0, width);
}

// An image is denoised at several offsets and the results are averaged: a wavelet transform treats even and odd
// positions differently, which alone would show as ripples along edges.
inline constexpr std::array<std::array<std::size_t, 2>, 8> offsets{
    {{0, 0}, {5, 7}, {10, 15}, {15, 6}, {4, 14}, {9, 5}, {14, 13}, {3, 4}}};

// The memory for images of one size, from a backend.
template <sinter::backend Backend>
class denoiser {
public:
    denoiser(Backend& backend, std::size_t height, std::size_t width)
        : on_(backend),
          levels_(levels_for(std::min(height, width))),
          margin_(levels_ == 0 ? 0 : std::size_t{1} << levels_),
          padded_(allocate(height, width)),
          work_(allocate(height, width)),
          sum_(allocate(height, width)),
          energy_(allocate(height, width)),
          smoothed_(allocate(height, width)) {}

    // Replaces the image, whose noise has this standard deviation.
    template <class View>
    void run(const View& image, float noise) {
        if (levels_ == 0 || noise == 0) return;
        pad_by_mirror(image);
        for (const auto& [row, column] : offsets) {
            const auto work = from_corner(work_, row % margin_, column % margin_);
            const auto sum = from_corner(sum_, row % margin_, column % margin_);
            sinter::evaluate(on_, from_corner(padded_, row % margin_, column % margin_), work);
            forward(on_, work, levels_);
            shrink_details(work, noise, 0);
            inverse(on_, work, levels_);
            constexpr float share = 1.f / offsets.size();
            // The first offset covers everything that the others do.
            if (row == 0 && column == 0) sinter::evaluate(on_, work * share, sum);
            else sinter::evaluate(on_, sum + work * share, sum);
        }
        sinter::evaluate(on_, from_corner(sum_, margin_, margin_), image);
    }

private:
    auto allocate(std::size_t height, std::size_t width) const {
        return on_.template allocate<float>(std::array{height + margin_, width + margin_});
    }

    // As many as leave 3 samples for the coarsest, and images larger than the margin.
    static int levels_for(std::size_t shortest_side) {
        int levels = 0;
        while (levels < most_levels && (std::size_t{2} << levels) < shortest_side) ++levels;
        return levels;
    }

    // Above and at the left, so that every offset covers the image.
    template <class View>
    void pad_by_mirror(const View& image) {
        const auto mirrored = [&](const auto& view, std::size_t dimension) {
            return sinter::reverse(sinter::slice(view, dimension, 1, margin_ + 1), dimension);
        };
        const auto rows = from_corner(padded_, 0, margin_);
        const auto inside = from_corner(padded_, margin_, margin_);
        sinter::evaluate(on_, image, inside);
        sinter::evaluate(on_, mirrored(image, 0), sinter::slice(rows, 0, 0, margin_));
        sinter::evaluate(on_, mirrored(rows, 1), sinter::slice(padded_, 1, 0, margin_));
    }

    template <class View>
    void shrink_details(const View& image, float noise, int level) {
        if (level == levels_) return;
        for (const auto& [row, column] : {std::array{0u, 1u}, std::array{1u, 0u}, std::array{1u, 1u}}) {
            const auto details = band(image, row, column);
            const float here = noise * noise_gain(level, row, column);
            const auto shrunk =
                sinter::map(shrink_by_energy{}, details, energy_around(details), here, 1 / (here * here));
            sinter::evaluate(on_, shrunk, details);
        }
        shrink_details(band(image, 0, 0), noise, level + 1);
    }

    // The mean of the squares of 9 by 9 samples.
    template <class View>
    auto energy_around(const View& details) {
        const auto energy = as_large_as(details, energy_);
        const auto smoothed = as_large_as(details, smoothed_);
        sinter::evaluate(on_, details * details, energy);
        for (const std::size_t distance : {1u, 3u}) {
            smooth(on_, energy, smoothed, 0, distance);
            smooth(on_, smoothed, energy, 1, distance);
        }
        return energy;
    }

    using plane = decltype(std::declval<Backend&>().template allocate<float>(std::array<std::size_t, 2>{}));

    Backend& on_;
    int levels_;
    std::size_t margin_;
    plane padded_, work_, sum_, energy_, smoothed_;
};
