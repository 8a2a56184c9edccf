// sinter's contenders: the same calls on one backend or another.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "contender.hpp"
#include "elements.hpp"
#include "expressions.hpp"
#include "sinter/cpu/onetbb.hpp"
#include "threads.hpp"

namespace bench {

// A job that is run among threads calls evaluate with an executor; one of a single thread is spared the look at it.
template <class Backend, auto Run>
void on_its_threads(const job& j) {
    if (j.threads == 1) Run(Backend{}, j);
    else among_threads(j, [](const job& all) { Run(Backend{}.with(sinter::cpu::onetbb{}), all); });
}

template <class Backend>
pass pass_over_elements(kind k, sinter::element_type type) {
    return with_operators(k, type, []<class Operators, class T>() -> pass {
        return on_its_threads<Backend, [](const auto& b, const job& j) {
            evaluate_elements<std::remove_cvref_t<decltype(b)>, Operators, T>(b, j);
        }>;
    });
}

template <class Backend, class Layout>
pass pass_over_layout() {
    return on_its_threads<Backend, [](const auto& b, const job& j) {
        evaluate_layout<std::remove_cvref_t<decltype(b)>, Layout>(b, j);
    }>;
}

// On one thread.
template <class Backend>
void pass_over_tensor(const job& j) {
    static constexpr auto of_rank = []<std::size_t... Before>(std::index_sequence<Before...>) {
        return std::array{+[](const job& one) { evaluate_layout<Backend, strided_floats<Before + 1>>({}, one); }...};
    }(std::make_index_sequence<most_rank>());
    of_rank[j.rank - 1](j);
}

template <class Backend>
pass find_sinter(kind k, sinter::element_type type) {
    switch (k) {
        case kind::packed_rows:
        case kind::padded_rows: return pass_over_layout<Backend, rows_of_floats>();
        case kind::transposed: return pass_over_layout<Backend, transposed_floats>();
        case kind::nhwc_to_nchw: return pass_over_layout<Backend, image_of_bytes>();
        case kind::broadcast: return pass_over_layout<Backend, matrix_and_vectors>();
        case kind::strided: return pass_over_tensor<Backend>;
        default: return pass_over_elements<Backend>(k, type);
    }
}

}  // namespace bench
