// The three-operator chain on Direct3D 12, against kernels written by hand and plain copies; what a new expression and
// a recorded one cost.
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace bench {

// Throws where there is no Direct3D 12, or a contender computes something else than it says.
void run_d3d12(const options& o, results& r);

}  // namespace bench
