// A program that ships its kernels, compiled when it was built, and needs no shader compiler where it runs.
//
//   soften.hpp    what is computed            shaders.cpp   the kernels to compile ahead of time
//   shaders.hpp   made of shaders.cpp by CMake's sinter_add_shaders(ahead_of_time shaders.cpp)
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "shaders.hpp"
#include "soften.hpp"

namespace {

namespace d3d12 = sinter::d3d12;

constexpr const char* usage = R"(usage: ahead_of_time [--help]

Evaluates an expression on Direct3D 12 by kernels that were compiled when this program was built, on a device that has
no shader compiler; then one whose kernels were not.
)";

using matrix = sinter::tensor<float, 2>;

std::size_t different_bits(const matrix& a, const matrix& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += std::bit_cast<std::uint32_t>(a.data()[i]) != std::bit_cast<std::uint32_t>(b.data()[i]);
    return count;
}

// Any size will do: dense kernels know none.
matrix example_picture() {
    matrix picture({333, 517});
    for (std::size_t i = 0; i < picture.size(); ++i) picture.data()[i] = static_cast<float>(i * 37 % 256);
    return picture;
}

void report(const char* what, const d3d12::device& gpu, const auto& on_gpu, const auto& on_cpu) {
    matrix expected = sinter::materialize(on_cpu), got(expected.sizes());
    gpu.download(on_gpu, got);
    std::printf("%-12s %zu of %zu elements differ from the CPU's in their bits\n", what, different_bits(got, expected),
                got.size());
}

void run(const command_line&) {
    if (shaders::all.empty()) throw std::runtime_error("no shader compiler was there when this program was built");
    d3d12::runtime without_compiler = d3d12::find_runtime();
    without_compiler.hlsl_compiler = {};
    without_compiler.other_compilers.clear();
    const auto gpu = d3d12::device::create({.on = without_compiler});
    gpu.add(shaders::all);
    std::printf("%zu kernels were compiled ahead of time, and this device has no compiler\n", shaders::all.size());

    const matrix picture = example_picture();
    auto there = gpu.upload(picture);
    report("dense", gpu, sinter::materialize(gpu, soften(there)), soften(picture));
    report("transposed", gpu, sinter::materialize(gpu, soften(sinter::transpose(there))),
           soften(sinter::transpose(picture)));
    sinter::evaluate(gpu, soften(there), there);
    report("in place", gpu, there, soften(picture));
    try {
        sinter::evaluate(gpu, there * 3.f, there);
    } catch (const sinter::error& failure) {
        std::printf("not added    %s\n", failure.what());
    }
}

}  // namespace

int main(int count, char** arguments) { return run_example(count, arguments, usage, {}, 0, run); }
