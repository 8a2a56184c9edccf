// The scalar reference, by which every contender is checked.
#include <cmath>
#include <type_traits>

#include "contenders.hpp"
#include "elements.hpp"
#include "expressions.hpp"

namespace bench {

namespace {

template <class Operators>
pass scalar_pass(sinter::element_type type) {
    return with_element(type, []<class T>(std::type_identity<T>) -> pass {
        return [](const job& j) { evaluate_elements<sinter::cpu::scalar, Operators, T>({}, j); };
    });
}

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
    switch (k) {
        case kind::chain3:
        case kind::chain3_inplace: return scalar_pass<chain3>(type);
        case kind::chain10: return scalar_pass<chain10>(type);
        case kind::shrink: return scalar_pass<shrink>(type);
        default: return nullptr;
    }
}

void fused_chain3(const job& j) {
    for (std::size_t i = 0; i < j.elements; ++i) {
        const float x = std::fma(static_cast<const float*>(j.input)[i], j.a.scale, j.a.bias);
        const float shrunk = x > j.a.shrink_threshold    ? x - j.a.shrink_bias
                             : x < -j.a.shrink_threshold ? x + j.a.shrink_bias
                                                         : 0.f;
        static_cast<float*>(j.output)[i] = std::fmax(shrunk, j.a.minimum);
    }
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
