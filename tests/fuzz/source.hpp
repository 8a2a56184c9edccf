// Choices from bytes: as long as there are any, each choice takes some; after the last, random numbers that the bytes
// determine. So short inputs describe whole cases, and an input always gives the same case.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace fuzz {

class source {
public:
    source(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {
        for (std::size_t i = 0; i < size; ++i) state_ = (state_ ^ data[i]) * 0x100000001b3u;
    }

    // A number below n; n is from 1 to 65536.
    std::size_t below(std::size_t n) {
        std::size_t word = byte();
        if (n > 256) word |= static_cast<std::size_t>(byte()) << 8;
        return word % n;
    }
    int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1))); }
    // Zeros, which fuzzers are fond of, are the usual case.
    bool one_in(std::size_t n) { return below(n) == n - 1; }

    std::uint32_t word() { return static_cast<std::uint32_t>(below(65536) << 16 | below(65536)); }

    // Operators turn on these, and on what lies near small numbers.
    float attribute() {
        constexpr float inf = std::numeric_limits<float>::infinity();
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        constexpr std::array special{0.f,     -0.f,    1.f,      -1.f,    0.5f,       -0.5f,    0.25f, 2.f,   127.5f,
                                     128.f,   -128.5f, 255.5f,   256.f,   300.f,      32767.5f, inf,   -inf,  nan,
                                     65504.f, 65520.f, 0x1p24f,  0x1p31f, -0x1p31f,   0x1p32f,  3e38f, 1e-7f, 0x1p-126f,
                                     1e-40f,  1.0625f, 65535.5f, -300.f,  -0x1p-149f, 0x1p-25f, 3.f};
        switch (below(4)) {
            case 0: return static_cast<float>(between(-64, 64)) * 0.25f;
            case 1: return std::bit_cast<float>(word());
            default: return special[below(special.size())];
        }
    }

    // `size` bytes of element memory: numbers near 0 and near the limits of the type, and any bits.
    void fill(std::byte* to, std::size_t size, std::size_t element_bytes, bool floating) {
        std::uint64_t random = state_ ^ word();
        const bool any = one_in(4);
        for (std::size_t i = 0; i + element_bytes <= size; i += element_bytes) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const auto bits = static_cast<std::uint32_t>(random >> 32);
            const std::uint32_t element = any || bits % 4 == 0 ? bits : plausible(bits, element_bytes, floating);
            std::memcpy(to + i, &element, element_bytes);
        }
    }

private:
    static std::uint32_t plausible(std::uint32_t bits, std::size_t element_bytes, bool floating) {
        const auto small = static_cast<std::int32_t>(bits >> 8 & 63u) - 32;
        if (!floating) {
            const std::uint32_t edges[] = {0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000u};
            return (bits % 3 == 0 ? edges[bits >> 16 & 7u] : 0u) + static_cast<std::uint32_t>(small);
        }
        const std::uint32_t halves[] = {0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x7bff};
        const std::uint32_t floats[] = {0, 0x80000000u, 0x3f800000, 0x7f800000, 0xff800000u, 0x7fc00000, 1, 0x4b800000};
        if (bits % 3 == 0) return element_bytes == 2 ? halves[bits >> 16 & 7u] : floats[bits >> 16 & 7u];
        if (element_bytes == 2) return (bits & 0x8000u) | 0x3000u | (bits >> 20 & 0xfffu);
        return std::bit_cast<std::uint32_t>(static_cast<float>(small) * 0.25f);
    }

    std::uint8_t byte() {
        if (left_ > 0) return --left_, *data_++;
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint8_t>(state_ >> 56);
    }

    const std::uint8_t* data_;
    std::size_t left_;
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace fuzz
