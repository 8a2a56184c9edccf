// A range of memory that the adapter reads and writes: a shared handle to an ID3D12Resource.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "headers.hpp"
#include "hresult.hpp"

namespace sinter::d3d12 {

namespace detail {

struct resource {
    com_ptr<ID3D12Resource> object;
    std::uint64_t size = 0;      // bytes that were asked for
    std::uint64_t capacity = 0;  // bytes that exist
    D3D12_GPU_VIRTUAL_ADDRESS address = 0;
    D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT;
    bool writable = false;           // made for unordered access
    ID3D12Device* device = nullptr;  // it was allocated on; null where the program made it
};

}  // namespace detail

// States: every list of a device finds its buffers in D3D12_RESOURCE_STATE_COMMON and leaves them there, as Direct3D
// does by itself for buffers: they are promoted by their first use in a list and decay when it has executed. Within a
// list a buffer is in one state: UNORDERED_ACCESS if a kernel writes any part of its resource, else
// NON_PIXEL_SHADER_RESOURCE. Lists begin with a barrier for all unordered access that came before them.
class buffer {
public:
    buffer() = default;
    explicit buffer(std::shared_ptr<const detail::resource> shared) : shared_(std::move(shared)) {}

    // An empty buffer has no resource.
    explicit operator bool() const noexcept { return shared_ != nullptr; }
    std::uint64_t size() const noexcept { return shared_ ? shared_->size : 0; }
    std::uint64_t capacity() const noexcept { return shared_ ? shared_->capacity : 0; }
    D3D12_GPU_VIRTUAL_ADDRESS gpu_address() const noexcept { return shared_ ? shared_->address : 0; }
    D3D12_HEAP_TYPE heap() const noexcept { return shared_ ? shared_->heap : D3D12_HEAP_TYPE_DEFAULT; }
    bool writable() const noexcept { return shared_ && shared_->writable; }
    ID3D12Device* allocated_on() const noexcept { return shared_ ? shared_->device : nullptr; }
    ID3D12Resource* resource() const noexcept { return shared_ ? shared_->object.get() : nullptr; }

    const std::shared_ptr<const detail::resource>& shared() const noexcept { return shared_; }

    // Whether two handles name the same resource, so that a kernel must bind it in one way.
    friend bool same_resource(const buffer& a, const buffer& b) noexcept { return a.resource() == b.resource(); }

private:
    std::shared_ptr<const detail::resource> shared_;
};

namespace detail {

// Kernels store whole 16-byte vectors and 32-bit words; rounded up to a constant buffer's granularity.
inline constexpr std::uint64_t buffer_granularity = 256;

inline std::uint64_t rounded_up(std::uint64_t size, std::uint64_t granularity) {
    return (size + granularity - 1) / granularity * granularity;
}

inline D3D12_RESOURCE_STATES initial_state(D3D12_HEAP_TYPE heap) {
    if (heap == D3D12_HEAP_TYPE_UPLOAD) return D3D12_RESOURCE_STATE_GENERIC_READ;
    if (heap == D3D12_HEAP_TYPE_READBACK) return D3D12_RESOURCE_STATE_COPY_DEST;
    return D3D12_RESOURCE_STATE_COMMON;
}

inline resource create_buffer(const com_ptr<ID3D12Device>& device, D3D12_HEAP_TYPE heap, std::uint64_t size) {
    constexpr std::uint64_t most = std::uint64_t{1} << 48;
    if (size > most)
        sinter::detail::fail(errc::too_large, "a Direct3D 12 buffer of " + std::to_string(size) + " bytes");
    D3D12_HEAP_PROPERTIES properties{};
    properties.Type = heap;
    D3D12_RESOURCE_DESC described{};
    described.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    described.Width = rounded_up(size, buffer_granularity);
    described.Height = 1;
    described.DepthOrArraySize = 1;
    described.MipLevels = 1;
    described.SampleDesc.Count = 1;
    described.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    const bool writable = heap == D3D12_HEAP_TYPE_DEFAULT;
    if (writable) described.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;

    void* made = nullptr;
    const HRESULT status = device.call(&ID3D12Device::CreateCommittedResource, &properties, D3D12_HEAP_FLAG_NONE,
                                       &described, initial_state(heap), nullptr, interface_id<ID3D12Resource>, &made);
    if (failed(status))
        fail_call("ID3D12Device::CreateCommittedResource of " + std::to_string(described.Width) + " bytes", status,
                  device);
    resource result;
    result.object = com_ptr<ID3D12Resource>::adopt(device.convention(), static_cast<ID3D12Resource*>(made));
    result.size = size;
    result.capacity = described.Width;
    result.address = result.object.call(&ID3D12Resource::GetGPUVirtualAddress);
    result.heap = heap;
    result.writable = writable;
    result.device = device.get();
    return result;
}

}  // namespace detail

// Shares a buffer that the program made itself. It must be in, or decay to, D3D12_RESOURCE_STATE_COMMON.
inline buffer share(calling_convention convention, ID3D12Resource* object) {
    if (object == nullptr) sinter::detail::fail(errc::null_data, "the ID3D12Resource is null");
    detail::resource shared;
    shared.object = detail::com_ptr<ID3D12Resource>::share(convention, object);
    const auto described = detail::description<D3D12_RESOURCE_DESC>(shared.object);
    if (described.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER)
        sinter::detail::fail(errc::unsupported, "the ID3D12Resource is a texture, not a buffer");
    shared.size = shared.capacity = described.Width;
    shared.address = shared.object.call(&ID3D12Resource::GetGPUVirtualAddress);
    shared.writable = (described.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0;
    return buffer(std::make_shared<const detail::resource>(std::move(shared)));
}

}  // namespace sinter::d3d12
