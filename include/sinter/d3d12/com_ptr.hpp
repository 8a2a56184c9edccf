// An owning pointer to a COM object that remembers how its methods are called.
#pragma once

#include <type_traits>
#include <utility>

#include "com_call.hpp"
#include "headers.hpp"

namespace sinter::d3d12::detail {

template <class Object>
class com_ptr {
public:
    com_ptr() = default;

    // Takes over a reference that the caller owns, or adds one.
    static com_ptr adopt(calling_convention convention, Object* object) { return com_ptr(convention, object); }
    static com_ptr share(calling_convention convention, Object* object) {
        if (object != nullptr) com_call(convention, object, &Object::AddRef);
        return com_ptr(convention, object);
    }

    com_ptr(const com_ptr& other) : com_ptr(share(other.convention_, other.object_)) {}
    com_ptr(com_ptr&& other) noexcept
        : object_(std::exchange(other.object_, nullptr)), convention_(other.convention_) {}
    com_ptr& operator=(com_ptr other) noexcept {
        std::swap(object_, other.object_);
        std::swap(convention_, other.convention_);
        return *this;
    }
    ~com_ptr() {
        if (object_ != nullptr) com_call(convention_, object_, &Object::Release);
    }

    Object* get() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    calling_convention convention() const noexcept { return convention_; }

#if defined(_WIN32)
    template <class Method, class... Arguments>
    decltype(auto) call(Method method, Arguments&&... arguments) const {
        return com_call(convention_, object_, method, std::forward<Arguments>(arguments)...);
    }
#else
    template <class Result, class Class, class... Parameters>
    Result call(Result (Class::*method)(Parameters...), std::type_identity_t<Parameters>... arguments) const {
        return com_call(convention_, object_, method, arguments...);
    }
#endif

private:
    com_ptr(calling_convention convention, Object* object) : object_(object), convention_(convention) {}

    Object* object_ = nullptr;
    calling_convention convention_ = calling_convention::native;
};

// What GetDesc says. With GCC on Windows a header may declare the method with the result's address as its argument.
template <class Description, class Object>
Description description(const com_ptr<Object>& object) {
    Description result{};
#if defined(_WIN32)
    if constexpr (requires { object.get()->GetDesc(&result); }) object.get()->GetDesc(&result);
    else result = object.get()->GetDesc();
#else
    result = object.call(&Object::GetDesc);
#endif
    return result;
}

}  // namespace sinter::d3d12::detail

namespace sinter::d3d12 {

// For programs that call Direct3D themselves, too: off Windows, the headers do not say how vkd3d's methods are called.
using detail::com_ptr;

}  // namespace sinter::d3d12
