#include "onnx_model.hpp"

#include <cstdint>
#include <cstring>
#include <initializer_list>

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

std::string float_bytes(float value) {
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

constexpr std::uint64_t float_type = 1;
constexpr std::uint64_t float_attribute = 1;

std::string attribute(const char* name, float value) {
    const std::string f = varint(2 << 3 | 5) + float_bytes(value);  // a field of four bytes
    return field(1, std::string(name)) + f + field(20, float_attribute);
}

std::string node(const char* operation, std::initializer_list<const char*> inputs, const char* output,
                 const std::string& attributes = "") {
    std::string bytes;
    for (const char* const input : inputs) bytes += field(1, std::string(input));
    return bytes + field(2, std::string(output)) + field(4, std::string(operation)) + attributes;
}

// A tensor without dimensions.
std::string scalar(const char* name, float value) {
    return field(2, float_type) + field(8, std::string(name)) + field(9, float_bytes(value));
}

// A tensor of one dimension, whose size is known when the model runs.
std::string vector(const char* name) {
    const std::string dimension = field(1, field(2, std::string("n")));
    return field(1, std::string(name)) + field(2, field(1, field(1, float_type) + field(2, dimension)));
}

}  // namespace

std::string onnx_chain3(const attributes& a) {
    const std::string shrink =
        field(5, attribute("bias", a.shrink_bias)) + field(5, attribute("lambd", a.shrink_threshold));
    const std::string graph =
        field(1, node("Mul", {"x", "scale"}, "scaled")) + field(1, node("Add", {"scaled", "bias"}, "moved")) +
        field(1, node("Shrink", {"moved"}, "shrunk", shrink)) + field(1, node("Max", {"shrunk", "minimum"}, "y")) +
        field(2, std::string("chain3")) + field(5, scalar("scale", a.scale)) + field(5, scalar("bias", a.bias)) +
        field(5, scalar("minimum", a.minimum)) + field(11, vector("x")) + field(12, vector("y"));
    constexpr std::uint64_t intermediate_representation = 8, operator_set = 13;
    return field(1, intermediate_representation) + field(7, graph) + field(8, field(2, operator_set));
}

}  // namespace bench
