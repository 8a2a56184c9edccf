// Values through descriptors, on every backend: each recorded DirectML result, and random operators and chains of every
// type, rank and layout against the scalar reference, operator by operator.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "descriptors.hpp"
#include "family.hpp"
#include "support/directml_backends.hpp"
#include "support/elements.hpp"
#include "support/values.hpp"

namespace {

using descriptors::op;
using directml_backends::bytes;
using directml_backends::operand;
using sinter::directml::UINT;

constexpr std::size_t rows_of_three_operators = 5121;

template <class T>
bytes bytes_of(const std::vector<T>& values) {
    const auto raw = std::as_bytes(std::span<const T>(values));
    bytes block(raw.begin(), raw.end());
    block.resize((raw.size() + 3) / 4 * 4);
    return block;
}

template <class T>
T at(const bytes& raw, std::size_t byte) {
    T value;
    std::memcpy(&value, raw.data() + byte, sizeof(T));
    return value;
}

bool is_subnormal(float v) { return v != 0 && std::abs(v) < std::numeric_limits<float>::min(); }

// Direct3D may take float32 subnormals as zero.
template <class T>
bool may_differ(const std::vector<float>& attributes, T x, T y) {
    if constexpr (std::is_same_v<T, float>)
        if (is_subnormal(x) || is_subnormal(y)) return true;
    return std::any_of(attributes.begin(), attributes.end(), is_subnormal);
}

template <class T>
void check_rows(const op& o, const std::string& text, const std::vector<T>& x, const std::vector<T>& y,
                std::map<std::string, std::size_t>& agreed) {
    const descriptors::chain_of described({o}, sinter::element_type_of<T>, {static_cast<UINT>(x.size())});
    const auto compiled = sinter::directml::compile(described.descs());
    std::vector<float> attributes = o.attributes;
    if (o.scale_bias) attributes.insert(attributes.end(), {o.scale_bias->Scale, o.scale_bias->Bias});
    for (const auto& backend : directml_backends::all()) {
        bytes in = bytes_of(x), out(in.size());
        const operand input{&in, 0};
        backend.run(compiled, {&input, 1}, {&out, 0});
        for (std::size_t i = 0; i < x.size(); ++i) {
            const T got = at<T>(out, i * sizeof(T));
            if (support::same(got, y[i]) || (!backend.keeps_subnormals && may_differ(attributes, x[i], y[i])))
                ++agreed[backend.name];
            else
                FAIL_CHECK(backend.name << ": " << text << " of " << support::text_of(x[i]) << " is "
                                        << support::text_of(got) << ", in DirectML " << support::text_of(y[i]));
        }
    }
}

void check_counts(const std::map<std::string, std::size_t>& agreed, std::size_t rows) {
    CHECK(agreed.size() == directml_backends::all().size());
    for (const auto& [name, count] : agreed) {
        INFO(name);
        CHECK(count == rows);
    }
}

op operator_of(const family::setting& s) {
    if (s.op == "clip") return {"clip", {s["min"], s["max"]}};
    if (s.op == "linear") return {"linear", {s["alpha"], s["beta"]}};
    if (s.op == "leaky_relu" || s.op == "thresholded_relu") return {s.op, {s["alpha"]}};
    return {s.op};
}

// ---- random operators and chains

struct random_source {
    std::mt19937 engine;

    std::size_t below(std::size_t n) { return engine() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    // Without subnormals, and without products that become some.
    float attribute() {
        constexpr float special[] = {0.f,
                                     -0.f,
                                     1.f,
                                     -1.f,
                                     2.f,
                                     300.f,
                                     std::numeric_limits<float>::infinity(),
                                     std::numeric_limits<float>::quiet_NaN()};
        if (one_in(3)) return special[below(8)];
        return static_cast<float>(static_cast<int>(below(257)) - 128) * 0.0625f;
    }
};

constexpr bool is_float(sinter::element_type t) { return sinter::is_floating(t); }

op random_operator(random_source& random, sinter::element_type type) {
    std::vector<std::string> names{"identity", "shrink",   "threshold", "clip", "sign",
                                   "add",      "subtract", "multiply",  "min",  "max"};
    if (!sinter::is_unsigned(type)) names.insert(names.end(), {"relu", "abs", "negate"});
    if (is_float(type))
        names.insert(names.end(), {"round", "ceil", "floor", "linear", "leaky_relu", "thresholded_relu"});
    op made{names[random.below(names.size())]};
    for (std::size_t i = 0; i < 2; ++i) made.attributes.push_back(random.attribute());
    if (made.name == "round") made.attributes = {static_cast<float>(random.below(3))};
    for (const char* name : {"identity", "threshold", "clip", "abs", "ceil", "floor"})
        if (made.name == name && random.one_in(2)) made.scale_bias = {random.attribute(), random.attribute()};
    return made;
}

// ELEMENT_WISE_CLIP is clip.
std::string short_name(const std::string& name) {
    std::string made = name.substr(name.find('_', name.starts_with("ELEMENT") ? 8 : 0) + 1);
    for (char& c : made) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return made;
}

// Sizes of at most about `most` elements.
descriptors::sizes random_sizes(random_source& random, std::size_t rank, std::size_t most) {
    descriptors::sizes made(rank, 1);
    std::size_t count = 1;
    for (std::size_t i = 0; i < 2 * rank && count < most; ++i) {
        UINT& size = made[random.below(rank)];
        const std::size_t wanted = 1 + random.below(rank == 1 ? most : 9);
        if (count / size * wanted > most) continue;
        count = count / size * wanted;
        size = static_cast<UINT>(wanted);
    }
    return made;
}

// Null, or some order of dimensions with gaps; where asked, some dimensions repeat.
descriptors::sizes random_strides(random_source& random, const descriptors::sizes& extents, bool may_repeat) {
    if (random.one_in(2)) return {};
    std::vector<std::size_t> order(extents.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (random.one_in(2)) std::shuffle(order.begin(), order.end(), random.engine);
    descriptors::sizes strides(extents.size());
    UINT next = random.one_in(4) ? 3 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        strides[order[i]] = may_repeat && random.one_in(5) ? 0 : next;
        next = next * extents[order[i]] + (random.one_in(3) ? 2 : 0);
    }
    return strides;
}

// Positions of a tensor's elements, in row-major order, in elements.
std::vector<std::size_t> positions(const descriptors::sizes& extents, const descriptors::sizes& strides) {
    const descriptors::sizes steps = strides.empty() ? sinter::directml::packed_strides(extents) : strides;
    std::size_t count = 1;
    for (const UINT size : extents) count *= size;
    std::vector<std::size_t> all(count);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t rest = n;
        for (std::size_t i = extents.size(); i-- > 0;) {
            all[n] += rest % extents[i] * steps[i];
            rest /= extents[i];
        }
    }
    return all;
}

std::size_t bytes_needed(sinter::element_type type, const descriptors::sizes& extents,
                         const descriptors::sizes& strides) {
    return calc_buffer_tensor_size(descriptors::data_type_of(type), static_cast<UINT>(extents.size()), extents.data(),
                                   strides.empty() ? nullptr : strides.data());
}

template <class T>
void fill(random_source& random, bytes& block) {
    support::value_source<T> values(static_cast<std::uint32_t>(random.engine()));
    for (std::size_t i = 0; i + sizeof(T) <= block.size(); i += sizeof(T)) {
        T value = values.next();
        if constexpr (std::is_same_v<T, float>) value = random.attribute();
        std::memcpy(block.data() + i, &value, sizeof(T));
    }
}

template <class T>
class random_case {
public:
    random_case(std::uint32_t seed, std::size_t rank, std::size_t operators, std::size_t most)
        : random_case(seed, rank, random_operators(seed, operators), most) {}

    random_case(std::uint32_t seed, std::size_t rank, std::vector<op> ops, std::size_t most)
        : random_{std::mt19937(seed)}, extents_(random_sizes(random_, rank, most)), ops_(std::move(ops)) {
        first_ = random_strides(random_, extents_, true);
        second_ = random_strides(random_, extents_, true);
        output_ = random_strides(random_, extents_, false);
        in_place_ = random_.one_in(4);
        if (in_place_) first_ = output_;
        for (const op& o : ops_) text_ += o.name + " ";
        text_ += std::string("of ") + sinter::name(type) + ", seed " + std::to_string(seed);
    }

    void run(const std::string& only = "") {
        std::vector<bytes> blocks;
        std::vector<operand> inputs;
        const std::size_t offset = sizeof(T) * random_.below(40);
        const auto add_input = [&](const descriptors::sizes& strides) {
            blocks.emplace_back((offset + bytes_needed(type, extents_, strides) + 64) / 4 * 4);
            fill<T>(random_, blocks.back());
        };
        add_input(first_);
        for (const op& o : ops_)
            if (descriptors::is_binary(o.name)) add_input(second_);
        for (bytes& block : blocks) inputs.push_back({&block, offset});
        const std::vector<bytes> before = blocks;
        bytes canaries((offset + bytes_needed(type, extents_, output_) + 64) / 4 * 4, std::byte{0xab});
        const std::vector<T> expected = one_by_one(inputs);
        const auto places = positions(extents_, output_);

        const descriptors::chain_of described(ops_, type, extents_, first_, second_, output_);
        const auto compiled = sinter::directml::compile(described.descs());
        REQUIRE(compiled.input_count() == inputs.size());
        for (const auto& backend : directml_backends::all()) {
            if (!only.empty() && backend.name != only) continue;
            blocks = before;
            bytes fresh = canaries;
            bytes& out = in_place_ ? blocks[0] : fresh;
            bytes intact = out;
            backend.run(compiled, inputs, {&out, offset});
            std::size_t wrong = 0;
            for (std::size_t n = 0; n < places.size(); ++n) {
                const std::size_t byte = offset + places[n] * sizeof(T);
                const T got = at<T>(out, byte);
                if (!support::same(got, expected[n]) && ++wrong < 4)
                    FAIL_CHECK(backend.name << ": " << text_ << ": element " << n << " is " << support::text_of(got)
                                            << ", one by one " << support::text_of(expected[n]));
                std::memcpy(intact.data() + byte, &got, sizeof(T));
            }
            CHECK_MESSAGE(intact == out, backend.name << ": " << text_ << ": bytes beside the output changed");
            for (std::size_t k = in_place_ ? 1 : 0; k < blocks.size(); ++k)
                CHECK_MESSAGE(blocks[k] == before[k], backend.name << ": " << text_ << ": an input changed");
        }
    }

private:
    static constexpr sinter::element_type type = sinter::element_type_of<T>;

    static std::vector<op> random_operators(std::uint32_t seed, std::size_t count) {
        random_source random{std::mt19937(seed + 77)};
        std::vector<op> made;
        for (std::size_t i = 0; i < count; ++i) made.push_back(random_operator(random, type));
        return made;
    }

    // By the scalar reference through packed tensors.
    std::vector<T> one_by_one(const std::vector<operand>& inputs) const {
        const auto all = positions(extents_, {});
        const auto& scalar = directml_backends::named("scalar");
        bytes current((all.size() * sizeof(T) + 3) / 4 * 4);
        std::size_t next = 0;
        for (std::size_t i = 0; i < ops_.size(); ++i) {
            const descriptors::chain_of one({ops_[i]}, type, extents_, i == 0 ? first_ : descriptors::sizes{}, second_);
            bytes result(current.size());
            std::vector<operand> given{i == 0 ? inputs[next++] : operand{&current, 0}};
            if (descriptors::is_binary(ops_[i].name)) given.push_back(inputs[next++]);
            scalar.run(sinter::directml::compile(one.descs()), given, {&result, 0});
            current = result;
        }
        std::vector<T> values(all.size());
        std::memcpy(values.data(), current.data(), values.size() * sizeof(T));
        return values;
    }

    random_source random_;
    descriptors::sizes extents_, first_, second_, output_;
    std::vector<op> ops_;
    bool in_place_ = false;
    std::string text_;
};

}  // namespace

TEST_CASE("every recorded DirectML result of shrink, threshold and scale-bias") {
    std::ifstream file(SINTER_TEST_DATA "/directml_1_15.csv");
    std::string line;
    std::getline(file, line);
    REQUIRE(line == "dtype,op,bias,threshold,min,scale,scale_bias,x,y");
    std::map<std::vector<std::string>, std::pair<std::vector<std::string>, std::vector<std::string>>> groups;
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, ',');) fields.push_back(field);
        auto& [x, y] = groups[{fields.begin(), fields.begin() + 7}];
        x.push_back(fields[7]);
        y.push_back(fields[8]);
    }
    std::map<std::string, std::size_t> agreed;
    for (const auto& [key, rows] : groups) {
        const auto number = [&key = key](std::size_t i) { return std::strtof(key[i].c_str(), nullptr); };
        op o{key[1]};
        if (o.name == "scale_bias") o.name = "identity";
        if (o.name == "shrink") o.attributes = {number(2), number(3)};
        if (o.name == "threshold") o.attributes = {number(4)};
        if (!key[5].empty()) o.scale_bias = sinter::directml::DML_SCALE_BIAS{number(5), number(6)};
        std::string text;
        for (const std::string& field : key) text += field + " ";
        family::with_type(key[0], [&, &rows = rows]<class T>() {
            check_rows(o, text, family::parsed<T>(rows.first), family::parsed<T>(rows.second), agreed);
        });
    }
    check_counts(agreed, rows_of_three_operators);
}

TEST_CASE("every recorded DirectML result of the family") {
    std::map<std::string, std::size_t> agreed;
    for (const family::samples& rows : family::read_file())
        family::with_type(rows.of.type, [&]<class T>() {
            check_rows(operator_of(rows.of), rows.of.text(), family::parsed<T>(rows.x), family::parsed<T>(rows.y),
                       agreed);
        });
    check_counts(agreed, family::rows_in_file);
}

// What the porting guide promises: every operator on every type, rank and backend.
TEST_CASE("every row of the table of operators, on every backend") {
    std::uint32_t seed = 0;
    for (const auto& o : sinter::directml::supported_operators) {
        for (unsigned t = 0; t < 8; ++t) {
            if ((o.support().back().types >> t & 1u) == 0) continue;
            const std::string type = sinter::name(static_cast<sinter::element_type>(t));
            const op made{short_name(o.name), {1.f, 0.5f}};
            ++seed;
            family::with_type(type, [&]<class T>() { random_case<T>(seed, 1 + seed % 8, {made}, 200).run(); });
        }
    }
}

TEST_CASE_TEMPLATE("random operators of every rank and layout", T, ALL_ELEMENT_TYPES) {
    for (std::uint32_t seed = 0; seed < 96; ++seed) random_case<T>(seed, 1 + seed % 8, 1, 300).run();
}

TEST_CASE_TEMPLATE("random chains equal their operators one by one", T, ALL_ELEMENT_TYPES) {
    for (std::uint32_t seed = 1000; seed < 1032; ++seed)
        random_case<T>(seed, 1 + seed % 8, 2 + seed % 5, seed % 4 == 0 ? 20000 : 400).run();
}

TEST_CASE("random chains, many, on the best target of this machine") {
    const std::string best = "highway on three threads";
    for (std::uint32_t seed = 2000; seed < 2400; ++seed) {
        random_case<float>(seed, 1 + seed % 8, 1 + seed % 9, 700).run(best);
        random_case<sinter::float16>(seed, 1 + seed % 8, 1 + seed % 9, 700).run(best);
        random_case<std::int8_t>(seed, 1 + seed % 8, 1 + seed % 9, 700).run(best);
    }
}

TEST_CASE("a chain that is divided among threads") {
    constexpr std::size_t count = 400003;
    const descriptors::chain_of described({{"shrink", {0.5f, 1.f}}, {"add"}, {"linear", {2.f, 0.25f}}},
                                          sinter::element_type::float32, {static_cast<UINT>(count)});
    const auto compiled = sinter::directml::compile(described.descs());
    random_source random{std::mt19937(3)};
    bytes x(count * 4 + 4), y(count * 4 + 4), together(count * 4 + 4), apart(count * 4 + 4);
    fill<float>(random, x);
    fill<float>(random, y);
    const operand inputs[] = {{&x, 0}, {&y, 0}};
    directml_backends::named("scalar").run(compiled, inputs, {&together, 0});
    directml_backends::named("highway on three threads").run(compiled, inputs, {&apart, 0});
    CHECK(together == apart);
}
