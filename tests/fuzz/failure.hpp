// How a program in fuzz/ says that something is wrong: a line for people, and an abort, which fuzzers understand.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {

[[noreturn]] inline void found(const std::string& what) {
    std::fprintf(stderr, "found: %s\n", what.c_str());
    std::abort();
}

inline void expect(bool holds, const std::string& what) {
    if (!holds) found(what);
}

}  // namespace fuzz
