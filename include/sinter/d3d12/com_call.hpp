// One call of a COM method, named by pointer to member, in the calling convention of the runtime that made the object.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "calling_convention.hpp"

namespace sinter::d3d12::detail {

#if defined(_WIN32)

template <class Object, class Method, class... Arguments>
decltype(auto) com_call(calling_convention, Object* object, Method method, Arguments&&... arguments) {
    return (object->*method)(std::forward<Arguments>(arguments)...);
}

#else

// The Itanium C++ ABI's pointer to a virtual member: where in the virtual table, and how far `this` moves.
struct virtual_member {
    std::ptrdiff_t entry;
    std::ptrdiff_t adjustment;
};

template <class Method>
std::ptrdiff_t table_offset(Method method) {
    static_assert(sizeof(Method) == sizeof(virtual_member));
#if defined(__arm__) || defined(__aarch64__)
    return std::bit_cast<virtual_member>(method).entry;
#else
    return std::bit_cast<virtual_member>(method).entry - 1;  // the lowest bit says "virtual"
#endif
}

// std::memcpy, since no C++ type describes what the two pointers point to.
inline void* table_entry(const void* object, std::ptrdiff_t offset) {
    const std::byte* table = nullptr;
    std::memcpy(&table, object, sizeof table);
    void* entry = nullptr;
    std::memcpy(&entry, table + offset, sizeof entry);
    return entry;
}

template <class Object, class Class, class Result, class... Parameters>
SINTER_DETAIL_FOREIGN_CALL Result com_call(calling_convention convention, Object* object,
                                           Result (Class::*method)(Parameters...),
                                           std::type_identity_t<Parameters>... arguments) {
    Class* const self = object;
    void* const entry = table_entry(self, table_offset(method));
    if (convention == calling_convention::native) {
        Result (*function)(Class*, Parameters...) = nullptr;
        std::memcpy(&function, &entry, sizeof function);
        return function(self, arguments...);
    }
    void* const microsoft_entry = kept_apart(entry);
    if constexpr (std::is_class_v<Result>) {
        // Microsoft's member functions return every structure through a pointer that follows `this`.
        Result*(SINTER_DETAIL_MICROSOFT_ABI * function)(Class*, Result*, Parameters...) = nullptr;
        std::memcpy(&function, &microsoft_entry, sizeof function);
        Result result{};
        function(self, &result, arguments...);
        return result;
    } else {
        Result(SINTER_DETAIL_MICROSOFT_ABI * function)(Class*, Parameters...) = nullptr;
        std::memcpy(&function, &microsoft_entry, sizeof function);
        return function(self, arguments...);
    }
}

#endif

}  // namespace sinter::d3d12::detail
