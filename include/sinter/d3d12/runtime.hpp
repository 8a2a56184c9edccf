// A Direct3D 12 runtime: what sinter needs from one.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "adapter.hpp"
#include "calling_convention.hpp"
#include "compiler.hpp"
#include "entry_point.hpp"
#include "headers.hpp"

namespace sinter::d3d12 {

namespace detail {
using d3d12_create_device = HRESULT(IUnknown*, D3D_FEATURE_LEVEL, const GUID&, void**);
using d3d12_serialize_root_signature = HRESULT(const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob**,
                                               ID3DBlob**);
}  // namespace detail

// A plain value: fill one in to run on a runtime that sinter does not know.
struct runtime {
    std::string name;
    calling_convention convention = calling_convention::native;
    std::function<std::vector<adapter>()> adapters;
    std::function<HRESULT(std::size_t adapter, const GUID& id, void** device)> create_device;
    detail::entry_point<detail::d3d12_serialize_root_signature> serialize_root_signature;
    compiler hlsl_compiler;
    std::vector<compiler> other_compilers;  // that are there too; device_options::compiler_name chooses
};

namespace detail {

inline runtime with_compiler(runtime from, const std::string& name) {
    if (contains_ignoring_case(from.hlsl_compiler.identity, name)) return from;
    std::string report = from.hlsl_compiler ? "\n  " + from.hlsl_compiler.identity : "\n  none";
    for (compiler& other : from.other_compilers) {
        if (contains_ignoring_case(other.identity, name)) {
            std::swap(from.hlsl_compiler, other);
            return from;
        }
        report += "\n  " + other.identity;
    }
    sinter::detail::fail(errc::d3d12_unavailable, "no HLSL compiler is called '" + name + "'; there are:" + report);
}

}  // namespace detail

}  // namespace sinter::d3d12
