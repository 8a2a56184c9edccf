// A graphics adapter, as a list of them shows it.
#pragma once

#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::d3d12 {

struct adapter {
    std::string name;
    bool software = false;  // a renderer that runs on the CPU, such as WARP or lavapipe
    // Tells adapters and driver versions apart; in it, maker, model and driver are numbers of the driver's own.
    std::string identity;
};

namespace detail {

inline bool contains_ignoring_case(std::string_view text, std::string_view part) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    for (std::size_t start = 0; start + part.size() <= text.size(); ++start) {
        std::size_t matched = 0;
        while (matched < part.size() && lower(text[start + matched]) == lower(part[matched])) ++matched;
        if (matched == part.size()) return true;
    }
    return false;
}

inline std::optional<std::size_t> first_hardware(const std::vector<adapter>& adapters) {
    for (std::size_t i = 0; i < adapters.size(); ++i)
        if (!adapters[i].software) return i;
    return std::nullopt;
}

inline std::optional<std::size_t> first_named(const std::vector<adapter>& adapters, std::string_view name) {
    for (std::size_t i = 0; i < adapters.size(); ++i)
        if (contains_ignoring_case(adapters[i].name, name)) return i;
    return std::nullopt;
}

inline std::string listed(const std::vector<adapter>& adapters) {
    std::string text;
    for (std::size_t i = 0; i < adapters.size(); ++i)
        text += "\n  " + std::to_string(i) + ": " + adapters[i].name + (adapters[i].software ? " (software)" : "");
    return text.empty() ? "\n  none" : text;
}

}  // namespace detail

}  // namespace sinter::d3d12
