// What a backend compiles of a program: one function over dense operands.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <intrin.h>
#endif

#include "../core/inline.hpp"
#include "../expr/program.hpp"

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

// Operands at any address, of one or several rows, in which they are dense or repeated.
struct kernel_work {
    const std::byte* const* inputs;
    std::byte* output;
    std::size_t count;  // elements in a row, a multiple of the kernel's lanes
    stores how = stores::cached;
    std::uint32_t repeated = 0;  // a bit for every input that is one element all along a row
    std::size_t rows = 1;
    const std::ptrdiff_t* input_pitches = nullptr;  // bytes from one row to the next, where there is a next one
    std::ptrdiff_t output_pitch = 0;
};

struct kernel {
    void (*run)(const kernel_work& work, const std::uint32_t* parameters);
    std::size_t lanes;         // a power of two
    std::size_t mapped_bytes;  // of a result that one 8-bit input decides, where it has 8 or 16 bits; else 0
    bool streams;              // whether it has streaming stores
};

// Conversions to fewer bits bind more than memory does, so that nothing is gained where their results are streamed.
constexpr bool is_streamed(element_type output) noexcept { return size_of(output) == 4; }

constexpr std::size_t mapped_bytes(const program_view& p) noexcept {
    const bool maps = p.inputs == 1 && size_of(p.input_types[0]) == 1 && size_of(p.output) <= 2;
    return maps ? size_of(p.output) : 0;
}

// Where a kernel stands in its work. No lambda: those are not compiled for their function's target everywhere.
template <std::size_t Inputs>
struct kernel_row {
    const std::byte* inputs[Inputs == 0 ? 1 : Inputs];
    std::byte* output;
    std::size_t left;

    explicit SINTER_INLINE kernel_row(const kernel_work& work) : output(work.output), left(work.rows) {
        for (std::size_t k = 0; k < Inputs; ++k) inputs[k] = work.inputs[k];
    }

    // To the next row; false where there is none.
    SINTER_INLINE bool next(const kernel_work& work) {
        if (--left == 0) return false;
        for (std::size_t k = 0; k < Inputs; ++k) inputs[k] += work.input_pitches[k];
        output += work.output_pitch;
        return true;
    }
};

}  // namespace sinter::cpu::detail
