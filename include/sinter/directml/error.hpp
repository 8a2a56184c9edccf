// What compile throws: an error that says what is wrong, with the HRESULT that DirectML would have answered.
#pragma once

#include <cstdint>
#include <string>

#include "../core/error.hpp"

namespace sinter::directml {

// Bits of an HRESULT, which is a signed 32-bit integer.
inline constexpr std::int32_t invalid_argument = static_cast<std::int32_t>(0x80070057u);

class descriptor_error : public error {
public:
    explicit descriptor_error(const std::string& message) : error(errc::invalid_descriptor, message) {}
    std::int32_t hresult() const noexcept { return invalid_argument; }
};

namespace detail {

[[noreturn]] inline void refuse(const std::string& message) {
#if defined(__cpp_exceptions)
    throw descriptor_error(message);
#else
    sinter::detail::fail(errc::invalid_descriptor, message);
#endif
}

}  // namespace detail

}  // namespace sinter::directml
