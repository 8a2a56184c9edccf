#include "png_file.hpp"

#include <png.h>

#include <bit>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace {

using file_pointer = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
    throw std::runtime_error(path.string() + ": " + reason);
}

file_pointer open(const std::filesystem::path& path, const char* mode) {
    file_pointer file(std::fopen(path.string().c_str(), mode), &std::fclose);
    if (!file) fail(path, std::strerror(errno));
    return file;
}

// libpng's objects. Its errors jump back into the function that called it, past any destructor: so those functions
// hold nothing that has one, and everything that they change lives here.
struct codec {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::string message;
    std::vector<png_bytep> rows;
    png_uint_32 height = 0;
    png_uint_32 width = 0;
    int channels = 0;
    int bits = 0;
    bool writing;

    explicit codec(bool to_write) : writing(to_write) {
        png = writing ? png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &on_error, &on_warning)
                      : png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &on_error, &on_warning);
        if (png != nullptr) info = png_create_info_struct(png);
        if (info == nullptr) {
            destroy();
            throw std::runtime_error("libpng has no memory");
        }
        // An odd colour profile is kept, and no reason to give up.
        png_set_benign_errors(png, 1);
        png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    }
    ~codec() { destroy(); }
    codec(const codec&) = delete;
    codec& operator=(const codec&) = delete;

    void destroy() {
        if (writing) png_destroy_write_struct(&png, &info);
        else png_destroy_read_struct(&png, &info, nullptr);
    }

    static void on_error(png_structp png, png_const_charp text) {
        // libpng's words for a file that ends too early.
        const bool too_short = std::strcmp(text, "Read Error") == 0;
        static_cast<codec*>(png_get_error_ptr(png))->message = too_short ? "it ends too early" : text;
        png_longjmp(png, 1);
    }
    static void on_warning(png_structp, png_const_charp) {}

    template <class Pixels>
    void point_rows_at(Pixels& pixels) {
        auto* first = reinterpret_cast<png_bytep>(pixels.data());
        const std::size_t row_bytes = pixels.size() / pixels.sizes()[0] * sizeof(*pixels.data());
        for (std::size_t y = 0; y < pixels.sizes()[0]; ++y) rows.push_back(first + y * row_bytes);
    }
};

constexpr bool swaps_bytes = std::endian::native == std::endian::little;

bool read_header(codec& c, std::FILE* file) {
    if (setjmp(png_jmpbuf(c.png)) != 0) return false;
    png_init_io(c.png, file);
    png_read_info(c.png, c.info);
    png_set_expand(c.png);
    if (swaps_bytes) png_set_swap(c.png);
    png_set_interlace_handling(c.png);
    png_read_update_info(c.png, c.info);
    c.height = png_get_image_height(c.png, c.info);
    c.width = png_get_image_width(c.png, c.info);
    c.channels = png_get_channels(c.png, c.info);
    c.bits = png_get_bit_depth(c.png, c.info);
    return true;
}

bool read_rows(codec& c) {
    if (setjmp(png_jmpbuf(c.png)) != 0) return false;
    png_read_image(c.png, c.rows.data());
    png_read_end(c.png, nullptr);
    return true;
}

// These functions of libpng report no errors.
colour_space read_colours(codec& c) {
    colour_space colours;
    int intent = 0;
    if (png_get_sRGB(c.png, c.info, &intent) != 0) colours.srgb_intent = intent;
    double gamma = 0;
    if (png_get_gAMA(c.png, c.info, &gamma) != 0) colours.gamma = gamma;
    png_charp name = nullptr;
    png_bytep data = nullptr;
    png_uint_32 size = 0;
    int compression = 0;
    if (png_get_iCCP(c.png, c.info, &name, &compression, &data, &size) != 0) {
        colours.profile_name = name;
        colours.profile.assign(data, data + size);
    }
    return colours;
}

bool write_all(codec& c, std::FILE* file, const colour_space& colours) {
    if (setjmp(png_jmpbuf(c.png)) != 0) return false;
    constexpr int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                             PNG_COLOR_TYPE_RGB_ALPHA};
    png_init_io(c.png, file);
    png_set_IHDR(c.png, c.info, c.width, c.height, c.bits, types[c.channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!colours.profile.empty())
        png_set_iCCP(c.png, c.info, colours.profile_name.c_str(), PNG_COMPRESSION_TYPE_BASE, colours.profile.data(),
                     static_cast<png_uint_32>(colours.profile.size()));
    if (colours.srgb_intent) png_set_sRGB(c.png, c.info, *colours.srgb_intent);
    if (colours.gamma) png_set_gAMA(c.png, c.info, *colours.gamma);
    png_write_info(c.png, c.info);
    if (c.bits == 16 && swaps_bytes) png_set_swap(c.png);
    png_write_image(c.png, c.rows.data());
    png_write_end(c.png, nullptr);
    return true;
}

}  // namespace

png_file read_png(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path)) fail(path, "is a directory, not a PNG file");
    const file_pointer file = open(path, "rb");
    codec c(false);
    if (!read_header(c, file.get())) fail(path, "is not a PNG file that can be read: " + c.message);
    const std::array<std::size_t, 3> sizes{c.height, c.width, static_cast<std::size_t>(c.channels)};
    png_file result{pixels_8({0, 0, 0}), read_colours(c)};
    if (c.bits == 16) result.pixels.emplace<pixels_16>(sizes);
    else result.pixels.emplace<pixels_8>(sizes);
    std::visit([&](auto& pixels) { c.point_rows_at(pixels); }, result.pixels);
    if (!read_rows(c)) fail(path, "is damaged: " + c.message);
    return result;
}

void write_png(const std::filesystem::path& path, const png_file& file) {
    codec c(true);
    std::visit(
        [&](const auto& pixels) {
            c.height = static_cast<png_uint_32>(pixels.sizes()[0]);
            c.width = static_cast<png_uint_32>(pixels.sizes()[1]);
            c.channels = static_cast<int>(pixels.sizes()[2]);
            c.bits = static_cast<int>(8 * sizeof(*pixels.data()));
            // libpng takes rows that it does not change as pointers to what is not const.
            c.point_rows_at(const_cast<std::remove_cvref_t<decltype(pixels)>&>(pixels));
        },
        file.pixels);
    file_pointer out = open(path, "wb");
    if (!write_all(c, out.get(), file.colours)) fail(path, "cannot be written: " + c.message);
    if (std::fclose(out.release()) != 0) fail(path, std::string("cannot be written: ") + std::strerror(errno));
}
