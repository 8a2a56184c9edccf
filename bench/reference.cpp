// The scalar reference, by which every contender is checked.
#include <cmath>
#include <type_traits>

#include "contenders.hpp"
#include "elements.hpp"
#include "expressions.hpp"

namespace bench {

namespace {

template <class Layout>
void scalar_rows(computes what, const job& j, void* output, std::size_t first, std::size_t last) {
    const auto some = [&](auto view) { return sinter::slice(view, Layout::rows, first, last); };
    const auto input = some(Layout::input(j));
    if (what == computes::a_copy)
        sinter::evaluate(sinter::cpu::scalar{}, Layout::plain(input), some(Layout::plain_output(j, output)));
    else sinter::evaluate(sinter::cpu::scalar{}, Layout::apply(input, j), some(Layout::output(j, output)));
}

// The column vector is sliced with the rows.
template <>
void scalar_rows<matrix_and_vectors>(computes what, const job& j, void* output, std::size_t first, std::size_t last) {
    job part = j;
    part.input = static_cast<const float*>(j.input) + first * j.columns;
    part.column = j.column + first;
    part.rows = last - first;
    void* const to = static_cast<float*>(output) + first * j.columns;
    const auto input = matrix_and_vectors::input(part);
    const auto out = matrix_and_vectors::output(part, to);
    if (what == computes::a_copy) sinter::evaluate(sinter::cpu::scalar{}, input, out);
    else sinter::evaluate(sinter::cpu::scalar{}, matrix_and_vectors::apply(input, part), out);
}

}  // namespace

pass reference(kind k, sinter::element_type type) {
    return with_operators(k, type, []<class Operators, class T>() -> pass {
        return [](const job& j) { evaluate_elements<sinter::cpu::scalar, Operators, T>({}, j); };
    });
}

namespace {

// Each operator on every element, one after the other; `T` stores what they hand on.
template <class T, auto ScaleBias>
void one_by_one(const job& j) {
    const attributes& a = j.a;
    for (std::size_t i = 0; i < j.elements; ++i) {
        T element = static_cast<const T*>(j.input)[i];
        for (int done = 0; done < j.operators; ++done) {
            const auto x = static_cast<float>(element);
            if (done % 3 == 0) element = T(ScaleBias(x, a.scale, a.bias));
            else if (done % 3 == 1)
                element = T(x > a.shrink_threshold    ? x - a.shrink_bias
                            : x < -a.shrink_threshold ? x + a.shrink_bias
                                                      : 0.f);
            else element = T(std::fmax(x, a.minimum));
        }
        static_cast<T*>(j.output)[i] = element;
    }
}

}  // namespace

void rounded_otherwise(sinter::element_type type, const job& j) {
    constexpr auto fused = [](float x, float scale, float bias) { return std::fma(x, scale, bias); };
    constexpr auto apart = [](float x, float scale, float bias) { return sinter::scale_bias(x, scale, bias); };
    if (type == sinter::element_type::float32) one_by_one<float, fused>(j);
    else one_by_one<sinter::float16, apart>(j);
}

void reference_rows(kind k, computes what, const job& j, void* output, std::size_t first, std::size_t last) {
    switch (k) {
        case kind::packed_rows:
        case kind::padded_rows: return scalar_rows<rows_of_floats>(what, j, output, first, last);
        case kind::transposed: return scalar_rows<transposed_floats>(what, j, output, first, last);
        case kind::nhwc_to_nchw: return scalar_rows<image_of_bytes>(what, j, output, first, last);
        default: return scalar_rows<matrix_and_vectors>(what, j, output, first, last);
    }
}

}  // namespace bench
