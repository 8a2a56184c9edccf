// Pictures that are damaged, cut short, or say something else than they hold: the example's reader of PNG files refuses
// them or reads all of their pixels, and what it writes it reads back the same. libpng decides what is a PNG file;
// tried here is what surrounds it: jumps out of its errors, sizes of memory, rows.
#include <png.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/png_file.cpp"
#include "failure.hpp"
#include "source.hpp"

namespace {

// A file without a name.
class memory_file {
public:
    memory_file() : file_(memfd_create("picture", 0)) { fuzz::expect(file_ >= 0, "no file in memory"); }
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;
    ~memory_file() { close(file_); }

    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }
    std::vector<std::uint8_t> bytes() const {
        std::vector<std::uint8_t> all(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)));
        fuzz::expect(pread(file_, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()), "not read");
        return all;
    }
    void set(const std::vector<std::uint8_t>& all) {
        fuzz::expect(
            ftruncate(file_, 0) == 0 && pwrite(file_, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()),
            "not written");
    }

private:
    int file_;
};

std::optional<png_file> read(const memory_file& file) {
    try {
        return read_png(file.path());
    } catch (const std::exception&) {  // of this program, of sinter or of the standard library
        return std::nullopt;
    }
}

bool same_pixels(const png_file& a, const png_file& b) {
    return std::visit(
        [&](const auto& x, const auto& y) {
            if constexpr (!std::is_same_v<decltype(x), decltype(y)>) return false;
            else return x.sizes() == y.sizes() && std::memcmp(x.data(), y.data(), x.size() * sizeof(*x.data())) == 0;
        },
        a.pixels, b.pixels);
}

template <class Pixels>
void paint(fuzz::source& from, png_file& picture) {
    auto& made = picture.pixels.emplace<Pixels>(
        std::array<std::size_t, 3>{1 + from.below(12), 1 + from.below(12), 1 + from.below(4)});
    from.fill(reinterpret_cast<std::byte*>(made.data()), made.size() * sizeof(*made.data()), 1, false);
}

std::uint32_t number_at(const std::vector<std::uint8_t>& file, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | file[at + i];
    return value;
}
void set_number(std::vector<std::uint8_t>& file, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) file[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

// Damage that the check sums do not give away.
void mend_check_sums(std::vector<std::uint8_t>& file) {
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const std::size_t length = number_at(file, at);
        if (length > file.size() - at - 12) return;
        set_number(file, at + 8 + length,
                   static_cast<std::uint32_t>(crc32(0, file.data() + at + 4, static_cast<uInt>(length + 4))));
        at += 12 + length;
    }
}

void damage(fuzz::source& from, std::vector<std::uint8_t>& file) {
    constexpr std::size_t width = 16, height = 20, depth = 24;
    switch (from.below(6)) {
        case 0: set_number(file, from.one_in(2) ? width : height, static_cast<std::uint32_t>(from.below(40))); break;
        case 1: set_number(file, from.one_in(2) ? width : height, 1u << from.below(12)); break;
        case 2: file[depth + from.below(5)] = static_cast<std::uint8_t>(from.below(20)); break;
        case 3: file.resize(from.below(file.size())); break;
        default: file[from.below(file.size())] = static_cast<std::uint8_t>(from.below(256));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    memory_file file;
    file.set({data, data + size});
    read(file);

    fuzz::source from(data, size);
    png_file picture{pixels_8({0, 0, 0}), {}};
    if (from.one_in(2)) paint<pixels_8>(from, picture);
    else paint<pixels_16>(from, picture);
    if (from.one_in(3)) picture.colours.gamma = 0.5;
    if (from.one_in(3)) picture.colours.srgb_intent = 1;
    file.set({});
    write_png(file.path(), picture);
    const auto back = read(file);
    fuzz::expect(back && same_pixels(*back, picture), "a picture does not come back as it was written");

    std::vector<std::uint8_t> bytes = file.bytes();
    for (std::size_t i = 1 + from.below(3); i > 0 && bytes.size() > 40; --i) damage(from, bytes);
    if (!from.one_in(8)) mend_check_sums(bytes);
    file.set(bytes);
    if (const auto damaged = read(file))
        std::visit([](const auto& pixels) { fuzz::expect(pixels.size() != 0, "a picture without pixels"); },
                   damaged->pixels);
    return 0;
}
