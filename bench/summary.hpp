// The figures that were promised, beside those that were measured.
#pragma once

#include "results.hpp"

namespace bench {

void print_summary(const results& r);

}  // namespace bench
