// Microsoft's Direct3D 12 for Linux guests of Windows (WSL), as libd3d12.so. It comes without an HLSL compiler.
#pragma once

#if !defined(_WIN32)

#include <cstddef>
#include <string>
#include <vector>

#include "entry_point.hpp"
#include "library.hpp"
#include "runtime.hpp"

namespace sinter::d3d12::detail {

inline bool take_wsl_runtime(const library& d3d12, const std::string& path, runtime& found, std::string& report) {
    constexpr auto convention = calling_convention::native;
    const entry_point<d3d12_create_device> create(convention, d3d12.symbol("D3D12CreateDevice"));
    const entry_point<d3d12_serialize_root_signature> serialize(convention,
                                                                d3d12.symbol("D3D12SerializeRootSignature"));
    if (!create || !serialize) {
        report += ", but it exports no D3D12CreateDevice or no D3D12SerializeRootSignature";
        return false;
    }
    found.name = "WSL (" + path + ")";
    found.convention = convention;
    found.adapters = [] { return std::vector<adapter>{{"default adapter of WSL", false, "wsl"}}; };
    found.create_device = [create](std::size_t, const GUID& id, void** device) {
        return create(nullptr, D3D_FEATURE_LEVEL_11_0, id, device);
    };
    found.serialize_root_signature = serialize;
    return true;
}

}  // namespace sinter::d3d12::detail

#endif
