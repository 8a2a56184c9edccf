#include <sinter/sinter.hpp>

#include <cstdlib>
#include <vector>

#if defined(WITH_SHADERS)

#include "shaders.hpp"

// The two kernels of a dense evaluation; without a shader compiler on this machine none, but not where a run is whole.
static bool has_shaders() {
    for (const sinter::d3d12::shader& made : shaders::all)
        if (made.bytecode.empty() || made.text.find("void main(") == made.text.npos) return false;
    return shaders::all.size() == 2 || (shaders::all.empty() && std::getenv("CI") == nullptr);
}

#else

static bool has_shaders() { return true; }

#endif

int main() {
    const std::vector<float> input{1, 2, 3};
    std::vector<float> output(3);
    sinter::evaluate(sinter::view(input) | sinter::scale_bias(2.f, 1.f), output);
    return output == std::vector<float>{3, 5, 7} && has_shaders() ? 0 : 1;
}
