// DirectML's own descriptors as operators of this library, known when the program runs. On the CPU as it is; with
// <sinter/d3d12.hpp> also on Direct3D 12.
#pragma once

#include "directml/compiled_operator.hpp"
#include "directml/descriptors.hpp"
#include "directml/error.hpp"
#include "directml/operator_support.hpp"
#include "directml/tensor_size.hpp"
#include "sinter.hpp"
