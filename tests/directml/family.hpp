// The rows that the real DirectML computed for the operators around shrink and threshold.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <sinter/core/element.hpp>

namespace family {

inline constexpr std::size_t rows_in_file = 854;

struct setting {
    std::string type, op;
    std::map<std::string, float> attributes;
    auto operator<=>(const setting&) const = default;

    float operator[](const std::string& name) const {
        REQUIRE_MESSAGE(attributes.contains(name), op << " without " << name);
        return attributes.at(name);
    }
    std::string text() const {
        std::string all = type + " " + op;
        for (const auto& [name, value] : attributes) all += " " + name + "=" + std::to_string(value);
        return all;
    }
};

struct samples {
    setting of;
    std::vector<std::string> x, y;
};

inline std::vector<samples> read_file() {
    std::ifstream file(SINTER_TEST_DATA "/directml_1_15_family.csv");
    std::vector<samples> read;
    std::map<std::string, std::size_t> places;
    std::string line;
    std::getline(file, line);
    REQUIRE(line == "dtype,op,parameters,x,y");
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, ',');) fields.push_back(field);
        REQUIRE_MESSAGE(fields.size() == 5, line);
        const auto [place, is_new] = places.try_emplace(fields[0] + "," + fields[1] + "," + fields[2], read.size());
        if (is_new) {
            samples made{{fields[0], fields[1], {}}, {}, {}};
            std::istringstream attributes(fields[2]);
            for (std::string one; std::getline(attributes, one, ';');) {
                const std::size_t sign = one.find('=');
                made.of.attributes[one.substr(0, sign)] = std::strtof(one.c_str() + sign + 1, nullptr);
            }
            read.push_back(std::move(made));
        }
        read[place->second].x.push_back(fields[3]);
        read[place->second].y.push_back(fields[4]);
    }
    return read;
}

template <class T>
std::vector<T> parsed(const std::vector<std::string>& texts) {
    std::vector<T> values;
    for (const std::string& text : texts) {
        if constexpr (sinter::floating_element<T>) values.push_back(static_cast<T>(std::strtof(text.c_str(), nullptr)));
        else values.push_back(static_cast<T>(std::strtoll(text.c_str(), nullptr, 10)));
    }
    return values;
}

// Calls visit.template operator()<T>() for the type that the name names.
template <class Visit>
void with_type(const std::string& name, const Visit& visit) {
    if (name == "float32") visit.template operator()<float>();
    else if (name == "float16") visit.template operator()<sinter::float16>();
    else if (name == "int32") visit.template operator()<std::int32_t>();
    else if (name == "int16") visit.template operator()<std::int16_t>();
    else if (name == "int8") visit.template operator()<std::int8_t>();
    else if (name == "uint32") visit.template operator()<std::uint32_t>();
    else if (name == "uint16") visit.template operator()<std::uint16_t>();
    else if (name == "uint8") visit.template operator()<std::uint8_t>();
    else FAIL("unknown type " << name);
}

}  // namespace family
