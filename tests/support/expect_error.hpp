// A refusal has a code, and a message that names what met: both sizes, strides, or the value and its range.
#pragma once

#include <sinter/core/error.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <initializer_list>
#include <string>

namespace support {

// A number that the compiler cannot see: it warns of mistakes that are certain.
template <class T>
T hidden(T value) {
    volatile T seen = value;
    return seen;
}

template <class Action>
void expect_error(sinter::errc code, std::initializer_list<const char*> named, const Action& action) {
    try {
        action();
    } catch (const sinter::error& failure) {
        const std::string message = failure.what();
        INFO(message);
        CHECK(std::string(name(failure.code())) == name(code));
        for (const char* part : named) CHECK_MESSAGE(message.find(part) != std::string::npos, "names no " << part);
        return;
    } catch (const std::exception& failure) {
        FAIL_CHECK("threw another exception: " << failure.what());
        return;
    }
    FAIL_CHECK("threw nothing instead of " << name(code));
}

}  // namespace support
