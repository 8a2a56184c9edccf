// The barriers that sinter records.
#pragma once

#include "calling_convention.hpp"
#include "com_call.hpp"
#include "headers.hpp"

namespace sinter::d3d12::detail {

// Kernels that follow see what all kernels before have written.
inline void record_unordered_access_barrier(calling_convention convention, ID3D12GraphicsCommandList* list) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    com_call(convention, list, &ID3D12GraphicsCommandList::ResourceBarrier, UINT{1}, &barrier);
}

inline void record_transition(calling_convention convention, ID3D12GraphicsCommandList* list, ID3D12Resource* resource,
                              D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition.pResource = resource;
    barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    barrier.Transition.StateBefore = before;
    barrier.Transition.StateAfter = after;
    com_call(convention, list, &ID3D12GraphicsCommandList::ResourceBarrier, UINT{1}, &barrier);
}

}  // namespace sinter::d3d12::detail
