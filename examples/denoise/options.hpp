// The command line.
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

struct options {
    std::filesystem::path input = SINTER_EXAMPLE_DATA "/cat.png";
    std::filesystem::path output = "out";
    std::optional<double> sigma;
    std::uint32_t seed = 1;
    double strength = 1;
    bool help = false;
};

inline constexpr const char* usage = R"(usage: denoise [OPTIONS] [PHOTO.png]

Removes the noise of a photograph: a wavelet transform, soft shrinkage of its details, and back. Without a photograph,
that of a cat which comes with this example.

  --sigma S      first add noise of standard deviation S, on the scale 0 to 255, and print how near to the photograph
                 the noisy and the denoised picture are
  --seed N       the seed of that noise (default 1)
  --strength F   take the noise for F times what is measured (default 1)
  --output DIR   the folder of the pictures (default out)
  --help         this text
)";

// A mistake on the command line.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class Number>
Number parse_number(const std::string& option, std::string_view text, Number low, Number high) {
    Number value{};
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && stop == text.data() + text.size() && value >= low && value <= high) return value;
    std::ostringstream message;
    message << option << ": '" << text << "' is not a number from " << low << " to " << high;
    throw usage_error(message.str());
}

inline options parse_options(std::span<char* const> arguments) {
    options result;
    bool has_input = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string option = arguments[i];
        const auto value = [&] {
            if (i + 1 == arguments.size()) throw usage_error(option + " needs a value");
            return std::string(arguments[++i]);
        };
        if (option == "--help" || option == "-h") result.help = true;
        else if (option == "--sigma") result.sigma = parse_number(option, value(), 0., 255.);
        else if (option == "--seed") result.seed = parse_number<std::uint32_t>(option, value(), 0, 4294967295u);
        else if (option == "--strength") result.strength = parse_number(option, value(), 0., 10.);
        else if (option == "--output") result.output = value();
        else if (option.size() > 1 && option[0] == '-') throw usage_error("unknown option " + option);
        else if (has_input) throw usage_error("one photograph at a time; " + option + " is the second");
        else {
            result.input = option;
            has_input = true;
        }
    }
    return result;
}
