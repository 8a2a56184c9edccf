// An operator of one's own: an ordinary generic function with literals, a local that is used twice (and computed once),
// a loop, && and select in place of if. It runs on every backend from this one definition, with the same bits.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <vector>

#include <sinter/sinter.hpp>

#if defined(_WIN32) || __has_include(<directx/d3d12.h>)
#include <sinter/d3d12.hpp>
#define HAS_D3D12
#endif

#include "common/command_line.hpp"

namespace {

constexpr const char* usage = R"(usage: user_operator [--help]

Clips a wave softly by an operator of its own, on the CPU and, where there is one, on Direct3D 12; compares the bits.
)";

constexpr auto soft_clip = [](auto sample, auto gain) {
    const auto driven = sample * gain;
    auto power = driven;
    auto sum = driven;
    for (const float weight : {-0.25f, 0.0625f, -0.0078125f}) {
        power *= driven * driven;
        sum += weight * power;
    }
    return sinter::select(driven > -1.5f && driven < 1.5f, sum, sinter::clamp(driven, -0.9f, 0.9f));
};

// Of tensors on the CPU or on a device.
constexpr auto clipped = [](const auto& wave) {
    return sinter::map(soft_clip, wave, 1.25f) | sinter::scale_bias(0.8f, 0.1f);
};

#if defined(HAS_D3D12)

std::optional<std::vector<float>> on_d3d12(const std::vector<float>& wave) {
    try {
        const auto gpu = sinter::d3d12::device::create();
        std::vector<float> result(wave.size());
        gpu.download(sinter::materialize(gpu, clipped(gpu.upload(wave))), result);
        return result;
    } catch (const sinter::error& failure) {
        if (failure.code() != sinter::errc::d3d12_unavailable) throw;
        return std::nullopt;
    }
}

#else

std::optional<std::vector<float>> on_d3d12(const std::vector<float>&) { return std::nullopt; }

#endif

std::size_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]);
    return count;
}

void run(const command_line&) {
    std::vector<float> wave(1000), reference(wave.size()), fast(wave.size());
    for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = static_cast<float>(i) * 0.004f - 2.f;
    sinter::evaluate(sinter::cpu::scalar{}, clipped(sinter::view(wave)), reference);
    sinter::evaluate(sinter::cpu::highway{}, clipped(sinter::view(wave)), fast);
    const auto gpu = on_d3d12(wave);

    std::printf("sample     scalar %11s %s\n", name(sinter::cpu::highway{}.target()), gpu ? "Direct3D 12" : "");
    for (std::size_t i = 0; i < fast.size(); i += 125) {
        std::printf("%6.2f %10.6f %11.6f", wave[i], reference[i], fast[i]);
        if (gpu) std::printf(" %11.6f", (*gpu)[i]);
        std::printf("\n");
    }
    std::size_t different = different_bits(fast, reference);
    std::printf("%zu of %zu samples differ in their bits\n", different, wave.size());
    if (gpu) {
        const std::size_t on_gpu = different_bits(*gpu, reference);
        std::printf("%zu of %zu samples differ in their bits on Direct3D 12\n", on_gpu, wave.size());
        different += on_gpu;
    } else {
        std::printf("no Direct3D 12 on this machine\n");
    }
    if (different != 0) throw std::runtime_error("the bits differ");
}

}  // namespace

int main(int count, char** arguments) { return run_example(count, arguments, usage, {}, 0, run); }
