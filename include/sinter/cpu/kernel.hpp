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

// How far ahead of its reading a kernel that streams fetches lines into the caches. Processors do that by themselves,
// but not past the end of a page.
inline constexpr std::size_t bytes_fetched_ahead = 12288;

SINTER_INLINE void prefetch(const std::byte* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0);
#endif
}

template <std::size_t Bytes>
SINTER_INLINE void fetch_lines(const std::byte* first) noexcept {
    for (std::size_t i = 0; i < Bytes; i += 64) prefetch(first + i);
}

// How much of a vector is loaded or stored. Instruction sets that know parts have their own types for those.
struct whole_vector {};

// Operands at any address, of one or several rows, in which they are dense or repeated.
struct kernel_work {
    const std::byte* const* inputs;
    std::byte* output;
    std::size_t count;  // elements in a row, a multiple of the kernel's unit
    stores how = stores::cached;
    std::uint32_t repeated = 0;  // a bit for every input that is one element all along a row
    std::size_t rows = 1;
    const std::ptrdiff_t* input_pitches = nullptr;  // bytes from one row to the next, where there is a next one
    std::ptrdiff_t output_pitch = 0;
};

// What a kernel takes at once, in elements.
struct vector_shape {
    std::size_t lanes;  // in a register
    std::size_t unit;   // a power of two: the lanes, or 1 where parts of a vector are as fast as a whole one

    constexpr std::size_t whole_units(std::size_t elements) const noexcept { return elements & ~(unit - 1); }
};

struct kernel {
    void (*run)(const kernel_work& work, const std::uint32_t* parameters);
    vector_shape shape;
    std::size_t mapped_bytes;  // of a result that one 8-bit input decides, where it has 8 or 16 bits; else 0
    bool streams;              // whether it has streaming stores
};

// Instructions of a processor for each vector, about: what is converted to 32 bits saturates by several.
constexpr std::size_t instructions_per_vector(const program_view& p) noexcept {
    std::size_t count = operations_per_element(p);
    for (std::size_t i = 0; i < p.size; ++i)
        if (is_per_element(p[i]) && (p[i].op == operation::truncate || p[i].op == operation::nearest)) count += 3;
    return count;
}

// Where more instructions than these bind, or conversions to fewer bits, stores that pass the caches lose time: the
// processor has room for few of them.
inline constexpr std::size_t most_streamed_instructions = 18;

constexpr bool is_streamed(const program_view& p) noexcept {
    return size_of(p.output) == 4 && instructions_per_vector(p) <= most_streamed_instructions;
}

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
