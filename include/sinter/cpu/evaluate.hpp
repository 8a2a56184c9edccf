// evaluate and materialize without a backend: on the best SIMD target of this machine, on the calling thread.
#pragma once

#include <utility>

#include "highway.hpp"

namespace sinter {

template <class X, class Out>
    requires detail::evaluable<cpu::highway, X, Out>
void evaluate(X&& x, Out&& out) {
    evaluate(cpu::highway{}, std::forward<X>(x), std::forward<Out>(out));
}

template <detail::value_operand X>
auto materialize(X&& x) {
    return materialize(cpu::highway{}, std::forward<X>(x));
}

}  // namespace sinter
