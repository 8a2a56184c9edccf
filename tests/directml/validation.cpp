// What compile refuses and accepts, what it says, and what dispatch refuses.
#include <sinter/directml.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "descriptors.hpp"

using namespace sinter::directml;
using descriptors::sizes;
using descriptors::tensor;

namespace {

// The message, or nothing where it compiles.
template <class... Level>
std::string refusal(const DML_OPERATOR_DESC& desc, Level... level) {
    try {
        static_cast<void>(compile(desc, level...));
        return {};
    } catch (const descriptor_error& error) {
        CHECK(error.code() == sinter::errc::invalid_descriptor);
        CHECK(static_cast<std::uint32_t>(error.hresult()) == 0x80070057u);
        return error.what();
    }
}

bool says(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
        if (message.find(part) != std::string::npos) continue;
        MESSAGE("'" << part << "' is not in '" << message << "'");
        return false;
    }
    return true;
}

struct shrink_of {
    DML_ACTIVATION_SHRINK_OPERATOR_DESC desc;
    shrink_of(const tensor& in, const tensor& out) : desc{&in.desc, &out.desc, 0.f, 0.5f} {}
    operator DML_OPERATOR_DESC() const { return {DML_OPERATOR_ACTIVATION_SHRINK, &desc}; }
};

// Shrink on two tensors of sizes {2, 4}, after a change to one of them.
struct pair {
    tensor in{DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}};
    tensor out{DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}};
};
template <class Change>
std::string after(const Change& change) {
    pair p;
    change(p);
    return refusal(shrink_of(p.in, p.out));
}

std::string with_output_strides(sizes strides) {
    const tensor in(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4});
    const tensor out(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}, std::move(strides));
    return refusal(shrink_of(in, out));
}
std::string with_input_strides(sizes strides) {
    const tensor in(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}, std::move(strides));
    const tensor out(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4});
    return refusal(shrink_of(in, out));
}

}  // namespace

TEST_CASE("L5: ranks") {
    for (UINT rank = 1; rank <= 8; ++rank) {
        const tensor t(DML_TENSOR_DATA_TYPE_INT8, sizes(rank, 2));
        CHECK(refusal(shrink_of(t, t)) == "");
    }
    CHECK(says(after([](pair& p) { p.in.buffer.DimensionCount = 0; }),
               {"DML_ACTIVATION_SHRINK_OPERATOR_DESC.InputTensor", "DimensionCount is 0", "1 to 8"}));
    const tensor nine(DML_TENSOR_DATA_TYPE_FLOAT32, sizes(9, 1));
    CHECK(says(refusal(shrink_of(nine, nine)), {"DimensionCount is 9"}));
}

TEST_CASE("sizes") {
    for (const std::size_t i : {0u, 1u})
        CHECK(says(after([i](pair& p) { p.out.extents[i] = 0; }),
                   {"OutputTensor", "Sizes[", "is 0", i == 0 ? "{0, 4}" : "{2, 0}"}));
    CHECK(says(after([](pair& p) { p.in.buffer.Sizes = nullptr; }), {"InputTensor", "Sizes is null"}));
}

TEST_CASE("tensors that do not match name both") {
    pair p;
    const tensor other_sizes(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 5});
    CHECK(says(refusal(shrink_of(p.in, other_sizes)), {"different sizes", "{2, 4}", "{2, 5}", "InputTensor (FLOAT32"}));
    const tensor other_rank(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4, 1});
    CHECK(says(refusal(shrink_of(p.in, other_rank)), {"different numbers of dimensions", "{2, 4, 1}"}));
    const tensor other_type(DML_TENSOR_DATA_TYPE_FLOAT16, {2, 4});
    CHECK(says(refusal(shrink_of(p.in, other_type)), {"different data types", "FLOAT32", "FLOAT16"}));
    const DML_ELEMENT_WISE_ADD_OPERATOR_DESC add{&p.in.desc, &other_sizes.desc, &p.out.desc};
    CHECK(says(refusal({DML_OPERATOR_ELEMENT_WISE_ADD, &add}), {"BTensor (FLOAT32, sizes {2, 5}", "OutputTensor"}));
}

TEST_CASE("strides") {
    for (const sizes& overlapping : {sizes{0, 1}, sizes{1, 1}, sizes{3, 1}})
        CHECK(says(with_output_strides(overlapping), {"OutputTensor", "two indices of the output name the same"}));
    for (const sizes& fine : {sizes{4, 1}, sizes{5, 1}, sizes{1, 2}, sizes{7, 2}})
        CHECK(with_output_strides(fine) == "");
    for (const sizes& repeating : {sizes{0, 1}, sizes{1, 1}, sizes{0, 0}, sizes{3, 1}, sizes{9, 2}})
        CHECK(with_input_strides(repeating) == "");
    const tensor row(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 4}, {0, 1});
    CHECK(refusal(shrink_of(row, row)) == "");
}

TEST_CASE("TotalTensorSizeInBytes") {
    CHECK(says(after([](pair& p) { p.in.buffer.TotalTensorSizeInBytes = 31; }),
               {"InputTensor", "TotalTensorSizeInBytes is 31", "need 32"}));
    CHECK(after([](pair& p) { p.in.buffer.TotalTensorSizeInBytes = 33; }) == "");
    CHECK(after([](pair& p) { p.out.buffer.TotalTensorSizeInBytes = 4096; }) == "");
    tensor three(DML_TENSOR_DATA_TYPE_UINT8, {3});
    CHECK(three.buffer.TotalTensorSizeInBytes == 4);
    CHECK(refusal(shrink_of(three, three)) == "");
    three.buffer.TotalTensorSizeInBytes = 3;
    CHECK(says(refusal(shrink_of(three, three)), {"is 3", "need 4"}));
}

TEST_CASE("GuaranteedBaseOffsetAlignment") {
    for (const UINT alignment : {0u, 16u, 32u, 256u, 65536u})
        CHECK(after([=](pair& p) { p.in.buffer.GuaranteedBaseOffsetAlignment = alignment; }) == "");
    for (const UINT alignment : {1u, 4u, 8u, 17u, 24u, 48u})
        CHECK(says(after([=](pair& p) { p.out.buffer.GuaranteedBaseOffsetAlignment = alignment; }),
                   {"OutputTensor", "GuaranteedBaseOffsetAlignment", "power of two from 16"}));
}

TEST_CASE("null pointers and unknown enumerators") {
    pair p;
    DML_ACTIVATION_SHRINK_OPERATOR_DESC d{nullptr, &p.out.desc, 0.f, 0.5f};
    CHECK(says(refusal({DML_OPERATOR_ACTIVATION_SHRINK, &d}), {"InputTensor is null"}));
    d = {&p.in.desc, nullptr, 0.f, 0.5f};
    CHECK(says(refusal({DML_OPERATOR_ACTIVATION_SHRINK, &d}), {"OutputTensor is null"}));
    CHECK(says(refusal({DML_OPERATOR_ACTIVATION_SHRINK, nullptr}), {"Desc is null"}));
    CHECK(says(after([](pair& q) { q.in.desc.Desc = nullptr; }), {"InputTensor->Desc is null"}));
    CHECK(says(after([](pair& q) { q.in.desc.Type = static_cast<DML_TENSOR_TYPE>(1 - 1); }), {"->Type is 0"}));
    CHECK(says(refusal({DML_OPERATOR_INVALID, &d}), {"operator type is 0"}));
    for (const int type : {0, 9, 10, 11, 13})
        CHECK(says(after([=](pair& q) { q.in.buffer.DataType = static_cast<DML_TENSOR_DATA_TYPE>(type); }),
                   {"InputTensor: DataType is"}));
    CHECK(says(after([](pair& q) { q.out.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML; }),
               {"OutputTensor", "OWNED_BY_DML"}));
    CHECK(after([](pair& q) { q.in.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML; }) == "");
    DML_ELEMENT_WISE_ROUND_OPERATOR_DESC round{&p.in.desc, &p.out.desc, static_cast<DML_ROUNDING_MODE>(3)};
    CHECK(says(refusal({DML_OPERATOR_ELEMENT_WISE_ROUND, &round}), {"RoundingMode is 3"}));
    CHECK_THROWS_AS(compile(std::span<const DML_OPERATOR_DESC>()), descriptor_error);
}

TEST_CASE("numbers of elements") {
    tensor huge(DML_TENSOR_DATA_TYPE_UINT8, {65536, 65536});
    CHECK(says(refusal(shrink_of(huge, huge)), {"more than 4294967295 elements"}));
    tensor large(DML_TENSOR_DATA_TYPE_UINT8, {65535, 65537});
    CHECK(refusal(shrink_of(large, large)) == "");
    tensor wide(DML_TENSOR_DATA_TYPE_UINT8, sizes(8, 1));
    std::fill(wide.extents.begin(), wide.extents.end(), 0xffffffffu);
    CHECK(says(refusal(shrink_of(wide, wide)), {"more than"}));
    tensor far(DML_TENSOR_DATA_TYPE_FLOAT32, {0xffffffffu}, {1});
    far.strides = {0xffffffffu};
    far.buffer.TotalTensorSizeInBytes = ~UINT64{0};
    CHECK(says(refusal(shrink_of(far, far)), {"InputTensor", "reaches further"}));
    const tensor near(DML_TENSOR_DATA_TYPE_FLOAT32, {0xffffffffu}, {0});
    CHECK(says(refusal(shrink_of(near, far)), {"OutputTensor", "reaches further"}));
}

TEST_CASE("attributes are never refused") {
    pair p;
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float value : {-1.f, std::nanf(""), infinity, -infinity}) {
        const DML_ACTIVATION_SHRINK_OPERATOR_DESC d{&p.in.desc, &p.out.desc, value, value};
        CHECK(refusal({DML_OPERATOR_ACTIVATION_SHRINK, &d}) == "");
    }
}

TEST_CASE("feature levels name the one that would do") {
    const tensor four(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, 2, 4}), six(DML_TENSOR_DATA_TYPE_FLOAT32, sizes(6, 1));
    const tensor bytes(DML_TENSOR_DATA_TYPE_INT8, {1, 1, 2, 4});
    CHECK(says(refusal(shrink_of(four, four), DML_FEATURE_LEVEL_1_0),
               {"DML_FEATURE_LEVEL_1_0 does not have this operator; DML_FEATURE_LEVEL_2_0 allows it"}));
    CHECK(refusal(shrink_of(four, four), DML_FEATURE_LEVEL_2_0) == "");
    CHECK(says(refusal(shrink_of(six, six), DML_FEATURE_LEVEL_2_1),
               {"{1, 1, 1, 1, 1, 1}", "DML_FEATURE_LEVEL_2_1 takes ranks 4 to 5 of FLOAT32, FLOAT16",
                "DML_FEATURE_LEVEL_3_0 allows it"}));
    CHECK(says(refusal(shrink_of(bytes, bytes), DML_FEATURE_LEVEL_5_0), {"INT8", "DML_FEATURE_LEVEL_5_1 allows it"}));
    const tensor words(DML_TENSOR_DATA_TYPE_UINT16, {4});
    const DML_ACTIVATION_RELU_OPERATOR_DESC relu{&words.desc, &words.desc};
    CHECK(says(refusal({DML_OPERATOR_ACTIVATION_RELU, &relu}), {"UINT16", "no feature level allows it"}));
}

// Every operator, rank, type and level, against the table of the levels.
TEST_CASE("every row of the table of feature levels") {
    for (const operator_support& o : supported_operators) {
        for (std::size_t rank = 1; rank <= 8; ++rank) {
            for (unsigned t = 0; t < 8; ++t) {
                const auto type = static_cast<sinter::element_type>(t);
                const tensor x(type, sizes(rank, 1));
                union {
                    DML_ELEMENT_WISE_CLIP_OPERATOR_DESC unary;
                    DML_ELEMENT_WISE_ADD_OPERATOR_DESC binary;
                } desc;
                if (o.inputs == 2) desc.binary = {&x.desc, &x.desc, &x.desc};
                else desc.unary = {&x.desc, &x.desc, nullptr, 0.f, 0.f};
                for (const unsigned level : {0x1000u, 0x2000u, 0x2100u, 0x3000u, 0x3100u, 0x4000u, 0x4100u, 0x5000u,
                                             0x5100u, 0x5200u, 0x6000u, 0x6400u}) {
                    bool allowed = false;
                    for (const tensor_support& row : o.support())
                        if (row.level <= level)
                            allowed = rank >= row.lowest_rank && rank <= row.highest_rank && (row.types >> t & 1u) != 0;
                    INFO(o.name << " of rank " << rank << ", " << sinter::name(type) << ", level " << level);
                    CHECK((refusal({o.type, &desc}, static_cast<DML_FEATURE_LEVEL>(level)) == "") == allowed);
                }
            }
        }
    }
}

TEST_CASE("links of a chain") {
    const tensor x(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}), other(DML_TENSOR_DATA_TYPE_FLOAT32, {4, 2});
    const tensor turned(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}, {1, 2}), half(DML_TENSOR_DATA_TYPE_FLOAT16, {2, 4});
    const auto link = [&](const tensor& between, const tensor& next) {
        const shrink_of first(x, between), second(next, next);
        try {
            static_cast<void>(compile(std::vector<DML_OPERATOR_DESC>{first, second}));
            return std::string();
        } catch (const descriptor_error& error) {
            return std::string(error.what());
        }
    };
    CHECK(link(x, x) == "");
    CHECK(link(turned, turned) == "");
    CHECK(says(link(x, other), {"operator 2 of the chain", "{2, 4}", "{4, 2}", "different sizes"}));
    CHECK(says(link(x, turned), {"different strides", "{4, 1}", "{1, 2}"}));
    CHECK(says(link(x, half), {"different data types", "FLOAT16"}));
    const shrink_of fine(x, x), wrong(x, other);
    CHECK_THROWS_WITH_AS(compile(std::vector<DML_OPERATOR_DESC>{fine, wrong}),
                         doctest::Contains("operator 2 of the chain"), descriptor_error);
}

TEST_CASE("dispatch refuses overlap, missing memory and a wrong number of inputs before it writes") {
    pair p;
    const auto op = compile(shrink_of(p.in, p.out));
    std::vector<float> x(16, 3.f);
    const auto code_of = [](const auto& action) {
        try {
            action();
            return std::string("nothing");
        } catch (const sinter::error& error) {
            return std::string(sinter::name(error.code()));
        }
    };
    const sinter::cpu::scalar scalar{};
    CHECK(code_of([&] { op.dispatch(scalar, x.data(), x.data() + 1); }) == "overlap");
    CHECK(code_of([&] { op.dispatch(scalar, nullptr, x.data()); }) == "null_data");
    CHECK(code_of([&] { op.dispatch(scalar, x.data(), nullptr); }) == "null_data");
    const void* two[] = {x.data(), x.data()};
    CHECK(code_of([&] { op.dispatch(scalar, two, x.data() + 8); }) == "value");
    const tensor across(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 4}, {1, 2});
    const auto transposing = compile(shrink_of(p.in, across));
    CHECK(code_of([&] { transposing.dispatch(scalar, x.data(), x.data()); }) == "overlap");
    CHECK(x == std::vector<float>(16, 3.f));
    CHECK(code_of([&] { op.dispatch(scalar, x.data(), x.data()); }) == "nothing");
    CHECK(code_of([&] { op.dispatch(scalar, x.data(), x.data() + 8); }) == "nothing");
}

TEST_CASE("S10: sizes in bytes and strides") {
    const UINT extents[] = {65537, 2}, strides[] = {65537, 1};
    CHECK(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_UINT8, 2, extents, strides) == 4295032836u);
    CHECK(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_UINT8, 2, extents, nullptr) == 131076u);
    CHECK(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT64, 2, extents, nullptr) == 1048592u);
    const UINT none[] = {2, 0, 3};
    CHECK(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, 3, none, nullptr) == 0);
    CHECK_THROWS_AS(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_UNKNOWN, 2, extents, nullptr), sinter::error);
    const sizes most(8, 0xffffffffu);
    CHECK_THROWS_AS(calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, 8, most.data(), most.data()), sinter::error);
    CHECK(packed_strides({2, 3, 4}) == sizes{12, 4, 1});
    CHECK(broadcast_strides({3, 1}, {2, 3, 4}) == sizes{0, 1, 0});
    CHECK(broadcast_strides({2, 3}, {5, 2, 3}) == sizes{0, 3, 1});
    CHECK_THROWS_WITH_AS(broadcast_strides({2}, {3}), doctest::Contains("{2} do not broadcast to {3}"), sinter::error);
    CHECK_THROWS_AS(broadcast_strides({2, 3}, {3}), sinter::error);
}
