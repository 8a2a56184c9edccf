// Test data: the values on which conversions and comparisons turn, and random ones of every magnitude.
#pragma once

#include <sinter/core/element.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "elements.hpp"

namespace support {

template <sinter::element T>
std::vector<T> special_values() {
    std::vector<T> values;
    if constexpr (sinter::floating_element<T>) {
        using limits = std::numeric_limits<float>;
        // clang-format off
        for (const float v : {
                 0.f, 0.25f, 0.5f, 0.75f, 1.f, 1.5f, 2.f, 2.5f, 3.f, 126.5f, 127.5f, 128.5f, 254.5f, 255.5f, 300.f,
                 32767.5f, 32768.5f, 65504.f, 65519.f, 65520.f, 65535.5f, 0x1p22f + 0.5f, 0x1p23f, 0x1p24f,
                 0x1p31f - 128.f, 0x1p31f, 0x1p32f - 256.f, 0x1p32f, 1.f + 0x1.8p-10f, 1.f + 0x1p-12f, 0x1p-24f,
                 0x1p-25f, 0x1.8p-25f, 0x1p-14f, 0x1p-14f - 0x1p-24f, 0x1p-126f, 0x1p-126f - 0x1p-149f, 0x1p-149f,
                 limits::max(), limits::infinity(), limits::quiet_NaN()}) {
            // clang-format on
            values.push_back(static_cast<T>(v));
            values.push_back(static_cast<T>(-v));
        }
    } else {
        for (const std::int64_t edge :
             {std::int64_t{0}, std::int64_t{1} << 7, std::int64_t{1} << 8, std::int64_t{1} << 15, std::int64_t{1} << 16,
              std::int64_t{1} << 24, std::int64_t{1} << 31, std::int64_t{1} << 32}) {
            for (std::int64_t distance = -2; distance <= 2; ++distance)
                for (const std::int64_t v : {edge + distance, distance - edge})
                    if (v >= std::numeric_limits<T>::min() && v <= std::numeric_limits<T>::max())
                        values.push_back(static_cast<T>(v));
        }
        for (const int v : {3, 5, 10, 37, 100}) values.push_back(static_cast<T>(v));
    }
    return values;
}

// One in two is a special value, one in four small and often equal to others, one in four any bit pattern.
template <sinter::element T>
class value_source {
public:
    explicit value_source(std::uint32_t seed) : random_(seed) {}

    T next() {
        const auto word = static_cast<std::uint32_t>(random_());
        switch (word & 3u) {
            case 0: return small_value(word >> 2);
            case 1: return any(static_cast<std::uint32_t>(random_()));
            default: return specials_[(word >> 2) % specials_.size()];
        }
    }

private:
    static T small_value(std::uint32_t word) {
        if constexpr (sinter::floating_element<T>)
            return static_cast<T>(static_cast<float>(static_cast<int>(word % 257) - 128) * 0.0625f);
        else return static_cast<T>(word % 17);
    }
    static T any(std::uint32_t word) {
        using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                        std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>;
        return std::bit_cast<T>(static_cast<bits>(word));
    }

    std::mt19937 random_;
    std::vector<T> specials_ = special_values<T>();
};

}  // namespace support
