// SINTER_HAS_WIDE_VECTORS: 1 where vectors above 128 bits may be used, else 0.
//
// GCC keeps the stack of 64-bit Windows programs at multiples of 16 bytes, and yet spills wider vectors there with
// instructions that fault unless the address is a multiple of their size (GCC bug 54412, open since 2012). Clang and
// MSVC have no such bug. Where the compiler was patched, as Debian's is, or the assembler replaces those instructions
// (binutils 2.38 or later, -Wa,-muse-unaligned-vector-move), define SINTER_ALLOW_WIDE_VECTORS for the whole program.
#pragma once

#if defined(_WIN64) && defined(__GNUC__) && !defined(__clang__) && !defined(SINTER_ALLOW_WIDE_VECTORS)
#define SINTER_HAS_WIDE_VECTORS 0
#else
#define SINTER_HAS_WIDE_VECTORS 1
#endif
