// The workloads of one pass over memory, and who takes part in each.
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace bench {

// Measures every workload; throws where a contender computes something else than it says.
void run_workloads(const options& o, results& r);

// evaluate on a few elements: nanoseconds per call.
void run_call_overhead(const options& o, results& r);

}  // namespace bench
