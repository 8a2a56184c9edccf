// Expressions as HLSL compute kernels: text, interface and geometry, without Direct3D.
#pragma once

#include "hlsl/geometry.hpp"
#include "hlsl/interface.hpp"
#include "hlsl/layout.hpp"
#include "hlsl/text.hpp"
#include "hlsl/uniforms.hpp"
