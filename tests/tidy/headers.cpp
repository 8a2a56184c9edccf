// What clang-tidy reads: all public headers, and a chain on each kind of backend, so that templates are used.
#include <sinter/cpu/xsimd.hpp>
#include <sinter/d3d12.hpp>
#include <sinter/directml.hpp>
#include <sinter/hlsl.hpp>
#include <sinter/sinter.hpp>

void in_memory(const sinter::tensor<float, 2>& x, sinter::tensor<float, 2>& y) {
    const auto chain = sinter::transpose(x) | sinter::scale_bias(2, 1) | sinter::shrink();
    sinter::evaluate(sinter::cpu::scalar{}, chain, y);
    sinter::evaluate(sinter::cpu::xsimd{}, chain, y);
    sinter::evaluate(chain, y);
}

void on_direct3d(const sinter::d3d12::device& gpu, const sinter::d3d12::tensor<float, 2>& x) {
    sinter::evaluate(gpu, x | sinter::shrink(), x).wait();
}
