// From a plan and the places of its operands in buffers: which kernels to dispatch, and the constants of each.
//
// A buffer's view may begin at any multiple of 256 bytes, which every buffer's address allows; the rest of an
// operand's offset is in the constants. All numbers in a kernel are 32 bits; what does not fit them is refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/element.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "../plan/plan.hpp"
#include "interface.hpp"
#include "layout.hpp"

namespace sinter::hlsl {

// Where an operand lies in its buffer, in bytes. Kernels read and write whole words, so that the buffer must reach to
// `last`; they change no byte that is not the output's.
struct view_range {
    std::uint64_t view;   // where its view begins: a multiple of 256
    std::uint64_t first;  // of the words that hold it
    std::uint64_t last;   // one past them
};

struct input_start {
    std::uint32_t first;
    std::uint32_t shift;
    std::uint32_t last;
};

struct dispatch {
    layout as;
    std::uint32_t count;  // work items
    std::uint32_t groups_x;
    std::uint32_t groups_y;
    std::uint32_t output_first;
    std::uint32_t head_mask;
    std::uint32_t tail_mask;
    std::uint32_t lowest;
    std::uint32_t highest;
    std::array<input_start, max_inputs> inputs;
};

// At most three dispatches, which write to different elements and need no barrier between them.
struct geometry {
    std::size_t inputs;
    std::size_t dispatch_count;
    std::array<dispatch, 3> dispatches;
    std::array<view_range, max_inputs + 1> operands;  // the inputs, then the output
    std::array<std::uint32_t, max_rank> sizes;        // innermost first
    std::array<std::array<std::uint32_t, max_rank>, max_inputs + 1> strides;
};

// What the buffers add to a plan.
struct placement {
    const std::uint64_t* offsets;  // of every operand's element 0 in its buffer, in bytes; the output is the last
    std::uint16_t read = 0xffff;   // the inputs that the program reads; see inputs_read
    std::uint16_t read_write = 0;  // the inputs whose buffer is the output's
    // Fewer vectors than this are not worth dispatches of their own for the words before and after them.
    std::uint64_t few_vectors = 1024;
};

using detail::inputs_read;

namespace detail {

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

class geometry_builder {
public:
    geometry_builder(geometry& to, const plan& p, const placement& at) : g_(to), plan_(p), at_(at) {}

    void build() {
        g_.inputs = plan_.inputs;
        g_.dispatch_count = 0;
        if (plan_.count == 0) return;
        for (std::size_t k = 0; k <= plan_.inputs; ++k) place(k);
        if (plan_.kind == loop_kind::packed) pack();
        else loop();
    }

private:
    static constexpr std::uint64_t index_limit = std::uint64_t{1} << 32;

    bool matters(std::size_t k) const { return k == plan_.inputs || has(at_.read, k); }
    std::size_t bytes(std::size_t k) const { return size_of(plan_.operands[k].type); }
    std::size_t output_bytes() const { return bytes(plan_.inputs); }

    void place(std::size_t k) {
        const operand_path& path = plan_.operands[k];
        const auto size = static_cast<std::int64_t>(bytes(k));
        const std::int64_t start = static_cast<std::int64_t>(at_.offsets[k]) + path.offset * size;
        std::int64_t low = start;
        std::int64_t high = start + size;
        for (std::size_t d = 0; d < plan_.rank; ++d) {
            const std::int64_t reach = path.strides[d] * static_cast<std::int64_t>(plan_.sizes[d] - 1) * size;
            (reach < 0 ? low : high) += reach;
        }
        if (low < 0) refuse(errc::value, k, "begins before its buffer");
        if (start % size != 0) refuse(errc::value, k, "lies at an offset that is not a multiple of its element size");
        view_range& range = g_.operands[k];
        range.view = static_cast<std::uint64_t>(low) & ~std::uint64_t{255};
        range.first = static_cast<std::uint64_t>(low) & ~std::uint64_t{3};
        range.last = divide_up(static_cast<std::uint64_t>(high), 4) * 4;
        start_[k] = static_cast<std::uint64_t>(start) - range.view;
    }

    // ---- dense operands

    // Vectors need every operand at a boundary of what a thread reads of it. With different element sizes that may
    // never come true; with equal ones it does where the offsets are equal modulo 16.
    void pack() {
        const std::uint64_t step = vector_bytes / output_bytes();
        const std::uint64_t head = divide_up(start_[plan_.inputs], vector_bytes) * vector_bytes - start_[plan_.inputs];
        const std::uint64_t head_elements = head / output_bytes();
        const std::uint64_t vectors = head_elements < plan_.count ? (plan_.count - head_elements) / step : 0;
        const bool whole = head == 0 && vectors * step == plan_.count;
        if (vectors == 0 || !vectors_fit(head_elements) || (!whole && vectors < at_.few_vectors)) {
            add_words(0, plan_.count);
            return;
        }
        if (head_elements > 0) add_words(0, head_elements);
        add_vectors(head_elements, vectors);
        const std::uint64_t done = head_elements + vectors * step;
        if (done < plan_.count) add_words(done, plan_.count - done);
    }

    bool vectors_fit(std::uint64_t head_elements) const {
        for (std::size_t k = 0; k < plan_.inputs; ++k) {
            if (!matters(k)) continue;
            if ((start_[k] + head_elements * bytes(k)) % structure(k) != 0) return false;
        }
        return true;
    }
    std::uint64_t structure(std::size_t k) const {
        return structure_bytes(form::packed, plan_.operands[k].type, plan_.output().type);
    }

    void add_vectors(std::uint64_t first, std::uint64_t vectors) {
        dispatch& d = add(form::packed, vectors);
        d.output_first = index(plan_.inputs, (start_[plan_.inputs] + first * output_bytes()) / vector_bytes, vectors);
        for (std::size_t k = 0; k < plan_.inputs; ++k) {
            if (!matters(k)) continue;
            const std::uint64_t parts = bytes_per_vector(plan_.operands[k].type, plan_.output().type) / structure(k);
            d.inputs[k].first = index(k, (start_[k] + first * bytes(k)) / structure(k), vectors * parts);
        }
    }

    void add_words(std::uint64_t first, std::uint64_t elements) {
        const std::uint64_t begin = start_[plan_.inputs] + first * output_bytes();
        dispatch& d = add_word_items(form::words, begin, elements);
        for (std::size_t k = 0; k < plan_.inputs; ++k)
            if (matters(k) && !plan_.operands[k].in_place) start_words(d, k, start_[k] + first * bytes(k), elements);
    }

    // The part that words and gather have in common: the output's words.
    dispatch& add_word_items(form kind, std::uint64_t begin, std::uint64_t elements) {
        const std::uint64_t end = begin + elements * output_bytes();
        const std::uint64_t count = divide_up(end, 4) - begin / 4;
        dispatch& d = add(kind, count);
        d.output_first = index(plan_.inputs, begin / 4, count);
        d.head_mask = 0xffffffffu << (begin % 4 * 8);
        d.tail_mask = end % 4 == 0 ? 0xffffffffu : 0xffffffffu >> (32 - end % 4 * 8);
        const std::uint64_t lowest = begin % 4 / output_bytes();
        d.lowest = static_cast<std::uint32_t>(lowest);
        d.highest = static_cast<std::uint32_t>(lowest + elements - 1);
        return d;
    }

    void start_words(dispatch& d, std::size_t k, std::uint64_t begin, std::uint64_t elements) {
        const std::uint64_t end = begin + elements * bytes(k);
        input_start& start = d.inputs[k];
        switch (unit_of(form::words, plan_.operands[k].type, plan_.output().type)) {
            case input_unit::structure: start.first = index(k, begin / 4, elements); return;
            case input_unit::element:
                if (elements > index_limit - 8) refuse_size(plan_.inputs);
                start.first = static_cast<std::uint32_t>(index(k, begin / bytes(k), elements) - d.lowest);
                return;
            case input_unit::word_after: break;
        }
        // In bytes, moved up by one word: the first word's start may lie before the view.
        const std::uint64_t first = begin + 4 - d.lowest * bytes(k);
        start.first = index(k, first / 4, d.count);
        start.shift = static_cast<std::uint32_t>(first % 4 * 8);
        start.last = index(k, divide_up(end, 4) - 1, 1);
    }

    // ---- strided operands

    void loop() {
        const bool dense = output_is_dense();
        for (std::size_t d = 0; d < plan_.rank; ++d) {
            if (plan_.sizes[plan_.rank - 1 - d] >= index_limit) refuse_size(plan_.inputs);
            g_.sizes[d] = static_cast<std::uint32_t>(plan_.sizes[plan_.rank - 1 - d]);
            for (std::size_t k = 0; k <= plan_.inputs; ++k)
                g_.strides[k][d] = static_cast<std::uint32_t>(plan_.operands[k].strides[plan_.rank - 1 - d]);
        }
        if (plan_.count > index_limit - 8) refuse_size(plan_.inputs);
        dispatch& d =
            dense ? add_word_items(form::gather, start_[plan_.inputs], plan_.count) : add(form::strided, plan_.count);
        d.as.rank = static_cast<std::uint8_t>(plan_.rank);
        if (!dense) d.output_first = element_index(plan_.inputs);
        for (std::size_t k = 0; k < plan_.inputs; ++k)
            if (matters(k) && !plan_.operands[k].in_place) d.inputs[k].first = element_index(k);
    }

    bool output_is_dense() const {
        std::ptrdiff_t expected = 1;
        for (std::size_t d = plan_.rank; d-- > 0;) {
            if (plan_.output().strides[d] != expected) return false;
            expected *= static_cast<std::ptrdiff_t>(plan_.sizes[d]);
        }
        return true;
    }

    std::uint32_t element_index(std::size_t k) const {
        const view_range& range = g_.operands[k];
        if ((range.last - range.view) / bytes(k) > index_limit) refuse_size(k);
        return static_cast<std::uint32_t>(start_[k] / bytes(k));
    }

    // ---- all

    dispatch& add(form kind, std::uint64_t items) {
        const std::uint64_t groups = divide_up(items, threads_per_group);
        const std::uint64_t rows = divide_up(groups, 65535);
        const std::uint64_t columns = divide_up(groups, rows);
        if (rows * columns * threads_per_group > index_limit) refuse_size(plan_.inputs);
        dispatch& d = g_.dispatches[g_.dispatch_count++];
        d = {};
        d.as.kind = kind;
        for (std::size_t k = 0; k < plan_.inputs; ++k) {
            if (!matters(k)) continue;
            if (plan_.operands[k].in_place) d.as.in_place = static_cast<std::uint16_t>(d.as.in_place | bit(k));
            else if (has(at_.read_write, k)) d.as.read_write = static_cast<std::uint16_t>(d.as.read_write | bit(k));
        }
        d.count = static_cast<std::uint32_t>(items);
        d.groups_x = static_cast<std::uint32_t>(columns);
        d.groups_y = static_cast<std::uint32_t>(rows);
        return d;
    }

    std::uint32_t index(std::size_t k, std::uint64_t first, std::uint64_t count) const {
        if (first + count > index_limit) refuse_size(k);
        return static_cast<std::uint32_t>(first);
    }

    std::string operand(std::size_t k) const {
        return k == plan_.inputs ? std::string("the output") : "input " + std::to_string(k + 1);
    }
    [[noreturn]] SINTER_COLD void refuse(errc code, std::size_t k, const char* why) const {
        sinter::detail::fail(code, operand(k) + " " + why + " (byte offset " + std::to_string(at_.offsets[k]) +
                                       " of an operand of type " + name(plan_.operands[k].type) + ")");
    }
    [[noreturn]] SINTER_COLD void refuse_size(std::size_t k) const {
        sinter::detail::fail(errc::too_large, operand(k) + " reaches further than the 32-bit indices of a kernel: " +
                                                  std::to_string(plan_.count) + " elements, bytes " +
                                                  std::to_string(g_.operands[k].first) + " to " +
                                                  std::to_string(g_.operands[k].last) + " of its buffer");
    }

    geometry& g_;
    const plan& plan_;
    const placement& at_;
    std::array<std::uint64_t, max_inputs + 1> start_{};  // of the loop's first element in the view, in bytes
};

}  // namespace detail

inline void make_geometry(geometry& to, const plan& p, const placement& at) {
    detail::geometry_builder(to, p, at).build();
}

// The constants of one dispatch, in the order of its kernel's interface: boundary.constants() values.
inline void write_constants(const kernel_interface& boundary, const geometry& g, const dispatch& d,
                            const std::uint32_t* uniforms, std::uint32_t* to) {
    const auto value = [&](const constant& c) -> std::uint32_t {
        switch (c.role) {
            case constant_role::zero: return 0;
            case constant_role::count: return d.count;
            case constant_role::groups_x: return d.groups_x;
            case constant_role::output_first: return d.output_first;
            case constant_role::head_mask: return d.head_mask;
            case constant_role::tail_mask: return d.tail_mask;
            case constant_role::lowest: return d.lowest;
            case constant_role::highest: return d.highest;
            case constant_role::input_first: return d.inputs[c.operand].first;
            case constant_role::input_shift: return d.inputs[c.operand].shift;
            case constant_role::input_last: return d.inputs[c.operand].last;
            case constant_role::size: return g.sizes[c.dimension];
            case constant_role::output_stride: return g.strides[g.inputs][c.dimension];
            case constant_role::input_stride: return g.strides[c.operand][c.dimension];
        }
        return 0;
    };
    for (std::size_t i = 0; i < boundary.geometry_constants; ++i) *to++ = value(boundary.geometry[i]);
    for (std::size_t i = 0; i < boundary.uniforms; ++i) *to++ = uniforms[i];
}

}  // namespace sinter::hlsl
