// DXC, Microsoft's newer HLSL compiler, which makes shader model 6 of the same texts: dxcompiler.dll, which a program
// brings along.
#pragma once

#if defined(_WIN32)

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "com_ptr.hpp"
#include "compiler.hpp"
#include "entry_point.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "library.hpp"

namespace sinter::d3d12::detail {

// What sinter needs of dxcapi.h, a header that mingw-w64 does not have.
struct dxc_buffer {
    const void* data;
    SIZE_T size;
    UINT encoding;
};
struct dxc_operation_result : IUnknown {
    virtual HRESULT STDMETHODCALLTYPE get_status(HRESULT* status) = 0;
    virtual HRESULT STDMETHODCALLTYPE get_result(ID3DBlob** bytecode) = 0;
    virtual HRESULT STDMETHODCALLTYPE get_messages(ID3DBlob** messages) = 0;
};
struct dxc_compiler : IUnknown {
    virtual HRESULT STDMETHODCALLTYPE compile(const dxc_buffer* text, const wchar_t** arguments, UINT count,
                                              IUnknown* include_handler, const GUID& id, void** result) = 0;
};

template <>
struct interface_id_of<dxc_operation_result> {
    static constexpr GUID value{0xcedb484a, 0xd4e9, 0x445a, {0xb9, 0x91, 0xca, 0x21, 0xca, 0x15, 0x7d, 0xc2}};
};
template <>
struct interface_id_of<dxc_compiler> {
    static constexpr GUID value{0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
};

using dxc_create_instance = HRESULT(const GUID& class_id, const GUID& id, void** made);

inline compilation compiled_by_dxc(const entry_point<dxc_create_instance>& create_instance, const wchar_t* target,
                                   std::string_view text) {
    constexpr auto convention = calling_convention::native;
    constexpr GUID class_id{0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
    constexpr UINT utf_8 = 65001;
    compilation result;
    // One for each compilation: an instance serves one thread at a time.
    void* made = nullptr;
    HRESULT status = create_instance(class_id, interface_id<dxc_compiler>, &made);
    if (failed(status) || made == nullptr) {
        result.log = "DxcCreateInstance failed: " + describe(status);
        return result;
    }
    const auto compiler = com_ptr<dxc_compiler>::adopt(convention, static_cast<dxc_compiler*>(made));
    const dxc_buffer source{text.data(), text.size(), utf_8};
    // -Gis: IEEE strictness, as fxc_flags has it. -WX: warnings are errors, as there.
    const wchar_t* arguments[] = {L"sinter", L"-E", L"main", L"-T", target, L"-Gis", L"-O3", L"-WX"};
    void* ended = nullptr;
    status = compiler.call(&dxc_compiler::compile, &source, arguments, static_cast<UINT>(std::size(arguments)), nullptr,
                           interface_id<dxc_operation_result>, &ended);
    if (failed(status) || ended == nullptr) {
        result.log = "IDxcCompiler3::Compile failed: " + describe(status);
        return result;
    }
    const auto outcome = com_ptr<dxc_operation_result>::adopt(convention, static_cast<dxc_operation_result*>(ended));
    ID3DBlob* messages = nullptr;
    outcome.call(&dxc_operation_result::get_messages, &messages);
    result.log = text_of(com_ptr<ID3DBlob>::adopt(convention, messages));
    HRESULT compiled = E_FAIL;
    outcome.call(&dxc_operation_result::get_status, &compiled);
    if (failed(compiled)) return result;
    ID3DBlob* bytecode = nullptr;
    outcome.call(&dxc_operation_result::get_result, &bytecode);
    result.succeeded = bytecode != nullptr;
    if (result.succeeded) result.bytecode = bytes_of(com_ptr<ID3DBlob>::adopt(convention, bytecode));
    return result;
}

inline compiler make_dxc(const std::string& name, entry_point<dxc_create_instance> create_instance,
                         D3D_SHADER_MODEL model = D3D_SHADER_MODEL_6_0) {
    const auto minor = static_cast<unsigned>(model) & 15u;
    compiler made;
    made.identity = name + " cs_6_" + std::to_string(minor) + " -Gis -O3 -WX";
    made.compile = [create_instance, target = L"cs_6_" + std::to_wstring(minor)](std::string_view text) {
        return compiled_by_dxc(create_instance, target.c_str(), text);
    };
    made.shader_model = model;
    return made;
}

}  // namespace sinter::d3d12::detail

#endif
