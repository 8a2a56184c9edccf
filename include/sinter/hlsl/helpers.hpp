// The HLSL functions that instructions are written with, for 1, 2 or 4 lanes; a kernel holds those that it uses.
//
// Written so that every compiler takes them and none changes a result: no ?: or || on vectors, no -f, no isnan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../expr/program.hpp"
#include "usage.hpp"
#include "writer.hpp"

namespace sinter::hlsl::detail {

enum class helper : std::uint8_t {
    splat,
    rounded,
    pick_float,
    pick_int,
    pick_uint,
    is_nan,
    minimum,
    maximum,
    both,
    either,
    opposite,
    to_int,
    to_uint,
    to_int32,
    to_uint32,
    to_half,
};

class helper_set {
public:
    constexpr bool has(helper h) const { return ((bits_ >> static_cast<unsigned>(h)) & 1u) != 0; }

    // With everything that its own text calls.
    constexpr void add(helper h) {
        bits_ |= 1u << static_cast<unsigned>(h);
        switch (h) {
            case helper::minimum:
            case helper::maximum: return add(helper::pick_float), add(helper::is_nan), add(helper::either);
            case helper::to_int:
            case helper::to_int32: return add(helper::is_nan), add(helper::pick_int);
            case helper::to_uint32:
            case helper::to_half: return add(helper::pick_uint);
            default: return;
        }
    }

private:
    std::uint32_t bits_ = 0;
};

constexpr bool is_signed_integer(value_type type) {
    return type == value_type::int32 || type == value_type::int16 || type == value_type::int8;
}

constexpr helper pick_of(value_type type) {
    if (is_floating(type)) return helper::pick_float;
    return is_signed_integer(type) ? helper::pick_int : helper::pick_uint;
}

constexpr helper conversion_to(value_type type) {
    if (type == value_type::int32) return helper::to_int32;
    if (type == value_type::uint32) return helper::to_uint32;
    return is_signed_integer(type) ? helper::to_int : helper::to_uint;
}

constexpr void add_helpers(helper_set& used, const instruction& i) {
    switch (i.op) {
        case operation::add:
        case operation::subtract:
        case operation::multiply:
            if (is_floating(i.type)) used.add(helper::rounded);
            return;
        case operation::minimum:
            if (is_floating(i.type)) used.add(helper::minimum);
            return;
        case operation::maximum:
            if (is_floating(i.type)) used.add(helper::maximum);
            return;
        case operation::equal:
        case operation::not_equal:
        case operation::less_equal:
        case operation::greater_equal:
            if (i.a == i.b) used.add(helper::is_nan);
            return;
        case operation::logical_and: return used.add(helper::both);
        case operation::logical_or: return used.add(helper::either);
        case operation::logical_not: return used.add(helper::opposite);
        case operation::select: return used.add(pick_of(i.type));
        case operation::truncate:
        case operation::nearest: return used.add(conversion_to(i.type));
        case operation::round_to_half: return used.add(helper::to_half);
        default: return;
    }
}

constexpr helper_set helpers_of(const program_view& program, const std::uint8_t* held) {
    helper_set used;
    for (std::size_t i = 0; i < program.size; ++i) {
        if (held[i] == 0) continue;
        if (is_varying(program[i])) add_helpers(used, program[i]);
        else used.add(helper::splat);
    }
    const instruction& result = program[program.result];
    if (program.output == element_type::float16 && result.op != operation::input) used.add(helper::to_half);
    return used;
}

// The instructions' names, measured once.
inline constexpr auto operation_names = [] {
    std::array<std::string_view, static_cast<std::size_t>(operation::round_to_half) + 1> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = name(static_cast<operation>(i));
    return names;
}();
constexpr std::string_view name_of(operation op) { return operation_names[static_cast<std::size_t>(op)]; }

// Writes for a fixed number of lanes.
class lane_writer {
public:
    constexpr lane_writer(text_writer& out, std::size_t lanes) : out_(out), lanes_(lanes) {}

    constexpr std::size_t lanes() const { return lanes_; }

    constexpr lane_writer& operator<<(const auto& text) {
        out_ << text;
        return *this;
    }
    template <std::size_t N>
    constexpr lane_writer& operator<<(const char (&characters)[N]) {
        out_ << characters;
        return *this;
    }

    // float, float2 or float4, and so on.
    constexpr lane_writer& type(literal scalar) {
        out_ << scalar;
        if (lanes_ > 1) out_ << lanes_;
        return *this;
    }

    static constexpr std::string_view component(std::size_t lane) {
        return std::string_view(".x.y.z.w").substr(2 * lane, 2);
    }
    constexpr std::string_view lane(std::size_t l) const { return lanes_ == 1 ? std::string_view() : component(l); }

    // A vector of its components; write(l) writes the l-th.
    template <class Write>
    constexpr lane_writer& vector(literal scalar, Write write) {
        if (lanes_ > 1) type(scalar) << "(";
        for (std::size_t l = 0; l < lanes_; ++l) {
            if (l > 0) out_ << ", ";
            write(l);
        }
        if (lanes_ > 1) out_ << ")";
        return *this;
    }

private:
    text_writer& out_;
    std::size_t lanes_;
};

class helper_writer {
public:
    constexpr helper_writer(text_writer& out, std::size_t lanes) : w_(out, lanes) {}

    constexpr void write(const helper_set& used) {
        if (used.has(helper::splat) && w_.lanes() > 1) splat();
        if (used.has(helper::rounded)) rounded();
        if (used.has(helper::pick_float)) pick("float");
        if (used.has(helper::pick_int)) pick("int");
        if (used.has(helper::pick_uint)) pick("uint");
        if (used.has(helper::is_nan)) is_nan();
        if (used.has(helper::both)) connective("both", " && ");
        if (used.has(helper::either)) connective("either", " || ");
        if (used.has(helper::opposite)) opposite();
        if (used.has(helper::minimum)) extreme("minimum", " < ");
        if (used.has(helper::maximum)) extreme("maximum", " > ");
        if (used.has(helper::to_int)) to_int();
        if (used.has(helper::to_uint)) to_uint();
        if (used.has(helper::to_int32)) to_int32();
        if (used.has(helper::to_uint32)) to_uint32();
        if (used.has(helper::to_half)) to_half();
    }

private:
    constexpr void splat() {
        w_.type("uint") << " splat(uint bits) { return ";
        w_.vector("uint", [&](std::size_t) { w_ << "bits"; }) << "; }\n";
    }

    constexpr void rounded() {
        w_ << "// Ends every rounding: what passes through integers is neither fused nor rearranged.\n";
        w_.type("float") << " rounded(";
        w_.type("float") << " v) { return asfloat(asuint(v) ^ zero); }\n";
    }

    // By bits: over ?: whose operands hold further ?: vkd3d's compiler takes exponential time.
    constexpr void pick(literal scalar) {
        const bool is_float = scalar.text[0] == 'f';
        const literal bits = is_float ? literal("uint") : scalar;
        const auto arm = [&](literal name, literal mask) {
            if (is_float) w_ << "(asuint(" << name << ")" << mask << ")";
            else w_ << "(" << name << mask << ")";
        };
        w_.type(scalar) << " pick(";
        w_.type("bool") << " c, ";
        w_.type(scalar) << " a, ";
        w_.type(scalar) << " b)\n{\n    ";
        w_.type(bits) << " m = " << (bits.text[0] == 'u' ? literal("0u - ") : literal("0 - "));
        w_.type(bits) << "(c);\n    return " << (is_float ? literal("asfloat(") : literal(""));
        arm("a", " & m");
        w_ << " | ";
        arm("b", " & ~m");
        w_ << (is_float ? literal(")") : literal("")) << ";\n}\n";
    }

    constexpr void is_nan() {
        w_.type("bool") << " is_nan(";
        w_.type("float") << " v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }\n";
    }

    constexpr void extreme(literal name, literal compares) {
        w_ << "// The operand that is not NaN; of equals, the second.\n";
        w_.type("float") << " " << name << "(";
        w_.type("float") << " a, ";
        w_.type("float") << " b) { return pick(either(a" << compares << "b, is_nan(b)), a, b); }\n";
    }

    constexpr void connective(literal name, literal joins) {
        w_.type("bool") << " " << name << "(";
        w_.type("bool") << " a, ";
        w_.type("bool") << " b) { return ";
        w_.vector("bool", [&](std::size_t l) { w_ << "a" << w_.lane(l) << joins << "b" << w_.lane(l); });
        w_ << "; }\n";
    }

    constexpr void opposite() {
        w_.type("bool") << " opposite(";
        w_.type("bool") << " a) { return ";
        w_.vector("bool", [&](std::size_t l) { w_ << "!a" << w_.lane(l); }) << "; }\n";
    }

    // Direct3D's max and min return the operand that is not NaN.
    constexpr void to_int() {
        w_ << "// Toward zero and saturated; NaN becomes 0.\n";
        begin_conversion("int", "to_int", ", float lowest_value, float highest_value");
        w_ << "(min(max(v, lowest_value), highest_value));\n";
        nan_becomes_0();
    }

    constexpr void to_uint() {
        w_ << "// Toward zero and saturated; NaN becomes 0, by max.\n";
        begin_conversion("uint", "to_uint", ", float highest_value");
        w_ << "(min(max(v, 0.0), highest_value));\n    return r;\n}\n";
    }

    constexpr void to_int32() {
        w_ << "// Toward zero and saturated; NaN becomes 0. The highest float32 below 2^31 is 2147483520.\n";
        begin_conversion("int", "to_int32", "");
        w_ << "(min(max(v, -2147483648.0), 2147483520.0));\n    r = pick(v >= 2147483648.0, ";
        all("int", "0x7fffffff");
        w_ << ", r);\n";
        nan_becomes_0();
    }

    constexpr void to_uint32() {
        w_ << "// Toward zero and saturated; NaN becomes 0, by max. The highest float32 below 2^32 is 4294967040.\n";
        begin_conversion("uint", "to_uint32", "");
        w_ << "(min(max(v, 0.0), 4294967040.0));\n    return pick(v >= 4294967296.0, ";
        all("uint", "0xffffffffu");
        w_ << ", r);\n}\n";
    }

    constexpr void begin_conversion(literal scalar, literal name, literal bounds) {
        w_.type(scalar) << " " << name << "(";
        w_.type("float") << " v" << bounds << ")\n{\n    ";
        w_.type(scalar) << " r = ";
        w_.type(scalar);
    }
    constexpr void nan_becomes_0() {
        w_ << "    return pick(is_nan(v), ";
        all("int", "0");
        w_ << ", r);\n}\n";
    }

    constexpr void all(literal scalar, literal value) {
        w_.vector(scalar, [&](std::size_t) { w_ << value; });
    }

    constexpr void to_half() {
        w_ << "// To nearest even, by integers, since hardware differs; NaN stays a NaN.\n";
        w_.type("uint") << " to_half(";
        w_.type("float") << " v)\n{\n    ";
        w_.type("uint") << " u = asuint(v), a = u & 0x7fffffffu;\n    ";
        w_.type("uint") << " n = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;  // may carry\n    ";
        w_.type("uint") << " d = asuint(asfloat(a) + 0.5) - 0x3f000000u;  // subnormal: the adder rounds\n    ";
        w_.type("uint") << " r = pick(a > 0x7f800000u, ";
        all("uint", "0x7e00u");
        w_ << ", ";
        all("uint", "0x7c00u");
        w_ << ");\n    r = pick(a < 0x38800000u, d, pick(a < 0x47800000u, n, r));\n"
           << "    return r | ((u >> 16) & 0x8000u);\n}\n";
    }

    lane_writer w_;
};

}  // namespace sinter::hlsl::detail
