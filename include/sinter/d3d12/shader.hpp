// A kernel that was compiled ahead of time, as the headers that sinter_add_shaders makes have it.
#pragma once

#include <span>
#include <string_view>

#include "headers.hpp"

namespace sinter::d3d12 {

// Found by its text: what has changed since is compiled when the program runs, or refused, but never taken for it.
struct shader {
    std::string_view text;
    std::span<const unsigned char> bytecode;
    D3D_SHADER_MODEL shader_model;
};

}  // namespace sinter::d3d12
