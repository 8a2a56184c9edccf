// A wavelet transform (CDF 9/7 by lifting) in place, on any backend of sinter.
//
// Nothing is moved. The samples at even rows and even columns become the coarser image, the three other kinds become
// details. The coarser image is again a strided view of the same memory, and the next level works on that.
#pragma once

#include <cstddef>

#include <sinter/sinter.hpp>

#include "common/lifting.hpp"

// One of the four interleaved bands: every other row and every other column. (0, 0) is the coarser image.
template <class View>
View band(const View& image, std::size_t row, std::size_t column) {
    const auto rows = sinter::slice(image, 0, row, image.sizes()[0], 2);
    return sinter::slice(rows, 1, column, image.sizes()[1], 2);
}

template <class Backend, class View>
void forward(Backend& on, const View& image, int levels) {
    if (levels == 0) return;
    for (const std::size_t dimension : {0u, 1u})
        for (const auto [first, weight] : lifting_steps) lift(on, image, dimension, first, weight);
    forward(on, band(image, 0, 0), levels - 1);
}

template <class Backend, class View>
void inverse(Backend& on, const View& image, int levels) {
    if (levels == 0) return;
    inverse(on, band(image, 0, 0), levels - 1);
    for (const std::size_t dimension : {1u, 0u})
        for (std::size_t i = lifting_steps.size(); i-- > 0;)
            lift(on, image, dimension, lifting_steps[i].first, -lifting_steps[i].weight);
}

// The standard deviation that white noise of standard deviation 1 has in a band of a level; 0 is the finest. In one
// dimension it is the length of the coarse or of the detail filter, in two the product.
inline constexpr int most_levels = 4;
constexpr float noise_gain(int level, std::size_t row, std::size_t column) {
    constexpr float filter[most_levels][2] = {
        {0.887277f, 1.139764f}, {0.754317f, 1.057659f}, {0.648535f, 0.888931f}, {0.561950f, 0.758063f}};
    return filter[level][row] * filter[level][column];
}
