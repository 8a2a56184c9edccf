// Runs compiled operators on every backend: on the CPU as they are, on Direct3D 12 through buffers of its own.
//
// The kernels of all operators for all targets take minutes to compile with sanitizers, so they are one library.
#pragma once

#include <sinter/directml.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace directml_backends {

using bytes = std::vector<std::byte>;

// Whole blocks of memory; the operator's operands begin at the offsets.
struct operand {
    bytes* block;
    std::size_t offset;
};

struct backend {
    std::string name;
    bool keeps_subnormals = true;
    bool in_memory = true;
    std::function<void(const sinter::directml::compiled_operator&, std::span<const operand>, operand)> run;
};

const std::vector<backend>& all();
const backend& named(const std::string& name);

}  // namespace directml_backends
