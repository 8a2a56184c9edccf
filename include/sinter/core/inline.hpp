// SINTER_INLINE: a function that is always part of its caller, as the steps of a kernel are. SINTER_NOINLINE: never.
#pragma once

#if defined(__GNUC__)
#define SINTER_INLINE inline __attribute__((always_inline))
#define SINTER_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define SINTER_INLINE __forceinline
#define SINTER_NOINLINE __declspec(noinline)
#else
#define SINTER_INLINE inline
#define SINTER_NOINLINE
#endif
