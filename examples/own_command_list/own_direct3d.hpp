// What a program has that uses Direct3D 12 already: a device, a queue, a command list, buffers, a fence. Nothing here
// is sinter's, but for com_ptr, through which methods are called: list.call(&ID3D12GraphicsCommandList::Close) is
// list->Close(), also where vkd3d is the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include <sinter/d3d12.hpp>

template <class Object>
using com_ptr = sinter::d3d12::com_ptr<Object>;

class own_direct3d {
public:
    // Opened by sinter's runtime, so that this example links none. A program of yours calls D3D12CreateDevice.
    explicit own_direct3d(const sinter::d3d12::runtime& on) : convention_(on.convention) {
        void* made = nullptr;
        check(on.create_device(0, sinter::d3d12::interface_id<ID3D12Device>, &made), "D3D12CreateDevice");
        device = com_ptr<ID3D12Device>::adopt(convention_, static_cast<ID3D12Device*>(made));
        D3D12_COMMAND_QUEUE_DESC direct{};
        direct.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
        queue = create<ID3D12CommandQueue>(&ID3D12Device::CreateCommandQueue, &direct);
        allocator_ = create<ID3D12CommandAllocator>(&ID3D12Device::CreateCommandAllocator, direct.Type);
        list = create<ID3D12GraphicsCommandList>(&ID3D12Device::CreateCommandList, UINT{0}, direct.Type,
                                                 allocator_.get(), nullptr);
        fence_ = create<ID3D12Fence>(&ID3D12Device::CreateFence, UINT64{0}, D3D12_FENCE_FLAG_NONE);
    }

    // Kernels write buffers of the default heap; those of the other heaps are for the CPU.
    com_ptr<ID3D12Resource> buffer(std::uint64_t bytes, D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT) const {
        D3D12_HEAP_PROPERTIES properties{};
        properties.Type = heap;
        D3D12_RESOURCE_DESC described{};
        described.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
        described.Width = bytes;
        described.Height = described.DepthOrArraySize = described.MipLevels = 1;
        described.SampleDesc.Count = 1;
        described.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
        if (heap == D3D12_HEAP_TYPE_DEFAULT) described.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
        const D3D12_RESOURCE_STATES state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                                            : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                                               : D3D12_RESOURCE_STATE_COMMON;
        return create<ID3D12Resource>(&ID3D12Device::CreateCommittedResource, &properties, D3D12_HEAP_FLAG_NONE,
                                      &described, state, nullptr);
    }

    void write(const com_ptr<ID3D12Resource>& upload, std::span<const std::byte> bytes) const {
        std::memcpy(map(upload), bytes.data(), bytes.size());
        upload.call(&ID3D12Resource::Unmap, UINT{0}, nullptr);
    }
    void read(const com_ptr<ID3D12Resource>& readback, std::span<std::byte> bytes) const {
        std::memcpy(bytes.data(), map(readback), bytes.size());
        readback.call(&ID3D12Resource::Unmap, UINT{0}, nullptr);
    }

    void copy(const com_ptr<ID3D12Resource>& to, const com_ptr<ID3D12Resource>& from, std::uint64_t bytes) const {
        list.call(&ID3D12GraphicsCommandList::CopyBufferRegion, to.get(), UINT64{0}, from.get(), UINT64{0}, bytes);
    }

    void transition(const com_ptr<ID3D12Resource>& of, D3D12_RESOURCE_STATES before,
                    D3D12_RESOURCE_STATES after) const {
        D3D12_RESOURCE_BARRIER barrier{};
        barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
        barrier.Transition.pResource = of.get();
        barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
        barrier.Transition.StateBefore = before;
        barrier.Transition.StateAfter = after;
        list.call(&ID3D12GraphicsCommandList::ResourceBarrier, UINT{1}, &barrier);
    }

    void execute_and_wait() const {
        check(list.call(&ID3D12GraphicsCommandList::Close), "Close");
        ID3D12CommandList* const lists[] = {list.get()};
        queue.call(&ID3D12CommandQueue::ExecuteCommandLists, UINT{1}, lists);
        check(queue.call(&ID3D12CommandQueue::Signal, fence_.get(), UINT64{1}), "Signal");
        check(fence_.call(&ID3D12Fence::SetEventOnCompletion, UINT64{1}, nullptr), "SetEventOnCompletion");
    }

    com_ptr<ID3D12Device> device;
    com_ptr<ID3D12CommandQueue> queue;
    com_ptr<ID3D12GraphicsCommandList> list;

private:
    static void check(HRESULT status, const char* call) {
        if (status < 0) throw std::runtime_error(std::string(call) + " failed");
    }

    template <class Made, class Method, class... Arguments>
    com_ptr<Made> create(Method method, Arguments... arguments) const {
        void* made = nullptr;
        check(device.call(method, arguments..., sinter::d3d12::interface_id<Made>, &made), "a Create function");
        return com_ptr<Made>::adopt(convention_, static_cast<Made*>(made));
    }

    void* map(const com_ptr<ID3D12Resource>& of) const {
        void* data = nullptr;
        check(of.call(&ID3D12Resource::Map, UINT{0}, nullptr, &data), "Map");
        return data;
    }

    sinter::d3d12::calling_convention convention_;
    com_ptr<ID3D12CommandAllocator> allocator_;
    com_ptr<ID3D12Fence> fence_;
};
