// The limit where the output does not fit a cache: stores that do not read what they overwrite.
#include <cstdint>

#include "contenders.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

namespace {

#if defined(__x86_64__)

void copy_bytes(const char* from, char* to, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

__attribute__((target("avx512f"))) void stream_512(const char* from, char* to, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 512 <= bytes; i += 512) {
        __m512i v[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) v[k] = _mm512_loadu_si512(from + i + 64 * k);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i + 64 * k), v[k]);
    }
    copy_bytes(from + i, to + i, bytes - i);
    _mm_sfence();
}

__attribute__((target("avx"))) void stream_256(const char* from, char* to, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 256 <= bytes; i += 256) {
        __m256i v[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) v[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32 * k));
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + 32 * k), v[k]);
    }
    copy_bytes(from + i, to + i, bytes - i);
    _mm_sfence();
}

template <std::size_t ElementBytes>
void stream_elements(const job& j) {
    static const auto stream = __builtin_cpu_supports("avx512f") ? stream_512 : stream_256;
    const auto* const from = static_cast<const char*>(j.input);
    auto* const to = static_cast<char*>(j.output);
    const std::size_t bytes = j.elements * ElementBytes;
    // The stores want whole lines.
    const std::size_t before_line = -reinterpret_cast<std::uintptr_t>(to) % 64;
    const std::size_t head = before_line < bytes ? before_line : bytes;
    copy_bytes(from, to, head);
    stream(from + head, to + head, bytes - head);
}

const char* why_missing() { return __builtin_cpu_supports("avx") ? nullptr : "this processor has no AVX"; }

pass find(kind k, sinter::element_type type) {
    if (!is_limited_by_copy(k)) return nullptr;
    switch (size_of(type)) {
        case 4: return stream_elements<4>;
        case 2: return stream_elements<2>;
        default: return stream_elements<1>;
    }
}

#else

const char* why_missing() { return "written for x86-64 only"; }
pass find(kind, sinter::element_type) { return nullptr; }

#endif

}  // namespace

const contender limit_stream{
    .name = "limit_stream",
    .description = "a copy with the widest registers and non-temporal stores",
    .what = computes::a_copy,
    .find = find,
    .missing = why_missing,
};

}  // namespace bench
