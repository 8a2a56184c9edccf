// What the real DirectML 1.15.4 computed, value by value, through expressions on every backend and through the
// operators on plain numbers.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/elements.hpp"

namespace {

constexpr std::size_t rows_in_file = 5121;

// The columns dtype, op, bias, threshold, min, scale, scale_bias; an attribute that was not given is empty.
struct setting {
    std::string type, op, bias, threshold, minimum, scale, scale_bias;
    auto operator<=>(const setting&) const = default;
};

struct samples {
    std::vector<std::string> x, y;
};

std::map<setting, samples> read_file() {
    std::ifstream file(SINTER_TEST_DATA "/directml_1_15.csv");
    std::map<setting, samples> read;
    std::string line;
    std::getline(file, line);
    REQUIRE(line == "dtype,op,bias,threshold,min,scale,scale_bias,x,y");
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, ',');) fields.push_back(field);
        REQUIRE_MESSAGE(fields.size() == 9, line);
        samples& s = read[{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]}];
        s.x.push_back(fields[7]);
        s.y.push_back(fields[8]);
    }
    return read;
}

float number(const std::string& text) { return std::strtof(text.c_str(), nullptr); }

template <class T>
T parsed(const std::string& text) {
    if constexpr (sinter::floating_element<T>) return static_cast<T>(number(text));
    else return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
}

template <class T>
std::vector<T> parsed(const std::vector<std::string>& texts) {
    std::vector<T> values;
    for (const std::string& text : texts) values.push_back(parsed<T>(text));
    return values;
}

// Applies the row's operators to x, an expression or a plain number, and hands the result on.
template <class X, class Use>
void apply(const setting& s, X x, Use&& use) {
    if (s.op == "shrink") use(sinter::shrink(x, number(s.bias), number(s.threshold)));
    else if (s.op == "scale_bias") use(sinter::scale_bias(x, number(s.scale), number(s.scale_bias)));
    else if (s.scale.empty()) use(sinter::threshold(x, number(s.minimum)));
    else use(sinter::threshold(sinter::scale_bias(x, number(s.scale), number(s.scale_bias)), number(s.minimum)));
}

// Returns how many values agreed.
template <class T>
std::size_t agreeing(const std::string& where, const setting& s, const std::vector<T>& x, const std::vector<T>& got,
                     const std::vector<T>& expected) {
    std::size_t agreed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (support::same(got[i], expected[i])) {
            ++agreed;
            continue;
        }
        FAIL_CHECK(where << ": " << s.type << " " << s.op << " bias=" << s.bias << " threshold=" << s.threshold
                         << " min=" << s.minimum << " scale=" << s.scale << " scale_bias=" << s.scale_bias << " of "
                         << support::text_of(x[i]) << " is " << support::text_of(got[i]) << ", in DirectML "
                         << support::text_of(expected[i]));
    }
    return agreed;
}

template <class T>
void check(const setting& s, const samples& rows, std::map<std::string, std::size_t>& agreed) {
    const std::vector<T> x = parsed<T>(rows.x);
    const std::vector<T> y = parsed<T>(rows.y);
    std::vector<T> got(x.size());
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        std::fill(got.begin(), got.end(), T{});
        apply(s, sinter::view(x), [&](const auto& expression) { sinter::evaluate(backend, expression, got); });
        agreed[name] += agreeing(name, s, x, got, y);
    });
    for (std::size_t i = 0; i < x.size(); ++i) apply(s, x[i], [&](T value) { got[i] = value; });
    agreed["plain numbers"] += agreeing("plain numbers", s, x, got, y);
}

}  // namespace

// Where a run is for a certain processor, it must have had one.
TEST_CASE("the best target is the expected one") {
    if (const char* const expected = std::getenv("SINTER_EXPECTED_TARGET"))
        CHECK(std::string(sinter::cpu::name(sinter::cpu::highway{}.target())) == expected);
}

TEST_CASE("every recorded DirectML result") {
    std::map<std::string, std::size_t> agreed;
    for (const auto& [s, rows] : read_file()) {
        if (s.type == "float32") check<float>(s, rows, agreed);
        else if (s.type == "float16") check<sinter::float16>(s, rows, agreed);
        else if (s.type == "int32") check<std::int32_t>(s, rows, agreed);
        else if (s.type == "int16") check<std::int16_t>(s, rows, agreed);
        else if (s.type == "int8") check<std::int8_t>(s, rows, agreed);
        else if (s.type == "uint32") check<std::uint32_t>(s, rows, agreed);
        else if (s.type == "uint16") check<std::uint16_t>(s, rows, agreed);
        else if (s.type == "uint8") check<std::uint8_t>(s, rows, agreed);
        else FAIL("unknown type " << s.type);
    }
    std::size_t backends = 0;
    support::for_each_cpu_backend([&](const std::string&, const auto&) { ++backends; });
    CHECK(agreed.size() == backends + 1);  // and plain numbers
    for (const auto& [where, count] : agreed) {
        INFO(where);
        CHECK(count == rows_in_file);
    }
}
