// The limits: plain loads and stores of the widest registers that the machine has.
#include <cstring>

#include "contenders.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

namespace {

#if defined(__x86_64__)

// In each loop: eight registers per turn, and an empty asm that the compiler may not look through, else it makes a
// call of memcpy of one loop, and nothing of the other.

__attribute__((target("avx512f"))) void move_512(const char* from, char* to, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 512 <= bytes; i += 512) {
        __m512i v[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) v[k] = _mm512_loadu_si512(from + i + 64 * k);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            asm("" : "+v"(v[k]));
            _mm512_storeu_si512(to + i + 64 * k, v[k]);
        }
    }
    for (; i < bytes; ++i) {
        char v = from[i];
        asm("" : "+r"(v));
        to[i] = v;
    }
}

__attribute__((target("avx"))) void move_256(const char* from, char* to, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 256 <= bytes; i += 256) {
        __m256i v[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) v[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32 * k));
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            asm("" : "+x"(v[k]));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i + 32 * k), v[k]);
        }
    }
    for (; i < bytes; ++i) {
        char v = from[i];
        asm("" : "+r"(v));
        to[i] = v;
    }
}

void move(const char* from, char* to, std::size_t bytes) {
    static const auto chosen = __builtin_cpu_supports("avx512f") ? move_512
                               : __builtin_cpu_supports("avx")
                                   ? move_256
                                   : +[](const char* f, char* t, std::size_t n) { std::memmove(t, f, n); };
    chosen(from, to, bytes);
}
constexpr bool moves_in_place = true;

#else

void move(const char* from, char* to, std::size_t bytes) { std::memmove(to, from, bytes); }
constexpr bool moves_in_place = false;

#endif

template <std::size_t ElementBytes>
void move_elements(const job& j) {
    move(static_cast<const char*>(j.input), static_cast<char*>(j.output), j.elements * ElementBytes);
}

pass move_of(sinter::element_type type) {
    switch (size_of(type)) {
        case 4: return move_elements<4>;
        case 2: return move_elements<2>;
        default: return move_elements<1>;
    }
}

pass find_copy(kind k, sinter::element_type type) { return is_limited_by_copy(k) ? move_of(type) : nullptr; }

pass find_inplace(kind k, sinter::element_type type) {
    return moves_in_place && k == kind::chain3_inplace ? move_of(type) : nullptr;
}

}  // namespace

const contender limit_copy{
    .name = "limit_copy",
    .description = "loads and stores of the widest registers, nothing computed",
    .what = computes::a_copy,
    .find = find_copy,
};

const contender limit_inplace{
    .name = "limit_inplace",
    .description = "the same, each register stored where it was loaded from",
    .what = computes::a_copy,
    .find = find_inplace,
    .missing = []() -> const char* { return moves_in_place ? nullptr : "written for x86-64 only"; },
};

}  // namespace bench
