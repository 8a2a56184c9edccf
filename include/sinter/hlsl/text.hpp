// The HLSL of an expression: a constant that its type determines, and the same for programs known at run time.
//
// Shader model 5.1, compiled with IEEE strictness (FXC: 0x4a800; DXC: -Gis). Entry point main.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../expr/lowering.hpp"
#include "../expr/program.hpp"
#include "body.hpp"
#include "declarations.hpp"
#include "helpers.hpp"
#include "layout.hpp"
#include "main_function.hpp"
#include "writer.hpp"

namespace sinter::hlsl {

namespace detail {

// What is in place is read through the output's view, so that its elements must lie where the output's do.
constexpr bool is_sound(const program_view& program, const layout& l) {
    for (std::size_t k = 0; k < max_inputs; ++k) {
        if (!has(l.in_place, k)) continue;
        if (k >= program.inputs || size_of(program.input_types[k]) != size_of(program.output)) return false;
    }
    return true;
}

// A text is written in pieces, each a constant expression of its own: compilers bound the steps of one. The first ends
// where the program's lines begin, the last begins where they end.
inline constexpr std::size_t lines_per_piece = 64;

constexpr std::size_t pieces_of(const program_view& program) {
    return (program.size + lines_per_piece - 1) / lines_per_piece + 2;
}

constexpr void write_piece(text_writer& out, const kernel_description& kernel, std::size_t piece) {
    const program_view& program = kernel.program;
    body_writer body(out, kernel.lanes, program, kernel.held);
    if (piece == 0) {
        declaration_writer declarations(out, kernel);
        declarations.comment();
        declarations.constants();
        declarations.buffers();
        out << "\n";
        helper_writer(out, kernel.lanes).write(helpers_of(program, kernel.held));
        body.begin();
    } else if (piece + 1 < pieces_of(program)) {
        const std::size_t last = piece * lines_per_piece;
        body.lines(last - lines_per_piece, last < program.size ? last : program.size);
    } else {
        body.end();
        out << "\n";
        main_writer(out, kernel).write();
    }
}

template <class Signature, class Layout>
struct constant_kernel {
    static constexpr const auto& program = sinter::detail::lowered<Signature>::value;
    static_assert(is_sound(program, Layout::value),
                  "sinter: only an input with elements of the output's size can be in place");

    static constexpr auto held = [] {
        std::array<std::uint8_t, program.size> registers{};
        find_held_registers(program, registers.data());
        return registers;
    }();
    static constexpr kernel_interface boundary = interface_builder(program, Layout::value, held.data()).build();
    static constexpr std::size_t pieces = pieces_of(program);

    static constexpr void write(text_writer& out, std::size_t piece) {
        const kernel_description kernel{program, Layout::value, boundary, held.data(),
                                        lanes_of(Layout::value.kind, program.output)};
        write_piece(out, kernel, piece);
    }
};

template <class Kernel, std::size_t Piece>
inline constexpr std::size_t piece_size = [] {
    text_writer counted;
    Kernel::write(counted, Piece);
    return counted.size();
}();

template <class Kernel, std::size_t Piece>
inline constexpr auto piece_text = [] {
    std::array<char, piece_size<Kernel, Piece>> text{};
    text_writer out(text.data());
    Kernel::write(out, Piece);
    return text;
}();

// Ends in a zero, for interfaces that take C strings.
template <class Kernel>
inline constexpr auto kernel_text = []<std::size_t... Piece>(std::index_sequence<Piece...>) {
    std::array<char, (piece_size<Kernel, Piece> + ... + 1)> text{};
    text_writer out(text.data());
    (out << ... << std::string_view(piece_text<Kernel, Piece>.data(), piece_text<Kernel, Piece>.size()));
    return text;
}(std::make_index_sequence<Kernel::pieces>{});

template <class Expression, class Layout>
inline constexpr const auto& text_of =
    kernel_text<constant_kernel<typename sinter::detail::signature<Expression>::type, Layout>>;

}  // namespace detail

template <class Expression, layout_type Layout = packed>
inline constexpr std::string_view text_v{detail::text_of<Expression, Layout>.data(),
                                         detail::text_of<Expression, Layout>.size() - 1};

// The packed kernel; its text depends on the type alone.
template <class Expression>
constexpr std::string_view text(const Expression&) {
    return text_v<Expression>;
}

inline std::string text(const program_view& program, const layout& l) {
    if (!detail::is_sound(program, l))
        sinter::detail::fail(errc::type, "only an input with elements of the output's size can be in place");
    const std::vector<std::uint8_t> held = detail::held_registers(program);
    const kernel_interface boundary = detail::interface_builder(program, l, held.data()).build();
    const detail::kernel_description kernel{program, l, boundary, held.data(),
                                            detail::lanes_of(l.kind, program.output)};
    const auto write = [&](detail::text_writer out) {
        for (std::size_t piece = 0; piece < detail::pieces_of(program); ++piece)
            detail::write_piece(out, kernel, piece);
        return out.size();
    };
    std::string made(write(detail::text_writer()), '\0');
    write(detail::text_writer(made.data()));
    return made;
}

}  // namespace sinter::hlsl
