// What the tests made of a page by make_tests.py stand on: the printed output of a block, and the error that it throws.
#pragma once

#include <sinter/d3d12.hpp>
#include <sinter/hlsl.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <utility>

#include <unistd.h>

#include "support/d3d12_device.hpp"

namespace docs {

// Words with one space between: pages may break lines elsewhere than programs do.
inline std::string words(const std::string& text) {
    std::istringstream stream(text);
    std::string word, joined;
    while (stream >> word) joined += (joined.empty() ? "" : " ") + word;
    return joined;
}

// Standard output goes to a file from here on, until the end.
class capture {
public:
    capture() : file_(std::tmpfile()) {
        std::fflush(stdout);
        real_output_ = dup(fileno(stdout));
        dup2(fileno(file_), fileno(stdout));
    }
    capture(const capture&) = delete;
    ~capture() {
        end();
        std::fclose(file_);
    }

    void end() {
        if (real_output_ == -1) return;
        std::fflush(stdout);
        dup2(real_output_, fileno(stdout));
        close(std::exchange(real_output_, -1));
    }

    void expect(const char* output) {
        end();
        std::rewind(file_);
        std::string printed;
        for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) printed += static_cast<char>(c);
        CHECK(words(printed) == words(output));
    }

private:
    std::FILE* file_;
    int real_output_;
};

// The message and, as the default handler of programs without exceptions prints it, the code.
template <class Fragment>
void expect_error(const char* message, const Fragment& fragment) {
    try {
        fragment();
    } catch (const sinter::error& failure) {
        CHECK(words(std::string(failure.what()) + " [" + name(failure.code()) + "]") == words(message));
        return;
    }
    FAIL_CHECK("threw nothing instead of: " << message);
}

struct no_direct3d {};

// The device of a page that works on Direct3D 12; without one, the fragments under its heading are left out, except
// where a run must be whole.
inline const sinter::d3d12::device& gpu() {
    static const sinter::d3d12::device created = [] {
        try {
            return sinter::d3d12::device::create();
        } catch (const sinter::error& failure) {
            if (failure.code() != sinter::errc::d3d12_unavailable || support::run_must_be_whole()) throw;
            throw no_direct3d{};
        }
    }();
    return created;
}

template <class Section>
void run(const Section& section) {
    try {
        section();
    } catch (const no_direct3d&) {
        MESSAGE("left out: there is no Direct3D 12 on this machine");
    }
}

}  // namespace docs
