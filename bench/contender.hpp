// Who takes part in a workload. A contender's own file defines its functions; workloads.cpp lists who runs where.
#pragma once

#include <cstddef>

#include "sinter/core/element.hpp"

namespace bench {

// Known at run time only, to every contender. An operator that a workload does not have ignores its attributes.
struct attributes {
    float scale;
    float bias;
    float shrink_bias;
    float shrink_threshold;
    float minimum;
};

// One pass over `elements` elements; the output is the input where the workload is in place.
using pass = void (*)(const void* input, void* output, std::size_t elements, const attributes& a);

// The pass for an element type; null where the contender has none, or none that this machine runs.
using pass_for = pass (*)(sinter::element_type type);

// threshold(shrink(scale_bias(x)))
pass sinter_chain3(sinter::element_type type);
pass scalar_chain3(sinter::element_type type);
pass hand_chain3(sinter::element_type type);

// shrink(x)
pass sinter_shrink(sinter::element_type type);
pass scalar_shrink(sinter::element_type type);
pass hand_shrink(sinter::element_type type);

// The bytes as they are: nothing moves them faster.
pass limit_copy(sinter::element_type type);
pass limit_inplace(sinter::element_type type);

}  // namespace bench
