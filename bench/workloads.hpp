// The workloads of one pass over memory that lies in a row: chains of operators, and calls on a few elements.
#pragma once

#include "contender.hpp"
#include "options.hpp"
#include "results.hpp"

namespace bench {

// Those that the workloads run with, chosen for the elements that buffers::fill_input makes.
attributes attributes_for(sinter::element_type type, bool in_place);

// Measures every workload; throws where a contender computes something else than it says.
void run_workloads(const options& o, results& r);

// evaluate on a few elements: nanoseconds per call.
void run_call_overhead(const options& o, results& r);

}  // namespace bench
