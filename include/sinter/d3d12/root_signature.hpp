// The root signatures of sinter's kernels: constants, read-only buffers, read-write buffers; no descriptor heaps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "compiler.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "runtime.hpp"

namespace sinter::d3d12 {

// What a kernel binds: 32-bit constants at b0, read-only buffers at t0.., read-write buffers at u0...
struct root_shape {
    std::uint32_t constants = 0;
    std::uint32_t read_only = 0;
    std::uint32_t read_write = 0;

    friend bool operator==(const root_shape&, const root_shape&) = default;

    // A root signature has room for 64 dwords; a buffer takes two of them.
    static constexpr std::uint32_t dwords = 64;
    constexpr bool fits() const noexcept {
        return std::uint64_t{read_only} + read_write <= (dwords - 2) / 2 && constants <= 4 * 4096;
    }
    // Constants beyond that room are read from a constant buffer; the kernel's text is the same.
    constexpr bool constants_in_buffer() const noexcept { return constants + 2 * (read_only + read_write) > dwords; }
    constexpr bool has_constants() const noexcept { return constants != 0; }

    static constexpr std::uint32_t constants_parameter = 0;
    constexpr std::uint32_t read_only_parameter(std::uint32_t i) const noexcept {
        return (has_constants() ? 1u : 0u) + i;
    }
    constexpr std::uint32_t read_write_parameter(std::uint32_t i) const noexcept {
        return read_only_parameter(read_only) + i;
    }
};

namespace detail {

inline D3D12_ROOT_PARAMETER root_buffer(D3D12_ROOT_PARAMETER_TYPE type, std::uint32_t shader_register) {
    D3D12_ROOT_PARAMETER parameter{};
    parameter.ParameterType = type;
    parameter.Descriptor.ShaderRegister = shader_register;
    parameter.ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL;
    return parameter;
}

inline D3D12_ROOT_PARAMETER root_constants(const root_shape& shape) {
    if (shape.constants_in_buffer()) return root_buffer(D3D12_ROOT_PARAMETER_TYPE_CBV, 0);
    D3D12_ROOT_PARAMETER parameter{};
    parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    parameter.Constants.Num32BitValues = shape.constants;
    parameter.ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL;
    return parameter;
}

inline com_ptr<ID3D12RootSignature> create_root_signature(const runtime& from, const com_ptr<ID3D12Device>& device,
                                                          const root_shape& shape) {
    if (!shape.fits())
        sinter::detail::fail(errc::too_large, "a root signature has no room for " + std::to_string(shape.read_only) +
                                                  " read-only buffers, " + std::to_string(shape.read_write) +
                                                  " read-write buffers and " + std::to_string(shape.constants) +
                                                  " constants");
    std::vector<D3D12_ROOT_PARAMETER> parameters;
    if (shape.has_constants()) parameters.push_back(root_constants(shape));
    for (std::uint32_t i = 0; i < shape.read_only; ++i)
        parameters.push_back(root_buffer(D3D12_ROOT_PARAMETER_TYPE_SRV, i));
    for (std::uint32_t i = 0; i < shape.read_write; ++i)
        parameters.push_back(root_buffer(D3D12_ROOT_PARAMETER_TYPE_UAV, i));

    D3D12_ROOT_SIGNATURE_DESC described{};
    described.NumParameters = static_cast<UINT>(parameters.size());
    described.pParameters = parameters.data();
    ID3DBlob* serialized = nullptr;
    ID3DBlob* messages = nullptr;
    const HRESULT status =
        from.serialize_root_signature(&described, D3D_ROOT_SIGNATURE_VERSION_1_0, &serialized, &messages);
    const auto owned = com_ptr<ID3DBlob>::adopt(from.convention, serialized);
    const auto log = com_ptr<ID3DBlob>::adopt(from.convention, messages);
    const std::string reason = log ? " (" + text_of(log) + ")" : "";
    if (failed(status)) fail_call("D3D12SerializeRootSignature" + reason, status, device);
    return create<ID3D12RootSignature>("ID3D12Device::CreateRootSignature", device, device,
                                       &ID3D12Device::CreateRootSignature, UINT{0},
                                       owned.call(&ID3DBlob::GetBufferPointer), owned.call(&ID3DBlob::GetBufferSize));
}

}  // namespace detail

}  // namespace sinter::d3d12
