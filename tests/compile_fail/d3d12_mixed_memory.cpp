// expect: sinter::evaluate: this backend cannot reach the memory of an operand: upload or download it
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

void mixed(const sinter::d3d12::device& gpu, sinter::d3d12::tensor<float, 1> there,
           sinter::tensor_view<float, 1> here) {
    sinter::evaluate(gpu, there + here, there);
}
