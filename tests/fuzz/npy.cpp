// Any bytes as a .npy file: the example's reader refuses them or reads a header that fits the file, and what it writes
// for that header it reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/npy_header.hpp"
#include "failure.hpp"
#include "sinter_npy/options.hpp"
#include "source.hpp"

namespace {

// As the example's array_file reads it, in memory that ends where the file does.
std::optional<npy_header> read(const std::uint8_t* data, std::size_t size) {
    const auto part = [data](std::size_t count) {
        std::vector<std::byte> bytes(count);
        for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte{data[i]};
        return bytes;
    };
    const std::vector<std::byte> start = part(size < 12 ? size : 12);
    const auto header_size = npy_header_size(start);
    if (!header_size || *header_size > size) return std::nullopt;
    try {
        return parse_npy_header(part(static_cast<std::size_t>(*header_size)), size);
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

void check(const std::uint8_t* data, std::size_t size) {
    const auto header = read(data, size);
    if (!header) return;
    fuzz::expect(header->data_offset <= size, "the elements begin behind the end");
    bool empty = false;
    for (const std::uint64_t length : header->shape) empty = empty || length == 0;
    if (!empty) {
        std::uint64_t left = (size - header->data_offset) / sinter::size_of(header->type);
        for (const std::uint64_t length : header->shape) left /= length;
        fuzz::expect(left > 0, "the shape has more elements than the file");
    }
    fuzz::expect(!empty || header->elements() == 0, "a shape with a 0 has elements");
    const std::string text = npy_header_text(*header);
    std::vector<std::uint8_t> file(text.begin(), text.end());
    file.resize(text.size() + static_cast<std::size_t>(header->elements()) * sinter::size_of(header->type));
    const auto again = read(file.data(), file.size());
    fuzz::expect(again && again->shape == header->shape && again->type == header->type &&
                     again->fortran_order == header->fortran_order && again->file_size() == file.size(),
                 "a header does not come back as it was written");
}

// Headers that are nearly right: random words of the format in a file whose lengths fit.
std::vector<std::uint8_t> nearly_right(fuzz::source& from) {
    constexpr const char* words[] = {"{",
                                     "}",
                                     "'descr': ",
                                     "'fortran_order': ",
                                     "'shape': ",
                                     "(",
                                     ")",
                                     ", ",
                                     ",",
                                     "'<f4'",
                                     "'|u1'",
                                     "'>f8'",
                                     "True",
                                     "False",
                                     "0",
                                     "3",
                                     "65536",
                                     "4294967296",
                                     "9223372036854775807",
                                     "576460752303423488",
                                     "18446744073709551615",
                                     "'",
                                     "\"",
                                     ":",
                                     " ",
                                     "\n",
                                     "[",
                                     "-1",
                                     "'descr'",
                                     "None",
                                     "1,",
                                     "\xff"};
    std::string text;
    if (from.one_in(2)) {
        text = "{'descr': '<f2', 'fortran_order': False, 'shape': (";
        for (std::size_t i = from.below(6); i > 0; --i) text += words[14 + from.below(7)] + std::string(", ");
        text += "), }";
        if (from.one_in(3)) text[from.below(text.size())] = static_cast<char>(from.below(256));
    } else {
        for (std::size_t i = from.below(24); i > 0; --i) text += words[from.below(std::size(words))];
    }
    const int version = from.between(1, 3);
    std::vector<std::uint8_t> file{0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<std::uint8_t>(version), 0};
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file.push_back(static_cast<std::uint8_t>(text.size() >> (8 * i)));
    file.insert(file.end(), text.begin(), text.end());
    file.resize(file.size() + from.below(3) * from.below(400));
    if (from.one_in(4)) file[from.below(file.size())] ^= static_cast<std::uint8_t>(1u << from.below(8));
    return file;
}

// A command line is refused, or gives operators that exist.
void check_options(fuzz::source& from) {
    constexpr const char* words[] = {"in.npy",
                                     "out.npy",
                                     "shrink",
                                     "shrink:bias=1",
                                     ":",
                                     "clip:min=nan,max=inf",
                                     "add:with=",
                                     "add:with=b.npy",
                                     "round:mode=3",
                                     "round:mode=1e30",
                                     "--slab",
                                     "--slab=",
                                     "1",
                                     "-1",
                                     "nan",
                                     "1e30",
                                     "--backend",
                                     "-",
                                     "",
                                     "relu:,",
                                     "shrink:=",
                                     "identity:scale=2,bias=1,"};
    std::vector<std::string> texts;
    for (std::size_t i = from.below(9); i > 0; --i) texts.push_back(words[from.below(std::size(words))]);
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    try {
        const options chosen = parse_options(arguments);
        fuzz::expect(chosen.help || !chosen.operators.empty(), "a command line without operators is accepted");
        fuzz::expect(chosen.slab_bytes >= 1u << 20, "a slab of less than 1 MiB");
    } catch (const usage_error&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check(data, size);
    fuzz::source from(data, size);
    const std::vector<std::uint8_t> file = nearly_right(from);
    check(file.data(), file.size());
    check_options(from);
    return 0;
}
