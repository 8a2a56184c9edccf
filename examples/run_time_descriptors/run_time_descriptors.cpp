// A chain that is known only when the program runs: DirectML's own operator descriptors, filled in from the command
// line and compiled into one fused operator.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include <sinter/directml.hpp>

#include "common/command_line.hpp"

namespace {

using namespace sinter::directml;

constexpr const char* usage = R"(usage: run_time_descriptors [OPTIONS] [OPERATOR...]

Applies operators to eight numbers, in the order given (default: scale_bias=2,1 shrink=0.5,1 threshold=-4).

  scale_bias=SCALE,BIAS    shrink=BIAS,THRESHOLD    threshold=MINIMUM    clip=MINIMUM,MAXIMUM    relu

  --help  this text
)";

// Descriptors, with all that they point to.
class chain {
public:
    explicit chain(UINT elements) : sizes_{elements} {
        buffer_.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
        buffer_.DimensionCount = 1;
        buffer_.Sizes = sizes_;
        buffer_.TotalTensorSizeInBytes = elements * sizeof(float);
    }
    chain(const chain&) = delete;
    chain& operator=(const chain&) = delete;

    // "NAME=NUMBER,NUMBER"
    void add(const std::string& text) {
        const std::string name = text.substr(0, text.find('='));
        if (name == "scale_bias") {
            const DML_SCALE_BIAS& given = scales_.emplace_back(DML_SCALE_BIAS{number(text, 0), number(text, 1)});
            append(DML_OPERATOR_ELEMENT_WISE_IDENTITY,
                   identities_.emplace_back(DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC{&tensor_, &tensor_, &given}));
        } else if (name == "shrink") {
            append(DML_OPERATOR_ACTIVATION_SHRINK, shrinks_.emplace_back(DML_ACTIVATION_SHRINK_OPERATOR_DESC{
                                                       &tensor_, &tensor_, number(text, 0), number(text, 1)}));
        } else if (name == "threshold") {
            append(DML_OPERATOR_ELEMENT_WISE_THRESHOLD,
                   thresholds_.emplace_back(
                       DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC{&tensor_, &tensor_, nullptr, number(text, 0)}));
        } else if (name == "clip") {
            append(DML_OPERATOR_ELEMENT_WISE_CLIP, clips_.emplace_back(DML_ELEMENT_WISE_CLIP_OPERATOR_DESC{
                                                       &tensor_, &tensor_, nullptr, number(text, 0), number(text, 1)}));
        } else if (name == "relu") {
            append(DML_OPERATOR_ACTIVATION_RELU,
                   relus_.emplace_back(DML_ACTIVATION_RELU_OPERATOR_DESC{&tensor_, &tensor_}));
        } else {
            throw usage_error("no operator " + name);
        }
    }

    // Checks every descriptor as DirectML does, and makes one operator of all.
    compiled_operator compile() const { return sinter::directml::compile(descriptors_); }

private:
    template <class Desc>
    void append(DML_OPERATOR_TYPE type, const Desc& desc) {
        descriptors_.push_back({type, &desc});
    }

    static float number(const std::string& text, int index) {
        std::size_t first = text.find('=');
        for (int i = 0; i < index && first != std::string::npos; ++i) first = text.find(',', first + 1);
        char* end = nullptr;
        const char* const start = text.c_str() + (first == std::string::npos ? text.size() : first + 1);
        const float value = std::strtof(start, &end);
        if (end == start) throw usage_error(text + ": attribute " + std::to_string(index + 1) + " is no number");
        return value;
    }

    UINT sizes_[1];
    DML_BUFFER_TENSOR_DESC buffer_{};
    DML_TENSOR_DESC tensor_{DML_TENSOR_TYPE_BUFFER, &buffer_};
    std::deque<DML_SCALE_BIAS> scales_;
    std::deque<DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC> identities_;
    std::deque<DML_ACTIVATION_SHRINK_OPERATOR_DESC> shrinks_;
    std::deque<DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC> thresholds_;
    std::deque<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC> clips_;
    std::deque<DML_ACTIVATION_RELU_OPERATOR_DESC> relus_;
    std::vector<DML_OPERATOR_DESC> descriptors_;
};

void run(const command_line& chosen) {
    const std::vector<float> x{-8.f, -3.f, -0.4f, 0.f, 0.7f, 2.5f, 100.f, 1e6f};
    std::vector<float> y(x.size());

    chain operators(static_cast<UINT>(x.size()));
    const std::vector<std::string> usual{"scale_bias=2,1", "shrink=0.5,1", "threshold=-4"};
    for (const std::string& text : chosen.plain.empty() ? usual : chosen.plain) operators.add(text);
    // Any backend runs it; this one is the quickest to compile.
    operators.compile().dispatch(sinter::cpu::scalar{}, x.data(), y.data());

    for (const float v : x) std::printf("%8g", v);
    std::printf("\n");
    for (const float v : y) std::printf("%8g", v);
    std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) { return run_example(count, arguments, usage, {}, 1000, run); }
