// What the command lines of the examples have in common.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A mistake on the command line.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct command_line {
    std::map<std::string, std::string> options;  // what was given, and defaults for the rest
    std::vector<std::string> plain;

    const std::string& text(const std::string& option) const { return options.at(option); }
    double number(const std::string& option, double lowest, double highest) const {
        const std::string& given = text(option);
        char* end = nullptr;
        const double value = std::strtod(given.c_str(), &end);
        if (given.empty() || *end != '\0' || !(value >= lowest && value <= highest))
            throw usage_error(option + ": '" + given + "' is no number from " + short_text(lowest) + " to " +
                              short_text(highest));
        return value;
    }
    template <class Integer>
    Integer integer(const std::string& option, Integer lowest, Integer highest) const {
        const double value = number(option, static_cast<double>(lowest), static_cast<double>(highest));
        const auto whole = static_cast<Integer>(value);
        if (static_cast<double>(whole) != value) throw usage_error(option + ": '" + text(option) + "' is not whole");
        return whole;
    }

private:
    static std::string short_text(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", value);
        return text;
    }
};

inline command_line parse_command_line(int count, char** arguments, std::map<std::string, std::string> defaults,
                                       std::size_t most_plain) {
    command_line parsed{std::move(defaults), {}};
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (const auto option = parsed.options.find(argument); option != parsed.options.end()) {
            if (++i == count) throw usage_error(argument + " needs a value");
            option->second = arguments[i];
        } else if (argument.size() > 1 && argument[0] == '-') {
            throw usage_error("no option " + argument);
        } else if (parsed.plain.size() == most_plain) {
            throw usage_error("one argument too many: " + argument);
        } else {
            parsed.plain.push_back(argument);
        }
    }
    return parsed;
}

// Calls run with the command line. --help prints the usage; a mistake on the command line ends with status 2, any other
// failure with 1.
template <class Run>
int run_example(int count, char** arguments, std::string_view usage, std::map<std::string, std::string> defaults,
                std::size_t most_plain, const Run& run) {
    const std::string name = std::filesystem::path(arguments[0]).stem().string();
    for (int i = 1; i < count; ++i)
        if (std::string_view(arguments[i]) == "--help" || std::string_view(arguments[i]) == "-h") {
            std::fwrite(usage.data(), 1, usage.size(), stdout);
            return 0;
        }
    try {
        run(parse_command_line(count, arguments, std::move(defaults), most_plain));
        return 0;
    } catch (const usage_error& mistake) {
        std::fprintf(stderr, "%s: %s\n%s --help tells more\n", name.c_str(), mistake.what(), name.c_str());
        return 2;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), failure.what());
        return 1;
    }
}
