// A compute kernel as HLSL text, with the hash under which its pipelines are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinter::d3d12 {

namespace detail {

// Eight characters a step, since a text is hashed at compile time where it is a constant.
constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    const auto mixed = [](std::uint64_t h, std::uint64_t word) {
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        return h ^ (h >> 32);
    };
    std::uint64_t hash = text.size();
    while (!text.empty()) {
        const std::size_t taken = text.size() < 8 ? text.size() : 8;
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < taken; ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
        hash = mixed(hash, word);
        text.remove_prefix(taken);
    }
    return hash;
}

}  // namespace detail

// Entry point main; constants at b0, read-only buffers at t0.., read-write buffers at u0... The text is only looked at
// during calls.
struct kernel {
    std::string_view text;
    std::uint64_t hash;

    constexpr explicit kernel(std::string_view hlsl) noexcept : text(hlsl), hash(detail::hash_of(hlsl)) {}
};

}  // namespace sinter::d3d12
