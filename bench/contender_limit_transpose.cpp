// The limit of a change of layout: tiles that fit registers, every line of memory read once and written once, nothing
// computed. Outputs too large for the caches are written by non-temporal stores.
#include "contenders.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {

namespace {

#if defined(__x86_64__)

// --- a matrix of floats ---

// Bytes of output. As measured where the second-level cache holds 1 MiB.
constexpr std::size_t matrix_streamed_from = 2u << 20;

__attribute__((target("avx512f"), always_inline)) inline void transpose_registers(__m512 (&v)[16]) {
    __m512 pairs[16];
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
    }
    __m512 fours[16];
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
        const __m512d low = _mm512_castps_pd(pairs[i]), high = _mm512_castps_pd(pairs[i + 1]);
        const __m512d next_low = _mm512_castps_pd(pairs[i + 2]), next_high = _mm512_castps_pd(pairs[i + 3]);
        fours[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, next_low));
        fours[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, next_low));
        fours[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high, next_high));
        fours[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high, next_high));
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const __m512 a = _mm512_shuffle_f32x4(fours[i], fours[i + 4], 0x88);
        const __m512 b = _mm512_shuffle_f32x4(fours[i], fours[i + 4], 0xdd);
        const __m512 c = _mm512_shuffle_f32x4(fours[i + 8], fours[i + 12], 0x88);
        const __m512 d = _mm512_shuffle_f32x4(fours[i + 8], fours[i + 12], 0xdd);
        v[i] = _mm512_shuffle_f32x4(a, c, 0x88);
        v[i + 4] = _mm512_shuffle_f32x4(b, d, 0x88);
        v[i + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
        v[i + 12] = _mm512_shuffle_f32x4(b, d, 0xdd);
    }
}

template <bool Streamed>
__attribute__((target("avx512f"))) void transpose_512(const float* in, float* out, std::size_t rows,
                                                      std::size_t columns) {
    // Two tiles beside each other, since processors fetch lines by pairs.
    for (std::size_t pair = 0; pair < columns; pair += 32)
        for (std::size_t r = 0; r < rows; r += 16)
            for (std::size_t c = pair; c < pair + 32; c += 16) {
                __m512 v[16];
#pragma GCC unroll 16
                for (int i = 0; i < 16; ++i) v[i] = _mm512_loadu_ps(in + (r + i) * columns + c);
                transpose_registers(v);
#pragma GCC unroll 16
                for (int i = 0; i < 16; ++i) {
                    float* const to = out + (c + i) * rows + r;
                    if constexpr (Streamed) _mm512_stream_ps(to, v[i]);
                    else _mm512_storeu_ps(to, v[i]);
                }
            }
    if constexpr (Streamed) _mm_sfence();
}

__attribute__((target("avx"), always_inline)) inline void transpose_registers(__m256 (&v)[8]) {
    __m256 pairs[8];
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
    }
    __m256 fours[8];
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
        fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
        fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
        fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
        fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        v[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
        v[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
    }
}

// Two tiles below each other, so that whole lines are written.
template <bool Streamed>
__attribute__((target("avx"))) void transpose_256(const float* in, float* out, std::size_t rows, std::size_t columns) {
    for (std::size_t c = 0; c < columns; c += 8)
        for (std::size_t r = 0; r < rows; r += 16) {
            __m256 low[8], high[8];
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) {
                low[i] = _mm256_loadu_ps(in + (r + i) * columns + c);
                high[i] = _mm256_loadu_ps(in + (r + i + 8) * columns + c);
            }
            transpose_registers(low);
            transpose_registers(high);
#pragma GCC unroll 8
            for (int i = 0; i < 8; ++i) {
                float* const to = out + (c + i) * rows + r;
                if constexpr (Streamed) {
                    _mm256_stream_ps(to, low[i]);
                    _mm256_stream_ps(to + 8, high[i]);
                } else {
                    _mm256_storeu_ps(to, low[i]);
                    _mm256_storeu_ps(to + 8, high[i]);
                }
            }
        }
    if constexpr (Streamed) _mm_sfence();
}

// Rows and columns of the benchmark's matrices are multiples of 32, its buffers aligned to lines.
void transpose_matrix(const job& j) {
    static const bool wide = __builtin_cpu_supports("avx512f");
    const bool streamed = j.elements * sizeof(float) >= matrix_streamed_from;
    const auto run = wide ? (streamed ? transpose_512<true> : transpose_512<false>)
                          : (streamed ? transpose_256<true> : transpose_256<false>);
    run(static_cast<const float*>(j.input), static_cast<float*>(j.output), j.rows, j.columns);
}

// --- an image of bytes: each channel's bytes taken out of the pixels and widened to 16 bits ---

// Bytes of output. Stores in a row leave the caches faster, so that it takes more until streaming repays.
constexpr std::size_t image_streamed_from = 32u << 20;

constexpr int channels = 3;

template <bool Streamed>
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) void planes_512(const unsigned char* in, unsigned short* out,
                                                                       std::size_t pixels) {
    // Byte 3 p + channel of 192, p = 0 .. 63: from the first two registers, then from those and the third.
    alignas(64) unsigned char from_two[channels][64], from_third[channels][64];
    unsigned long long in_third[channels];
    for (int channel = 0; channel < channels; ++channel) {
        in_third[channel] = 0;
        for (int p = 0; p < 64; ++p) {
            const int byte = channels * p + channel;
            from_two[channel][p] = static_cast<unsigned char>(byte & 127);
            from_third[channel][p] = static_cast<unsigned char>(byte & 63);
            if (byte >= 128) in_third[channel] |= 1ull << p;
        }
    }
    for (std::size_t p = 0; p < pixels; p += 64) {
        const __m512i a = _mm512_loadu_si512(in + channels * p);
        const __m512i b = _mm512_loadu_si512(in + channels * p + 64);
        const __m512i c = _mm512_loadu_si512(in + channels * p + 128);
#pragma GCC unroll 3
        for (int channel = 0; channel < channels; ++channel) {
            const __m512i two = _mm512_permutex2var_epi8(a, _mm512_load_si512(from_two[channel]), b);
            const __m512i bytes =
                _mm512_mask_permutexvar_epi8(two, in_third[channel], _mm512_load_si512(from_third[channel]), c);
            const __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
            const __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(bytes, 1));
            auto* const to = reinterpret_cast<__m512i*>(out + static_cast<std::size_t>(channel) * pixels + p);
            if constexpr (Streamed) {
                _mm512_stream_si512(to, low);
                _mm512_stream_si512(to + 1, high);
            } else {
                _mm512_storeu_si512(to, low);
                _mm512_storeu_si512(to + 1, high);
            }
        }
    }
    if constexpr (Streamed) _mm_sfence();
}

template <bool Streamed>
__attribute__((target("avx2"))) void planes_256(const unsigned char* in, unsigned short* out, std::size_t pixels) {
    // Byte 3 p + channel of 48, p = 0 .. 15, from each of three registers; 128 gives zero.
    alignas(16) unsigned char from[channels][3][16];
    for (int channel = 0; channel < channels; ++channel)
        for (int third = 0; third < 3; ++third)
            for (int p = 0; p < 16; ++p) {
                const int byte = channels * p + channel - 16 * third;
                from[channel][third][p] = byte >= 0 && byte < 16 ? static_cast<unsigned char>(byte) : 128;
            }
    for (std::size_t p = 0; p < pixels; p += 32)
#pragma GCC unroll 3
        for (int channel = 0; channel < channels; ++channel)
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const auto* const bytes = reinterpret_cast<const __m128i*>(in + channels * (p + 16u * half));
                const auto* const order = reinterpret_cast<const __m128i*>(from[channel]);
                __m128i taken = _mm_shuffle_epi8(_mm_loadu_si128(bytes), _mm_load_si128(order));
#pragma GCC unroll 2
                for (int third = 1; third < 3; ++third)
                    taken = _mm_or_si128(
                        taken, _mm_shuffle_epi8(_mm_loadu_si128(bytes + third), _mm_load_si128(order + third)));
                auto* const to =
                    reinterpret_cast<__m256i*>(out + static_cast<std::size_t>(channel) * pixels + p + 16u * half);
                if constexpr (Streamed) _mm256_stream_si256(to, _mm256_cvtepu8_epi16(taken));
                else _mm256_storeu_si256(to, _mm256_cvtepu8_epi16(taken));
            }
    if constexpr (Streamed) _mm_sfence();
}

// The benchmark's images have a multiple of 64 pixels.
void split_channels(const job& j) {
    static const bool wide = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
    const std::size_t pixels = j.rows * j.columns;
    const bool streamed = channels * pixels * sizeof(unsigned short) >= image_streamed_from;
    const auto run =
        wide ? (streamed ? planes_512<true> : planes_512<false>) : (streamed ? planes_256<true> : planes_256<false>);
    run(static_cast<const unsigned char*>(j.input), static_cast<unsigned short*>(j.output), pixels);
}

const char* why_missing() { return __builtin_cpu_supports("avx2") ? nullptr : "this processor has no AVX2"; }

pass find(kind k, sinter::element_type) {
    switch (k) {
        case kind::transposed: return transpose_matrix;
        case kind::nhwc_to_nchw: return split_channels;
        default: return nullptr;
    }
}

#else

const char* why_missing() { return "written for x86-64 only"; }
pass find(kind, sinter::element_type) { return nullptr; }

#endif

}  // namespace

const contender limit_transpose{
    .name = "limit_transpose",
    .description = "a transpose tiled by hand, nothing computed; of images: bytes widened to the output's 16 bits",
    .what = computes::a_copy,
    .find = find,
    .missing = why_missing,
};

}  // namespace bench
