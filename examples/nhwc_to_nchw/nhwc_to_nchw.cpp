// A photograph as a neural network takes it: bytes that are interleaved by pixel (NHWC) become float16 planes (NCHW) on
// the scale -1 to 1. Transposing, converting and scaling are one expression and one pass over memory.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <variant>

#include <sinter/explain.hpp>
#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "common/npy_header.hpp"
#include "common/png_file.hpp"

namespace {

constexpr const char* usage = R"(usage: nhwc_to_nchw [OPTIONS] [PHOTOGRAPH.png]

Turns a photograph (8 bits per channel, the one in the examples' data unless another is named) into a float16 tensor of
sizes {1, channels, height, width} on the scale -1 to 1, and explains how.

  --output FILE  where to write the tensor, as a .npy file (default nchw.npy)
  --help         this text
)";

// From {height, width, channels} to {1, channels, height, width}, lazily: nothing is moved before evaluate.
auto network_input(const pixels_8& pixels) {
    const auto planes = sinter::permute<2, 0, 1>(pixels);
    return sinter::cast<sinter::float16>(sinter::cast<float>(planes) | sinter::scale_bias(1 / 127.5f, -1));
}

// The same, one element after the other.
bool equals_plain_loops(const sinter::tensor<sinter::float16, 4>& made, const pixels_8& pixels) {
    const auto [height, width, channels] = pixels.sizes();
    const std::uint8_t* const bytes = pixels.data();
    const sinter::float16* next = made.data();
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t i = 0; i < height * width; ++i) {
            const float scaled = static_cast<float>(bytes[i * channels + c]) * (1 / 127.5f);
            const auto wanted = std::bit_cast<std::uint16_t>(sinter::float16(scaled - 1.f));
            if (std::bit_cast<std::uint16_t>(*next++) != wanted) return false;
        }
    return true;
}

void write(const std::string& path, const sinter::tensor<sinter::float16, 4>& tensor) {
    npy_header header;
    header.type = sinter::element_type::float16;
    header.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
    const std::string start = npy_header_text(header);
    std::ofstream file(path, std::ios::binary);
    file.write(start.data(), static_cast<std::streamsize>(start.size()));
    file.write(reinterpret_cast<const char*>(tensor.data()),
               static_cast<std::streamsize>(tensor.size() * sizeof(sinter::float16)));
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

void run(const command_line& chosen) {
    const std::string path = chosen.plain.empty() ? SINTER_EXAMPLE_DATA "/cat.png" : chosen.plain[0];
    const png_file file = read_png(path);
    if (!std::holds_alternative<pixels_8>(file.pixels)) throw std::runtime_error(path + ": has 16 bits per channel");
    const pixels_8& pixels = std::get<pixels_8>(file.pixels);
    const auto [height, width, channels] = pixels.sizes();

    sinter::tensor<sinter::float16, 4> batch({1, channels, height, width});
    const auto first_picture = sinter::reshape(batch, {channels, height, width});
    sinter::evaluate(network_input(pixels), first_picture);

    std::cout << sinter::explain(network_input(pixels), first_picture);
    const bool same = equals_plain_loops(batch, pixels);
    std::cout << "The bits are " << (same ? "" : "NOT ") << "those of plain loops.\n";
    if (!same) throw std::runtime_error("the tensor is wrong");
    write(chosen.text("--output"), batch);
}

}  // namespace

int main(int count, char** arguments) {
    return run_example(count, arguments, usage, {{"--output", "nchw.npy"}}, 1, run);
}
