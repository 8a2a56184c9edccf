// A progress bar on standard error; nothing where that is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

class progress_bar {
public:
    progress_bar(std::uint64_t total_bytes, bool wanted) : total_(total_bytes), shown_(wanted && is_terminal()) {}

    void show(std::uint64_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || (done != total_ && now - last_ < std::chrono::milliseconds(100))) return;
        last_ = now;
        constexpr std::size_t width = 40;
        const double part = total_ == 0 ? 1. : static_cast<double>(done) / static_cast<double>(total_);
        const double seconds = std::chrono::duration<double>(now - start_).count();
        std::string bar(static_cast<std::size_t>(part * width), '#');
        bar.resize(width, '.');
        std::fprintf(stderr, "\r[%s] %3.0f%%  %.2f GB/s%s", bar.c_str(), 100 * part,
                     seconds > 0 ? static_cast<double>(done) / seconds * 1e-9 : 0., done == total_ ? "\n" : "");
        std::fflush(stderr);
    }

private:
    static bool is_terminal() {
#if defined(_WIN32)
        return _isatty(_fileno(stderr)) != 0;
#else
        return isatty(STDERR_FILENO) != 0;
#endif
    }

    std::uint64_t total_;
    bool shown_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};
