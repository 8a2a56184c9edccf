// A Direct3D 12 device on which kernels run: memory, transfers, dispatches, in order on one queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../plan/backend.hpp"
#include "../plan/movers.hpp"
#include "adapter.hpp"
#include "buffer.hpp"
#include "cached_compiler.hpp"
#include "com_ptr.hpp"
#include "dispatch.hpp"
#include "evaluation.hpp"
#include "find_runtime.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "pipeline_cache.hpp"
#include "prepared_kernel.hpp"
#include "runtime.hpp"
#include "shader.hpp"
#include "staging.hpp"
#include "submission.hpp"
#include "tensor.hpp"
#include "timeline.hpp"
#include "timestamps.hpp"
#include "transfer.hpp"

namespace sinter::d3d12 {

// Which device to create. Left alone: the first adapter that works, hardware before software.
struct device_options {
    std::optional<std::size_t> adapter_index = std::nullopt;  // in device::adapters()
    std::string adapter_name = {};                            // or a part of the name, in any case
    std::string compiler_name = {};                           // a part of the name of the HLSL compiler, in any case
    std::string cache_directory = {};                         // an existing one where compiled kernels are kept
    std::optional<runtime> on = std::nullopt;                 // left out: find_runtime()
    std::chrono::nanoseconds stall_limit = std::chrono::minutes(2);  // a wait fails if no work ends for that long
    bool timed = false;  // whether submission::elapsed() says what work took
};

// Where the constants of a recorded evaluation go if a root signature has no room for them: a buffer of the program's
// own that the adapter sees at gpu_address, a multiple of 256, and the CPU in mapped.
struct constants {
    D3D12_GPU_VIRTUAL_ADDRESS gpu_address = 0;
    std::span<std::byte> mapped;
};

namespace detail {

struct device_state {
    device_state(runtime with, adapter of, com_ptr<ID3D12Device> made, com_ptr<ID3D12CommandQueue> queue,
                 clock::duration stall_limit, bool with_times)
        : from(std::move(with)),
          shown(std::move(of)),
          device(std::move(made)),
          pipelines(from, device),
          staging(std::make_shared<staging_pool>(device)),
          timed(with_times),
          work(device, std::move(queue), stall_limit) {}

    runtime from;
    adapter shown;
    com_ptr<ID3D12Device> device;
    program_cache programs;
    pipeline_cache pipelines;
    std::shared_ptr<staging_pool> staging;
    bool timed;
    timeline work;  // last, so that its destructor waits before anything else goes
};

// How a tensor on the CPU moves between its own layout and a packed one: a plan whose other side is that of the
// adapter. Its address lies where no memory of a program does, so that nothing overlaps.
template <class View>
void plan_transfer(plan& p, const View& view, const std::array<std::ptrdiff_t, View::rank()>& packed, bool upload) {
    constexpr std::uint64_t elsewhere = std::uint64_t{1} << 63;
    const operand_view here = sinter::detail::describe_view(view);
    const operand_view there{elsewhere, here.type, here.rank, here.sizes, packed.data()};
    // Packed in the order of the adapter's memory: its side is the output, whatever the direction is.
    make_plan(p, &here, 1, there);
    if (!upload && p.count != 0) {
        plan itself;
        make_plan(itself, nullptr, 0, here);  // two elements in one place cannot both be downloaded
    }
}

inline com_ptr<ID3D12CommandQueue> create_compute_queue(const com_ptr<ID3D12Device>& device) {
    D3D12_COMMAND_QUEUE_DESC described{};
    described.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    return create<ID3D12CommandQueue>("ID3D12Device::CreateCommandQueue", device, device,
                                      &ID3D12Device::CreateCommandQueue, &described);
}

// The adapters to try, best first.
inline std::vector<std::size_t> candidates(const std::vector<adapter>& adapters, const device_options& options) {
    if (options.adapter_index) {
        if (*options.adapter_index >= adapters.size())
            sinter::detail::fail(errc::d3d12_unavailable, "no adapter " + std::to_string(*options.adapter_index) +
                                                              "; there are:" + listed(adapters));
        return {*options.adapter_index};
    }
    if (!options.adapter_name.empty()) {
        const auto named = first_named(adapters, options.adapter_name);
        if (!named)
            sinter::detail::fail(errc::d3d12_unavailable,
                                 "no adapter is called '" + options.adapter_name + "'; there are:" + listed(adapters));
        return {*named};
    }
    std::vector<std::size_t> order;
    for (const bool software : {false, true})
        for (std::size_t i = 0; i < adapters.size(); ++i)
            if (adapters[i].software == software) order.push_back(i);
    return order;
}

inline std::string shader_model_name(D3D_SHADER_MODEL model) {
    const auto number = static_cast<unsigned>(model);
    return std::to_string(number >> 4) + "." + std::to_string(number & 15u);
}

// Every device takes shader model 5.1. A runtime that does not know the question of a later one does not take it.
inline void check_shader_model(D3D_SHADER_MODEL needed, const std::string& by, const com_ptr<ID3D12Device>& device,
                               const adapter& on) {
    if (needed <= D3D_SHADER_MODEL_5_1) return;
    D3D12_FEATURE_DATA_SHADER_MODEL highest{needed};
    const HRESULT status = device.call(&ID3D12Device::CheckFeatureSupport, D3D12_FEATURE_SHADER_MODEL, &highest,
                                       static_cast<UINT>(sizeof highest));
    if (failed(status)) highest.HighestShaderModel = D3D_SHADER_MODEL_5_1;
    if (highest.HighestShaderModel < needed)
        sinter::detail::fail(errc::unsupported, by + " shader model " + shader_model_name(needed) + ", and " + on.name +
                                                    " takes no more than " +
                                                    shader_model_name(highest.HighestShaderModel));
}

inline void check_shader_model(const compiler& with, const com_ptr<ID3D12Device>& device, const adapter& on) {
    if (with) check_shader_model(with.shader_model, "the HLSL compiler " + with.identity + " makes", device, on);
}

}  // namespace detail

// A shared handle, cheap to copy. Its functions may be called from several threads at once. When the last of its
// handles and submissions goes, that waits for work in flight.
class device {
public:
    static std::vector<adapter> adapters() { return find_runtime().adapters(); }

    static device create(const device_options& options = {}) {
        runtime from = detail::with_compiler(options.on ? *options.on : find_runtime(), options.compiler_name);
        from.hlsl_compiler = cached(std::move(from.hlsl_compiler), options.cache_directory);
        const std::vector<adapter> adapters = from.adapters();
        std::string report;
        for (const std::size_t index : detail::candidates(adapters, options)) {
            void* made = nullptr;
            const HRESULT status = from.create_device(index, detail::interface_id<ID3D12Device>, &made);
            if (!detail::failed(status) && made != nullptr) {
                const auto owned =
                    detail::com_ptr<ID3D12Device>::adopt(from.convention, static_cast<ID3D12Device*>(made));
                detail::check_shader_model(from.hlsl_compiler, owned, adapters[index]);
                return device(from, adapters[index], owned, detail::create_compute_queue(owned), options.stall_limit,
                              options.timed);
            }
            report += "\n  " + adapters[index].name + ": " + detail::describe(status);
        }
        sinter::detail::fail(errc::d3d12_unavailable, from.name + " creates a device on none of its adapters:" +
                                                          (report.empty() ? "\n  there are none" : report));
    }

    // On the program's own device and queue (COMPUTE or DIRECT; null: a queue of its own). `on` is the runtime that
    // made them: its calling convention, and its compiler, are used.
    static device from(ID3D12Device* own, ID3D12CommandQueue* queue, const runtime& on,
                       std::chrono::nanoseconds stall_limit = device_options{}.stall_limit) {
        if (own == nullptr) sinter::detail::fail(errc::null_data, "the ID3D12Device is null");
        const auto shared = detail::com_ptr<ID3D12Device>::share(on.convention, own);
        const adapter of{"the program's own device", false, {}};
        detail::check_shader_model(on.hlsl_compiler, shared, of);
        const auto shared_queue = queue == nullptr ? detail::create_compute_queue(shared)
                                                   : detail::com_ptr<ID3D12CommandQueue>::share(on.convention, queue);
        return device(on, of, shared, shared_queue, stall_limit);
    }
    static device from(ID3D12Device* own, ID3D12CommandQueue* queue) { return from(own, queue, find_runtime()); }

    // ---- as a backend of sinter

    using input_location = buffer_location;
    using output_location = buffer_location;

    // Not cleared.
    template <element T, std::size_t Rank>
    tensor<T, Rank> allocate(const std::array<std::size_t, Rank>& sizes) const {
        return {allocate_bytes(sinter::detail::checked_bytes(sizes, sizeof(T))), 0, sizes,
                sinter::detail::packed_strides(sizes)};
    }
    template <element T, std::size_t Rank>
    tensor<T, Rank> allocate(const sinter::detail::extent (&sizes)[Rank]) const {
        return allocate<T>(sinter::detail::sizes_of(sizes));
    }

    // A packed copy of a view, tensor or contiguous range; its elements are read before the call returns.
    template <class X>
    auto upload(const X& x) const {
        const auto from = sinter::detail::output_view(x);
        using T = std::remove_const_t<typename decltype(from)::element_type>;
        auto to = allocate<T>(from.sizes());
        plan p;
        detail::plan_transfer(p, from, to.strides(), true);
        upload_pieces(to.memory(), 0, p.count * sizeof(T), [&](std::uint64_t position, std::span<std::byte> piece) {
            sinter::detail::gather(p, p.operands[0], from.data(), static_cast<std::size_t>(position / sizeof(T)),
                                   piece.size() / sizeof(T), piece.data());
        });
        return to;
    }

    // Waits for all work given before, and copies the elements out.
    template <element T, std::size_t Rank, class Out>
    void download(const tensor<T, Rank>& from, Out&& out) const {
        const auto to = sinter::detail::output_view(std::forward<Out>(out));
        static_assert(std::same_as<typename decltype(to)::element_type, T>,
                      "sinter: the output of download has another element type than the tensor, or is const");
        if (from.strides() != sinter::detail::packed_strides(from.sizes())) return download(packed_copy(from), to);
        static_assert(decltype(to)::rank() == Rank, "sinter: the output of download has another rank than the tensor");
        if (from.sizes() != to.sizes())
            sinter::detail::fail(errc::shape, "download: the tensor has the sizes " +
                                                  sinter::detail::describe(from.sizes()) + ", the output " +
                                                  sinter::detail::describe(to.sizes()));
        plan p;
        detail::plan_transfer(p, to, from.strides(), false);
        const auto consume = [&](std::uint64_t position, std::span<const std::byte> piece) {
            sinter::detail::scatter(p, p.operands[0], to.data(), static_cast<std::size_t>(position / sizeof(T)),
                                    piece.size() / sizeof(T), piece.data());
        };
        download_pieces(from.memory(), from.byte_offset(), p.count * sizeof(T), consume);
    }

    // Asynchronous, after everything given before.
    template <class Program>
    submission run(const plan& p, const buffer_bindings& data) const {
        if (p.count == 0) return {};
        return run(detail::evaluation(state_->programs.get(Program::value), p, data).work());
    }

    // Records an evaluation into the program's own list instead; see record() below.
    template <class X, class Out>
        requires sinter::detail::evaluable<device, X, Out>
    void record(ID3D12GraphicsCommandList* list, X&& x, Out&& out, const constants& in = {}) const {
        sinter::detail::with_plan<device>(
            std::forward<X>(x), std::forward<Out>(out), [&]<class Program>(const plan& p, const buffer_bindings& data) {
                if (p.count != 0)
                    record(list, detail::evaluation(state_->programs.get(Program::value), p, data).work(), in);
            });
    }

    // The bytes that record() needs in `constants`; 0 where a root signature has room.
    template <class X, class Out>
        requires sinter::detail::evaluable<device, X, Out>
    std::size_t constants_size(X&& x, Out&& out) const {
        return sinter::detail::with_plan<device>(
            std::forward<X>(x), std::forward<Out>(out), [&]<class Program>(const plan& p, const buffer_bindings& data) {
                if (p.count == 0) return std::size_t{0};
                return constants_size(detail::evaluation(state_->programs.get(Program::value), p, data).work());
            });
    }

    // Programs known at run time: whoever owns one prepares it once and keeps it as long as its code.
    using prepared_program = detail::prepared_program;

    submission run(const prepared_program& prepared, const plan& p, const buffer_bindings& data) const {
        if (p.count == 0) return {};
        return run(detail::evaluation(prepared, p, data).work());
    }
    void record(ID3D12GraphicsCommandList* list, const prepared_program& prepared, const plan& p,
                const buffer_bindings& data, const constants& in = {}) const {
        if (p.count != 0) record(list, detail::evaluation(prepared, p, data).work(), in);
    }
    std::size_t constants_size(const prepared_program& prepared, const plan& p, const buffer_bindings& data) const {
        return p.count == 0 ? 0 : constants_size(detail::evaluation(prepared, p, data).work());
    }

    std::string describe(const program_view&, const plan&) const { return "Direct3D 12 on " + state_->shown.name; }
    std::string describe(const program_view& program, const plan& p, const buffer_bindings& data) const {
        return describe(program, p) + ", " + detail::evaluation(state_->programs.get(program), p, data).describe();
    }

    // ---- bytes and dispatches

    // Not cleared.
    buffer allocate_bytes(std::uint64_t size) const {
        if (size == 0) return {};
        return buffer(std::make_shared<const detail::resource>(
            detail::create_buffer(state_->device, D3D12_HEAP_TYPE_DEFAULT, size)));
    }

    // A buffer that the program made on this device.
    buffer share(ID3D12Resource* resource) const { return d3d12::share(state_->from.convention, resource); }

    // The bytes are read before the call returns. Other bytes of the buffer stay as they are.
    submission upload_bytes(const buffer& destination, std::uint64_t offset, std::span<const std::byte> bytes) const {
        const auto copy = [&](std::uint64_t position, std::span<std::byte> piece) {
            std::memcpy(piece.data(), bytes.data() + position, piece.size());
        };
        return upload_pieces(destination, offset, bytes.size(), copy);
    }

    // produce(position, span<byte>) fills in one piece after the other.
    template <class Produce>
    submission upload_pieces(const buffer& destination, std::uint64_t offset, std::uint64_t size,
                             const Produce& produce) const {
        if (size == 0) return {};
        check_is_here(destination);
        return submitted(detail::upload(state_->work, *state_->staging, destination, offset, size, produce));
    }

    // Waits for the bytes, and so for all work before.
    void download_bytes(const buffer& source, std::uint64_t offset, std::span<std::byte> bytes) const {
        const auto copy = [&](std::uint64_t position, std::span<const std::byte> piece) {
            std::memcpy(bytes.data() + position, piece.data(), piece.size());
        };
        download_pieces(source, offset, bytes.size(), copy);
    }

    // consume(position, span<const byte>) gets one piece after the other.
    template <class Consume>
    void download_pieces(const buffer& source, std::uint64_t offset, std::uint64_t size, const Consume& consume) const {
        check_is_here(source);
        detail::download(state_->work, *state_->staging, source, offset, size, consume);
    }

    // Compiles what is not compiled yet, records, executes and returns at once. Buffers stay alive until it is done.
    submission run(const dispatch& work) const {
        check_are_here(work);
        const detail::prepared_dispatch prepared(work, state_->pipelines);
        std::shared_ptr<const detail::timestamps> times;
        if (state_->timed)
            times = std::make_shared<const detail::timestamps>(state_->device, state_->work.ticks_per_second());
        const std::uint64_t value = state_->work.submit([&](detail::recording& into) {
            const std::size_t constants_size = prepared.constants_size();
            if (into.constants.memory.capacity < constants_size)
                into.constants = detail::create_mapped_buffer(state_->device, D3D12_HEAP_TYPE_UPLOAD, constants_size);
            if (times) times->note_start(into.list);
            prepared.record(into.list.convention(), into.list.get(), into.constants.memory.address,
                            into.constants.data);
            if (times) {
                times->note_end(into.list);
                into.kept_alive.push_back(times);
            }
            for (const bound_buffer& bound : work.read_only) into.kept_alive.push_back(bound.memory.shared());
            for (const bound_buffer& bound : work.read_write) into.kept_alive.push_back(bound.memory.shared());
        });
        return submitted(value, std::move(times));
    }

    // The bytes of constants that record() needs from the caller; 0 if a root signature has room for them.
    static std::size_t constants_size(const dispatch& work) {
        std::size_t size = 0;
        for (const dispatch_part& part : work.parts)
            if (detail::shape_of(work, part).constants_in_buffer())
                size += static_cast<std::size_t>(detail::rounded_up(part.constants.size_bytes(), 256));
        return size;
    }

    // Records into the program's own list. Before its dispatches stands a barrier for all unordered access, so that
    // evaluations in one list see each other's results. The device, the buffers and the memory of `in` must outlive
    // the list's execution.
    void record(ID3D12GraphicsCommandList* list, const dispatch& work, const constants& in = {}) const {
        if (list == nullptr) sinter::detail::fail(errc::null_data, "the ID3D12GraphicsCommandList is null");
        check_are_here(work);
        const detail::prepared_dispatch prepared(work, state_->pipelines);
        const std::size_t needed = prepared.constants_size();
        if (in.mapped.size() < needed || in.gpu_address % 256 != 0)
            sinter::detail::fail(errc::too_large,
                                 "the constants of this evaluation do not fit a root signature: it takes " +
                                     std::to_string(needed) + " bytes at a multiple of 256, and got " +
                                     std::to_string(in.mapped.size()));
        prepared.record(state_->from.convention, list, in.gpu_address, in.mapped.data());
    }

    // Kernels that were compiled ahead of time: evaluations that need one of them compile nothing. They must live as
    // long as the device.
    void add(std::span<const shader> shaders) const {
        for (const shader& made : shaders)
            detail::check_shader_model(made.shader_model, "a shader compiled ahead of time has", state_->device,
                                       state_->shown);
        state_->pipelines.add(shaders);
    }

    const adapter& adapter_used() const noexcept { return state_->shown; }
    const runtime& runtime_used() const noexcept { return state_->from; }
    const std::string& compiler_used() const noexcept { return state_->from.hlsl_compiler.identity; }
    ID3D12Device* native() const noexcept { return state_->device.get(); }
    std::size_t pipelines_kept() const { return state_->pipelines.size(); }

private:
    device(const runtime& from, const adapter& shown, const detail::com_ptr<ID3D12Device>& made,
           const detail::com_ptr<ID3D12CommandQueue>& queue, std::chrono::nanoseconds stall_limit, bool timed = false)
        : state_(std::make_shared<detail::device_state>(from, shown, made, queue, stall_limit, timed)) {}

    template <element T, std::size_t Rank>
    tensor<T, Rank> packed_copy(const tensor<T, Rank>& from) const {
        auto to = allocate<T>(from.sizes());
        evaluate(*this, from, to);
        return to;
    }

    // What another device allocated, drivers crash on. What the program made itself, it answers for.
    void check_is_here(const buffer& memory) const {
        if (memory.allocated_on() == nullptr || memory.allocated_on() == native()) return;
        sinter::detail::fail(errc::value, "a tensor of " + std::to_string(memory.size()) +
                                              " bytes was allocated on another device than this one, on " +
                                              state_->shown.name);
    }
    void check_are_here(const dispatch& work) const {
        for (const bound_buffer& bound : work.read_only) check_is_here(bound.memory);
        for (const bound_buffer& bound : work.read_write) check_is_here(bound.memory);
    }

    submission submitted(std::uint64_t value, std::shared_ptr<const detail::timestamps> times = nullptr) const {
        return {std::shared_ptr<detail::timeline>(state_, &state_->work), value, std::move(times)};
    }

    std::shared_ptr<detail::device_state> state_;
};

}  // namespace sinter::d3d12
