// Descriptors that own what they point to, for tests.
#pragma once

#include <sinter/directml.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace descriptors {

using namespace sinter::directml;

constexpr DML_TENSOR_DATA_TYPE data_type_of(sinter::element_type type) {
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

using sizes = std::vector<UINT>;

// A buffer tensor with all that belongs to it. Stays where it is.
struct tensor {
    sizes extents, strides;
    DML_BUFFER_TENSOR_DESC buffer{};
    DML_TENSOR_DESC desc{};

    tensor(DML_TENSOR_DATA_TYPE type, sizes of, sizes with_strides = {})
        : extents(std::move(of)), strides(std::move(with_strides)) {
        buffer.DataType = type;
        buffer.Flags = DML_TENSOR_FLAG_NONE;
        buffer.DimensionCount = static_cast<UINT>(extents.size());
        buffer.Sizes = extents.data();
        buffer.Strides = strides.empty() ? nullptr : strides.data();
        if (sinter::directml::detail::element_bytes(type) != 0)
            buffer.TotalTensorSizeInBytes =
                calc_buffer_tensor_size(type, buffer.DimensionCount, buffer.Sizes, buffer.Strides);
        desc = {DML_TENSOR_TYPE_BUFFER, &buffer};
    }
    tensor(sinter::element_type type, sizes of, sizes with_strides = {})
        : tensor(data_type_of(type), std::move(of), std::move(with_strides)) {}
    tensor(const tensor&) = delete;
    tensor& operator=(const tensor&) = delete;
};

// The operators by a short name, as the recorded rows have them. Attributes in the order of the struct's fields.
struct op {
    std::string name;
    std::vector<float> attributes = {};
    std::optional<DML_SCALE_BIAS> scale_bias = std::nullopt;
};

// One operator's struct, of whatever kind.
class operator_of {
public:
    operator_of(const op& o, const tensor& a, const tensor* b, const tensor& out)
        : operator_of(o, a.desc, b == nullptr ? nullptr : &b->desc, out.desc) {}

    operator_of(const op& o, const DML_TENSOR_DESC& a, const DML_TENSOR_DESC* second, const DML_TENSOR_DESC& out)
        : scale_bias_(o.scale_bias) {
        const DML_SCALE_BIAS* sb = scale_bias_ ? &*scale_bias_ : nullptr;
        const auto at = [&](std::size_t i) { return o.attributes.at(i); };
        const DML_TENSOR_DESC* x = &a;
        const DML_TENSOR_DESC* y = &out;
        if (o.name == "identity")
            set(DML_OPERATOR_ELEMENT_WISE_IDENTITY, DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC{x, y, sb});
        else if (o.name == "shrink")
            set(DML_OPERATOR_ACTIVATION_SHRINK, DML_ACTIVATION_SHRINK_OPERATOR_DESC{x, y, at(0), at(1)});
        else if (o.name == "threshold")
            set(DML_OPERATOR_ELEMENT_WISE_THRESHOLD, DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC{x, y, sb, at(0)});
        else if (o.name == "clip")
            set(DML_OPERATOR_ELEMENT_WISE_CLIP, DML_ELEMENT_WISE_CLIP_OPERATOR_DESC{x, y, sb, at(0), at(1)});
        else if (o.name == "relu") set(DML_OPERATOR_ACTIVATION_RELU, DML_ACTIVATION_RELU_OPERATOR_DESC{x, y});
        else if (o.name == "abs") set(DML_OPERATOR_ELEMENT_WISE_ABS, DML_ELEMENT_WISE_ABS_OPERATOR_DESC{x, y, sb});
        else if (o.name == "negate") set(DML_OPERATOR_ELEMENT_WISE_NEGATE, DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC{x, y});
        else if (o.name == "sign") set(DML_OPERATOR_ELEMENT_WISE_SIGN, DML_ELEMENT_WISE_SIGN_OPERATOR_DESC{x, y});
        else if (o.name == "round")
            set(DML_OPERATOR_ELEMENT_WISE_ROUND,
                DML_ELEMENT_WISE_ROUND_OPERATOR_DESC{x, y, static_cast<DML_ROUNDING_MODE>(static_cast<int>(at(0)))});
        else if (o.name == "ceil") set(DML_OPERATOR_ELEMENT_WISE_CEIL, DML_ELEMENT_WISE_CEIL_OPERATOR_DESC{x, y, sb});
        else if (o.name == "floor")
            set(DML_OPERATOR_ELEMENT_WISE_FLOOR, DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC{x, y, sb});
        else if (o.name == "linear")
            set(DML_OPERATOR_ACTIVATION_LINEAR, DML_ACTIVATION_LINEAR_OPERATOR_DESC{x, y, at(0), at(1)});
        else if (o.name == "leaky_relu")
            set(DML_OPERATOR_ACTIVATION_LEAKY_RELU, DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC{x, y, at(0)});
        else if (o.name == "thresholded_relu")
            set(DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU, DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC{x, y, at(0)});
        else if (o.name == "add") set(DML_OPERATOR_ELEMENT_WISE_ADD, DML_ELEMENT_WISE_ADD_OPERATOR_DESC{x, second, y});
        else if (o.name == "subtract")
            set(DML_OPERATOR_ELEMENT_WISE_SUBTRACT, DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC{x, second, y});
        else if (o.name == "multiply")
            set(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC{x, second, y});
        else if (o.name == "min") set(DML_OPERATOR_ELEMENT_WISE_MIN, DML_ELEMENT_WISE_MIN_OPERATOR_DESC{x, second, y});
        else if (o.name == "max") set(DML_OPERATOR_ELEMENT_WISE_MAX, DML_ELEMENT_WISE_MAX_OPERATOR_DESC{x, second, y});
        else throw std::runtime_error("no operator " + o.name);
    }
    operator_of(const operator_of&) = delete;
    operator_of& operator=(const operator_of&) = delete;

    const DML_OPERATOR_DESC& desc() const { return desc_; }

private:
    template <class Desc>
    void set(DML_OPERATOR_TYPE type, const Desc& desc) {
        auto kept = std::make_shared<const Desc>(desc);
        desc_ = {type, kept.get()};
        kept_ = std::move(kept);
    }

    std::optional<DML_SCALE_BIAS> scale_bias_;
    std::shared_ptr<const void> kept_;
    DML_OPERATOR_DESC desc_{};
};

constexpr bool is_binary(const std::string& name) {
    return name == "add" || name == "subtract" || name == "multiply" || name == "min" || name == "max";
}

// A chain of operators on one tensor shape: the first input and the output may lie in their own ways.
class chain_of {
public:
    chain_of(const std::vector<op>& ops, sinter::element_type type, const sizes& extents, sizes first_strides = {},
             sizes second_strides = {}, sizes output_strides = {}) {
        const tensor* previous = &make(type, extents, std::move(first_strides));
        for (std::size_t i = 0; i < ops.size(); ++i) {
            const tensor* second = is_binary(ops[i].name) ? &make(type, extents, second_strides) : nullptr;
            const bool last = i + 1 == ops.size();
            const tensor& out = make(type, extents, last ? output_strides : sizes{});
            operators_.emplace_back(ops[i], *previous, second, out);
            descs_.push_back(operators_.back().desc());
            previous = &out;
        }
    }

    const std::vector<DML_OPERATOR_DESC>& descs() const { return descs_; }

private:
    const tensor& make(sinter::element_type type, const sizes& extents, sizes strides) {
        return tensors_.emplace_back(type, extents, std::move(strides));
    }

    std::deque<tensor> tensors_;
    std::deque<operator_of> operators_;
    std::vector<DML_OPERATOR_DESC> descs_;
};

}  // namespace descriptors
