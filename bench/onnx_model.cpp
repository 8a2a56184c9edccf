#include "onnx_model.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "sinter/core/float16.hpp"

namespace bench {

namespace {

// Protocol buffers: a field is its number and kind, then a number or a length and as many bytes. The numbers of the
// fields are those of onnx.proto.

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}

std::string field(int number, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}

std::string field(int number, const std::string& bytes) {
    return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}

template <class T>
std::string bytes_of(T value) {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

constexpr std::uint64_t float_attribute = 1;

std::string attribute(const char* name, float value) {
    const std::string f = varint(2 << 3 | 5) + bytes_of(value);  // a field of four bytes
    return field(1, std::string(name)) + f + field(20, float_attribute);
}

// As a field of a graph.
std::string node(const char* operation, std::initializer_list<std::string> inputs, const std::string& output,
                 const std::string& attributes = "") {
    std::string bytes;
    for (const std::string& input : inputs) bytes += field(1, input);
    return field(1, bytes + field(2, output) + field(4, std::string(operation)) + attributes);
}

std::uint64_t number_of(sinter::element_type type) { return type == sinter::element_type::float16 ? 10 : 1; }

// A tensor without dimensions.
std::string scalar(const char* name, sinter::element_type type, float value) {
    const std::string bytes =
        type == sinter::element_type::float16 ? bytes_of(sinter::float16(value)) : bytes_of(value);
    return field(2, number_of(type)) + field(8, std::string(name)) + field(9, bytes);
}

// A tensor of one dimension, whose size is known when the model runs.
std::string vector(const char* name, sinter::element_type type) {
    const std::string dimension = field(1, field(2, std::string("n")));
    return field(1, std::string(name)) + field(2, field(1, field(1, number_of(type)) + field(2, dimension)));
}

}  // namespace

std::string onnx_chain(int operators, sinter::element_type type, const attributes& a) {
    const std::string shrink =
        field(5, attribute("bias", a.shrink_bias)) + field(5, attribute("lambd", a.shrink_threshold));
    std::string graph, before = "x";
    for (int i = 1; i <= operators; ++i) {
        const std::string after = i == operators ? "y" : "after" + std::to_string(i);
        if (i % 3 == 1) {
            const std::string scaled = "scaled" + std::to_string(i);
            graph += node("Mul", {before, "scale"}, scaled) + node("Add", {scaled, "bias"}, after);
        } else if (i % 3 == 2) graph += node("Shrink", {before}, after, shrink);
        else graph += node("Max", {before, "minimum"}, after);
        before = after;
    }
    graph += field(2, std::string("chain")) + field(5, scalar("scale", type, a.scale)) +
             field(5, scalar("bias", type, a.bias)) + field(5, scalar("minimum", type, a.minimum)) +
             field(11, vector("x", type)) + field(12, vector("y", type));
    constexpr std::uint64_t intermediate_representation = 8, operator_set = 13;
    return field(1, intermediate_representation) + field(7, graph) + field(8, field(2, operator_set));
}

}  // namespace bench
