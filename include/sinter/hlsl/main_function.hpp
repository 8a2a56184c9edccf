// The entry point of a kernel: which elements a thread reads, and where its results go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "declarations.hpp"
#include "helpers.hpp"
#include "interface.hpp"
#include "layout.hpp"
#include "writer.hpp"

namespace sinter::hlsl::detail {

class main_writer {
public:
    constexpr main_writer(text_writer& out, const kernel_description& k)
        : out_(out), w_(out, k.lanes), k_(k), inputs_(k.program.inputs) {}

    constexpr void write() {
        functions();
        out_ << "[numthreads(" << threads_per_group << ", 1, 1)]\n"
             << "void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)\n{\n"
             << "    uint i = (group.y * groups_x + group.x) * " << threads_per_group << "u + thread;\n"
             << "    if (i < count)\n    {\n";
        switch (k_.as.kind) {
            case form::packed: packed(); break;
            case form::words: words(); break;
            case form::gather: gather(); break;
            case form::strided: strided(); break;
        }
        out_ << "    }\n}\n";
    }

private:
    static constexpr std::string_view indent = "        ";

    // The call of compute; write(k) writes what it gets of input k.
    template <class Write>
    constexpr void compute(Write write) {
        out_ << "compute(";
        bool first = true;
        for (std::size_t k = 0; k < inputs_; ++k) {
            if (k_.how(k) == access::unused) continue;
            if (!first) out_ << ",\n" << indent << "            ";
            first = false;
            write(k);
        }
        out_ << ")";
    }

    // ---- functions that name a buffer

    constexpr void functions() {
        for (std::size_t k = 0; k < inputs_; ++k)
            if (k_.is_bound(k) && k_.unit(k) == input_unit::element && k_.input_bytes(k) < 4) element_function(k);
        if (k_.as.kind == form::strided && k_.output_bytes() < 4) {
            if (k_.reads_in_place()) output_element_function();
            store_function();
        }
        if (k_.has_edges()) merge_function();
        if (k_.as.kind == form::gather && k_.lanes > 1 && k_.counts_elements()) advance_function();
    }

    constexpr void element_function(std::size_t k) {
        out_ << "uint x" << k << "_element(uint e) { return x" << k;
        element_of_word(k_.input_bytes(k));
    }
    constexpr void output_element_function() {
        out_ << "uint y_element(uint e) { return y";
        element_of_word(k_.output_bytes());
    }
    constexpr void element_of_word(std::size_t bytes) {
        if (bytes == 2) out_ << "[e >> 1] >> ((e & 1u) * 16u); }\n";
        else out_ << "[e >> 2] >> ((e & 3u) * 8u); }\n";
    }

    // Plain read-modify-write would lose the neighbours that other threads write meanwhile.
    constexpr void merge_function() {
        out_ << "// Writes the bits that the mask selects; the others keep what they have, whoever writes them.\n"
             << "void merge(uint at, uint v, uint mask)\n{\n"
             << "    uint old = y[at];\n    InterlockedXor(y[at], (old ^ v) & mask);\n}\n";
    }
    constexpr void store_function() {
        const bool two = k_.output_bytes() == 2;
        out_ << "// Writes one element; the others of its word keep what they have, whoever writes them.\n"
             << "void store(uint e, uint v)\n{\n";
        if (two) {
            out_ << "    uint at = e >> 1, shift = (e & 1u) * 16u, old = y[at];\n"
                 << "    InterlockedXor(y[at], (((old >> shift) ^ v) & 0xffffu) << shift);\n}\n";
        } else {
            out_ << "    uint at = e >> 2, shift = (e & 3u) * 8u, old = y[at];\n"
                 << "    InterlockedXor(y[at], (((old >> shift) ^ v) & 0xffu) << shift);\n}\n";
        }
    }

    // ---- packed

    constexpr void packed() {
        for (std::size_t k = 0; k < inputs_; ++k) {
            if (k_.how(k) == access::unused) continue;
            for (std::size_t part = 0; part < parts(k); ++part) load_vector(k, part);
        }
        const std::size_t calls = 4 / k_.output_bytes();
        if (calls == 1) {
            out_ << indent << "y[y_first + i] = ";
            compute([&](std::size_t k) { vector_argument(k, 0); });
            out_ << ";\n";
            return;
        }
        if (is_long() && all_sizes_are_equal()) return packed_loop();
        // Call c computes the elements that lie c-th in their words: no lane has to move.
        for (std::size_t c = 0; c < calls; ++c) {
            out_ << indent << (c == 0 ? literal("uint4 r = ") : literal("r |= "));
            compute([&](std::size_t k) { vector_argument(k, c); });
            if (c > 0) out_ << " << " << c * 8 * k_.output_bytes();
            out_ << ";\n";
        }
        out_ << indent << "y[y_first + i] = r;\n";
    }

    // Compilers write a program out once for every call: long ones take them seconds.
    constexpr bool is_long() const { return k_.program.size > 128; }
    constexpr bool all_sizes_are_equal() const {
        for (std::size_t k = 0; k < inputs_; ++k)
            if (k_.how(k) != access::unused && k_.input_bytes(k) != k_.output_bytes()) return false;
        return true;
    }
    constexpr void packed_loop() {
        out_ << indent << "uint4 r = uint4(0u, 0u, 0u, 0u);\n"
             << indent << "[loop]\n"
             << indent << "for (uint shift = 0u; shift < 32u; shift += " << 8 * k_.output_bytes() << "u)\n"
             << indent << "    r |= ";
        compute([&](std::size_t k) {
            vector_name(k, 0);
            out_ << " >> shift";
        });
        out_ << " << shift;\n" << indent << "y[y_first + i] = r;\n";
    }

    constexpr std::size_t parts(std::size_t k) const {
        return bytes_per_vector(k_.program.input_types[k], k_.program.output) / k_.boundary.inputs[k].bytes;
    }

    constexpr void load_vector(std::size_t k, std::size_t part) {
        const unsigned words = k_.boundary.inputs[k].bytes / 4u;
        out_ << indent << "uint";
        if (words > 1) out_ << words;
        out_ << " ";
        vector_name(k, part);
        if (k_.is_in_place(k)) {
            out_ << " = y[y_first + i];\n";
            return;
        }
        out_ << " = x" << k << "[x" << k << "_first + i";
        if (parts(k) > 1) out_ << " * " << parts(k) << "u";
        if (part > 0) out_ << " + " << part << "u";
        out_ << "];\n";
    }

    constexpr void vector_name(std::size_t k, std::size_t part) {
        out_ << "w" << k;
        if (parts(k) > 1) out_ << "_" << part;
    }

    // Lane l of call c is element l * calls + c of the vector.
    constexpr void vector_argument(std::size_t k, std::size_t c) {
        const std::size_t bytes = k_.input_bytes(k);
        if (bytes == k_.output_bytes()) {
            vector_name(k, 0);
            shift_down(c * 8 * bytes);
            return;
        }
        const std::size_t calls = 4 / k_.output_bytes();
        w_.vector("uint", [&](std::size_t l) {
            const std::size_t byte = (l * calls + c) * bytes;
            const std::size_t word = byte / 4;
            const std::size_t words_of_part = k_.boundary.inputs[k].bytes / 4u;
            vector_name(k, word / words_of_part);
            if (words_of_part > 1) out_ << lane_writer::component(word % words_of_part);
            shift_down(byte % 4 * 8);
        });
    }

    constexpr void shift_down(std::size_t bits) {
        if (bits != 0) out_ << " >> " << bits;
    }

    // ---- words

    constexpr void words() {
        if (k_.lanes == 1) return single_words();
        if (k_.counts_elements()) element_numbers();
        for (std::size_t k = 0; k < inputs_; ++k) {
            if (k_.is_in_place(k)) out_ << indent << "uint w" << k << " = y[y_first + i];\n";
            else if (k_.is_bound(k) && k_.unit(k) == input_unit::word_after) load_word(k);
        }
        out_ << indent;
        w_.type("uint") << " r = ";
        compute([&](std::size_t k) {
            w_.vector("uint", [&](std::size_t l) {
                if (k_.is_in_place(k) || k_.unit(k) == input_unit::word_after) {
                    out_ << "w" << k;
                    shift_down(l * 8 * k_.output_bytes());
                } else {
                    begin_element(k);
                    out_ << "x" << k << "_first + n" << l;
                    end_element(k);
                }
            });
        });
        out_ << ";\n";
        store_word();
    }

    constexpr void single_words() {
        out_ << indent << "y[y_first + i] = ";
        compute([&](std::size_t k) {
            if (k_.is_in_place(k)) {
                out_ << "y[y_first + i]";
                return;
            }
            begin_element(k);
            out_ << "x" << k << "_first + i";
            end_element(k);
        });
        out_ << ";\n";
    }

    // Lanes of the edge words that are not the output's read its nearest element.
    constexpr void element_numbers() {
        for (std::size_t l = 0; l < k_.lanes; ++l) {
            out_ << indent << "uint n" << l << " = min(max(i * " << k_.lanes << "u";
            if (l > 0) out_ << " + " << l << "u";
            out_ << ", lowest), highest);\n";
        }
    }

    constexpr void load_word(std::size_t k) {
        out_ << indent << "uint j" << k << " = i + x" << k << "_first;\n"
             << indent << "uint low" << k << " = x" << k << "[j" << k << " == 0u ? 0u : j" << k << " - 1u], high" << k
             << " = x" << k << "[min(j" << k << ", x" << k << "_last)];\n"
             << indent << "uint w" << k << " = x" << k << "_shift == 0u ? low" << k << " : (low" << k << " >> x" << k
             << "_shift) | (high" << k << " << (32u - x" << k << "_shift));\n";
    }

    constexpr void begin_element(std::size_t k) {
        out_ << "x" << k << (k_.input_bytes(k) == 4 ? literal("[") : literal("_element("));
    }
    constexpr void end_element(std::size_t k) { out_ << (k_.input_bytes(k) == 4 ? literal("]") : literal(")")); }

    constexpr void store_word() {
        const std::size_t bits = 8 * k_.output_bytes();
        out_ << indent << "uint v = ";
        for (std::size_t l = 0; l < k_.lanes; ++l) {
            if (l > 0) out_ << " | (";
            out_ << "r" << w_.lane(l);
            if (l > 0) out_ << " << " << l * bits << ")";
        }
        out_ << ";\n"
             << indent << "uint mask = (i == 0u ? head_mask : 0xffffffffu) & "
             << "(i == count - 1u ? tail_mask : 0xffffffffu);\n"
             << indent << "if (mask == 0xffffffffu) y[y_first + i] = v;\n"
             << indent << "else merge(y_first + i, v, mask);\n";
    }

    // ---- gather and strided: the element's coordinates, by division

    constexpr void element_here(std::size_t k) {
        begin_element(k);
        out_ << "x" << k << "_at";
        end_element(k);
    }

    constexpr void next_term(std::size_t dimension) {
        if (dimension == 4) out_ << "\n" << indent << "   ";
        out_ << " + ";
    }

    // After `uint c0 = number of the element`.
    constexpr void coordinates() {
        const std::size_t rank = k_.as.rank;
        for (std::size_t d = 0; d + 1 < rank; ++d)
            out_ << indent << "uint c" << d + 1 << " = c" << d << " / size_" << d << "; c" << d << " -= c" << d + 1
                 << " * size_" << d << ";\n";
        for (std::size_t k = 0; k < inputs_; ++k) {
            if (!k_.is_bound(k)) continue;
            out_ << indent << "uint x" << k << "_at = x" << k << "_first";
            for (std::size_t d = 0; d < rank; ++d) {
                next_term(d);
                out_ << "c" << d << " * x" << k << "_stride_" << d;
            }
            out_ << ";\n";
        }
    }

    constexpr void gather() {
        const bool counts = k_.counts_elements();
        if (k_.lanes == 1) {
            if (counts) {
                out_ << indent << "uint c0 = i;\n";
                coordinates();
            }
            out_ << indent << "y[y_first + i] = ";
            compute([&](std::size_t k) {
                if (k_.is_in_place(k)) out_ << "y[y_first + i]";
                else element_here(k);
            });
            out_ << ";\n";
            return;
        }
        for (std::size_t k = 0; k < inputs_; ++k)
            if (k_.is_in_place(k)) out_ << indent << "uint w" << k << " = y[y_first + i];\n";
        if (counts) {
            out_ << indent << "uint c0 = i == 0u ? 0u : i * " << k_.lanes << "u - lowest;\n";
            coordinates();
            for (std::size_t l = 0; l < k_.lanes; ++l) gather_lane(l);
        }
        out_ << indent;
        w_.type("uint") << " r = ";
        compute([&](std::size_t k) {
            w_.vector("uint", [&](std::size_t l) {
                if (k_.is_in_place(k)) {
                    out_ << "w" << k;
                    shift_down(l * 8 * k_.output_bytes());
                } else {
                    out_ << "x" << k << "_" << l;
                }
            });
        });
        out_ << ";\n";
        store_word();
    }

    // Lanes that are not the output's stay at its nearest element.
    constexpr void gather_lane(std::size_t l) {
        if (l > 0) {
            out_ << indent << "if (i * " << k_.lanes << "u + " << l << "u > lowest && i * " << k_.lanes << "u + " << l
                 << "u <= highest)\n"
                 << indent << "    advance(";
            advance_arguments("");
            out_ << ");\n";
        }
        for (std::size_t k = 0; k < inputs_; ++k) {
            if (!k_.is_bound(k)) continue;
            out_ << indent << "uint x" << k << "_" << l << " = ";
            element_here(k);
            out_ << ";\n";
        }
    }

    constexpr void advance_arguments(literal before) {
        bool first = true;
        const auto separate = [&] {
            if (!first) out_ << ", ";
            first = false;
            out_ << before;
        };
        if (k_.as.rank > 1)
            for (std::size_t d = 0; d < k_.as.rank; ++d) separate(), out_ << "c" << d;
        for (std::size_t k = 0; k < inputs_; ++k)
            if (k_.is_bound(k)) separate(), out_ << "x" << k << "_at";
    }

    // An odometer, instead of divisions for every element.
    constexpr void advance_function() {
        const std::size_t rank = k_.as.rank;
        out_ << "// Moves on by one element.\nvoid advance(";
        advance_arguments("inout uint ");
        out_ << ")\n{\n";
        for (std::size_t k = 0; k < inputs_; ++k)
            if (k_.is_bound(k)) out_ << "    x" << k << "_at += x" << k << "_stride_0;\n";
        if (rank > 1) out_ << "    c0 += 1u;\n";
        for (std::size_t d = 0; d + 1 < rank; ++d) {
            deeper(d);
            out_ << "    if (c" << d << " == size_" << d << ")\n";
            deeper(d);
            out_ << "    {\n";
            deeper(d);
            out_ << "        c" << d << " = 0u;\n";
            deeper(d);
            out_ << "        c" << d + 1 << " += 1u;\n";
            for (std::size_t k = 0; k < inputs_; ++k) {
                if (!k_.is_bound(k)) continue;
                deeper(d);
                out_ << "        x" << k << "_at += x" << k << "_stride_" << d + 1 << " - size_" << d << " * x" << k
                     << "_stride_" << d << ";\n";
            }
        }
        for (std::size_t d = rank - 1; d-- > 0;) {
            deeper(d);
            out_ << "    }\n";
        }
        out_ << "}\n";
    }
    constexpr void deeper(std::size_t levels) {
        for (std::size_t i = 0; i < levels; ++i) out_ << "    ";
    }

    constexpr void strided() {
        const std::size_t bytes = k_.output_bytes();
        out_ << indent << "uint c0 = i;\n";
        coordinates();
        out_ << indent << "uint y_at = y_first";
        for (std::size_t d = 0; d < k_.as.rank; ++d) {
            next_term(d);
            out_ << "c" << d << " * y_stride_" << d;
        }
        out_ << ";\n" << indent << (bytes < 4 ? literal("store(y_at, ") : literal("y[y_at] = "));
        compute([&](std::size_t k) {
            if (k_.is_in_place(k)) out_ << (bytes < 4 ? literal("y_element(y_at)") : literal("y[y_at]"));
            else element_here(k);
        });
        out_ << (bytes < 4 ? literal(");\n") : literal(";\n"));
    }

    text_writer& out_;
    lane_writer w_;
    const kernel_description& k_;
    std::size_t inputs_;
};

}  // namespace sinter::hlsl::detail
