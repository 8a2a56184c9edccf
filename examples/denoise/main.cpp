// Denoises a photograph. What it shows of sinter: strided views as inputs and outputs of fused expressions, evaluation
// in place, an operator of one's own, bytes to floats and back in one pass, and a backend of one's own.
//
//   wavelet.hpp   the transform               picture.hpp   pixels, planes, luma and chroma
//   denoise.hpp   the shrinkage               noise.hpp     noise estimate and PSNR
//   counting.hpp  a backend that counts bytes   on_d3d12.hpp  the same on Direct3D 12
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <random>
#include <span>
#include <string>

#include <sinter/sinter.hpp>

#include "common/png_file.hpp"
#include "counting.hpp"
#include "denoise.hpp"
#include "noise.hpp"
#include "on_d3d12.hpp"
#include "options.hpp"
#include "picture.hpp"

namespace {

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void add_noise(planes& image, double sigma, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    planes noise(image.sizes());
    for (float& x : noise.elements()) x = normal(random);
    sinter::evaluate(image + noise * static_cast<float>(sigma), image);
}

struct measured {
    std::array<float, 3> noise;  // of luma, or gray, and of the two chroma planes
    double seconds;
    std::size_t bytes;  // that the evaluations read and wrote
    std::string on_d3d12;
};

measured denoise(planes& image, float strength) {
    to_luma_chroma(image);
    const auto [count, height, width] = image.sizes();
    measured result{};
    for (std::size_t i = 0; i < count; ++i) result.noise[i] = estimate_noise(plane(image, i));

    const planes before = image;
    counting on(sinter::cpu::highway{});
    denoiser machine(on, height, width);
    result.seconds = seconds_of([&] {
        for (std::size_t i = 0; i < count; ++i) machine.run(plane(image, i), result.noise[i] * strength);
    });
    result.bytes = on.bytes();
    std::array<float, 3> strengths{};
    for (std::size_t i = 0; i < count; ++i) strengths[i] = result.noise[i] * strength;
    result.on_d3d12 = compare_on_d3d12(before, image, std::span(strengths).first(count));
    to_rgb(image);
    return result;
}

// A plain copy that reads and writes as many bytes, in blocks as large as the picture.
double seconds_of_copy(std::size_t bytes, const planes& image) {
    const planes from = image;
    planes to = image;
    const std::size_t block = image.size() * sizeof(float);
    return seconds_of([&] {
        for (std::size_t left = bytes / 2; left > 0; left -= std::min(left, block))
            std::memcpy(to.data(), from.data(), std::min(left, block));
    });
}

// How much to amplify a difference so that it can be seen.
float amplification(const planes& before, const planes& after) {
    const double removed = root_mean_square(sinter::materialize(before - after));
    return static_cast<float>(std::clamp(std::round(40 / removed), 1., 16.));
}

png_file side_by_side(const planes& before, const planes& after, float amplified) {
    constexpr std::size_t gap = 8;
    const auto [count, height, width] = before.sizes();
    png_file file{pixels_8({height, 3 * width + 2 * gap, count}), {}};
    planes sheet({count, height, 3 * width + 2 * gap});
    const auto place = [&, width = width](std::size_t index) {
        const std::size_t left = index * (width + gap);
        return sinter::slice(sheet, 2, left, left + width);
    };
    sinter::evaluate(sheet + 255.f, sheet);
    sinter::evaluate(before, place(0));
    sinter::evaluate(after, place(1));
    sinter::evaluate((before - after) * amplified + 127.5f, place(2));
    to_pixels(sheet, file);
    return file;
}

void print_report(const measured& result, const planes& image) {
    const auto [count, height, width] = image.sizes();
    std::printf("noise     %.2f, measured on the scale 0 to 255", result.noise[0]);
    if (count == 3) std::printf("; in the chroma planes %.2f and %.2f", result.noise[1], result.noise[2]);
    if (std::min(height, width) < 3) std::printf(" (too small a picture to denoise)");
    std::printf("\ntime      %.1f ms for transform, shrinkage and inverse of %zu plane%s at %zu offsets, on %s\n",
                result.seconds * 1e3, count, count == 1 ? "" : "s", offsets.size(),
                name(sinter::cpu::highway{}.target()));
    std::printf("Direct3D  %s\n", result.on_d3d12.c_str());
    if (result.bytes == 0) return;
    const double gigabytes = static_cast<double>(result.bytes) * 1e-9;
    std::printf("memory    %.2f GB read and written, %.1f GB/s; a plain copy of as much: %.1f GB/s\n", gigabytes,
                gigabytes / result.seconds, gigabytes / seconds_of_copy(result.bytes, image));
}

void run(const options& chosen) {
    png_file file = read_png(chosen.input);
    const planes original = to_planes(file);
    planes before = original;
    if (chosen.sigma) {
        add_noise(before, *chosen.sigma, chosen.seed);
        to_pixels(before, file);
        before = to_planes(file);
    }

    planes after = before;
    const measured result = denoise(after, static_cast<float>(chosen.strength));
    to_pixels(after, file);
    after = to_planes(file);

    const float amplified = amplification(before, after);
    png_file sheet = side_by_side(before, after, amplified);
    sheet.colours = file.colours;
    const auto picture_path = chosen.output / "denoised.png";
    const auto sheet_path = chosen.output / "before_after_difference.png";
    std::filesystem::create_directories(chosen.output);
    write_png(picture_path, file);
    write_png(sheet_path, sheet);

    std::printf("picture   %s, %zu x %zu, %s\n", chosen.input.string().c_str(), original.sizes()[2],
                original.sizes()[1], original.sizes()[0] == 1 ? "gray" : "colour");
    print_report(result, after);
    if (chosen.sigma)
        std::printf("PSNR      %.2f dB with the added noise of %g, %.2f dB denoised\n", psnr(original, before),
                    *chosen.sigma, psnr(original, after));
    std::printf("written   %s\n          %s (the difference times %g)\n", picture_path.string().c_str(),
                sheet_path.string().c_str(), static_cast<double>(amplified));
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const options chosen = parse_options(std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
        if (chosen.help) std::fputs(usage, stdout);
        else run(chosen);
        return 0;
    } catch (const usage_error& mistake) {
        std::fprintf(stderr, "denoise: %s\n\n%s", mistake.what(), usage);
        return 2;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "denoise: %s\n", problem.what());
        return 1;
    }
}
