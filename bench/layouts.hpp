// The workloads whose operands do not lie in a row: padded rows, a transpose, an image whose channels move, vectors
// that are broadcast.
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace bench {

// Measures every layout; throws where a contender computes something else than it says.
void run_layouts(const options& o, results& r);

}  // namespace bench
