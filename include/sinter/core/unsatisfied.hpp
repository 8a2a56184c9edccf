// A concept that nothing satisfies, for constraints that say in the compiler's error what to do.
#pragma once

#include <cstddef>

namespace sinter::detail {

// False, and prints the reason where a constraint fails.
template <std::size_t N>
struct reason {
    char text[N]{};
    constexpr reason(const char (&message)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = message[i];
    }
};
template <reason Message>
concept unsatisfied = false;

}  // namespace sinter::detail
