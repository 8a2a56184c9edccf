// Any descriptors: null pointers, unknown enumerators, sizes and strides of every magnitude, chains that do not fit.
// compile refuses them with an error, or the operator computes the same on every backend inside of the memory that the
// descriptors promise.
#include <sinter/directml.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "directml/descriptors.hpp"
#include "failure.hpp"
#include "source.hpp"
#include "support/directml_backends.hpp"

namespace {

using namespace sinter::directml;
using directml_backends::bytes;
using directml_backends::operand;
using fuzz::source;

UINT any_size(source& from) {
    constexpr UINT sizes[] = {0, 1, 1, 2, 3, 5, 8, 17, 64, 65535, 65536, 65537, 0x7fffffff, 0x80000000u, 0xffffffffu};
    return from.one_in(6) ? sizes[from.below(std::size(sizes))] : static_cast<UINT>(1 + from.below(5));
}

// A tensor whose parts may each be wrong.
struct any_tensor {
    std::vector<UINT> sizes, strides;
    DML_BUFFER_TENSOR_DESC buffer{};
    DML_TENSOR_DESC desc{};

    any_tensor(source& from, const any_tensor* like) {
        if (like != nullptr && !from.one_in(12)) {
            sizes = like->sizes;
            buffer.DataType = like->buffer.DataType;
        } else {
            sizes.resize(from.one_in(16) ? from.below(12) : 1 + from.below(4));
            for (UINT& size : sizes) size = any_size(from);
            buffer.DataType = static_cast<DML_TENSOR_DATA_TYPE>(from.one_in(20) ? from.below(16) : 1 + from.below(8));
        }
        buffer.DimensionCount = static_cast<UINT>(sizes.size());
        if (from.one_in(3)) {
            strides.resize(sizes.size());
            UINT next = 1;
            for (std::size_t i = sizes.size(); i-- > 0; next *= sizes[i])
                strides[i] = from.one_in(5) ? any_size(from) : next;
        }
        if (from.one_in(40)) buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
        if (from.one_in(40)) buffer.GuaranteedBaseOffsetAlignment = any_size(from);
        // Before the count is made wrong: then it may be more than the arrays have, and is refused above 8.
        buffer.Sizes = sizes.data();
        buffer.Strides = strides.empty() ? nullptr : strides.data();
        try {
            buffer.TotalTensorSizeInBytes =
                calc_buffer_tensor_size(buffer.DataType, buffer.DimensionCount, buffer.Sizes, buffer.Strides);
        } catch (const sinter::error&) {
            buffer.TotalTensorSizeInBytes = from.word();
        }
        if (from.one_in(12)) buffer.TotalTensorSizeInBytes += static_cast<UINT64>(from.between(-8, 8));
        if (from.one_in(60)) buffer.DimensionCount = from.one_in(2) ? 0 : 9 + from.word() % 1000;
        if (from.one_in(80)) buffer.Sizes = nullptr;
        desc = {DML_TENSOR_TYPE_BUFFER, &buffer};
        if (from.one_in(80)) desc.Type = DML_TENSOR_TYPE_INVALID;
        if (from.one_in(80)) desc.Desc = nullptr;
    }
    any_tensor(const any_tensor&) = delete;
    any_tensor& operator=(const any_tensor&) = delete;
};

constexpr const char* names[] = {"identity", "shrink", "threshold", "clip",     "relu",       "abs",
                                 "negate",   "sign",   "round",     "ceil",     "floor",      "linear",
                                 "add",      "min",    "max",       "subtract", "leaky_relu", "thresholded_relu",
                                 "multiply"};

void run(source& from) {
    std::deque<any_tensor> tensors;
    std::deque<descriptors::operator_of> operators;
    std::vector<DML_OPERATOR_DESC> chain;
    // What the operators want of memory, in the order of the chain's inputs; the last is the output's.
    std::vector<UINT64> wanted;
    const any_tensor* previous = nullptr;
    const std::size_t count = from.one_in(30) ? from.below(40) : 1 + from.below(3);
    for (std::size_t i = 0; i < count; ++i) {
        descriptors::op o{names[from.below(std::size(names))], {from.attribute(), from.attribute()}};
        if (o.name == "round") o.attributes = {static_cast<float>(from.below(from.one_in(8) ? 4 : 3))};
        if (from.one_in(3)) o.scale_bias = {from.attribute(), from.attribute()};
        const any_tensor& a = previous != nullptr && !from.one_in(8) ? *previous : tensors.emplace_back(from, previous);
        const any_tensor& b = tensors.emplace_back(from, &a);
        const any_tensor& y = tensors.emplace_back(from, &a);
        const DML_TENSOR_DESC* const second = descriptors::is_binary(o.name) ? &b.desc : nullptr;
        chain.push_back(operators.emplace_back(o, a.desc, second, y.desc).desc());
        if (i == 0) wanted.push_back(a.buffer.TotalTensorSizeInBytes);
        if (descriptors::is_binary(o.name)) wanted.push_back(b.buffer.TotalTensorSizeInBytes);
        previous = &y;
        if (from.one_in(60)) chain.back().Type = static_cast<DML_OPERATOR_TYPE>(200 + from.below(50));
        if (from.one_in(60)) chain.back().Desc = nullptr;
    }
    std::optional<compiled_operator> compiled;
    try {
        const int level = from.one_in(8) ? 0x1000 * from.between(0, 7) : 0x6400;
        compiled = compile(chain, static_cast<DML_FEATURE_LEVEL>(level));
    } catch (const sinter::error& refusal) {
        fuzz::expect(std::string(refusal.what()).size() > 20, "a refusal without a reason");
        return;
    }
    fuzz::expect(compiled->input_count() == wanted.size(), "another number of inputs than the descriptors have");
    wanted.push_back(previous->buffer.TotalTensorSizeInBytes);
    if (std::any_of(wanted.begin(), wanted.end(), [](UINT64 size) { return size > 100'000; })) return;
    std::vector<bytes> memory;
    for (const UINT64 size : wanted) {
        memory.emplace_back(static_cast<std::size_t>(size));
        from.fill(memory.back().data(), memory.back().size(), 1, false);
    }
    std::optional<bytes> first;
    for (const directml_backends::backend& backend : directml_backends::all()) {
        if (!backend.in_memory) continue;
        std::vector<bytes> own = memory;
        std::vector<operand> inputs;
        for (std::size_t i = 0; i + 1 < own.size(); ++i) inputs.push_back({&own[i], 0});
        backend.run(*compiled, inputs, {&own.back(), 0});
        for (std::size_t i = 0; i + 1 < own.size(); ++i) fuzz::expect(own[i] == memory[i], "an input is written to");
        // NaNs may differ in their bits, so that floating results are for the other programs.
        const auto type = previous->buffer.DataType;
        if (type == DML_TENSOR_DATA_TYPE_FLOAT32 || type == DML_TENSOR_DATA_TYPE_FLOAT16) continue;
        if (!first) first = own.back();
        fuzz::expect(own.back() == *first, backend.name + " differs from " + directml_backends::all()[0].name);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    source from(data, size);
    run(from);
    return 0;
}
