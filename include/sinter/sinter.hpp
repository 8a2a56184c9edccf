// sinter: DirectML's elementwise operators and one's own, fused lazily, on the CPU. <sinter/hlsl.hpp>,
// <sinter/d3d12.hpp> and <sinter/directml.hpp> are apart.
#pragma once

#include "core/convert.hpp"
#include "core/element.hpp"
#include "core/error.hpp"
#include "core/float16.hpp"
#include "core/rearrange.hpp"
#include "core/tensor.hpp"
#include "core/view.hpp"
#include "cpu/evaluate.hpp"
#include "cpu/highway.hpp"
#include "cpu/scalar.hpp"
#include "expr/arithmetic.hpp"
#include "expr/cast.hpp"
#include "expr/map.hpp"
#include "ops/scale_bias.hpp"
#include "ops/shrink.hpp"
#include "ops/threshold.hpp"
#include "plan/backend.hpp"
