// Windows' own Direct3D 12: d3d12.dll, adapters from dxgi.dll, and the compiler d3dcompiler_47.dll.
#pragma once

#if defined(_WIN32)

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "com_ptr.hpp"
#include "compiler_dxc.hpp"
#include "entry_point.hpp"
#include "hresult.hpp"
#include "interface_id.hpp"
#include "library.hpp"
#include "runtime.hpp"

namespace sinter::d3d12::detail {

inline std::string narrow(const wchar_t* text) {
    const int size = ::WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
    if (size <= 1) return {};
    std::string result(static_cast<std::size_t>(size), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
    result.pop_back();
    return result;
}

// The version resource, read in place: the functions that usually read it live in a library of their own.
inline std::string file_version(const library& module) {
    const auto handle = static_cast<HMODULE>(module.handle());
    const HRSRC resource = ::FindResourceA(handle, MAKEINTRESOURCEA(1), MAKEINTRESOURCEA(16));
    if (resource == nullptr) return {};
    const HGLOBAL loaded = ::LoadResource(handle, resource);
    const auto* const bytes = loaded == nullptr ? nullptr : static_cast<const char*>(::LockResource(loaded));
    const std::size_t size = ::SizeofResource(handle, resource);
    for (std::size_t at = 0; bytes != nullptr && at + 16 <= size; at += 4) {
        std::uint32_t words[4];
        std::memcpy(words, bytes + at, sizeof words);
        if (words[0] != 0xfeef04bdu) continue;
        return " " + std::to_string(words[2] >> 16) + "." + std::to_string(words[2] & 0xffffu) + "." +
               std::to_string(words[3] >> 16) + "." + std::to_string(words[3] & 0xffffu);
    }
    return {};
}

// Wine says so, since it shows other adapters than the machine has.
inline std::string windows_name(std::string& report) {
    const entry_point<const char*()> wine_version(calling_convention::native,
                                                  library::open("ntdll.dll", report).symbol("wine_get_version"));
    return wine_version ? std::string("Wine ") + wine_version() : "Windows";
}

class windows_adapters {
public:
    explicit windows_adapters(const library& dxgi) {
        const entry_point<HRESULT(const GUID&, void**)> create(calling_convention::native,
                                                               dxgi.symbol("CreateDXGIFactory1"));
        void* factory = nullptr;
        if (!create || failed(create(interface_id<IDXGIFactory1>, &factory))) return;
        const auto owned =
            com_ptr<IDXGIFactory1>::adopt(calling_convention::native, static_cast<IDXGIFactory1*>(factory));
        for (UINT index = 0;; ++index) {
            IDXGIAdapter1* found = nullptr;
            if (failed(owned.call(&IDXGIFactory1::EnumAdapters1, index, &found))) return;
            adapters_.push_back(com_ptr<IDXGIAdapter1>::adopt(calling_convention::native, found));
        }
    }

    std::vector<adapter> list() const {
        std::vector<adapter> result;
        for (const auto& known : adapters_) {
            DXGI_ADAPTER_DESC1 description{};
            known.call(&IDXGIAdapter1::GetDesc1, &description);
            LARGE_INTEGER driver{};
            constexpr GUID any_device{0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};
            known.call(&IDXGIAdapter1::CheckInterfaceSupport, any_device, &driver);
            const std::string name = narrow(description.Description);
            result.push_back({name, (description.Flags & DXGI_ADAPTER_FLAG_SOFTWARE) != 0,
                              "dxgi " + std::to_string(description.VendorId) + " " +
                                  std::to_string(description.DeviceId) + " " + std::to_string(description.Revision) +
                                  " " + std::to_string(driver.QuadPart) + " " + name});
        }
        return result;
    }

    IUnknown* at(std::size_t index) const { return adapters_[index].get(); }

private:
    std::vector<com_ptr<IDXGIAdapter1>> adapters_;
};

inline bool open_windows_runtime(const std::string& path, runtime& found, std::string& report) {
    const library d3d12 = library::open(path, report);
    const library dxgi = library::open("dxgi.dll", report);
    if (!d3d12 || !dxgi) return false;
    constexpr auto convention = calling_convention::native;
    const entry_point<d3d12_create_device> create(convention, d3d12.symbol("D3D12CreateDevice"));
    const entry_point<d3d12_serialize_root_signature> serialize(convention,
                                                                d3d12.symbol("D3D12SerializeRootSignature"));
    if (!create || !serialize) {
        report += "\n  " + path + " exports no D3D12CreateDevice or no D3D12SerializeRootSignature";
        return false;
    }
    found.name = windows_name(report) + " (" + path + file_version(d3d12) + ")";
    found.convention = convention;
    found.serialize_root_signature = serialize;
    const windows_adapters adapters(dxgi);
    found.adapters = [adapters] { return adapters.list(); };
    found.create_device = [adapters, create](std::size_t index, const GUID& id, void** device) {
        return create(adapters.at(index), D3D_FEATURE_LEVEL_11_0, id, device);
    };
    const library compiler_library = library::open("d3dcompiler_47.dll", report);
    const entry_point<d3d_compile> compile(convention, compiler_library.symbol("D3DCompile"));
    if (compile)
        found.hlsl_compiler = make_d3d_compiler("FXC (d3dcompiler_47.dll" + file_version(compiler_library) + ")",
                                                convention, compile, fxc_flags::all);
    // A part of Windows and taken by every driver, FXC comes first.
    const library dxc_library = library::open("dxcompiler.dll", report);
    const entry_point<dxc_create_instance> create_dxc(convention, dxc_library.symbol("DxcCreateInstance"));
    if (create_dxc) {
        compiler dxc = make_dxc("DXC (dxcompiler.dll" + file_version(dxc_library) + ")", create_dxc);
        if (found.hlsl_compiler) found.other_compilers.push_back(std::move(dxc));
        else found.hlsl_compiler = std::move(dxc);
    }
    return true;
}

}  // namespace sinter::d3d12::detail

#endif
