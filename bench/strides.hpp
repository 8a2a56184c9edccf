// chain3 on inputs of any rank and strides, all of the same size: what a dimension costs, and what a stride.
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace bench {

// Measures rank1 .. rank8, and the inputs of one dimension and of two whose elements lie apart; throws where a
// contender computes something else than it says.
void run_strides(const options& o, results& r);

}  // namespace bench
