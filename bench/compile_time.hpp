// What sinter costs to compile: seconds of processor time of a compiler run as a child.
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace bench {

void run_compile_time(const options& o, results& r);

}  // namespace bench
