// A function of a Direct3D 12 library, found by name and called in that library's convention.
#pragma once

#include <cstring>

#include "calling_convention.hpp"
#include "headers.hpp"

namespace sinter::d3d12::detail {

template <class Signature>
class entry_point;

template <class Result, class... Parameters>
class entry_point<Result(Parameters...)> {
public:
    entry_point() = default;
    entry_point(calling_convention convention, void* address) : address_(address), convention_(convention) {}

    explicit operator bool() const noexcept { return address_ != nullptr; }

    SINTER_DETAIL_FOREIGN_CALL Result operator()(Parameters... parameters) const {
        if (convention_ == calling_convention::microsoft) {
            Result(SINTER_DETAIL_MICROSOFT_ABI * function)(Parameters...) = nullptr;
            void* const address = kept_apart(address_);
            std::memcpy(&function, &address, sizeof function);
            return function(parameters...);
        }
        Result(WINAPI * function)(Parameters...) = nullptr;
        std::memcpy(&function, &address_, sizeof function);
        return function(parameters...);
    }

private:
    void* address_ = nullptr;
    calling_convention convention_ = calling_convention::native;
};

}  // namespace sinter::d3d12::detail
