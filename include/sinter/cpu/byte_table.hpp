// Expressions of one 8-bit input have 256 values. Looked up in registers, results of 8 or 16 bits cost a few
// instructions for 64 elements, whatever the expression is; computed, every element is widened to 32 bits and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../plan/plan.hpp"
#include "byte_lookup.hpp"
#include "kernel.hpp"
#include "static_namespace.hpp"
#include "thresholds.hpp"

namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {

// As the parameters of the kernel that looks values up: all first bytes, then all second ones.
struct byte_table {
    alignas(64) std::array<std::uint32_t, 128> words;

    byte_table(const kernel& k, const std::uint32_t* parameters) noexcept {
        alignas(64) std::array<std::uint8_t, 256> every_value;
        for (std::size_t i = 0; i < 256; ++i) every_value[i] = static_cast<std::uint8_t>(i);
        const void* first = every_value.data();
        const auto* input = static_cast<const std::byte*>(first);
        alignas(64) std::array<std::byte, 512> results;
        k.run({.inputs = &input, .output = results.data(), .count = 256}, parameters);
        void* const table = words.data();
        for (std::size_t i = 0; i < 256; ++i)
            for (std::size_t byte = 0; byte < k.mapped_bytes; ++byte)
                static_cast<std::byte*>(table)[256 * byte + i] = results[k.mapped_bytes * i + byte];
    }
};

#if defined(SINTER_HAS_BYTE_LOOKUP)

SINTER_BYTE_LOOKUP_BEGIN

// Results of Bytes bytes.
template <std::size_t Bytes>
SINTER_BYTE_LOOKUP_TARGET void look_up_elements(const kernel_work& work, const std::uint32_t* table) {
    __m512i values[4 * Bytes];
    for (std::size_t i = 0; i < 4 * Bytes; ++i) values[i] = _mm512_load_si512(table + 16 * i);
    const std::size_t count = work.count;
    [[maybe_unused]] const stores how = work.how;
    const bool repeated = work.repeated != 0;
    kernel_row<1> row(work);
    do {
        for (std::size_t i = 0; i < count; i += 64) {
            __m512i index =
                repeated ? _mm512_set1_epi8(static_cast<char>(*row.inputs[0])) : _mm512_loadu_si512(row.inputs[0] + i);
            std::byte* const to = row.output + i * Bytes;
            if constexpr (Bytes == 1) {
                const __m512i found = look_up(values, index);
                if (how == stores::streaming) _mm512_stream_si512(reinterpret_cast<__m512i*>(to), found);
                else _mm512_storeu_si512(to, found);
            } else {
                // Quarter by quarter, the lower half holds what goes into the first register, the upper the second's.
                index = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), index);
                const __m512i first = look_up(values, index), second = look_up(values + 4, index);
                _mm512_storeu_si512(to, _mm512_unpacklo_epi8(first, second));
                _mm512_storeu_si512(to + 64, _mm512_unpackhi_epi8(first, second));
            }
        }
    } while (row.next(work));
}

SINTER_BYTE_LOOKUP_END

template <std::size_t Bytes>
inline constexpr kernel byte_table_kernel{&look_up_elements<Bytes>, {64, 64}, Bytes, Bytes == 1};

#endif

// The kernel that looks up what the given one computes, where that pays; else null.
inline const kernel* looking_up([[maybe_unused]] const kernel& k, [[maybe_unused]] const plan& p,
                                [[maybe_unused]] const thresholds& pay) noexcept {
#if defined(SINTER_HAS_BYTE_LOOKUP)
    // Where a kernel has narrower registers, it was asked for.
    if (k.mapped_bytes != 0 && k.shape.lanes == 16 && p.count >= pay.table_elements && machine_looks_up_bytes())
        return k.mapped_bytes == 1 ? &byte_table_kernel<1> : &byte_table_kernel<2>;
#endif
    return nullptr;
}

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
