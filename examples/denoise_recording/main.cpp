// Denoises a recording. What it shows of sinter: shrinkage, strided views that are read and written in place, and one
// channel among interleaved ones as an operand.
//
//   wavelet_denoiser.hpp   transform, noise estimate, shrinkage   recording.hpp   sound files
//   spectrogram.hpp        a picture of it                        main.cpp        the command line
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "common/png_file.hpp"
#include "recording.hpp"
#include "spectrogram.hpp"
#include "wavelet_denoiser.hpp"

namespace {

constexpr const char* usage = R"(usage: denoise_recording [OPTIONS] [RECORDING.wav]

Denoises a recording (the one in the examples' data unless another is named) by wavelet shrinkage, and draws its
spectrogram before (above) and after (below).

  --output DIRECTORY  where denoised.wav, before.wav and spectrogram.png go (default .)
  --strength X        how much of the measured noise is taken away (default 1.5)
  --add-noise DB      first add white noise so many decibels below the recording, and say how well it went
  --seed N            of that noise (default 1)
  --help              this text
)";

double mean_square(const sinter::tensor<float, 2>& samples) {
    double sum = 0;
    for (const float x : samples.elements()) sum += static_cast<double>(x) * static_cast<double>(x);
    return sum / static_cast<double>(samples.size());
}

double decibels(double power) { return 10 * std::log10(power + 1e-12); }

void add_noise(recording& sound, double below, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    sinter::tensor<float, 2> noise(sound.samples.sizes());
    for (float& x : noise.elements()) x = normal(random);
    const double wanted = decibels(mean_square(sound.samples)) - below;
    const auto gain = static_cast<float>(std::pow(10, (wanted - decibels(mean_square(noise))) / 20));
    sinter::evaluate(sound.samples + noise * gain, sound.samples);
}

// How far a recording is from the original, in decibels below it.
double signal_to_noise(const recording& original, const recording& other) {
    return decibels(mean_square(original.samples)) -
           decibels(mean_square(sinter::materialize(original.samples - other.samples)));
}

void run(const command_line& chosen) {
    const std::string path = chosen.plain.empty() ? SINTER_EXAMPLE_DATA "/speech.wav" : chosen.plain[0];
    const auto strength = static_cast<float>(chosen.number("--strength", 0, 10));
    const std::filesystem::path output = chosen.text("--output");
    const bool noisy = !chosen.text("--add-noise").empty();

    const recording original = read_recording(path);
    const auto [frames, channels] = original.samples.sizes();
    recording before = original;
    if (noisy) add_noise(before, chosen.number("--add-noise", -60, 120), chosen.integer("--seed", 0u, 4294967295u));
    recording after = before;
    for (std::size_t i = 0; i < channels; ++i) denoise(after.channel(i), strength);

    std::filesystem::create_directories(output);
    write_recording((output / "before.wav").string(), before);
    write_recording((output / "denoised.wav").string(), after);
    write_png(output / "spectrogram.png", compare(spectrum_of(before.channel(0)), spectrum_of(after.channel(0))));

    std::printf("recording  %zu frames at %d Hz, %zu channel%s, %.1f dB\n", frames, original.rate, channels,
                channels == 1 ? "" : "s", decibels(mean_square(original.samples)));
    std::printf("removed    %.1f dB\n", decibels(mean_square(sinter::materialize(before.samples - after.samples))));
    if (noisy)
        std::printf("signal     %.1f dB above the noise before, %.1f dB after\n", signal_to_noise(original, before),
                    signal_to_noise(original, after));
}

}  // namespace

int main(int count, char** arguments) {
    return run_example(count, arguments, usage,
                       {{"--output", "."}, {"--strength", "1.5"}, {"--add-noise", ""}, {"--seed", "1"}}, 1, run);
}
