// An evaluation that must be refused, on every CPU backend: by code, by message, and before anything is written.
#pragma once

#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/expect_error.hpp"

namespace misuse {

// `memory` is everything that the expression and the output lie in.
template <class T, class X, class Out>
void expect_refusal(sinter::errc code, std::initializer_list<const char*> named, const std::vector<T>& memory,
                    const X& expression, Out&& out) {
    const std::vector<T> before = memory;
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        support::expect_error(code, named, [&] { sinter::evaluate(backend, expression, out); });
        CHECK(memory == before);
    });
}

}  // namespace misuse
