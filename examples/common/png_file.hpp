// Reading and writing PNG files of any kind, by libpng.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <sinter/sinter.hpp>

// What the numbers of a file mean as colours; copied from the input to the output.
struct colour_space {
    std::optional<int> srgb_intent;
    std::optional<double> gamma;
    std::string profile_name;
    std::vector<unsigned char> profile;  // ICC
};

// Sizes {height, width, channels}: gray, gray and alpha, RGB, or RGB and alpha.
using pixels_8 = sinter::tensor<std::uint8_t, 3>;
using pixels_16 = sinter::tensor<std::uint16_t, 3>;

struct png_file {
    std::variant<pixels_8, pixels_16> pixels;
    colour_space colours;
};

// Both throw std::runtime_error, with the path in the message. Palettes become RGB, fewer than 8 bits become 8.
png_file read_png(const std::filesystem::path& path);
void write_png(const std::filesystem::path& path, const png_file& file);
