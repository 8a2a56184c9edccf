// Expressions in a program's own command list, on its own device, queue and buffers: one list that copies in, evaluates
// twice and copies out. The comments say in which state each buffer is, and who changes it.
//
//   own_direct3d.hpp   what such a program has without sinter
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "own_direct3d.hpp"

namespace {

constexpr const char* usage = R"(usage: own_command_list [--cache DIR] [--help]

Records two evaluations into a Direct3D 12 command list of the program's own, between its own copies, executes it, and
compares with the CPU.

  --cache DIR   keep compiled kernels in this directory, which must exist
)";

constexpr auto brighten = [](const auto& x) { return x | sinter::scale_bias(1.25f, -0.1f); };
constexpr auto denoise = [](const auto& x) { return x | sinter::shrink(0.05f, 0.05f) | sinter::threshold(0.f); };

std::size_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]);
    return count;
}

void run(const command_line& given) {
    auto on = sinter::d3d12::find_runtime();
    on.hlsl_compiler = sinter::d3d12::cached(on.hlsl_compiler, given.text("--cache"));
    const own_direct3d own(on);
    // sinter's device keeps pipelines, and adds nothing to the queue as long as nothing is evaluated on it.
    const auto gpu = sinter::d3d12::device::from(own.device.get(), own.queue.get(), on);

    constexpr std::size_t rows = 300, columns = 400, bytes = rows * columns * sizeof(float);
    std::vector<float> picture(rows * columns);
    for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<float>(i * 37 % 256) / 255.f;
    const auto upload = own.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
    const auto readback = own.buffer(bytes, D3D12_HEAP_TYPE_READBACK);
    const auto x_buffer = own.buffer(bytes), y_buffer = own.buffer(bytes);  // in COMMON
    own.write(upload, std::as_bytes(std::span(picture)));

    // A tensor is a range of a buffer: an offset in bytes, sizes, and strides where it is not packed.
    const auto x = sinter::d3d12::view<float>(x_buffer.get(), 0, {rows, columns});
    const auto y = sinter::d3d12::view<float>(y_buffer.get(), 0, {columns, rows});

    own.copy(x_buffer, upload, bytes);  // promotes x to COPY_DEST
    own.transition(x_buffer, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
    gpu.record(own.list.get(), brighten(sinter::transpose(x)), y);  // reads x, promotes y to UNORDERED_ACCESS
    gpu.record(own.list.get(), denoise(y), y);  // in place: y stays as it is, and record puts the barrier
    own.transition(y_buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    own.copy(readback, y_buffer, bytes);
    own.execute_and_wait();  // x and y decay to COMMON

    std::vector<float> expected(picture.size()), got(picture.size());
    own.read(readback, std::as_writable_bytes(std::span(got)));
    const auto there = sinter::view(picture.data(), {rows, columns});
    sinter::evaluate(denoise(brighten(sinter::transpose(there))), sinter::view(expected.data(), {columns, rows}));
    std::printf("one command list: a copy, two evaluations, a copy, on %s\n", on.name.c_str());
    const std::size_t different = different_bits(got, expected);
    std::printf("%zu of %zu elements differ from the CPU's in their bits\n", different, got.size());
    if (different != 0) throw std::runtime_error("the bits differ");
}

}  // namespace

int main(int count, char** arguments) { return run_example(count, arguments, usage, {{"--cache", ""}}, 0, run); }
