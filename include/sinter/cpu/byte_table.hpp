// Expressions from 8 bits to 8 bits have 256 values. Looked up in four registers, they cost a few instructions for 64
// elements, whatever the expression is; computed, every element is widened to 32 bits and back.
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

// As the parameters of the kernel that looks values up.
struct byte_table {
    alignas(64) std::array<std::uint32_t, 64> words;

    byte_table(const kernel& k, const std::uint32_t* parameters) noexcept {
        alignas(64) std::array<std::uint8_t, 256> every_value;
        for (std::size_t i = 0; i < 256; ++i) every_value[i] = static_cast<std::uint8_t>(i);
        const void* first = every_value.data();
        const auto* input = static_cast<const std::byte*>(first);
        void* const values = words.data();
        k.run({.inputs = &input, .output = static_cast<std::byte*>(values), .count = 256}, parameters);
    }
};

#if defined(SINTER_HAS_BYTE_LOOKUP)

SINTER_BYTE_LOOKUP_BEGIN

SINTER_BYTE_LOOKUP_TARGET inline void look_up_elements(const kernel_work& work, const std::uint32_t* table) {
    const __m512i values[4] = {_mm512_load_si512(table), _mm512_load_si512(table + 16), _mm512_load_si512(table + 32),
                               _mm512_load_si512(table + 48)};
    const std::size_t count = work.count;
    const stores how = work.how;
    const bool repeated = work.repeated != 0;
    kernel_row<1> row(work);
    do {
        for (std::size_t i = 0; i < count; i += 64) {
            const __m512i found = look_up(values, repeated ? _mm512_set1_epi8(static_cast<char>(*row.inputs[0]))
                                                           : _mm512_loadu_si512(row.inputs[0] + i));
            if (how == stores::streaming) _mm512_stream_si512(reinterpret_cast<__m512i*>(row.output + i), found);
            else _mm512_storeu_si512(row.output + i, found);
        }
    } while (row.next(work));
}

SINTER_BYTE_LOOKUP_END

inline constexpr kernel byte_table_kernel{&look_up_elements, 64, true};

#endif

// The kernel that looks up what the given one computes, where that pays; else null.
inline const kernel* looking_up([[maybe_unused]] const kernel& k, [[maybe_unused]] const plan& p,
                                [[maybe_unused]] const thresholds& pay) noexcept {
#if defined(SINTER_HAS_BYTE_LOOKUP)
    // Where a kernel has narrower registers, it was asked for.
    if (k.maps_bytes && k.lanes == 16 && p.count >= pay.table_elements && machine_looks_up_bytes())
        return &byte_table_kernel;
#endif
    return nullptr;
}

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
