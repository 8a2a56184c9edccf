// The loop that a compiler gets to vectorise, without a thought for it. Compiled twice, with -O3 -march=native, by g++
// and by clang; BENCH_LOOP is find_loop_gcc or find_loop_clang. With -ffp-contract=off, so that it computes the same
// bits.
//
// Not the same as sinter for attributes of NaN, nor for a scale of 1 with a bias of 0, which it does not care for.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "contender.hpp"

namespace bench {

pass BENCH_LOOP(kind k, sinter::element_type type);

namespace {

// What the other compiler makes of these must not meet them in one program: everything here has internal linkage.

template <class T>
constexpr bool is_integer = std::numeric_limits<T>::is_integer;

template <class T>
T saturated(float x) {
    using limits = std::numeric_limits<T>;
    // Both bounds are exact in float32, the second one above the range of a 32-bit integer.
    constexpr float lowest = static_cast<float>(limits::min());
    constexpr float beyond = static_cast<float>(limits::max() / 2 + 1) * 2;
    return x <= lowest ? limits::min() : x >= beyond ? limits::max() : static_cast<T>(x);
}

template <class T>
auto scale_bias(auto x, const attributes& a) {
    const float y = static_cast<float>(x) * a.scale + a.bias;
    if constexpr (is_integer<T>) return saturated<T>(y);
    else return y;
}

template <class T>
auto shrink(auto given, const attributes& a) {
    const auto x = static_cast<float>(given);
    const float y = x > a.shrink_threshold ? x - a.shrink_bias : x < -a.shrink_threshold ? x + a.shrink_bias : 0.f;
    if constexpr (is_integer<T>) return saturated<T>(std::nearbyint(y));
    else return y;
}

template <class T>
auto threshold(auto x, const attributes& a) {
    if constexpr (is_integer<T>) {
        const T minimum = saturated<T>(a.minimum);
        return x > minimum ? x : minimum;
    } else {
        return x > a.minimum ? x : a.minimum;
    }
}

template <class T, int Operators>
auto chain(auto x, const attributes& a) {
    if constexpr (Operators == 0) return x;
    else {
        const auto before = chain<T, Operators - 1>(x, a);
        if constexpr (Operators % 3 == 1) return scale_bias<T>(before, a);
        else if constexpr (Operators % 3 == 2) return shrink<T>(before, a);
        else return threshold<T>(before, a);
    }
}

template <int Operators>
struct chain_of {
    template <class T>
    static auto apply(T x, const attributes& a) {
        return chain<T, Operators>(x, a);
    }
};
struct shrink_of {
    template <class T>
    static auto apply(T x, const attributes& a) {
        return shrink<T>(x, a);
    }
};

template <class Operators, class T>
void loop(const job& j) {
    const T* const in = static_cast<const T*>(j.input);
    T* const out = static_cast<T*>(j.output);
    const attributes a = j.a;
    const std::size_t elements = j.elements;
    for (std::size_t i = 0; i < elements; ++i) out[i] = static_cast<T>(Operators::apply(in[i], a));
}

template <int Operators>
pass loop_on_float32(sinter::element_type type) {
    return type == sinter::element_type::float32 ? loop<chain_of<Operators>, float> : nullptr;
}

template <class Operators>
pass loop_for(sinter::element_type type) {
    switch (type) {
        case sinter::element_type::float32: return loop<Operators, float>;
        case sinter::element_type::float16: return loop<Operators, _Float16>;
        case sinter::element_type::int32: return loop<Operators, std::int32_t>;
        case sinter::element_type::int16: return loop<Operators, std::int16_t>;
        case sinter::element_type::int8: return loop<Operators, std::int8_t>;
        case sinter::element_type::uint32: return loop<Operators, std::uint32_t>;
        case sinter::element_type::uint16: return loop<Operators, std::uint16_t>;
        default: return loop<Operators, std::uint8_t>;
    }
}

void rows_loop(const job& j) {
    const attributes a = j.a;
    for (std::size_t r = 0; r < j.rows; ++r) {
        const float* const in = static_cast<const float*>(j.input) + r * j.pitch;
        float* const out = static_cast<float*>(j.output) + r * j.pitch;
        for (std::size_t c = 0; c < j.columns; ++c) out[c] = chain<float, 3>(in[c], a);
    }
}

void transposed_loop(const job& j) {
    const attributes a = j.a;
    const float* const in = static_cast<const float*>(j.input);
    float* const out = static_cast<float*>(j.output);
    for (std::size_t c = 0; c < j.columns; ++c)
        for (std::size_t r = 0; r < j.rows; ++r) out[c * j.rows + r] = chain<float, 3>(in[r * j.columns + c], a);
}

void image_loop(const job& j) {
    const attributes a = j.a;
    const auto* const in = static_cast<const std::uint8_t*>(j.input);
    auto* const out = static_cast<_Float16*>(j.output);
    const std::size_t pixels = j.rows * j.columns;
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const auto x = static_cast<float>(in[3 * p + channel]);
            out[channel * pixels + p] = static_cast<_Float16>(x * a.scale + a.bias);
        }
}

void broadcast_loop(const job& j) {
    for (std::size_t r = 0; r < j.rows; ++r) {
        const float* const in = static_cast<const float*>(j.input) + r * j.columns;
        float* const out = static_cast<float*>(j.output) + r * j.columns;
        const float* const row = j.row;
        const float own = j.column[r];
        for (std::size_t c = 0; c < j.columns; ++c) out[c] = in[c] + row[c] + own;
    }
}

// As many loops as the input has dimensions; the output's elements follow each other.
template <std::size_t Rank>
float* nested_loops(const float* in, float* out, const std::size_t* sizes, const std::ptrdiff_t* strides,
                    const attributes& a) {
    const std::size_t size = *sizes;
    const std::ptrdiff_t stride = *strides;
    if constexpr (Rank == 1) {
        for (std::size_t i = 0; i < size; ++i) out[i] = chain<float, 3>(in[static_cast<std::ptrdiff_t>(i) * stride], a);
        return out + size;
    } else {
        for (std::size_t i = 0; i < size; ++i)
            out = nested_loops<Rank - 1>(in + static_cast<std::ptrdiff_t>(i) * stride, out, sizes + 1, strides + 1, a);
        return out;
    }
}

void strided_loop(const job& j) {
    constexpr decltype(&nested_loops<1>) of_rank[most_rank] = {nested_loops<1>, nested_loops<2>, nested_loops<3>,
                                                               nested_loops<4>, nested_loops<5>, nested_loops<6>,
                                                               nested_loops<7>, nested_loops<8>};
    const attributes a = j.a;
    of_rank[j.rank - 1](static_cast<const float*>(j.input), static_cast<float*>(j.output), j.sizes, j.strides, a);
}

}  // namespace

pass BENCH_LOOP(kind k, sinter::element_type type) {
    switch (k) {
        case kind::chain1: return loop_on_float32<1>(type);
        case kind::chain2: return loop_on_float32<2>(type);
        case kind::chain3:
        case kind::chain3_inplace: return loop_for<chain_of<3>>(type);
        case kind::chain5: return loop_on_float32<5>(type);
        case kind::chain7: return loop_on_float32<7>(type);
        case kind::chain10: return loop_for<chain_of<10>>(type);
        case kind::shrink: return loop_for<shrink_of>(type);
        case kind::packed_rows:
        case kind::padded_rows: return rows_loop;
        case kind::transposed: return transposed_loop;
        case kind::nhwc_to_nchw: return image_loop;
        case kind::broadcast: return broadcast_loop;
        default: return strided_loop;
    }
}

}  // namespace bench
