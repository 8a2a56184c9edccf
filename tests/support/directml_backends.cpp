#include "directml_backends.hpp"

#if defined(_WIN32) || (__has_include(<wsl/winadapter.h>) && __has_include(<unknwn.h>))
#define SINTER_TEST_D3D12 1
#include <sinter/d3d12.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cpu_backends.hpp"

namespace directml_backends {

namespace {

struct three_threads {
    static constexpr std::size_t concurrency() { return 3; }
    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < parts; ++i) threads.emplace_back([&job, i] { job(i); });
        for (std::thread& thread : threads) thread.join();
    }
};

template <class B>
backend in_memory(std::string name, B target) {
    return {std::move(name), true, true,
            [target](const sinter::directml::compiled_operator& op, std::span<const operand> inputs, operand output) {
                std::vector<const void*> pointers;
                for (const operand& o : inputs) pointers.push_back(o.block->data() + o.offset);
                void* const out = output.block->data() + output.offset;
                if (pointers.size() == 1) op.dispatch(target, pointers[0], out);
                else op.dispatch(target, std::span<const void* const>(pointers), out);
            }};
}

#if defined(SINTER_TEST_D3D12)

// Nothing where the machine has none, except where a run must be whole.
const sinter::d3d12::device* gpu() {
    static const std::vector<sinter::d3d12::device> made = [] {
        std::vector<sinter::d3d12::device> list;
        try {
            list.push_back(sinter::d3d12::device::create());
        } catch (const sinter::error& failure) {
            const char* const whole = std::getenv("CI");
            if (failure.code() != sinter::errc::d3d12_unavailable || (whole != nullptr && *whole != '\0')) throw;
            std::printf("without Direct3D 12: %s\n", failure.what());
        }
        return list;
    }();
    return made.empty() ? nullptr : &made.front();
}

// Operands with one block share its buffer; the output's block comes back whole.
void run_on_gpu(const sinter::directml::compiled_operator& op, std::span<const operand> inputs, operand output) {
    const auto uploaded = [](const bytes& block) {
        const sinter::d3d12::buffer made = gpu()->allocate_bytes(block.size());
        gpu()->upload_bytes(made, 0, block);
        return made;
    };
    const sinter::d3d12::buffer out = uploaded(*output.block);
    std::vector<sinter::d3d12::buffer> kept;
    std::vector<sinter::directml::buffer_region> regions;
    for (const operand& o : inputs) {
        kept.push_back(o.block == output.block ? out : uploaded(*o.block));
        regions.emplace_back(kept.back().resource(), o.offset);
    }
    if (regions.size() == 1) op.dispatch(*gpu(), regions[0], {out.resource(), output.offset});
    else op.dispatch(*gpu(), regions, {out.resource(), output.offset});
    gpu()->download_bytes(out, 0, *output.block);
}

#endif

}  // namespace

const std::vector<backend>& all() {
    static const std::vector<backend> list = [] {
        std::vector<backend> made{in_memory("scalar", sinter::cpu::scalar{})};
        for (const sinter::cpu::target t : support::available_targets())
            made.push_back(in_memory(std::string("highway ") + sinter::cpu::name(t), sinter::cpu::highway(t)));
#if __has_include(<xsimd/xsimd.hpp>) && !defined(SINTER_TEST_FEW_KERNELS)
        made.push_back(in_memory("xsimd", sinter::cpu::xsimd{}));
#endif
        made.push_back(in_memory("highway on three threads", sinter::cpu::highway{}.with(three_threads{})));
#if defined(SINTER_TEST_D3D12)
        if (gpu() != nullptr) made.push_back({"Direct3D 12", false, false, run_on_gpu});
#endif
        return made;
    }();
    return list;
}

const backend& named(const std::string& name) {
    for (const backend& known : all())
        if (known.name == name) return known;
    throw std::runtime_error("no backend " + name);
}

}  // namespace directml_backends
