// What a failed Direct3D 12 call becomes: an error that names the call and says the HRESULT in words.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "headers.hpp"
#include "interface_id.hpp"

namespace sinter::d3d12::detail {

struct hresult_meaning {
    std::uint32_t value;
    const char* words;
};

// Numbers, since not every header names all of them.
inline constexpr std::array<hresult_meaning, 22> hresult_meanings{{
    {0x00000000u, "S_OK: no error"},
    {0x00000001u, "S_FALSE: nothing done"},
    {0x80004001u, "E_NOTIMPL: not implemented"},
    {0x80004002u, "E_NOINTERFACE: no such interface"},
    {0x80004003u, "E_POINTER: invalid pointer"},
    {0x80004004u, "E_ABORT: aborted"},
    {0x80004005u, "E_FAIL: unspecified failure"},
    {0x8000ffffu, "E_UNEXPECTED: unexpected failure"},
    {0x80070005u, "E_ACCESSDENIED: access denied"},
    {0x80070006u, "E_HANDLE: invalid handle"},
    {0x8007000eu, "E_OUTOFMEMORY: out of memory"},
    {0x80070057u, "E_INVALIDARG: invalid argument"},
    {0x887a0001u, "DXGI_ERROR_INVALID_CALL: invalid call"},
    {0x887a0002u, "DXGI_ERROR_NOT_FOUND: not found"},
    {0x887a0004u, "DXGI_ERROR_UNSUPPORTED: not supported by this device or driver"},
    {0x887a0005u, "DXGI_ERROR_DEVICE_REMOVED: the device was removed"},
    {0x887a0006u, "DXGI_ERROR_DEVICE_HUNG: the device stopped answering because of the work it was given"},
    {0x887a0007u, "DXGI_ERROR_DEVICE_RESET: the device was reset because of badly formed work"},
    {0x887a0020u, "DXGI_ERROR_DRIVER_INTERNAL_ERROR: internal error of the driver"},
    {0x887a002bu, "DXGI_ERROR_ACCESS_DENIED: access denied"},
    {0x887e0001u, "D3D12_ERROR_ADAPTER_NOT_FOUND: made for another adapter"},
    {0x887e0002u, "D3D12_ERROR_DRIVER_VERSION_MISMATCH: made by another version of the driver"},
}};

inline std::string describe(HRESULT result) {
    const auto value = static_cast<std::uint32_t>(result);
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "0x%08X", static_cast<unsigned>(value));
    std::string text = digits.data();
    for (const hresult_meaning& meaning : hresult_meanings)
        if (meaning.value == value) text += std::string(" (") + meaning.words + ")";
    return text;
}

inline bool failed(HRESULT result) { return result < 0; }

inline bool says_removed(HRESULT result) {
    const auto value = static_cast<std::uint32_t>(result);
    return value == 0x887a0005u || value == 0x887a0006u || value == 0x887a0007u || value == 0x887a0020u;
}

[[noreturn]] inline void fail_removed(const std::string& when, HRESULT reason) {
    sinter::detail::fail(errc::device_removed, when + ": the Direct3D 12 device was removed; GetDeviceRemovedReason: " +
                                                   describe(reason) + "; create another device to go on");
}

// A device that was removed answers other calls with all kinds of errors, so it is asked first.
[[noreturn]] inline void fail_call(const std::string& call, HRESULT result, const com_ptr<ID3D12Device>& device) {
    const HRESULT reason = device ? device.call(&ID3D12Device::GetDeviceRemovedReason) : S_OK;
    if (failed(reason)) fail_removed(call, reason);
    if (says_removed(result)) fail_removed(call, result);
    const bool memory = static_cast<std::uint32_t>(result) == 0x8007000eu;
    sinter::detail::fail(memory ? errc::out_of_memory : errc::unsupported, call + " failed: " + describe(result));
}

inline void check(HRESULT result, const char* call, const com_ptr<ID3D12Device>& device) {
    if (failed(result)) fail_call(call, result, device);
}

// Runs one of the Create functions that end in (REFIID, void**).
template <class Made, class Owner, class Method, class... Arguments>
com_ptr<Made> create(const char* call, const com_ptr<ID3D12Device>& device, const com_ptr<Owner>& owner, Method method,
                     Arguments... arguments) {
    void* made = nullptr;
    check(owner.call(method, arguments..., interface_id<Made>, &made), call, device);
    return com_ptr<Made>::adopt(owner.convention(), static_cast<Made*>(made));
}

}  // namespace sinter::d3d12::detail
