// What kernels on xsimd's batches need of x86 that xsimd has no function for, or a slow one. Where these overloads do
// not fit, because of the processor or the instruction set, cpu/xsimd.hpp takes xsimd's functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
#define SINTER_HAS_SSE2 1
#include <immintrin.h>
#endif

#include "../core/inline.hpp"
#include "static_namespace.hpp"

namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {
namespace x86 {

// So that the names are there to be asked for on every processor.
struct nowhere {};
void widened(nowhere, nowhere);
void widened_half(nowhere, nowhere);
void store_narrowed(nowhere, nowhere);
void store_half(nowhere, nowhere);
void stream(nowhere, nowhere);
void minimum(nowhere, nowhere);
void maximum(nowhere, nowhere);
void multiply(nowhere, nowhere);
void saturate_to_natural(nowhere, nowhere);

#if defined(SINTER_HAS_SSE2)

template <std::size_t Count>
using lanes_constant = std::integral_constant<std::size_t, Count>;

SINTER_INLINE __m128i load_4_bytes(const void* at) {
    std::int32_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return _mm_cvtsi32_si128(bits);
}
SINTER_INLINE __m128i load_8_bytes(const void* at) { return _mm_loadl_epi64(static_cast<const __m128i*>(at)); }
SINTER_INLINE __m128i load_16_bytes(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
SINTER_INLINE void store_4_bytes(__m128i v, void* at) {
    const std::int32_t bits = _mm_cvtsi128_si32(v);
    std::memcpy(at, &bits, sizeof bits);
}
SINTER_INLINE void store_8_bytes(__m128i v, void* at) { _mm_storel_epi64(static_cast<__m128i*>(at), v); }
SINTER_INLINE void store_16_bytes(__m128i v, void* at) { _mm_storeu_si128(static_cast<__m128i*>(at), v); }

// Four lanes.
#if defined(__SSE4_1__) || defined(__AVX__)
SINTER_INLINE __m128i widened(const std::uint8_t* e, lanes_constant<4>) { return _mm_cvtepu8_epi32(load_4_bytes(e)); }
SINTER_INLINE __m128i widened(const std::int8_t* e, lanes_constant<4>) { return _mm_cvtepi8_epi32(load_4_bytes(e)); }
SINTER_INLINE __m128i widened(const std::uint16_t* e, lanes_constant<4>) { return _mm_cvtepu16_epi32(load_8_bytes(e)); }
SINTER_INLINE __m128i widened(const std::int16_t* e, lanes_constant<4>) { return _mm_cvtepi16_epi32(load_8_bytes(e)); }
#else
SINTER_INLINE __m128i widened(const std::uint8_t* e, lanes_constant<4>) {
    const __m128i zero = _mm_setzero_si128();
    return _mm_unpacklo_epi16(_mm_unpacklo_epi8(load_4_bytes(e), zero), zero);
}
SINTER_INLINE __m128i widened(const std::int8_t* e, lanes_constant<4>) {
    const __m128i bytes = load_4_bytes(e);
    const __m128i pairs = _mm_unpacklo_epi8(bytes, bytes);
    return _mm_srai_epi32(_mm_unpacklo_epi16(pairs, pairs), 24);
}
SINTER_INLINE __m128i widened(const std::uint16_t* e, lanes_constant<4>) {
    return _mm_unpacklo_epi16(load_8_bytes(e), _mm_setzero_si128());
}
SINTER_INLINE __m128i widened(const std::int16_t* e, lanes_constant<4>) {
    const __m128i words = load_8_bytes(e);
    return _mm_srai_epi32(_mm_unpacklo_epi16(words, words), 16);
}
#endif
SINTER_INLINE void store_narrowed(__m128i v, std::uint8_t* e) {
    const __m128i words = _mm_packs_epi32(v, v);
    store_4_bytes(_mm_packus_epi16(words, words), e);
}
SINTER_INLINE void store_narrowed(__m128i v, std::int8_t* e) {
    const __m128i words = _mm_packs_epi32(v, v);
    store_4_bytes(_mm_packs_epi16(words, words), e);
}
SINTER_INLINE void store_narrowed(__m128i v, std::uint16_t* e) {
#if defined(__SSE4_1__) || defined(__AVX__)
    store_8_bytes(_mm_packus_epi32(v, v), e);
#else
    const __m128i as_signed = _mm_srai_epi32(_mm_slli_epi32(v, 16), 16);
    store_8_bytes(_mm_packs_epi32(as_signed, as_signed), e);
#endif
}
SINTER_INLINE void store_narrowed(__m128i v, std::int16_t* e) { store_8_bytes(_mm_packs_epi32(v, v), e); }
#if defined(__F16C__)
SINTER_INLINE __m128 widened_half(const std::uint16_t* e, lanes_constant<4>) { return _mm_cvtph_ps(load_8_bytes(e)); }
SINTER_INLINE void store_half(__m128 v, std::uint16_t* e) {
    store_8_bytes(_mm_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), e);
}
#endif
#if !defined(__SSE4_1__) && !defined(__AVX__)
// xsimd multiplies lane by lane in general registers.
SINTER_INLINE __m128i multiply(__m128i a, __m128i b) {
    const __m128i even = _mm_mul_epu32(a, b);
    const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}
#endif
// The second operand where they are equal or one is NaN. xsimd passes the operands on in either order.
SINTER_INLINE void stream(__m128 v, float* e) { _mm_stream_ps(e, v); }
SINTER_INLINE void stream(__m128i v, std::int32_t* e) { _mm_stream_si128(reinterpret_cast<__m128i*>(e), v); }
SINTER_INLINE __m128 minimum(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
SINTER_INLINE __m128 maximum(__m128 a, __m128 b) { return _mm_max_ps(a, b); }

// Eight lanes.
#if defined(__AVX2__)
SINTER_INLINE __m256i widened(const std::uint8_t* e, lanes_constant<8>) {
    return _mm256_cvtepu8_epi32(load_8_bytes(e));
}
SINTER_INLINE __m256i widened(const std::int8_t* e, lanes_constant<8>) { return _mm256_cvtepi8_epi32(load_8_bytes(e)); }
SINTER_INLINE __m256i widened(const std::uint16_t* e, lanes_constant<8>) {
    return _mm256_cvtepu16_epi32(load_16_bytes(e));
}
SINTER_INLINE __m256i widened(const std::int16_t* e, lanes_constant<8>) {
    return _mm256_cvtepi16_epi32(load_16_bytes(e));
}
SINTER_INLINE __m128i packed_signed(__m256i v) {
    return _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
SINTER_INLINE void store_narrowed(__m256i v, std::uint8_t* e) {
    const __m128i words = packed_signed(v);
    store_8_bytes(_mm_packus_epi16(words, words), e);
}
SINTER_INLINE void store_narrowed(__m256i v, std::int8_t* e) {
    const __m128i words = packed_signed(v);
    store_8_bytes(_mm_packs_epi16(words, words), e);
}
SINTER_INLINE void store_narrowed(__m256i v, std::uint16_t* e) {
    store_16_bytes(_mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)), e);
}
SINTER_INLINE void store_narrowed(__m256i v, std::int16_t* e) { store_16_bytes(packed_signed(v), e); }
#endif
#if defined(__F16C__)
SINTER_INLINE __m256 widened_half(const std::uint16_t* e, lanes_constant<8>) {
    return _mm256_cvtph_ps(load_16_bytes(e));
}
SINTER_INLINE void store_half(__m256 v, std::uint16_t* e) {
    store_16_bytes(_mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), e);
}
#endif
#if defined(__AVX__)
SINTER_INLINE void stream(__m256 v, float* e) { _mm256_stream_ps(e, v); }
SINTER_INLINE void stream(__m256i v, std::int32_t* e) { _mm256_stream_si256(reinterpret_cast<__m256i*>(e), v); }
SINTER_INLINE __m256 minimum(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
SINTER_INLINE __m256 maximum(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
#endif

// Sixteen lanes.
#if defined(__AVX512F__)
SINTER_INLINE __m512i widened(const std::uint8_t* e, lanes_constant<16>) {
    return _mm512_cvtepu8_epi32(load_16_bytes(e));
}
SINTER_INLINE __m512i widened(const std::int8_t* e, lanes_constant<16>) {
    return _mm512_cvtepi8_epi32(load_16_bytes(e));
}
SINTER_INLINE __m256i load_32_bytes(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
SINTER_INLINE void store_32_bytes(__m256i v, void* at) { _mm256_storeu_si256(static_cast<__m256i*>(at), v); }
SINTER_INLINE __m512i widened(const std::uint16_t* e, lanes_constant<16>) {
    return _mm512_cvtepu16_epi32(load_32_bytes(e));
}
SINTER_INLINE __m512i widened(const std::int16_t* e, lanes_constant<16>) {
    return _mm512_cvtepi16_epi32(load_32_bytes(e));
}
SINTER_INLINE void store_narrowed(__m512i v, std::uint8_t* e) { store_16_bytes(_mm512_cvtepi32_epi8(v), e); }
SINTER_INLINE void store_narrowed(__m512i v, std::int8_t* e) { store_16_bytes(_mm512_cvtepi32_epi8(v), e); }
SINTER_INLINE void store_narrowed(__m512i v, std::uint16_t* e) { store_32_bytes(_mm512_cvtepi32_epi16(v), e); }
SINTER_INLINE void store_narrowed(__m512i v, std::int16_t* e) { store_32_bytes(_mm512_cvtepi32_epi16(v), e); }
SINTER_INLINE __m512 widened_half(const std::uint16_t* e, lanes_constant<16>) {
    return _mm512_cvtph_ps(load_32_bytes(e));
}
SINTER_INLINE void store_half(__m512 v, std::uint16_t* e) {
    store_32_bytes(_mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT), e);
}
SINTER_INLINE __m512i saturate_to_natural(__m512 v, std::true_type) { return _mm512_cvtps_epu32(v); }
SINTER_INLINE __m512i saturate_to_natural(__m512 v, std::false_type) { return _mm512_cvttps_epu32(v); }
SINTER_INLINE void stream(__m512 v, float* e) { _mm512_stream_ps(e, v); }
SINTER_INLINE void stream(__m512i v, std::int32_t* e) { _mm512_stream_si512(reinterpret_cast<__m512i*>(e), v); }
SINTER_INLINE __m512 minimum(__m512 a, __m512 b) { return _mm512_min_ps(a, b); }
SINTER_INLINE __m512 maximum(__m512 a, __m512 b) { return _mm512_max_ps(a, b); }
#endif

#endif  // SINTER_HAS_SSE2

}  // namespace x86
}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
