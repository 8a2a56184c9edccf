// What sinter's contenders and the scalar reference compute, as a user writes it.
#pragma once

#include <cstdint>

#include "contender.hpp"
#include "sinter/sinter.hpp"

namespace bench {

struct chain3 {
    static constexpr auto apply(const auto& x, const attributes& a) {
        return x | sinter::scale_bias(a.scale, a.bias) | sinter::shrink(a.shrink_bias, a.shrink_threshold) |
               sinter::threshold(a.minimum);
    }
};

struct chain10 {
    static constexpr auto apply(const auto& x, const attributes& a) {
        return chain3::apply(chain3::apply(chain3::apply(x, a), a), a) | sinter::scale_bias(a.scale, a.bias);
    }
};

struct shrink {
    static constexpr auto apply(const auto& x, const attributes& a) {
        return sinter::shrink(x, a.shrink_bias, a.shrink_threshold);
    }
};

template <class Backend, class Operators, class T>
void evaluate_elements(const Backend& backend, const job& j) {
    sinter::evaluate(backend, Operators::apply(sinter::view(static_cast<const T*>(j.input), {j.elements}), j.a),
                     sinter::view(static_cast<T*>(j.output), {j.elements}));
}

// The kinds with a shape: `input` is the view that has the output's sizes, `rows` the output's dimension that the
// reference takes some rows of, `plain` what a copy of the elements is.

struct rows_of_floats {
    static constexpr std::size_t rows = 0;
    static auto input(const job& j) {
        return sinter::view(static_cast<const float*>(j.input), {j.rows, j.columns}, {j.pitch, std::size_t{1}});
    }
    static auto output(const job& j, void* to) {
        return sinter::view(static_cast<float*>(to), {j.rows, j.columns}, {j.pitch, std::size_t{1}});
    }
    static constexpr auto apply(const auto& x, const job& j) { return chain3::apply(x, j.a); }
    static constexpr auto plain(const auto& x) { return x; }
    static auto plain_output(const job& j, void* to) { return output(j, to); }
};

struct transposed_floats {
    static constexpr std::size_t rows = 0;
    static auto input(const job& j) {
        return sinter::transpose(sinter::view(static_cast<const float*>(j.input), {j.rows, j.columns}));
    }
    static auto output(const job& j, void* to) { return sinter::view(static_cast<float*>(to), {j.columns, j.rows}); }
    static constexpr auto apply(const auto& x, const job& j) { return chain3::apply(x, j.a); }
    static constexpr auto plain(const auto& x) { return x; }
    static auto plain_output(const job& j, void* to) { return output(j, to); }
};

struct image_of_bytes {
    static constexpr std::size_t channels = 3;
    static constexpr std::size_t rows = 2;
    static auto input(const job& j) {
        return sinter::permute<0, 3, 1, 2>(
            sinter::view(static_cast<const std::uint8_t*>(j.input), {std::size_t{1}, j.rows, j.columns, channels}));
    }
    template <class T>
    static auto planes(const job& j, void* to) {
        return sinter::view(static_cast<T*>(to), {std::size_t{1}, channels, j.rows, j.columns});
    }
    static auto output(const job& j, void* to) { return planes<sinter::float16>(j, to); }
    static constexpr auto apply(const auto& x, const job& j) {
        return sinter::cast<sinter::float16>(x) | sinter::scale_bias(j.a.scale, j.a.bias);
    }
    // Of the output's size, so that as many bytes are moved.
    static constexpr auto plain(const auto& x) { return sinter::cast<std::uint16_t>(x); }
    static auto plain_output(const job& j, void* to) { return planes<std::uint16_t>(j, to); }
};

struct matrix_and_vectors {
    static constexpr std::size_t rows = 0;
    static auto input(const job& j) { return sinter::view(static_cast<const float*>(j.input), {j.rows, j.columns}); }
    static auto output(const job& j, void* to) { return sinter::view(static_cast<float*>(to), {j.rows, j.columns}); }
    static auto apply(const auto& x, const job& j) {
        return x + sinter::view(j.row, {j.columns}) + sinter::view(j.column, {j.rows, std::size_t{1}});
    }
    static constexpr auto plain(const auto& x) { return x; }
    static auto plain_output(const job& j, void* to) { return output(j, to); }
};

template <class Backend, class Layout>
void evaluate_layout(const Backend& backend, const job& j) {
    sinter::evaluate(backend, Layout::apply(Layout::input(j), j), Layout::output(j, j.output));
}

}  // namespace bench
