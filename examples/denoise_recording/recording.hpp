// Sound files, by libsndfile.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include <sndfile.h>

#include <sinter/sinter.hpp>

// Samples from -1 to 1, sizes {frames, channels}.
struct recording {
    sinter::tensor<float, 2> samples;
    int rate;
    int format;  // libsndfile's number of the file's kind

    // One channel, in its place among the others.
    auto channel(std::size_t index) {
        return sinter::reshape(sinter::slice(samples, 1, index, index + 1), {samples.sizes()[0]});
    }
};

using sound_file = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

inline recording read_recording(const std::string& path) {
    SF_INFO info{};
    const sound_file file(sf_open(path.c_str(), SFM_READ, &info), &sf_close);
    if (!file) throw std::runtime_error(path + ": " + sf_strerror(nullptr));
    if (info.frames == 0) throw std::runtime_error(path + ": holds no samples");
    recording made{sinter::tensor<float, 2>({info.frames, info.channels}), info.samplerate, info.format};
    if (sf_readf_float(file.get(), made.samples.data(), info.frames) != info.frames)
        throw std::runtime_error(path + ": ends too early");
    return made;
}

inline void write_recording(const std::string& path, const recording& sound) {
    SF_INFO info{};
    info.samplerate = sound.rate;
    info.channels = static_cast<int>(sound.samples.sizes()[1]);
    info.format = sound.format;
    const sound_file file(sf_open(path.c_str(), SFM_WRITE, &info), &sf_close);
    if (!file) throw std::runtime_error(path + ": " + sf_strerror(nullptr));
    sf_command(file.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
    const auto frames = static_cast<sf_count_t>(sound.samples.sizes()[0]);
    if (sf_writef_float(file.get(), sound.samples.data(), frames) != frames)
        throw std::runtime_error(path + ": cannot be written");
}
