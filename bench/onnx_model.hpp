// A chain as an ONNX model, written byte by byte.
#pragma once

#include <string>

#include "contender.hpp"

namespace bench {

// So many operators, scale_bias as Mul and Add, shrink as Shrink, threshold as Max, over elements of float32 or float16
// in a row: input "x", output "y".
std::string onnx_chain(int operators, sinter::element_type type, const attributes& a);

}  // namespace bench
