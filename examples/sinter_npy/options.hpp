// The command line: files, operators with their attributes, backend.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct operator_options {
    std::string name;
    std::map<std::string, float> attributes;
    std::filesystem::path other;  // the second input of add, subtract, multiply, min, max
};

struct options {
    std::filesystem::path input, output;
    std::vector<operator_options> operators;
    std::string backend = "highway";
    std::size_t slab_bytes = std::size_t{64} << 20;
    bool quiet = false;
    bool help = false;
};

inline constexpr const char* usage = R"(usage: sinter_npy [OPTIONS] INPUT.npy OUTPUT.npy OPERATOR...

Applies DirectML's elementwise operators to an array, one after the other, fused into one pass. Files are mapped into
memory slab by slab, so that they may be larger than memory.

An OPERATOR is a name, with attributes after a colon where it has some: shrink:bias=0.5,threshold=1

  identity                                relu      abs      negate     sign      ceil      floor
  shrink:bias=0,threshold=0.5             threshold:min=0               clip:min=0,max=1
  linear:alpha=1,beta=0                   leaky_relu:alpha=0.01         thresholded_relu:alpha=1
  round:mode=0   (0 half to even, 1 toward zero, 2 half away from zero)
  add:with=FILE.npy    subtract, multiply, min, max likewise: a second array of the same type and shape

The values shown are the defaults. identity, threshold, clip, abs, ceil and floor also take scale=S and bias=B, which
multiply and add first. identity:scale=2,bias=1 is scale_bias.

  --backend NAME   highway (default), scalar, sse2, avx2, avx512 or d3d12
  --slab MIB       how much of a file is mapped at a time (default 64)
  --quiet          no progress bar
  --help           this text
)";

// A mistake on the command line.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace options_detail {

// An operator's attributes and their defaults.
struct known_operator {
    const char* name;
    std::map<std::string, float> attributes;
    bool scaled = false;
    bool has_other = false;
};

inline const std::vector<known_operator>& known_operators() {
    static const std::vector<known_operator> list{
        {"identity", {}, true},
        {"relu", {}},
        {"abs", {}, true},
        {"negate", {}},
        {"sign", {}},
        {"ceil", {}, true},
        {"floor", {}, true},
        {"shrink", {{"bias", 0.f}, {"threshold", 0.5f}}},
        {"threshold", {{"min", 0.f}}, true},
        {"clip", {{"min", 0.f}, {"max", 1.f}}, true},
        {"linear", {{"alpha", 1.f}, {"beta", 0.f}}},
        {"leaky_relu", {{"alpha", 0.01f}}},
        {"thresholded_relu", {{"alpha", 1.f}}},
        {"round", {{"mode", 0.f}}},
        {"add", {}, false, true},
        {"subtract", {}, false, true},
        {"multiply", {}, false, true},
        {"min", {}, false, true},
        {"max", {}, false, true},
    };
    return list;
}

inline float parse_number(const std::string& what, const std::string& text) {
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    if (text.empty() || *end != '\0') throw usage_error(what + ": '" + text + "' is not a number");
    return value;
}

inline void parse_attribute(operator_options& made, const known_operator& known, const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) throw usage_error(made.name + ": '" + text + "' is not of the form attribute=value");
    const std::string key = text.substr(0, sign), value = text.substr(sign + 1);
    if (known.has_other && key == "with") {
        made.other = value;
        return;
    }
    const bool is_scale = known.scaled && (key == "scale" || key == "bias");
    if (!is_scale && !known.attributes.contains(key)) throw usage_error(made.name + " has no attribute '" + key + "'");
    made.attributes[key] = parse_number(made.name + " " + key, value);
    if (key == "mode" && made.attributes[key] != 0 && made.attributes[key] != 1 && made.attributes[key] != 2)
        throw usage_error("round: the modes are 0, 1 and 2");
}

}  // namespace options_detail

inline operator_options parse_operator(const std::string& text) {
    operator_options made;
    made.name = text.substr(0, text.find(':'));
    for (const auto& known : options_detail::known_operators()) {
        if (made.name != known.name) continue;
        made.attributes = known.attributes;
        std::size_t next = made.name.size() + 1;
        while (next < text.size() + 1 && text.size() > made.name.size()) {
            const std::size_t end = std::min(text.find(',', next), text.size());
            options_detail::parse_attribute(made, known, text.substr(next, end - next));
            next = end + 1;
        }
        if (known.has_other && made.other.empty())
            throw usage_error(made.name + " needs its second array: " + made.name + ":with=FILE.npy");
        return made;
    }
    throw usage_error("no operator '" + made.name + "'");
}

inline options parse_options(std::span<char* const> arguments) {
    options result;
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string option = arguments[i];
        const auto value = [&] {
            if (i + 1 == arguments.size()) throw usage_error(option + " needs a value");
            return std::string(arguments[++i]);
        };
        if (option == "--help" || option == "-h") result.help = true;
        else if (option == "--quiet") result.quiet = true;
        else if (option == "--backend") result.backend = value();
        else if (option == "--slab") {
            const float mebibytes = options_detail::parse_number(option, value());
            if (!(mebibytes >= 1.f && mebibytes <= 4096.f)) throw usage_error("--slab: from 1 to 4096 MiB");
            result.slab_bytes = static_cast<std::size_t>(mebibytes) << 20;
        } else if (option.starts_with("-") && option.size() > 1) throw usage_error("no option " + option);
        else plain.push_back(option);
    }
    if (result.help) return result;
    if (plain.size() < 3) throw usage_error("an input, an output and at least one operator are needed");
    result.input = plain[0];
    result.output = plain[1];
    for (std::size_t i = 2; i < plain.size(); ++i) result.operators.push_back(parse_operator(plain[i]));
    return result;
}
