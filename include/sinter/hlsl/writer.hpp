// Text as it is written: counted first, then filled in, in constant expressions and at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sinter::hlsl::detail {

// A string literal whose length costs nothing to know.
struct literal {
    const char* text;
    std::size_t length;

    template <std::size_t N>
    constexpr literal(const char (&characters)[N]) : text(characters), length(N - 1) {}
};

// Eight hexadecimal digits, as HLSL writes an unsigned literal.
struct bit_pattern {
    std::uint32_t bits;
};

// Without a destination it only counts, at no cost per character: compilers bound the steps of a constant expression.
class text_writer {
public:
    constexpr text_writer() = default;
    constexpr explicit text_writer(char* to) : to_(to) {}

    constexpr std::size_t size() const { return size_; }

    template <std::size_t N>
    constexpr text_writer& operator<<(const char (&characters)[N]) {
        return put(characters, N - 1);
    }
    constexpr text_writer& operator<<(literal l) { return put(l.text, l.length); }
    constexpr text_writer& operator<<(std::string_view text) { return put(text.data(), text.size()); }

    constexpr text_writer& operator<<(std::unsigned_integral auto number) {
        char digits[20]{};
        std::size_t first = sizeof digits;
        do {
            digits[--first] = static_cast<char>('0' + number % 10);
            number = static_cast<decltype(number)>(number / 10);
        } while (number != 0);
        return put(digits + first, sizeof digits - first);
    }

    constexpr text_writer& operator<<(bit_pattern pattern) {
        char digits[8]{};
        for (std::size_t i = 0; i < 8; ++i) digits[i] = "0123456789abcdef"[(pattern.bits >> (28 - 4 * i)) & 15u];
        return *this << "0x", put(digits, 8), *this << "u";
    }

private:
    constexpr text_writer& put(const char* text, std::size_t length) {
        if (to_ != nullptr)
            for (std::size_t i = 0; i < length; ++i) to_[size_ + i] = text[i];
        size_ += length;
        return *this;
    }

    char* to_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace sinter::hlsl::detail
