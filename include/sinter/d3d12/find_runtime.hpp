// Where a Direct3D 12 runtime is found: opened at run time, so that a program links against none.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "runtime.hpp"
#include "runtime_vkd3d.hpp"
#include "runtime_windows.hpp"
#include "runtime_wsl.hpp"

namespace sinter::d3d12 {

// The convention of a Direct3D object that the program made itself: that of vkd3d where vkd3d is what it has opened.
inline calling_convention loaded_convention() {
#if defined(_WIN32)
    return calling_convention::native;
#else
    return detail::library::is_open("libvkd3d-utils.so.1") || detail::library::is_open("libvkd3d.so.1")
               ? calling_convention::microsoft
               : calling_convention::native;
#endif
}

// On Windows d3d12.dll; elsewhere vkd3d, then WSL's libd3d12.so. `path`, or else the environment variable
// SINTER_D3D12_LIBRARY, names the library to take instead.
inline runtime find_runtime(std::string path = {}) {
    if (path.empty())
        if (const char* const chosen = std::getenv("SINTER_D3D12_LIBRARY")) path = chosen;
    std::string report;
    runtime found;
#if defined(_WIN32)
    if (detail::open_windows_runtime(path.empty() ? "d3d12.dll" : path, found, report)) return found;
#else
    std::vector<std::string> paths{"libvkd3d-utils.so.1", "libd3d12.so", "/usr/lib/wsl/lib/libd3d12.so"};
    if (!path.empty()) paths = {path};
    for (const std::string& tried : paths) {
        const detail::library opened = detail::library::open(tried, report);
        if (!opened) continue;
        const bool taken = detail::is_vkd3d(opened) ? detail::take_vkd3d_runtime(opened, tried, found, report)
                                                    : detail::take_wsl_runtime(opened, tried, found, report);
        if (taken) return found;
    }
#endif
    sinter::detail::fail(errc::d3d12_unavailable, "no Direct3D 12 runtime found; tried:" + report);
}

}  // namespace sinter::d3d12
