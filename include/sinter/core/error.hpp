// What every failure of sinter throws: a code for programs and a message, naming both sides, for people.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sinter {

enum class errc {
    shape,               // sizes do not broadcast, a slice or a dimension is out of range, a reshape is impossible
    rank,                // a tensor has more dimensions than its place allows
    overlap,             // the output shares elements with an input or with itself
    null_data,           // a tensor with elements has no memory
    too_large,           // more elements or bytes than the backend or the index arithmetic can address
    type,                // element types do not fit, at run time
    value,               // a scalar that the element type cannot hold
    unsupported,         // this machine or this backend cannot do it
    out_of_memory,       // an allocation failed
    d3d12_unavailable,   // no Direct3D 12 runtime or adapter was found
    compile_failed,      // the shader compiler refused a kernel
    device_removed,      // the adapter was removed or reset
    timeout,             // a wait ran out of time
    invalid_descriptor,  // a DirectML descriptor that DirectML, too, refuses
};

constexpr const char* name(errc code) noexcept {
    switch (code) {
        case errc::shape: return "shape";
        case errc::rank: return "rank";
        case errc::overlap: return "overlap";
        case errc::null_data: return "null_data";
        case errc::too_large: return "too_large";
        case errc::type: return "type";
        case errc::value: return "value";
        case errc::unsupported: return "unsupported";
        case errc::out_of_memory: return "out_of_memory";
        case errc::d3d12_unavailable: return "d3d12_unavailable";
        case errc::compile_failed: return "compile_failed";
        case errc::device_removed: return "device_removed";
        case errc::timeout: return "timeout";
        case errc::invalid_descriptor: return "invalid_descriptor";
    }
    return "unknown";
}

class error : public std::runtime_error {
public:
    error(errc code, const std::string& message) : std::runtime_error("sinter: " + message), code_(code) {}
    errc code() const noexcept { return code_; }

private:
    errc code_;
};

#if defined(__cpp_exceptions)

namespace detail {
[[noreturn]] inline void fail(errc code, const std::string& message) { throw error(code, message); }
}  // namespace detail

#else

// Without exceptions a failure calls the handler, which must not return; the default prints and aborts.
using error_handler = void (*)(const error&);

namespace detail {
inline error_handler installed_error_handler = nullptr;

[[noreturn]] inline void fail(errc code, const std::string& message) {
    const error failure(code, message);
    if (installed_error_handler != nullptr) installed_error_handler(failure);
    std::fprintf(stderr, "%s [%s]\n", failure.what(), name(code));
    std::abort();
}
}  // namespace detail

inline error_handler set_error_handler(error_handler handler) noexcept {
    const error_handler previous = detail::installed_error_handler;
    detail::installed_error_handler = handler;
    return previous;
}

#endif

}  // namespace sinter
