// The header of a .npy file: element type, order and shape, and where the elements begin.
#pragma once

#include <sinter/core/element.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct npy_header {
    sinter::element_type type{};
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::uint64_t data_offset = 0;

    std::uint64_t elements() const {
        std::uint64_t count = 1;
        for (const std::uint64_t size : shape) count *= size;
        return count;
    }
    std::uint64_t file_size() const { return data_offset + elements() * sinter::size_of(type); }
};

namespace npy_detail {

inline constexpr std::string_view magic("\x93NUMPY", 6);

struct type_name {
    std::string_view text;
    sinter::element_type type;
};
inline constexpr std::array type_names{
    type_name{"<f4", sinter::element_type::float32}, type_name{"<f2", sinter::element_type::float16},
    type_name{"<i4", sinter::element_type::int32},   type_name{"<i2", sinter::element_type::int16},
    type_name{"|i1", sinter::element_type::int8},    type_name{"<u4", sinter::element_type::uint32},
    type_name{"<u2", sinter::element_type::uint16},  type_name{"|u1", sinter::element_type::uint8},
};

// Reads the Python dictionary of three entries that a header is.
class dictionary_parser {
public:
    explicit dictionary_parser(std::string_view text) : text_(text) {}

    npy_header parse() {
        npy_header header;
        bool has_type = false, has_order = false, has_shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr" && !has_type) header.type = type(), has_type = true;
            else if (key == "fortran_order" && !has_order) header.fortran_order = boolean(), has_order = true;
            else if (key == "shape" && !has_shape) header.shape = tuple(), has_shape = true;
            else fail("the header has an unexpected entry '" + key + "'");
            if (!accept(',') && !peek('}')) fail("the header lacks a ',' or '}'");
        }
        skip_space();
        if (next_ != text_.size()) fail("the header goes on after its '}'");
        if (!has_type || !has_order || !has_shape) fail("the header lacks descr, fortran_order or shape");
        return header;
    }

private:
    [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }

    void skip_space() {
        while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
    }
    bool peek(char c) {
        skip_space();
        return next_ < text_.size() && text_[next_] == c;
    }
    bool accept(char c) {
        if (!peek(c)) return false;
        ++next_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("the header lacks a '") + c + "'");
    }

    std::string quoted() {
        skip_space();
        const char quote = next_ < text_.size() ? text_[next_] : '\0';
        if (quote != '\'' && quote != '"') fail("the header has something else where a quoted name should be");
        const std::size_t end = text_.find(quote, next_ + 1);
        if (end == std::string_view::npos) fail("the header has a name without an end");
        const std::string found(text_.substr(next_ + 1, end - next_ - 1));
        next_ = end + 1;
        return found;
    }

    sinter::element_type type() {
        if (peek('[')) fail("the elements are records; this program computes on plain numbers");
        const std::string name = quoted();
        for (const type_name& known : type_names)
            if (name == known.text) return known.type;
        std::string list;
        for (const type_name& known : type_names) list += " " + std::string(known.text);
        fail("the elements are '" + name + "'; this program computes on" + list);
    }

    bool boolean() {
        skip_space();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(next_, word.size()) != word) continue;
            next_ += word.size();
            return value;
        }
        fail("fortran_order is neither True nor False");
    }

    std::vector<std::uint64_t> tuple() {
        std::vector<std::uint64_t> sizes;
        expect('(');
        while (!accept(')')) {
            sizes.push_back(number());
            if (!accept(',') && !peek(')')) fail("the shape lacks a ',' or ')'");
        }
        return sizes;
    }

    std::uint64_t number() {
        skip_space();
        std::uint64_t value = 0;
        const std::size_t first = next_;
        for (; next_ < text_.size() && text_[next_] >= '0' && text_[next_] <= '9'; ++next_) {
            if (value > (std::uint64_t{1} << 59)) fail("the shape has a number that is too large");
            value = value * 10 + static_cast<std::uint64_t>(text_[next_] - '0');
        }
        if (next_ == first) fail("the shape has something else where a number should be");
        return value;
    }

    std::string_view text_;
    std::size_t next_ = 0;
};

}  // namespace npy_detail

// How many bytes at the start of a file hold its header, from the first 12; nothing where it is no .npy file.
inline std::optional<std::uint64_t> npy_header_size(std::span<const std::byte> start) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(start[i]); };
    if (start.size() < 10 || std::memcmp(start.data(), npy_detail::magic.data(), 6) != 0) return std::nullopt;
    if (byte(6) == 1) return 10 + byte(8) + (byte(9) << 8);
    if ((byte(6) != 2 && byte(6) != 3) || start.size() < 12) return std::nullopt;
    return 12 + byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
}

// `start` is what npy_header_size counted. Checks the shape against the size of the file.
inline npy_header parse_npy_header(std::span<const std::byte> start, std::uint64_t file_size) {
    const std::size_t prefix = static_cast<std::uint8_t>(start[6]) == 1 ? 10 : 12;
    const std::string_view text(reinterpret_cast<const char*>(start.data()) + prefix, start.size() - prefix);
    npy_header header = npy_detail::dictionary_parser(text).parse();
    header.data_offset = start.size();
    std::uint64_t bytes = sinter::size_of(header.type);
    const bool empty = std::count(header.shape.begin(), header.shape.end(), 0u) > 0;
    for (const std::uint64_t size : header.shape) {
        if (empty) break;
        if (size > (std::uint64_t{1} << 62) / bytes) throw std::runtime_error("the shape has more bytes than any file");
        bytes *= size;
    }
    if (!empty && file_size - header.data_offset < bytes)
        throw std::runtime_error("the file ends early: its shape needs " + std::to_string(bytes) + " bytes, and " +
                                 std::to_string(file_size - header.data_offset) + " are there");
    return header;
}

// A header of version 1 or 2 for the same elements, padded to a multiple of 64 bytes.
inline std::string npy_header_text(const npy_header& header) {
    std::string dictionary = "{'descr': '";
    for (const auto& known : npy_detail::type_names)
        if (known.type == header.type) dictionary += known.text;
    dictionary += std::string("', 'fortran_order': ") + (header.fortran_order ? "True" : "False") + ", 'shape': (";
    for (const std::uint64_t size : header.shape) dictionary += std::to_string(size) + ",";
    dictionary += "), }";
    const std::size_t prefix = dictionary.size() < 65000 ? 10 : 12;
    while ((prefix + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
    dictionary += '\n';
    std::string text(npy_detail::magic);
    text += prefix == 10 ? '\1' : '\2';
    text += '\0';
    for (std::size_t i = 0; i < prefix - 8; ++i) text += static_cast<char>(dictionary.size() >> (8 * i) & 255u);
    return text + dictionary;
}
