// A shared library opened at run time, so that a program that uses sinter links against none.
#pragma once

#include <string>

#if defined(_WIN32)
#include "headers.hpp"
#else
#include <dlfcn.h>
#endif

namespace sinter::d3d12::detail {

// Never closed: the threads of a runtime or of its driver may outlive the last object that it made.
class library {
public:
    library() = default;

    // An empty library if there is none; `report` gets a line that says what was tried.
    static library open(const std::string& path, std::string& report) {
        library opened;
#if defined(_WIN32)
        const bool named_only = path.find_first_of("/\\") == std::string::npos;
        const HMODULE module =
            ::LoadLibraryExA(path.c_str(), nullptr, named_only ? LOAD_LIBRARY_SEARCH_DEFAULT_DIRS : 0);
        const DWORD reason = module == nullptr ? ::GetLastError() : 0;
        opened.handle_ = module;
        report += "\n  " + path + ": " + (module != nullptr ? "opened" : "error " + std::to_string(reason));
#else
        opened.handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        const char* const reason = opened.handle_ == nullptr ? ::dlerror() : nullptr;
        report += "\n  " + path + ": " + (opened.handle_ != nullptr ? "opened" : reason != nullptr ? reason : "failed");
#endif
        return opened;
    }

    // Whether the process has opened it already.
    static bool is_open(const char* path) {
#if defined(_WIN32)
        return ::GetModuleHandleA(path) != nullptr;
#else
        void* const handle = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
        if (handle != nullptr) ::dlclose(handle);
        return handle != nullptr;
#endif
    }

    void* symbol(const char* name) const {
        if (handle_ == nullptr) return nullptr;
#if defined(_WIN32)
        return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
#else
        return ::dlsym(handle_, name);
#endif
    }

    explicit operator bool() const noexcept { return handle_ != nullptr; }
    void* handle() const noexcept { return handle_; }

private:
    void* handle_ = nullptr;
};

}  // namespace sinter::d3d12::detail
