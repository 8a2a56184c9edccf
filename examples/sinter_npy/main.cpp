// Elementwise operators on arrays in .npy files, chosen on the command line. What it shows of sinter: operators that
// are known only when the program runs, given as DirectML descriptors, fused, on the CPU and on Direct3D 12.
//
//   options.hpp   the command line   chain.hpp   the descriptors   progress_bar.hpp
#include <sinter/directml.hpp>

#if defined(_WIN32) || (__has_include(<directx/d3d12.h>) && __has_include(<unknwn.h>))
#define HAS_D3D12 1
#include <sinter/d3d12.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "chain.hpp"
#include "common/npy_file.hpp"
#include "options.hpp"
#include "progress_bar.hpp"

namespace {

using sinter::directml::compiled_operator;

// Runs an operator over one slab.
using slab_runner =
    std::function<void(const compiled_operator&, std::span<const std::span<std::byte>>, std::span<std::byte>)>;

template <class Backend>
slab_runner on_cpu(Backend backend) {
    return [backend](const compiled_operator& op, std::span<const std::span<std::byte>> inputs,
                     std::span<std::byte> output) {
        std::vector<const void*> pointers;
        for (const auto& input : inputs) pointers.push_back(input.data());
        op.dispatch(backend, std::span<const void* const>(pointers), output.data());
    };
}

#if defined(HAS_D3D12)
slab_runner on_d3d12() {
    const auto gpu = sinter::d3d12::device::create();
    std::fprintf(stderr, "on %s\n", gpu.adapter_used().name.c_str());
    return
        [gpu](const compiled_operator& op, std::span<const std::span<std::byte>> inputs, std::span<std::byte> output) {
            std::vector<sinter::d3d12::buffer> buffers;
            std::vector<sinter::directml::buffer_region> regions;
            for (const auto& input : inputs) {
                buffers.push_back(gpu.allocate_bytes(input.size()));
                gpu.upload_bytes(buffers.back(), 0, input);
                regions.emplace_back(buffers.back().resource());
            }
            const auto result = gpu.allocate_bytes(output.size());
            op.dispatch(gpu, regions, {result.resource()});
            gpu.download_bytes(result, 0, output);
        };
}
#endif

slab_runner backend_named(const std::string& name) {
    using sinter::cpu::target;
    if (name == "scalar") return on_cpu(sinter::cpu::scalar{});
    if (name == "highway") return on_cpu(sinter::cpu::highway{});
    for (const target t : {target::sse2, target::avx2, target::avx512, target::neon})
        if (name == sinter::cpu::name(t)) return on_cpu(sinter::cpu::highway{t});
#if defined(HAS_D3D12)
    if (name == "d3d12") return on_d3d12();
#endif
    throw usage_error("no backend '" + name + "' in this program");
}

// Written under another name, which it loses when all is done: a failure leaves no half of a file behind.
class output_file {
public:
    output_file(const std::filesystem::path& path, const npy_header& like) : path_(path), partial_(path) {
        partial_ += ".partial";
        npy_header header = like;
        const std::string text = npy_header_text(header);
        header.data_offset = text.size();
        file_.emplace(partial_, header.file_size());
        std::memcpy(file_->window(0, text.size()).data(), text.data(), text.size());
        data_offset_ = header.data_offset;
    }
    ~output_file() {
        if (!file_) return;
        file_.reset();
        std::error_code ignored;
        std::filesystem::remove(partial_, ignored);
    }

    std::span<std::byte> window(std::uint64_t first, std::size_t count) {
        return file_->window(data_offset_ + first, count);
    }
    void finish() {
        file_.reset();
        std::filesystem::rename(partial_, path_);
    }

private:
    std::filesystem::path path_, partial_;
    std::optional<mapped_file> file_;
    std::uint64_t data_offset_ = 0;
};

void run(const options& chosen) {
    std::vector<std::unique_ptr<array_file>> inputs;
    inputs.push_back(std::make_unique<array_file>(chosen.input));
    const npy_header& first = inputs[0]->header;
    for (const operator_options& o : chosen.operators) {
        if (o.other.empty()) continue;
        inputs.push_back(std::make_unique<array_file>(o.other));
        const npy_header& other = inputs.back()->header;
        if (other.type != first.type || other.shape != first.shape || other.fortran_order != first.fortran_order)
            fail_file(o.other, "has another element type, shape or order than " + chosen.input.string());
    }
    for (const auto& input : inputs) {
        std::error_code missing;
        if (std::filesystem::equivalent(input->file.path(), chosen.output, missing))
            fail_file(chosen.output, "is an input, too");
    }

    const std::size_t element = sinter::size_of(first.type);
    const std::uint64_t bytes = first.elements() * element;
    const std::uint64_t slab = chosen.slab_bytes;
    const auto compile = [&](std::uint64_t slab_bytes) {
        return chain(chosen.operators, first.type, static_cast<std::uint32_t>(slab_bytes / element)).compile();
    };
    const slab_runner run_slab = backend_named(chosen.backend);
    // Also where there are no elements: an operator that does not take the type is refused all the same.
    const compiled_operator whole = compile(slab);
    output_file output(chosen.output, first);
    progress_bar progress(bytes, !chosen.quiet);
    for (std::uint64_t done = 0; done < bytes;) {
        const auto count = static_cast<std::size_t>(std::min(slab, bytes - done));
        std::vector<std::span<std::byte>> windows;
        for (const auto& input : inputs) windows.push_back(input->file.window(input->header.data_offset + done, count));
        run_slab(count == slab ? whole : compile(count), windows, output.window(done, count));
        done += count;
        progress.show(done);
    }
    output.finish();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const options chosen = parse_options(std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
        if (chosen.help) std::fputs(usage, stdout);
        else run(chosen);
        return 0;
    } catch (const usage_error& mistake) {
        std::fprintf(stderr, "sinter_npy: %s\nsinter_npy --help lists operators and options\n", mistake.what());
        return 2;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "sinter_npy: %s\n", failure.what());
        return 1;
    }
}
