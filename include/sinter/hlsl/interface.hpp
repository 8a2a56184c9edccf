// What stands at the boundary of a kernel: its buffers, its constants and their order, its thread groups.
//
// Constants are 32 bits each and follow one another at b0 without gaps: first the geometry, as listed here, then the
// uniform values in the order of their registers. They fit a root signature's constants or a constant buffer alike.
// Read-only buffers are t0, t1.., the output is u0, read-write inputs are u1, u2...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../core/element.hpp"
#include "../core/view.hpp"
#include "../expr/program.hpp"
#include "layout.hpp"
#include "usage.hpp"

namespace sinter::hlsl {

inline constexpr std::uint32_t threads_per_group = 64;
inline constexpr std::uint32_t vector_bytes = 16;

enum class constant_role : std::uint8_t {
    zero,           // 0
    count,          // work items
    groups_x,       // thread groups in x
    output_first,   // the output's first vector, word or element in its view
    head_mask,      // the bits of the first word that are the output's
    tail_mask,      // the bits of the last word that are the output's
    lowest,         // elements of the first word that are not the output's
    highest,        // the output's last element, counted from the start of the first word
    input_first,    // an input's first unit in its view; see input_unit
    input_shift,    // by how many bits an input's words lie off the output's
    input_last,     // the last word of an input's view that may be read
    size,           // of a dimension; the innermost is 0
    output_stride,  // in elements
    input_stride,
};

struct constant {
    constant_role role{};
    std::uint8_t operand = 0;    // of the input_ roles
    std::uint8_t dimension = 0;  // of size and the strides

    friend constexpr bool operator==(const constant&, const constant&) = default;
};

enum class access : std::uint8_t { unused, read_only, read_write, in_place };

struct binding {
    access how = access::unused;
    std::uint8_t slot = 0;   // the number after t or u
    std::uint8_t bytes = 4;  // of one element of the structured buffer: 4, 8 or 16

    friend constexpr bool operator==(const binding&, const binding&) = default;
};

// What input_first counts.
enum class input_unit : std::uint8_t {
    structure,   // elements of the structured buffer
    word_after,  // words, plus 1: the first byte wanted may lie one word before the view
    element,     // elements of the tensor; wraps modulo 2^32 when `lowest` is added
};

struct kernel_interface {
    static constexpr std::size_t capacity = 8 + 2 * max_rank + max_inputs * (1 + max_rank);

    std::uint32_t elements_per_item = 0;
    std::uint32_t read_only_buffers = 0;
    std::uint32_t read_write_buffers = 0;  // the output is the first
    binding output{};
    std::array<binding, max_inputs> inputs{};
    std::size_t geometry_constants = 0;
    std::size_t uniforms = 0;
    std::array<constant, capacity> geometry{};

    constexpr std::size_t constants() const noexcept { return geometry_constants + uniforms; }
};

namespace detail {

constexpr bool is_bound(access how) { return how == access::read_only || how == access::read_write; }

// Elements of the output in one 32-bit word.
constexpr std::size_t per_word(element_type output) { return 4 / size_of(output); }

constexpr std::size_t elements_per_item(form kind, element_type output) {
    switch (kind) {
        case form::packed: return vector_bytes / size_of(output);
        case form::strided: return 1;
        default: return per_word(output);
    }
}

// How many elements one call of a kernel's compute function takes.
constexpr std::size_t lanes_of(form kind, element_type output) {
    return kind == form::packed ? 4 : elements_per_item(kind, output);
}

// The bytes of an input that a packed kernel's thread reads: one structure, or several 16-byte ones.
constexpr std::size_t bytes_per_vector(element_type input, element_type output) {
    return vector_bytes / size_of(output) * size_of(input);
}
constexpr std::size_t structure_bytes(form kind, element_type input, element_type output) {
    const std::size_t bytes = kind == form::packed ? bytes_per_vector(input, output) : 4;
    return bytes < vector_bytes ? bytes : vector_bytes;
}

constexpr input_unit unit_of(form kind, element_type input, element_type output) {
    if (kind == form::packed) return input_unit::structure;
    if (kind != form::words || size_of(input) != size_of(output)) return input_unit::element;
    return size_of(output) == 4 ? input_unit::structure : input_unit::word_after;
}

class interface_builder {
public:
    constexpr interface_builder(const program_view& program, const layout& l, const std::uint8_t* held)
        : program_(program), layout_(l), held_(held) {}

    constexpr kernel_interface build() {
        made_.elements_per_item = static_cast<std::uint32_t>(elements_per_item(layout_.kind, program_.output));
        bind();
        for (const auto role :
             {constant_role::zero, constant_role::count, constant_role::groups_x, constant_role::output_first})
            add(role);
        list_edges();
        list_dimensions();
        for (std::size_t k = 0; k < program_.inputs; ++k)
            if (is_bound(made_.inputs[k].how)) list_input(static_cast<std::uint8_t>(k));
        count_uniforms();
        return made_;
    }

private:
    constexpr void add(constant_role role, std::uint8_t operand = 0, std::size_t dimension = 0) {
        made_.geometry[made_.geometry_constants++] = {role, operand, static_cast<std::uint8_t>(dimension)};
    }

    constexpr void bind() {
        const std::uint16_t read = inputs_read(program_);
        made_.output = {access::read_write, 0, static_cast<std::uint8_t>(layout_.kind == form::packed ? 16 : 4)};
        made_.read_write_buffers = 1;
        for (std::size_t k = 0; k < program_.inputs; ++k) {
            if (!has(read, k)) continue;
            binding& b = made_.inputs[k];
            const std::size_t bytes = structure_bytes(layout_.kind, program_.input_types[k], program_.output);
            b.bytes = static_cast<std::uint8_t>(bytes);
            b.how = has(layout_.in_place, k)     ? access::in_place
                    : has(layout_.read_write, k) ? access::read_write
                                                 : access::read_only;
            if (b.how == access::read_only) b.slot = static_cast<std::uint8_t>(made_.read_only_buffers++);
            if (b.how == access::read_write) b.slot = static_cast<std::uint8_t>(made_.read_write_buffers++);
        }
    }

    constexpr bool counts_elements() const {
        for (std::size_t k = 0; k < program_.inputs; ++k) {
            if (!is_bound(made_.inputs[k].how)) continue;
            if (unit_of(layout_.kind, program_.input_types[k], program_.output) == input_unit::element) return true;
        }
        return false;
    }

    constexpr void list_edges() {
        if (layout_.kind == form::packed || layout_.kind == form::strided || per_word(program_.output) == 1) return;
        add(constant_role::head_mask);
        add(constant_role::tail_mask);
        if (!counts_elements()) return;
        add(constant_role::lowest);
        add(constant_role::highest);
    }

    constexpr void list_dimensions() {
        if (layout_.kind != form::gather && layout_.kind != form::strided) return;
        for (std::size_t d = 0; d + 1 < layout_.rank; ++d) add(constant_role::size, 0, d);
        if (layout_.kind != form::strided) return;
        for (std::size_t d = 0; d < layout_.rank; ++d) add(constant_role::output_stride, 0, d);
    }

    constexpr void list_input(std::uint8_t k) {
        add(constant_role::input_first, k);
        if (unit_of(layout_.kind, program_.input_types[k], program_.output) == input_unit::word_after) {
            add(constant_role::input_shift, k);
            add(constant_role::input_last, k);
        }
        if (layout_.kind != form::gather && layout_.kind != form::strided) return;
        for (std::size_t d = 0; d < layout_.rank; ++d) add(constant_role::input_stride, k, d);
    }

    constexpr void count_uniforms() {
        for (std::size_t i = 0; i < program_.size; ++i)
            if (held_[i] != 0 && is_uniform(program_[i])) ++made_.uniforms;
    }

    const program_view& program_;
    const layout& layout_;
    const std::uint8_t* held_;
    kernel_interface made_{};
};

}  // namespace detail

constexpr kernel_interface interface_of(const program_view& program, const layout& l) {
    return detail::interface_builder(program, l, detail::held_registers(program).data()).build();
}

}  // namespace sinter::hlsl
