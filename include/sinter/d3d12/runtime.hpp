// A Direct3D 12 runtime: what sinter needs from one.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "adapter.hpp"
#include "calling_convention.hpp"
#include "compiler.hpp"
#include "entry_point.hpp"
#include "headers.hpp"

namespace sinter::d3d12 {

namespace detail {
using d3d12_create_device = HRESULT(IUnknown*, D3D_FEATURE_LEVEL, const GUID&, void**);
using d3d12_serialize_root_signature = HRESULT(const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION,
                                               ID3DBlob**, ID3DBlob**);
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

}  // namespace sinter::d3d12
