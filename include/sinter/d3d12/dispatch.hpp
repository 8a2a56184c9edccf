// One evaluation as Direct3D sees it: the buffers it binds and up to a few dispatches over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "../core/error.hpp"
#include "barrier.hpp"
#include "buffer.hpp"
#include "com_call.hpp"
#include "headers.hpp"
#include "kernel.hpp"
#include "pipeline_cache.hpp"
#include "root_signature.hpp"

namespace sinter::d3d12 {

// The offset of a buffer's first element, divided into what may be bound and what the kernel adds itself: root
// descriptors are only promised an alignment of 4, while drivers want up to 256.
struct split_offset {
    std::uint64_t bound;
    std::uint32_t rest;  // bytes, below 256

    static constexpr split_offset of(std::uint64_t bytes) noexcept {
        return {bytes & ~std::uint64_t{255}, static_cast<std::uint32_t>(bytes & 255)};
    }
};

struct bound_buffer {
    buffer memory;
    std::uint64_t offset = 0;  // bytes; a multiple of 4, better of 256
};

struct dispatch_part {
    kernel code;
    std::span<const std::uint32_t> constants;  // the whole of b0, in the layout of a constant buffer
    std::array<std::uint32_t, 3> groups{1, 1, 1};
};

// A resource of which any part is written stands in read_write with all of its bindings. The parts write disjoint
// bytes and do not read what another part writes: there is no barrier between them.
struct dispatch {
    std::span<const bound_buffer> read_only;
    std::span<const bound_buffer> read_write;
    std::span<const dispatch_part> parts;

    static constexpr std::size_t most_parts = 3;
    static constexpr std::uint32_t most_groups = 65535;
    // What Direct3D 12 promises for one resource. Beyond it drivers differ: kernels crash on Mesa's software renderer.
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;
};

namespace detail {

inline void check_binding(const bound_buffer& bound) {
    if (!bound.memory) sinter::detail::fail(errc::null_data, "a kernel binds a buffer that has no resource");
    if (bound.offset >= bound.memory.capacity() || bound.offset % 4 != 0)
        sinter::detail::fail(errc::too_large, "a kernel binds a buffer of " + std::to_string(bound.memory.capacity()) +
                                                  " bytes at offset " + std::to_string(bound.offset));
    if (bound.memory.capacity() > dispatch::most_bytes)
        sinter::detail::fail(errc::too_large, "a kernel binds a buffer of " + std::to_string(bound.memory.capacity()) +
                                                  " bytes; Direct3D 12 promises no more than 2 GiB");
}

inline void check_dispatch(const dispatch& work) {
    for (const bound_buffer& bound : work.read_only) check_binding(bound);
    for (const bound_buffer& bound : work.read_write) {
        check_binding(bound);
        if (!bound.memory.writable())
            sinter::detail::fail(errc::unsupported,
                                 "a kernel writes an ID3D12Resource that was made without "
                                 "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS");
        for (const bound_buffer& other : work.read_only)
            if (same_resource(bound.memory, other.memory))
                sinter::detail::fail(errc::overlap, "a kernel binds one resource both as read-only and as read-write");
    }
    if (work.parts.size() > dispatch::most_parts)
        sinter::detail::fail(errc::too_large, "an evaluation of " + std::to_string(work.parts.size()) + " dispatches");
    for (const dispatch_part& part : work.parts)
        for (const std::uint32_t groups : part.groups)
            if (groups > dispatch::most_groups)
                sinter::detail::fail(errc::too_large, std::to_string(groups) + " thread groups in one dimension");
}

inline root_shape shape_of(const dispatch& work, const dispatch_part& part) {
    return {static_cast<std::uint32_t>(part.constants.size()), static_cast<std::uint32_t>(work.read_only.size()),
            static_cast<std::uint32_t>(work.read_write.size())};
}

// The pipelines of an evaluation's parts, compiled where that is still to do. Made before anything is recorded, so
// that a kernel which does not compile leaves no trace.
class prepared_dispatch {
public:
    prepared_dispatch(const dispatch& work, pipeline_cache& pipelines) : work_(work) {
        check_dispatch(work);
        for (std::size_t i = 0; i < work.parts.size(); ++i)
            pipelines_[i] = &pipelines.get(work.parts[i].code, shape_of(work, work.parts[i]));
    }

    // Bytes of the constant buffers that record() needs; 0 if root constants do.
    std::size_t constants_size() const noexcept {
        std::size_t size = 0;
        for (std::size_t i = 0; i < work_.parts.size(); ++i)
            if (pipelines_[i]->shape.constants_in_buffer()) size += constant_buffer_size(work_.parts[i]);
        return size;
    }

    // `constants` is the adapter's address of `mapped`, a multiple of 256.
    void record(calling_convention convention, ID3D12GraphicsCommandList* list, D3D12_GPU_VIRTUAL_ADDRESS constants,
                std::byte* mapped) const {
        record_unordered_access_barrier(convention, list);
        const pipeline* previous = nullptr;
        for (std::size_t i = 0; i < work_.parts.size(); ++i) {
            const dispatch_part& part = work_.parts[i];
            const pipeline& now = *pipelines_[i];
            if (part.groups[0] == 0 || part.groups[1] == 0 || part.groups[2] == 0) continue;
            if (previous == nullptr || previous->root_signature.get() != now.root_signature.get()) {
                com_call(convention, list, &ID3D12GraphicsCommandList::SetComputeRootSignature,
                         now.root_signature.get());
                record_buffers(convention, list, now.shape);
            }
            if (now.shape.constants_in_buffer()) {
                std::memcpy(mapped, part.constants.data(), part.constants.size_bytes());
                com_call(convention, list, &ID3D12GraphicsCommandList::SetComputeRootConstantBufferView,
                         root_shape::constants_parameter, constants);
                mapped += constant_buffer_size(part);
                constants += constant_buffer_size(part);
            } else if (now.shape.has_constants()) {
                com_call(convention, list, &ID3D12GraphicsCommandList::SetComputeRoot32BitConstants,
                         root_shape::constants_parameter, now.shape.constants, part.constants.data(), UINT{0});
            }
            if (previous != &now)
                com_call(convention, list, &ID3D12GraphicsCommandList::SetPipelineState, now.state.get());
            com_call(convention, list, &ID3D12GraphicsCommandList::Dispatch, part.groups[0], part.groups[1],
                     part.groups[2]);
            previous = &now;
        }
    }

private:
    static std::size_t constant_buffer_size(const dispatch_part& part) {
        return static_cast<std::size_t>(rounded_up(part.constants.size_bytes(), 256));
    }

    void record_buffers(calling_convention convention, ID3D12GraphicsCommandList* list, const root_shape& shape) const {
        for (std::uint32_t i = 0; i < shape.read_only; ++i)
            com_call(convention, list, &ID3D12GraphicsCommandList::SetComputeRootShaderResourceView,
                     shape.read_only_parameter(i), address(work_.read_only[i]));
        for (std::uint32_t i = 0; i < shape.read_write; ++i)
            com_call(convention, list, &ID3D12GraphicsCommandList::SetComputeRootUnorderedAccessView,
                     shape.read_write_parameter(i), address(work_.read_write[i]));
    }

    static D3D12_GPU_VIRTUAL_ADDRESS address(const bound_buffer& bound) {
        return bound.memory.gpu_address() + bound.offset;
    }

    const dispatch& work_;
    std::array<const pipeline*, dispatch::most_parts> pipelines_{};
};

}  // namespace detail

}  // namespace sinter::d3d12
