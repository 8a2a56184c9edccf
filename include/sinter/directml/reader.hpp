// From a descriptor to a step: every check that DirectML makes when an operator is created, each with its reason.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/element.hpp"
#include "../core/view.hpp"
#include "../plan/overlap.hpp"
#include "descriptors.hpp"
#include "error.hpp"
#include "operator_support.hpp"
#include "step.hpp"
#include "tensor_size.hpp"

namespace sinter::directml::detail {

struct tensor_layout {
    element_type type{};
    std::size_t rank = 0;
    std::array<std::size_t, max_rank> sizes{};
    std::array<std::ptrdiff_t, max_rank> strides{};
    std::uint64_t total_bytes = 0;
};

inline std::string describe(const tensor_layout& t) {
    std::string text = data_type_name(t.type);
    text += ", sizes " + sinter::detail::describe(t.sizes.data(), t.rank) + ", strides {";
    for (std::size_t i = 0; i < t.rank; ++i) text += (i == 0 ? "" : ", ") + std::to_string(t.strides[i]);
    return text + "}";
}

// Strides of dimensions with one element count for nothing.
constexpr bool same_elements(const tensor_layout& a, const tensor_layout& b) {
    for (std::size_t i = 0; i < a.rank; ++i)
        if (a.sizes[i] != 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

struct operator_reading {
    const operator_support* support = nullptr;
    step_kind kind{};
    std::array<tensor_layout, 2> inputs;
    tensor_layout output;
    std::array<std::uint32_t, 4> attributes{};
    std::uint8_t attribute_count = 0;
};

// Reads one descriptor. `position` is its number in a chain, for messages; 0 where there is no chain.
class reader {
public:
    reader(operator_reading& to, unsigned level, std::size_t position) : r_(to), level_(level), position_(position) {}

    void read(const DML_OPERATOR_DESC& desc) {
        r_.support = support_of(desc.Type);
        if (r_.support == nullptr)
            refuse(prefix() + "the operator type is " + std::to_string(static_cast<int>(desc.Type)) +
                   ", which is none of this library's: it has the elementwise operators from IDENTITY to "
                   "THRESHOLDED_RELU that docs/porting_from_directml.md lists");
        if (desc.Desc == nullptr) refuse(prefix() + "the DML_OPERATOR_DESC's Desc is null");
        switch (desc.Type) {
            case DML_OPERATOR_ELEMENT_WISE_IDENTITY:
                return scaled_unary(as<DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC>(desc), step_kind::identity,
                                    step_kind::scale_bias);
            case DML_OPERATOR_ELEMENT_WISE_ABS:
                return scaled_unary(as<DML_ELEMENT_WISE_ABS_OPERATOR_DESC>(desc), step_kind::abs,
                                    step_kind::abs_scaled);
            case DML_OPERATOR_ELEMENT_WISE_CEIL:
                return scaled_unary(as<DML_ELEMENT_WISE_CEIL_OPERATOR_DESC>(desc), step_kind::ceil,
                                    step_kind::ceil_scaled);
            case DML_OPERATOR_ELEMENT_WISE_FLOOR:
                return scaled_unary(as<DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC>(desc), step_kind::floor,
                                    step_kind::floor_scaled);
            case DML_OPERATOR_ELEMENT_WISE_CLIP: {
                const auto& d = as<DML_ELEMENT_WISE_CLIP_OPERATOR_DESC>(desc);
                return scaled_unary(d, step_kind::clip, step_kind::clip_scaled, d.Min, d.Max);
            }
            case DML_OPERATOR_ELEMENT_WISE_THRESHOLD: {
                const auto& d = as<DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC>(desc);
                return scaled_unary(d, step_kind::threshold, step_kind::threshold_scaled, d.Min);
            }
            case DML_OPERATOR_ELEMENT_WISE_ADD:
                return binary(as<DML_ELEMENT_WISE_ADD_OPERATOR_DESC>(desc), step_kind::add);
            case DML_OPERATOR_ELEMENT_WISE_SUBTRACT:
                return binary(as<DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC>(desc), step_kind::subtract);
            case DML_OPERATOR_ELEMENT_WISE_MULTIPLY:
                return binary(as<DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC>(desc), step_kind::multiply);
            case DML_OPERATOR_ELEMENT_WISE_MIN:
                return binary(as<DML_ELEMENT_WISE_MIN_OPERATOR_DESC>(desc), step_kind::minimum);
            case DML_OPERATOR_ELEMENT_WISE_MAX:
                return binary(as<DML_ELEMENT_WISE_MAX_OPERATOR_DESC>(desc), step_kind::maximum);
            case DML_OPERATOR_ELEMENT_WISE_NEGATE:
                return unary(as<DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC>(desc), step_kind::negate);
            case DML_OPERATOR_ELEMENT_WISE_SIGN:
                return unary(as<DML_ELEMENT_WISE_SIGN_OPERATOR_DESC>(desc), step_kind::sign);
            case DML_OPERATOR_ELEMENT_WISE_ROUND: {
                const auto& d = as<DML_ELEMENT_WISE_ROUND_OPERATOR_DESC>(desc);
                return unary(d, rounding_kind(d.RoundingMode));
            }
            case DML_OPERATOR_ACTIVATION_RELU:
                return unary(as<DML_ACTIVATION_RELU_OPERATOR_DESC>(desc), step_kind::relu);
            case DML_OPERATOR_ACTIVATION_SHRINK: {
                const auto& d = as<DML_ACTIVATION_SHRINK_OPERATOR_DESC>(desc);
                return unary(d, step_kind::shrink, d.Bias, d.Threshold);
            }
            case DML_OPERATOR_ACTIVATION_LINEAR: {
                const auto& d = as<DML_ACTIVATION_LINEAR_OPERATOR_DESC>(desc);
                return unary(d, step_kind::linear, d.Alpha, d.Beta);
            }
            case DML_OPERATOR_ACTIVATION_LEAKY_RELU: {
                const auto& d = as<DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC>(desc);
                return unary(d, step_kind::leaky_relu, d.Alpha);
            }
            case DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU: {
                const auto& d = as<DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC>(desc);
                return unary(d, step_kind::thresholded_relu, d.Alpha);
            }
            default: refuse(prefix() + r_.support->name + " is in the table of operators, but is not read here");
        }
    }

private:
    template <class Desc>
    static const Desc& as(const DML_OPERATOR_DESC& desc) {
        return *static_cast<const Desc*>(desc.Desc);
    }

    template <class Desc, class... Attributes>
    void unary(const Desc& d, step_kind kind, Attributes... attributes) {
        r_.kind = kind;
        (add(attributes), ...);
        read_tensor(d.InputTensor, "InputTensor", r_.inputs[0], false);
        read_tensor(d.OutputTensor, "OutputTensor", r_.output, true);
        check_same(r_.inputs[0], "InputTensor");
    }

    template <class Desc, class... Attributes>
    void scaled_unary(const Desc& d, step_kind plain, step_kind scaled_kind, Attributes... attributes) {
        if (d.ScaleBias == nullptr) return unary(d, plain, attributes...);
        add(d.ScaleBias->Scale);
        add(d.ScaleBias->Bias);
        unary(d, scaled_kind, attributes...);
    }

    template <class Desc>
    void binary(const Desc& d, step_kind kind) {
        r_.kind = kind;
        read_tensor(d.ATensor, "ATensor", r_.inputs[0], false);
        read_tensor(d.BTensor, "BTensor", r_.inputs[1], false);
        read_tensor(d.OutputTensor, "OutputTensor", r_.output, true);
        check_same(r_.inputs[0], "ATensor");
        check_same(r_.inputs[1], "BTensor");
    }

    void add(FLOAT attribute) { r_.attributes[r_.attribute_count++] = std::bit_cast<std::uint32_t>(attribute); }

    step_kind rounding_kind(DML_ROUNDING_MODE mode) const {
        switch (mode) {
            case DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN: return step_kind::round_half_even;
            case DML_ROUNDING_MODE_TOWARD_ZERO: return step_kind::round_toward_zero;
            case DML_ROUNDING_MODE_TOWARD_INFINITY: return step_kind::round_half_away;
        }
        refuse(prefix() + struct_name() + ".RoundingMode is " + std::to_string(static_cast<int>(mode)) +
               "; the modes are 0, 1 and 2");
    }

    // ---- one tensor

    void read_tensor(const DML_TENSOR_DESC* tensor, const char* field, tensor_layout& to, bool is_output) const {
        const auto wrong = [&](const std::string& what) { refuse(prefix() + struct_name() + "." + field + what); };
        if (tensor == nullptr) wrong(" is null");
        if (tensor->Type != DML_TENSOR_TYPE_BUFFER)
            wrong("->Type is " + std::to_string(static_cast<int>(tensor->Type)) +
                  "; the only type of tensors is DML_TENSOR_TYPE_BUFFER, 1");
        if (tensor->Desc == nullptr) wrong("->Desc is null, and should point to a DML_BUFFER_TENSOR_DESC");
        const auto& d = *static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
        if (!read_type(d.DataType, to.type))
            wrong(": DataType is " + name_of(d.DataType) + "; the operator takes " +
                  names_of(r_.support->support().back().types));
        const auto flags = static_cast<unsigned>(d.Flags);
        if ((flags & ~static_cast<unsigned>(DML_TENSOR_FLAG_OWNED_BY_DML)) != 0)
            wrong(": Flags are " + std::to_string(flags) + "; the only flag is DML_TENSOR_FLAG_OWNED_BY_DML, 1");
        if (is_output && flags != 0)
            wrong(": DML_TENSOR_FLAG_OWNED_BY_DML is for inputs that are bound once, never for the output");
        if (d.DimensionCount == 0 || d.DimensionCount > max_rank)
            wrong(": DimensionCount is " + std::to_string(d.DimensionCount) + "; tensors have 1 to 8 dimensions");
        if (d.Sizes == nullptr) wrong(": Sizes is null");
        read_layout(d, to);
        for (std::size_t i = 0; i < to.rank; ++i)
            if (to.sizes[i] == 0)
                wrong(" (" + describe(to) + "): Sizes[" + std::to_string(i) + "] is 0; a tensor has elements");
        check_level(field, to);
        std::uint64_t elements = 1;
        for (std::size_t i = 0; i < to.rank; ++i) elements = product_or_none(elements, to.sizes[i]);
        if (elements > 0xffffffffu) wrong(" (" + describe(to) + "): more than 4294967295 elements");
        check_bytes(d, to, wrong);
        if (is_output) check_overlap(to, wrong);
        if (d.GuaranteedBaseOffsetAlignment != 0 &&
            (d.GuaranteedBaseOffsetAlignment < 16 || !std::has_single_bit(d.GuaranteedBaseOffsetAlignment)))
            wrong(": GuaranteedBaseOffsetAlignment is " + std::to_string(d.GuaranteedBaseOffsetAlignment) +
                  "; it is 0 or a power of two from 16 on");
    }

    static bool read_type(DML_TENSOR_DATA_TYPE type, element_type& to) {
        switch (static_cast<int>(type)) {
            case DML_TENSOR_DATA_TYPE_FLOAT32: to = element_type::float32; return true;
            case DML_TENSOR_DATA_TYPE_FLOAT16: to = element_type::float16; return true;
            case DML_TENSOR_DATA_TYPE_INT32: to = element_type::int32; return true;
            case DML_TENSOR_DATA_TYPE_INT16: to = element_type::int16; return true;
            case DML_TENSOR_DATA_TYPE_INT8: to = element_type::int8; return true;
            case DML_TENSOR_DATA_TYPE_UINT32: to = element_type::uint32; return true;
            case DML_TENSOR_DATA_TYPE_UINT16: to = element_type::uint16; return true;
            case DML_TENSOR_DATA_TYPE_UINT8: to = element_type::uint8; return true;
            default: return false;
        }
    }

    static std::string name_of(DML_TENSOR_DATA_TYPE type) {
        switch (static_cast<int>(type)) {
            case DML_TENSOR_DATA_TYPE_FLOAT64: return "FLOAT64";
            case DML_TENSOR_DATA_TYPE_UINT64: return "UINT64";
            case DML_TENSOR_DATA_TYPE_INT64: return "INT64";
            case DML_TENSOR_DATA_TYPE_UNKNOWN: return "UNKNOWN";
            default: return std::to_string(static_cast<int>(type));
        }
    }

    static void read_layout(const DML_BUFFER_TENSOR_DESC& d, tensor_layout& to) {
        to.rank = d.DimensionCount;
        to.total_bytes = d.TotalTensorSizeInBytes;
        std::ptrdiff_t packed = 1;
        for (std::size_t i = to.rank; i-- > 0;) {
            to.sizes[i] = d.Sizes[i];
            to.strides[i] = d.Strides != nullptr ? static_cast<std::ptrdiff_t>(d.Strides[i]) : packed;
            // Too large a product is refused by the number of elements.
            packed = static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(packed) * d.Sizes[i]);
        }
    }

    void check_level(const char* field, const tensor_layout& t) const {
        const tensor_support* row = support_at(*r_.support, level_);
        if (row != nullptr && allows(*row, t.rank, t.type)) return;
        std::string text = prefix() + struct_name() + "." + field + " (" + describe(t) + "): ";
        if (row == nullptr) text += level_name(level_) + " does not have this operator";
        else text += level_name(level_) + " takes " + ranks_of(*row) + " of " + names_of(row->types);
        for (const tensor_support& later : r_.support->support())
            if (later.level > level_ && allows(later, t.rank, t.type))
                refuse(text + "; " + level_name(later.level) + " allows it");
        refuse(text + "; no feature level allows it");
    }

    template <class Wrong>
    static void check_overlap(const tensor_layout& t, const Wrong& wrong) {
        sinter::detail::byte_region region{.rank = t.rank};
        for (std::size_t i = 0; i < t.rank; ++i) {
            region.sizes[i] = static_cast<std::int64_t>(t.sizes[i]);
            region.strides[i] = t.sizes[i] == 1 ? 0 : t.strides[i];
        }
        const auto found = sinter::detail::meets_itself(region);
        if (found == sinter::detail::meeting::shared)
            wrong(" (" + describe(t) + "): two indices of the output name the same element");
        if (found == sinter::detail::meeting::undecided)
            wrong(" (" + describe(t) + "): whether two indices name one element was not decided in the search limit");
    }

    template <class Wrong>
    static void check_bytes(const DML_BUFFER_TENSOR_DESC& d, const tensor_layout& t, const Wrong& wrong) {
        const std::uint64_t needed = needed_bytes(size_of(t.type), t.rank, d.Sizes, d.Strides);
        if (needed == no_size || needed > std::uint64_t{1} << 60)
            wrong(" (" + describe(t) + "): reaches further than 2^60 bytes, the limit of index arithmetic");
        if (d.TotalTensorSizeInBytes < needed)
            wrong(" (" + describe(t) + "): TotalTensorSizeInBytes is " + std::to_string(d.TotalTensorSizeInBytes) +
                  ", and the elements need " + std::to_string(needed) + ", a multiple of 4");
    }

    // ---- tensors with one another

    void check_same(const tensor_layout& input, const char* field) const {
        const char* what = input.type != r_.output.type     ? "data types"
                           : input.rank != r_.output.rank   ? "numbers of dimensions"
                           : input.sizes != r_.output.sizes ? "sizes"
                                                            : nullptr;
        if (what == nullptr) return;
        refuse(prefix() + struct_name() + ": " + field + " (" + describe(input) + ") and OutputTensor (" +
               describe(r_.output) + ") have different " + what);
    }

    std::string prefix() const {
        return position_ == 0 ? std::string() : "operator " + std::to_string(position_) + " of the chain: ";
    }
    std::string struct_name() const { return std::string("DML_") + r_.support->name + "_OPERATOR_DESC"; }

    operator_reading& r_;
    unsigned level_;
    std::size_t position_;
};

}  // namespace sinter::directml::detail
