// From where on the special ways of evaluation are taken. A program that knows its machine better than the defaults
// gives its own: cpu::highway{}.with(cpu::thresholds{.streaming_bytes = 16 << 20}).
#pragma once

#include <cstddef>

namespace sinter::cpu {

struct thresholds {
    // Bytes read and written by an evaluation from which on its output goes past the caches, where it shares no memory
    // with an input, and is of 32 bits and takes few instructions, or is looked up in a table of bytes. A constant,
    // since virtual machines tell sizes of caches that they do not have.
    std::size_t streaming_bytes = std::size_t{64} << 20;

    // Elements from which on an expression of one 8-bit input and an output of 8 or 16 bits is computed once for each
    // of the 256 values and then looked up, on processors with AVX-512 VBMI.
    std::size_t table_elements = 1024;

    // Elements from which on a row passes through tiles, where an operand is transposed or strided.
    std::size_t tile_elements = 128;

    // Bytes read and written that a part for one thread has at least.
    std::size_t bytes_per_thread = std::size_t{512} << 10;
};

}  // namespace sinter::cpu
