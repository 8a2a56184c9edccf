// From operators on the command line to DirectML's descriptors, and to one compiled operator.
#pragma once

#include <sinter/directml.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "options.hpp"

// Descriptors of a chain over `count` elements, with all that they point to.
class chain {
public:
    chain(const std::vector<operator_options>& operators, sinter::element_type type, std::uint32_t count)
        : size_(count) {
        using namespace sinter::directml;
        buffer_.DataType = data_type(type);
        buffer_.DimensionCount = 1;
        buffer_.Sizes = &size_;
        buffer_.TotalTensorSizeInBytes = calc_buffer_tensor_size(buffer_.DataType, 1, &size_, nullptr);
        for (const operator_options& o : operators) add(o);
    }
    chain(const chain&) = delete;
    chain& operator=(const chain&) = delete;

    sinter::directml::compiled_operator compile() const { return sinter::directml::compile(descs_); }

private:
    static sinter::directml::DML_TENSOR_DATA_TYPE data_type(sinter::element_type type) {
        using namespace sinter::directml;
        switch (type) {
            case sinter::element_type::float32: return DML_TENSOR_DATA_TYPE_FLOAT32;
            case sinter::element_type::float16: return DML_TENSOR_DATA_TYPE_FLOAT16;
            case sinter::element_type::int32: return DML_TENSOR_DATA_TYPE_INT32;
            case sinter::element_type::int16: return DML_TENSOR_DATA_TYPE_INT16;
            case sinter::element_type::int8: return DML_TENSOR_DATA_TYPE_INT8;
            case sinter::element_type::uint32: return DML_TENSOR_DATA_TYPE_UINT32;
            case sinter::element_type::uint16: return DML_TENSOR_DATA_TYPE_UINT16;
            default: return DML_TENSOR_DATA_TYPE_UINT8;
        }
    }

    void add(const operator_options& o) {
        using namespace sinter::directml;
        const DML_TENSOR_DESC* const t = &tensor_;
        const auto at = [&](const char* name) { return o.attributes.at(name); };
        const DML_SCALE_BIAS* sb = nullptr;
        if (o.name != "shrink" && (o.attributes.contains("scale") || o.attributes.contains("bias"))) {
            const auto given = [&](const char* name, float otherwise) {
                return o.attributes.contains(name) ? at(name) : otherwise;
            };
            scales_.push_back({given("scale", 1.f), given("bias", 0.f)});
            sb = &scales_.back();
        }
        if (o.name == "identity")
            keep(DML_OPERATOR_ELEMENT_WISE_IDENTITY, DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC{t, t, sb});
        else if (o.name == "relu") keep(DML_OPERATOR_ACTIVATION_RELU, DML_ACTIVATION_RELU_OPERATOR_DESC{t, t});
        else if (o.name == "abs") keep(DML_OPERATOR_ELEMENT_WISE_ABS, DML_ELEMENT_WISE_ABS_OPERATOR_DESC{t, t, sb});
        else if (o.name == "negate")
            keep(DML_OPERATOR_ELEMENT_WISE_NEGATE, DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC{t, t});
        else if (o.name == "sign") keep(DML_OPERATOR_ELEMENT_WISE_SIGN, DML_ELEMENT_WISE_SIGN_OPERATOR_DESC{t, t});
        else if (o.name == "ceil") keep(DML_OPERATOR_ELEMENT_WISE_CEIL, DML_ELEMENT_WISE_CEIL_OPERATOR_DESC{t, t, sb});
        else if (o.name == "floor")
            keep(DML_OPERATOR_ELEMENT_WISE_FLOOR, DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC{t, t, sb});
        else if (o.name == "shrink")
            keep(DML_OPERATOR_ACTIVATION_SHRINK,
                 DML_ACTIVATION_SHRINK_OPERATOR_DESC{t, t, at("bias"), at("threshold")});
        else if (o.name == "threshold")
            keep(DML_OPERATOR_ELEMENT_WISE_THRESHOLD, DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC{t, t, sb, at("min")});
        else if (o.name == "clip")
            keep(DML_OPERATOR_ELEMENT_WISE_CLIP, DML_ELEMENT_WISE_CLIP_OPERATOR_DESC{t, t, sb, at("min"), at("max")});
        else if (o.name == "linear")
            keep(DML_OPERATOR_ACTIVATION_LINEAR, DML_ACTIVATION_LINEAR_OPERATOR_DESC{t, t, at("alpha"), at("beta")});
        else if (o.name == "leaky_relu")
            keep(DML_OPERATOR_ACTIVATION_LEAKY_RELU, DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC{t, t, at("alpha")});
        else if (o.name == "thresholded_relu")
            keep(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU,
                 DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC{t, t, at("alpha")});
        else if (o.name == "round")
            keep(DML_OPERATOR_ELEMENT_WISE_ROUND,
                 DML_ELEMENT_WISE_ROUND_OPERATOR_DESC{t, t,
                                                      static_cast<DML_ROUNDING_MODE>(static_cast<int>(at("mode")))});
        else if (o.name == "add") keep(DML_OPERATOR_ELEMENT_WISE_ADD, DML_ELEMENT_WISE_ADD_OPERATOR_DESC{t, t, t});
        else if (o.name == "subtract")
            keep(DML_OPERATOR_ELEMENT_WISE_SUBTRACT, DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC{t, t, t});
        else if (o.name == "multiply")
            keep(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC{t, t, t});
        else if (o.name == "min") keep(DML_OPERATOR_ELEMENT_WISE_MIN, DML_ELEMENT_WISE_MIN_OPERATOR_DESC{t, t, t});
        else keep(DML_OPERATOR_ELEMENT_WISE_MAX, DML_ELEMENT_WISE_MAX_OPERATOR_DESC{t, t, t});
    }

    template <class Desc>
    void keep(sinter::directml::DML_OPERATOR_TYPE type, const Desc& desc) {
        auto kept = std::make_shared<const Desc>(desc);
        descs_.push_back({type, kept.get()});
        kept_.push_back(std::move(kept));
    }

    sinter::directml::UINT size_;
    sinter::directml::DML_BUFFER_TENSOR_DESC buffer_{};
    sinter::directml::DML_TENSOR_DESC tensor_{sinter::directml::DML_TENSOR_TYPE_BUFFER, &buffer_};
    std::deque<sinter::directml::DML_SCALE_BIAS> scales_;
    std::vector<std::shared_ptr<const void>> kept_;
    std::vector<sinter::directml::DML_OPERATOR_DESC> descs_;
};
