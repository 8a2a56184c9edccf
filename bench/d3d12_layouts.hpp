// The three-operator chain on Direct3D 12 in every layout of its operands.
#pragma once

#include "measure.hpp"
#include "options.hpp"
#include "results.hpp"
#include "sinter/d3d12.hpp"

namespace bench {

// Rows of sinter_d3d12, each beside hlsl_copy: a copy of as many packed elements.
void run_d3d12_layouts(const options& o, results& r, const sinter::d3d12::device& gpu, time_of counted);

}  // namespace bench
