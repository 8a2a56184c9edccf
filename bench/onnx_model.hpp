// The chain as an ONNX model, written byte by byte.
#pragma once

#include <string>

#include "contender.hpp"

namespace bench {

// Mul, Add, Shrink, Max over float32 elements in a row: input "x", output "y".
std::string onnx_chain3(const attributes& a);

}  // namespace bench
