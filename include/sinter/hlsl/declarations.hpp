// What stands before a kernel's functions: its purpose, its constants, its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../core/element.hpp"
#include "../expr/program.hpp"
#include "helpers.hpp"
#include "interface.hpp"
#include "layout.hpp"
#include "usage.hpp"
#include "writer.hpp"

namespace sinter::hlsl::detail {

// Everything about one kernel that its writers look at.
struct kernel_description {
    program_view program;
    layout as;
    const kernel_interface& boundary;
    const std::uint8_t* held;  // one per register
    std::size_t lanes;

    constexpr std::size_t output_bytes() const { return size_of(program.output); }
    constexpr std::size_t input_bytes(std::size_t k) const { return size_of(program.input_types[k]); }
    constexpr access how(std::size_t k) const { return boundary.inputs[k].how; }
    constexpr bool is_bound(std::size_t k) const { return detail::is_bound(how(k)); }
    constexpr bool is_in_place(std::size_t k) const { return how(k) == access::in_place; }
    constexpr input_unit unit(std::size_t k) const { return unit_of(as.kind, program.input_types[k], program.output); }
    constexpr bool reads_in_place() const {
        for (std::size_t k = 0; k < program.inputs; ++k)
            if (is_in_place(k)) return true;
        return false;
    }
    constexpr bool counts_elements() const {
        for (std::size_t k = 0; k < program.inputs; ++k)
            if (is_bound(k) && unit(k) == input_unit::element) return true;
        return false;
    }
    // Whether a word of the output may hold elements that are not the output's.
    constexpr bool has_edges() const {
        return (as.kind == form::words || as.kind == form::gather) && output_bytes() < 4;
    }
};

class declaration_writer {
public:
    constexpr declaration_writer(text_writer& out, const kernel_description& k) : out_(out), k_(k) {}

    constexpr void comment() {
        const program_view& p = k_.program;
        out_ << "// " << std::string_view(name(p.output)) << " from ";
        bool first = true;
        for (std::size_t k = 0; k < p.inputs; ++k) {
            if (!first) out_ << ", ";
            first = false;
            out_ << std::string_view(name(p.input_types[k]));
            if (k_.is_in_place(k)) out_ << " in place";
            if (k_.how(k) == access::unused) out_ << " (not read)";
        }
        if (first) out_ << "no tensor";
        out_ << ", " << p.size << " instructions; written by sinter.\n// " << owned() << "\n";
    }

    constexpr void constants() {
        out_ << "cbuffer constants : register(b0)\n{\n";
        for (std::size_t i = 0; i < k_.boundary.geometry_constants; ++i) {
            const constant& c = k_.boundary.geometry[i];
            out_ << "    uint ";
            constant_name(c);
            out_ << ";  // " << meaning(c) << "\n";
        }
        for (std::size_t i = 0; i < k_.program.size; ++i)
            if (k_.held[i] != 0 && is_uniform(k_.program[i])) uniform(i);
        out_ << "};\n";
    }

    constexpr void buffers() {
        for (std::size_t k = 0; k < k_.program.inputs; ++k) {
            if (!k_.is_bound(k)) continue;
            buffer(k_.boundary.inputs[k]);
            out_ << "x" << k;
            at_register(k_.boundary.inputs[k]);
        }
        buffer(k_.boundary.output);
        out_ << "y";
        at_register(k_.boundary.output);
    }

private:
    constexpr std::string_view owned() const {
        switch (k_.as.kind) {
            case form::packed: return "Dense operands at 16-byte boundaries: a thread owns one 16-byte vector of y.";
            case form::words: return "Dense operands at any element: a thread owns one 32-bit word of y.";
            case form::gather: return "Strided inputs into a dense y: a thread owns one 32-bit word of y.";
            default: return "Strided operands: a thread owns one element of y.";
        }
    }

    constexpr void constant_name(const constant& c) {
        switch (c.role) {
            case constant_role::zero: out_ << "zero"; return;
            case constant_role::count: out_ << "count"; return;
            case constant_role::groups_x: out_ << "groups_x"; return;
            case constant_role::output_first: out_ << "y_first"; return;
            case constant_role::head_mask: out_ << "head_mask"; return;
            case constant_role::tail_mask: out_ << "tail_mask"; return;
            case constant_role::lowest: out_ << "lowest"; return;
            case constant_role::highest: out_ << "highest"; return;
            case constant_role::input_first: out_ << "x" << c.operand << "_first"; return;
            case constant_role::input_shift: out_ << "x" << c.operand << "_shift"; return;
            case constant_role::input_last: out_ << "x" << c.operand << "_last"; return;
            case constant_role::size: out_ << "size_" << c.dimension; return;
            case constant_role::output_stride: out_ << "y_stride_" << c.dimension; return;
            case constant_role::input_stride: out_ << "x" << c.operand << "_stride_" << c.dimension; return;
        }
    }

    constexpr std::string_view meaning(const constant& c) const {
        switch (c.role) {
            case constant_role::zero: return "always 0, which no compiler may know";
            case constant_role::count: return "work items, one for each thread";
            case constant_role::groups_x: return "thread groups in x";
            case constant_role::output_first:
                switch (k_.as.kind) {
                    case form::packed: return "the first vector of the output in y";
                    case form::strided: return "the first element of the output in y";
                    default: return "the first word of the output in y";
                }
            case constant_role::head_mask: return "the bits of the first word that are the output's";
            case constant_role::tail_mask: return "the bits of the last word that are the output's";
            case constant_role::lowest: return "elements of the first word that are not the output's";
            case constant_role::highest: return "the output's last element, counted from the first word";
            case constant_role::input_first:
                switch (k_.unit(c.operand)) {
                    case input_unit::structure: return "the input's start, in elements of its buffer";
                    case input_unit::word_after: return "1 more than the word that holds the first byte wanted";
                    default:
                        return k_.has_edges() && k_.as.kind == form::words
                                   ? "the element that belongs to the first word's start; may wrap"
                                   : "the first element of the input";
                }
            case constant_role::input_shift: return "bits from the output's word boundaries to the input's";
            case constant_role::input_last: return "the last word that holds elements";
            case constant_role::size: return c.dimension == 0 ? "of the innermost dimension" : "of the next one";
            default: return c.dimension == 0 ? "in elements, innermost first" : "of the next dimension";
        }
    }

    constexpr void uniform(std::size_t i) {
        const instruction& next = k_.program[i];
        out_ << "    uint uniform_" << i << ";  // "
             << (next.type == value_type::mask ? std::string_view("mask") : type_name(next.type)) << ", "
             << name_of(next.op);
        if (next.op == operation::parameter) out_ << " " << next.bits;
        out_ << "\n";
    }

    static constexpr std::string_view type_name(value_type type) { return name(to_element_type(type)); }

    constexpr void buffer(const binding& b) {
        out_ << (b.how == access::read_only ? literal("StructuredBuffer<uint") : literal("RWStructuredBuffer<uint"));
        if (b.bytes > 4) out_ << b.bytes / 4u;
        out_ << "> ";
    }
    constexpr void at_register(const binding& b) {
        out_ << " : register(" << (b.how == access::read_only ? literal("t") : literal("u"))
             << static_cast<unsigned>(b.slot) << ");\n";
    }

    text_writer& out_;
    const kernel_description& k_;
};

}  // namespace sinter::hlsl::detail
