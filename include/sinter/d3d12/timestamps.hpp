// How long work took on the adapter: its clock, noted in the command list before the work and after it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "com_ptr.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "staging.hpp"

namespace sinter::d3d12::detail {

class timestamps {
public:
    timestamps(const com_ptr<ID3D12Device>& device, std::uint64_t ticks_per_second)
        : heap_(create_heap(device)),
          values_(create_mapped_buffer(device, D3D12_HEAP_TYPE_READBACK, sizeof(ticks))),
          ticks_per_second_(ticks_per_second) {}

    void note_start(const com_ptr<ID3D12GraphicsCommandList>& list) const {
        list.call(&ID3D12GraphicsCommandList::EndQuery, heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, UINT{0});
    }
    void note_end(const com_ptr<ID3D12GraphicsCommandList>& list) const {
        list.call(&ID3D12GraphicsCommandList::EndQuery, heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, UINT{1});
        list.call(&ID3D12GraphicsCommandList::ResolveQueryData, heap_.get(), D3D12_QUERY_TYPE_TIMESTAMP, UINT{0},
                  UINT{2}, values_.memory.object.get(), std::uint64_t{0});
    }

    // Once the list has executed.
    std::chrono::nanoseconds elapsed() const {
        ticks at{};
        std::memcpy(&at, values_.data, sizeof at);
        const double seconds = static_cast<double>(at[1] - at[0]) / static_cast<double>(ticks_per_second_);
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    }

private:
    using ticks = std::array<std::uint64_t, 2>;

    static com_ptr<ID3D12QueryHeap> create_heap(const com_ptr<ID3D12Device>& device) {
        D3D12_QUERY_HEAP_DESC described{};
        described.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
        described.Count = 2;
        return create<ID3D12QueryHeap>("ID3D12Device::CreateQueryHeap", device, device, &ID3D12Device::CreateQueryHeap,
                                       &described);
    }

    com_ptr<ID3D12QueryHeap> heap_;
    mapped_buffer values_;
    std::uint64_t ticks_per_second_;
};

}  // namespace sinter::d3d12::detail
