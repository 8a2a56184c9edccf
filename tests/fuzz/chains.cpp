// Chains of DirectML operators, known at run time, against the model: every type, rank, layout and attribute, on every
// backend. What overlaps is refused and leaves memory alone; what does not gives the model's values and nothing else.
#include <sinter/directml.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "directml/descriptors.hpp"
#include "failure.hpp"
#include "model.hpp"
#include "source.hpp"
#include "support/directml_backends.hpp"

namespace {

using descriptors::op;
using directml_backends::bytes;
using directml_backends::operand;
using fuzz::source;
using model::kind;
using sinter::directml::UINT;

// In the order of model::kind.
constexpr sinter::element_type types[] = {
    sinter::element_type::float32, sinter::element_type::float16, sinter::element_type::int32,
    sinter::element_type::int16,   sinter::element_type::int8,    sinter::element_type::uint32,
    sinter::element_type::uint16,  sinter::element_type::uint8,
};
constexpr sinter::element_type type_of(kind k) { return types[static_cast<std::size_t>(k)]; }

// A case on Direct3D 12 takes seconds with sanitizers, and libFuzzer comes back to inputs that ask for it.
#if defined(SINTER_TEST_LIBFUZZER)
constexpr bool tries_devices = false;
#else
constexpr bool tries_devices = true;
#endif

op random_operator(source& from, kind k) {
    std::vector<std::string> names{"identity", "shrink",   "threshold", "clip", "sign",
                                   "add",      "subtract", "multiply",  "min",  "max"};
    if (model::is_float(k) || model::is_signed(k)) names.insert(names.end(), {"relu", "abs", "negate"});
    if (model::is_float(k))
        names.insert(names.end(), {"round", "ceil", "floor", "linear", "leaky_relu", "thresholded_relu"});
    op made{names[from.below(names.size())]};
    made.attributes = {from.attribute(), from.attribute()};
    if (made.name == "round") made.attributes = {static_cast<float>(from.below(3))};
    for (const char* scaled : {"identity", "threshold", "clip", "abs", "ceil", "floor"})
        if (made.name == scaled && from.one_in(2)) {
            made.scale_bias = {from.attribute(), from.attribute()};
            if (from.one_in(4)) made.scale_bias = {1.f, from.one_in(2) ? 0.f : -0.f};
        }
    return made;
}

double expected_of(const op& o, kind k, double x, double y) {
    const double a = o.attributes[0], b = o.attributes.size() > 1 ? o.attributes[1] : 0.;
    if (o.scale_bias) x = model::scale_bias(k, x, o.scale_bias->Scale, o.scale_bias->Bias);
    if (o.name == "identity") return x;
    if (o.name == "shrink") return model::shrink(k, x, a, b);
    if (o.name == "threshold") return model::threshold(k, x, a);
    if (o.name == "clip") return model::clip(k, x, a, b);
    if (o.name == "sign") return model::sign(x);
    if (o.name == "relu") return model::relu(x);
    if (o.name == "abs") return model::absolute_saturated(k, x);
    if (o.name == "negate") return model::negated_saturated(k, x);
    if (o.name == "round") return model::round(x, static_cast<int>(a));
    if (o.name == "ceil") return std::ceil(x);
    if (o.name == "floor") return std::floor(x);
    if (o.name == "linear") return model::linear(x, a, b);
    if (o.name == "leaky_relu") return model::leaky_relu(x, a);
    if (o.name == "thresholded_relu") return model::thresholded_relu(x, a);
    if (o.name == "add") return model::add(k, x, y);
    if (o.name == "subtract") return model::subtract(k, x, y);
    if (o.name == "multiply") return model::multiply(k, x, y);
    if (o.name == "min") return model::minimum(x, y);
    return model::maximum(x, y);
}

descriptors::sizes random_sizes(source& from, std::size_t most) {
    descriptors::sizes made(1 + (from.one_in(3) ? from.below(8) : from.below(3)), 1);
    std::size_t count = 1;
    for (UINT& size : made) {
        const std::size_t wanted =
            made.size() == 1 && from.one_in(4) ? 1 + from.below(most) : 1 + from.below(from.one_in(3) ? 140 : 9);
        if (count * wanted > most) continue;
        size = static_cast<UINT>(wanted);
        count *= wanted;
    }
    if (from.one_in(2)) std::reverse(made.begin(), made.end());
    return made;
}

// Null, or some order of dimensions with gaps; inputs may repeat and cross, outputs rarely do.
descriptors::sizes random_strides(source& from, const descriptors::sizes& extents, bool is_output) {
    if (from.one_in(3)) return {};
    descriptors::sizes strides(extents.size());
    if (from.one_in(is_output ? 24 : 4)) {
        for (UINT& stride : strides) stride = static_cast<UINT>(from.below(12));
        return strides;
    }
    std::vector<std::size_t> order(extents.size());
    for (std::size_t i = 0; i < order.size(); ++i) std::swap(order[i] = i, order[from.below(i + 1)]);
    UINT next = from.one_in(4) ? 3 : 1;
    for (const std::size_t i : order) {
        strides[i] = !is_output && from.one_in(6) ? 0 : next;
        next = next * extents[i] + (from.one_in(3) ? static_cast<UINT>(from.below(3)) : 0);
    }
    return strides;
}

// The bytes at which the elements begin, in row-major order, from the operand's own start.
std::vector<std::size_t> places(const descriptors::sizes& extents, const descriptors::sizes& strides,
                                std::size_t element_bytes) {
    std::vector<std::size_t> all{0};
    std::size_t packed = 1;
    for (const UINT size : extents) packed *= size;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        packed /= extents[d];
        const std::size_t stride = (strides.empty() ? packed : strides[d]) * element_bytes;
        std::vector<std::size_t> next;
        for (const std::size_t place : all)
            for (std::size_t i = 0; i < extents[d]; ++i) next.push_back(place + i * stride);
        all = std::move(next);
    }
    return all;
}

struct placed {
    std::size_t block;
    std::size_t offset;
    std::vector<std::size_t> at;  // of every element, in its block
};

bool is_twice(std::vector<std::size_t> all) {
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) != all.end();
}

bool share_memory(const placed& a, const placed& b) {
    if (a.block != b.block) return false;
    // Elements of one type at multiples of its size: they are the same or share nothing.
    const std::set<std::size_t> written(a.at.begin(), a.at.end());
    return std::any_of(b.at.begin(), b.at.end(), [&](std::size_t place) { return written.contains(place); });
}

bool subnormal(double v) { return v != 0 && std::fabs(v) < 0x1p-126; }

class chain_case {
public:
    explicit chain_case(source& from)
        : k_(static_cast<kind>(from.below(model::kinds))),
          element_(model::bytes_of(k_)),
          extents_(random_sizes(from, from.one_in(100) ? 20000
                                      : from.one_in(8) ? 1500
                                                       : 150)) {
        for (std::size_t i = 1 + (from.one_in(2) ? from.below(6) : 0); i > 0; --i)
            ops_.push_back(random_operator(from, k_));
        first_ = random_strides(from, extents_, false);
        second_ = random_strides(from, extents_, false);
        output_ = random_strides(from, extents_, true);
        everywhere_ = from.one_in(16);
        one_block_ = from.one_in(3);
        in_place_ = from.one_in(4);
        if (in_place_) first_ = output_;
        out_ = place(from, output_);
        inputs_.push_back(in_place_ ? out_ : place(from, first_));
        for (const op& o : ops_)
            if (descriptors::is_binary(o.name)) inputs_.push_back(place(from, second_));
        for (bytes& block : blocks_) from.fill(block.data(), block.size(), element_, model::is_float(k_));
    }

    void run() {
        const descriptors::chain_of described(ops_, type_of(k_), extents_, first_, second_, output_);
        std::optional<sinter::directml::compiled_operator> compiled;
        try {
            compiled = sinter::directml::compile(described.descs());
        } catch (const sinter::error& refusal) {
            const bool expected = is_twice(out_.at) && refusal.code() == sinter::errc::invalid_descriptor;
            return fuzz::expect(expected, text() + "is refused: " + refusal.what());
        }
        fuzz::expect(!is_twice(out_.at), text() + "writes an element twice and is not refused");
        fuzz::expect(compiled->input_count() == inputs_.size(), text() + "has another number of inputs");
        compute();
        for (const directml_backends::backend& backend : directml_backends::all())
            if (backend.in_memory || (tries_devices && everywhere_)) check(backend, *compiled);
    }

private:
    placed place(source& from, const descriptors::sizes& strides) {
        placed made{0, 0, places(extents_, strides, element_)};
        const std::size_t extent = *std::max_element(made.at.begin(), made.at.end()) + element_;
        if (!one_block_ || blocks_.empty()) blocks_.emplace_back();
        made.block = blocks_.size() - 1;
        made.offset = element_ * (one_block_ ? from.below(from.one_in(2) ? 8 : 200) : from.below(5));
        // Blocks end where the last element ends, so that an address sanitizer sees what lies behind it.
        bytes& block = blocks_[made.block];
        if (block.size() < made.offset + extent) block.resize(made.offset + extent);
        for (std::size_t& place : made.at) place += made.offset;
        return made;
    }

    void compute() {
        expected_.clear();
        may_differ_.assign(out_.at.size(), false);
        for (std::size_t n = 0; n < out_.at.size(); ++n) {
            std::size_t input = 0;
            const auto read = [&] {
                const placed& operand = inputs_[input++];
                return model::load(k_, blocks_[operand.block].data() + operand.at[n]);
            };
            double x = read();
            // Direct3D may take float32 subnormals for zero, wherever they appear.
            bool tiny = subnormal(x);
            for (const op& o : ops_) {
                const double y = descriptors::is_binary(o.name) ? read() : 0.;
                x = expected_of(o, k_, x, y);
                if (k_ == kind::f16) x = model::round_to_half(x);
                tiny = tiny || subnormal(x) || subnormal(y);
            }
            expected_.push_back(x);
            may_differ_[n] = tiny && k_ == kind::f32;
        }
        tiny_attributes_ = false;
        for (const op& o : ops_) {
            const auto look = [&](float v) { tiny_attributes_ = tiny_attributes_ || std::fabs(v) < 0x1p-100f; };
            std::for_each(o.attributes.begin(), o.attributes.end(), look);
            if (o.scale_bias) look(o.scale_bias->Scale), look(o.scale_bias->Bias);
        }
    }

    // Direct3D writes whole words of buffers; blocks there are as long as its transfers want.
    void check(const directml_backends::backend& backend, const sinter::directml::compiled_operator& compiled) {
        std::vector<bytes> memory = blocks_;
        if (!backend.in_memory)
            for (bytes& block : memory) block.resize((block.size() + 3) / 4 * 4 + 4);
        const std::vector<bytes> before = memory;
        std::vector<operand> inputs;
        for (const placed& input : inputs_) inputs.push_back({&memory[input.block], input.offset});
        const bool refused = std::any_of(inputs_.begin(), inputs_.end(), [&](const placed& input) {
            return share_memory(out_, input) && input.at != out_.at;
        });
        try {
            backend.run(compiled, inputs, {&memory[out_.block], out_.offset});
            fuzz::expect(!refused, text() + "overlaps and is not refused, " + backend.name);
        } catch (const sinter::error& failure) {
            fuzz::expect(refused && failure.code() == sinter::errc::overlap,
                         text() + backend.name + " refuses: " + failure.what());
            fuzz::expect(memory == before, text() + "is refused after something was written, " + backend.name);
            return;
        }
        for (std::size_t n = 0; n < out_.at.size(); ++n) {
            std::byte* const element = memory[out_.block].data() + out_.at[n];
            const bool is_free = !backend.keeps_subnormals && (may_differ_[n] || tiny_attributes_);
            if (!is_free && !model::holds(k_, element, expected_[n]))
                fuzz::found(text() + "on " + backend.name + ": element " + std::to_string(n) + " is " +
                            std::to_string(model::load(k_, element)) + ", expected " + std::to_string(expected_[n]));
            std::memcpy(element, before[out_.block].data() + out_.at[n], element_);
        }
        fuzz::expect(memory == before, text() + "writes beside its output, " + backend.name);
    }

    std::string text() const {
        const auto list = [](const std::string& name, const descriptors::sizes& values) {
            std::string made = " " + name + " {";
            for (const UINT value : values) made += std::to_string(value) + " ";
            return made + "}";
        };
        std::string made = std::string(name(type_of(k_))) + list("sizes", extents_) + list("strides", first_) +
                           list("second", second_) + list("output", output_);
        made += one_block_ ? " in one block" : "";
        for (const op& o : ops_) {
            made += " " + o.name;
            for (const float a : o.attributes) made += " " + std::to_string(a);
            if (o.scale_bias)
                made += " scaled " + std::to_string(o.scale_bias->Scale) + " " + std::to_string(o.scale_bias->Bias);
        }
        return made + ": ";
    }

    kind k_;
    std::size_t element_;
    descriptors::sizes extents_, first_, second_, output_;
    std::vector<op> ops_;
    bool everywhere_ = false;  // also where every chain takes a compilation of its shader
    bool one_block_ = false, in_place_ = false;
    std::vector<bytes> blocks_;
    std::vector<placed> inputs_;
    placed out_;
    std::vector<double> expected_;
    std::vector<bool> may_differ_;
    bool tiny_attributes_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    source from(data, size);
    chain_case(from).run();
    return 0;
}
