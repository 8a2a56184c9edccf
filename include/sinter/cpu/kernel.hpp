// What a backend compiles of a program: one function over dense operands.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <intrin.h>
#endif

namespace sinter::cpu::detail {

// Streaming stores go past the caches. They are made where whole registers lie on their own size, and nowhere else.
enum class stores : bool { cached, streaming };

// Before other threads may be told of what was streamed: streaming stores wait for no one.
inline void finish_streaming() noexcept {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__SSE__))
    __builtin_ia32_sfence();
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_sfence();
#endif
}

// Runs over `count` elements, a multiple of `lanes`, of dense operands at any address.
struct kernel {
    void (*run)(const std::byte* const* inputs, std::byte* output, const std::uint32_t* parameters, std::size_t count,
                stores how);
    std::size_t lanes;
    bool maps_bytes;  // one input of 8 bits to an output of 8 bits
};

}  // namespace sinter::cpu::detail
