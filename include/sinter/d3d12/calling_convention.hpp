// How the functions of a Direct3D 12 runtime are called: by the platform's convention or by Microsoft's.
#pragma once

namespace sinter::d3d12 {

// DirectX-Headers declare every method in the platform's convention. WSL's libd3d12.so follows them; vkd3d keeps
// Microsoft's convention on every platform. On Windows the two are the same.
enum class calling_convention : unsigned char { native, microsoft };

namespace detail {

#if defined(__x86_64__) && !defined(_WIN32)

#define SINTER_DETAIL_MICROSOFT_ABI __attribute__((ms_abi))

// GCC (12 at least) takes two calls through one address for the same call and merges them, even where their
// conventions differ. Not so if it cannot know that the addresses are the same.
inline void* kept_apart(void* address) {
    asm("" : "+r"(address));
    return address;
}

#else

#define SINTER_DETAIL_MICROSOFT_ABI

inline void* kept_apart(void* address) { return address; }

#endif

}  // namespace detail

}  // namespace sinter::d3d12

// Methods are called as plain functions, and a library's functions by sinter's own names of their types: right by the
// calling conventions, but an error to clang's sanitizer of function types.
#if defined(__clang__)
#define SINTER_DETAIL_FOREIGN_CALL __attribute__((no_sanitize("function")))
#else
#define SINTER_DETAIL_FOREIGN_CALL
#endif
