// sinter on Direct3D 12: devices, tensors in their memory, evaluation. Found at run time; nothing is linked.
#pragma once

#include "d3d12/device.hpp"
#include "d3d12/tensor.hpp"
#include "hlsl.hpp"
#include "sinter.hpp"
