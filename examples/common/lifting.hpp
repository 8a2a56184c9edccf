// The steps of a wavelet transform (CDF 9/7) along one dimension of a strided view, in place, on any backend of sinter.
#pragma once

#include <array>
#include <cstddef>

#include <sinter/sinter.hpp>

// Every other sample, from `first` (0 or 1) on, gains the weighted sum of its two neighbours. Beyond the ends of the
// image lies its mirror image. Needs 3 samples.
template <class Backend, class View>
void lift(Backend& on, const View& image, std::size_t dimension, std::size_t first, float weight) {
    const std::size_t size = image.sizes()[dimension];
    const auto every_other = [&](std::size_t from, std::size_t to) {
        return sinter::slice(image, dimension, from, to, 2);
    };
    const auto gain = [&](auto x, auto left, auto right) { sinter::evaluate(on, x + (left + right) * weight, x); };

    const std::size_t inner = first == 0 ? 2 : 1;
    gain(every_other(inner, size - 1), every_other(inner - 1, size - 2), every_other(inner + 1, size));
    const auto second = every_other(1, 2), last_but_one = every_other(size - 2, size - 1);
    if (first == 0) gain(every_other(0, 1), second, second);
    if (size % 2 != first) gain(every_other(size - 1, size), last_but_one, last_but_one);
}

struct lifting_step {
    std::size_t first;
    float weight;
};
inline constexpr std::array<lifting_step, 4> lifting_steps{
    {{1, -1.586134342f}, {0, -0.052980119f}, {1, 0.882911076f}, {0, 0.443506852f}}};
