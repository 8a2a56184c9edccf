// The identifiers of the interfaces that sinter asks for.
#pragma once

#include "headers.hpp"

namespace sinter::d3d12::detail {

// Written out, since __uuidof and the IID_ constants need a compiler's extension or a library to link.
template <class Object>
struct interface_id_of;

template <class Object>
inline constexpr GUID interface_id = interface_id_of<Object>::value;

template <>
struct interface_id_of<ID3D12Device> {
    static constexpr GUID value{0x189819f1, 0x1db6, 0x4b57, {0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7}};
};
template <>
struct interface_id_of<ID3D12CommandQueue> {
    static constexpr GUID value{0x0ec870a6, 0x5d7e, 0x4c22, {0x8c, 0xfc, 0x5b, 0xaa, 0xe0, 0x76, 0x16, 0xed}};
};
template <>
struct interface_id_of<ID3D12CommandAllocator> {
    static constexpr GUID value{0x6102dee4, 0xaf59, 0x4b09, {0xb9, 0x99, 0xb4, 0x4d, 0x73, 0xf0, 0x9b, 0x24}};
};
template <>
struct interface_id_of<ID3D12GraphicsCommandList> {
    static constexpr GUID value{0x5b160d0f, 0xac1b, 0x4185, {0x8b, 0xa8, 0xb3, 0xae, 0x42, 0xa5, 0xa4, 0x55}};
};
template <>
struct interface_id_of<ID3D12Fence> {
    static constexpr GUID value{0x0a753dcf, 0xc4d8, 0x4b91, {0xad, 0xf6, 0xbe, 0x5a, 0x60, 0xd9, 0x5a, 0x76}};
};
template <>
struct interface_id_of<ID3D12Resource> {
    static constexpr GUID value{0x696442be, 0xa72e, 0x4059, {0xbc, 0x79, 0x5b, 0x5c, 0x98, 0x04, 0x0f, 0xad}};
};
template <>
struct interface_id_of<ID3D12RootSignature> {
    static constexpr GUID value{0xc54a6b66, 0x72df, 0x4ee8, {0x8b, 0xe5, 0xa9, 0x46, 0xa1, 0x42, 0x92, 0x14}};
};
template <>
struct interface_id_of<ID3D12PipelineState> {
    static constexpr GUID value{0x765a30f3, 0xf624, 0x4c6f, {0xa8, 0x28, 0xac, 0xe9, 0x48, 0x62, 0x24, 0x45}};
};
template <>
struct interface_id_of<ID3D12QueryHeap> {
    static constexpr GUID value{0x0d9658ae, 0xed45, 0x469e, {0xa6, 0x1d, 0x97, 0x0e, 0xc5, 0x83, 0xca, 0xb4}};
};

#if defined(_WIN32)
template <>
struct interface_id_of<IDXGIFactory1> {
    static constexpr GUID value{0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
};
#endif

}  // namespace sinter::d3d12::detail

namespace sinter::d3d12 {

using detail::interface_id;

}  // namespace sinter::d3d12
