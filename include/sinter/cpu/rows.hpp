// A kernel on rows: the output is dense along them, and every input dense or one element all along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../plan/backend.hpp"
#include "kernel.hpp"
#include "thresholds.hpp"

namespace sinter::cpu::detail {

inline constexpr std::size_t cache_line = 64;
inline constexpr std::size_t widest_vector = 128;  // bytes of the elements that a kernel takes at once

// Rows of fewer bytes than this would stream little more than their ends.
inline constexpr std::size_t shortest_streamed_row = 256;

inline const std::byte* bytes_of(const void* operand) noexcept { return static_cast<const std::byte*>(operand); }
inline std::byte* bytes_of(void* operand) noexcept { return static_cast<std::byte*>(operand); }

inline std::ptrdiff_t byte_offset(const operand_path& path, std::ptrdiff_t elements) noexcept {
    return elements * static_cast<std::ptrdiff_t>(size_of(path.type));
}

using input_pointers = std::array<const std::byte*, max_inputs>;

inline input_pointers first_elements(const plan& p, const memory_bindings& data) noexcept {
    input_pointers first;
    for (std::size_t i = 0; i < p.inputs; ++i)
        first[i] = bytes_of(data.inputs[i]) + byte_offset(p.operands[i], p.operands[i].offset);
    return first;
}

inline std::byte* first_result(const plan& p, const memory_bindings& data) noexcept {
    return bytes_of(data.output) + byte_offset(p.output(), p.output().offset);
}

// A packed loop of whole units: one call.
inline void run_dense(const kernel& k, const plan& p, const memory_bindings& data) noexcept {
    const input_pointers inputs = first_elements(p, data);
    k.run({.inputs = inputs.data(), .output = first_result(p, data), .count = p.count}, data.parameters);
}

// Rows of the same length and at the same distances, in which the kernel finds its operands.
struct row_group {
    std::size_t count;  // elements in a row
    std::size_t rows;
    input_pointers inputs;
    std::byte* output;
    std::array<std::ptrdiff_t, max_inputs> input_pitches;
    std::ptrdiff_t output_pitch;
};

// How far it is, in bytes, from the first row of a group that is a whole dimension to the next group.
class group_steps {
public:
    explicit group_steps(const plan& p) noexcept : operands_(p.inputs + 1) {
        for (std::size_t i = 0; i < operands_; ++i) {
            const operand_path& path = p.operands[i];
            std::ptrdiff_t behind = 0;  // of the first group along a dimension, where the last one is
            for (std::size_t d = p.rank - 2; d-- > 0;) {
                steps_[d][i] = byte_offset(path, path.strides[d] - behind);
                behind += static_cast<std::ptrdiff_t>(p.sizes[d] - 1) * path.strides[d];
            }
        }
    }

    // One step along the dimension, to the start of those inside it.
    void move(row_group& g, std::size_t dimension) const noexcept {
        const auto& step = steps_[dimension];
        for (std::size_t i = 0; i + 1 < operands_; ++i) g.inputs[i] += step[i];
        g.output += step[operands_ - 1];
    }

private:
    std::size_t operands_;
    std::array<std::array<std::ptrdiff_t, max_inputs + 1>, max_rank> steps_;
};

class row_kernel {
public:
    // For operands that are in the caches, or fit there.
    row_kernel(const kernel& k, const plan& p, const memory_bindings& data) noexcept
        : kernel_(k), plan_(p), data_(data) {
        for (std::size_t i = 0; i < p.inputs; ++i)
            if (p.operands[i].strides[p.rank - 1] == 0) repeated_ |= std::uint32_t{1} << i;
    }

    row_kernel(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay) noexcept
        : row_kernel(k, p, data) {
        if (k.streams && !p.in_place && p.bytes_moved() >= pay.streaming_bytes) stores_ = stores::streaming;
    }

    bool is_repeated(std::size_t input) const noexcept { return (repeated_ >> input & 1) != 0; }

    bool streams() const noexcept { return stores_ == stores::streaming; }

    // In a row of so many elements.
    bool streams(std::size_t row_elements) const noexcept {
        return streams() && row_elements * size_of(plan_.output().type) >= shortest_streamed_row;
    }

    std::size_t whole_units(std::size_t elements) const noexcept { return kernel_.shape.whole_units(elements); }

    // A part of a loop of one dimension.
    void run_packed(std::size_t start, std::size_t count) const noexcept {
        row_group g;
        g.count = count;
        g.rows = 1;
        g.inputs = first_elements(plan_, data_);
        for (std::size_t i = 0; i < plan_.inputs; ++i) g.inputs[i] += bytes_along(i, start);
        g.output = first_result(plan_, data_) + start * size_of(plan_.output().type);
        run(g);
    }

    void run(const row_group& g) const noexcept {
        const std::size_t done = g.count < kernel_.shape.unit ? 0 : run_vectors(g);
        if (done < g.count) run_rest(g, done);
    }

private:
    // So many elements further in a row.
    std::size_t bytes_along(std::size_t input, std::size_t elements) const noexcept {
        return is_repeated(input) ? 0 : elements * size_of(plan_.operands[input].type);
    }

    // As much of every row as whole vectors reach; returns how much.
    std::size_t run_vectors(const row_group& g) const noexcept {
        return streams(g.count) ? stream_vectors(g) : run_from(g, 0, stores::cached);
    }

    // Streaming begins where the output is aligned; the vector before lies over the first one there.
    std::size_t stream_vectors(const row_group& g) const noexcept {
        if (g.rows > 1 && g.output_pitch % static_cast<std::ptrdiff_t>(cache_line) != 0) return run_one_by_one(g);
        const std::size_t behind = reinterpret_cast<std::uintptr_t>(g.output) % cache_line;
        const std::size_t first = behind == 0 ? 0 : (cache_line - behind) / size_of(plan_.output().type);
        if (first > 0) call(g, 0, whole_units(first + kernel_.shape.unit - 1), stores::cached);
        return run_from(g, first, stores::streaming);
    }

    // An output that is no input may be computed twice, so there the last vector lies over the one before it.
    std::size_t run_from(const row_group& g, std::size_t first, stores how) const noexcept {
        const std::size_t whole = whole_units(g.count - first);
        call(g, first, whole, how);
        if (first + whole == g.count || plan_.in_place) return first + whole;
        call(g, g.count - kernel_.shape.unit, kernel_.shape.unit, stores::cached);
        return g.count;
    }

    // Where every row is aligned in its own way.
    std::size_t run_one_by_one(const row_group& g) const noexcept {
        row_group one = g;
        one.rows = 1;
        std::size_t done = 0;
        for (std::size_t row = 0; row < g.rows; ++row) {
            done = run_vectors(one);
            for (std::size_t i = 0; i < plan_.inputs; ++i) one.inputs[i] += g.input_pitches[i];
            one.output += g.output_pitch;
        }
        return done;
    }

    // The kernel on `count` elements of every row, from `first` on.
    void call(const row_group& g, std::size_t first, std::size_t count, stores how) const noexcept {
        input_pointers inputs;
        for (std::size_t i = 0; i < plan_.inputs; ++i) inputs[i] = g.inputs[i] + bytes_along(i, first);
        kernel_.run({inputs.data(), g.output + first * size_of(plan_.output().type), count, how, repeated_, g.rows,
                     g.input_pitches.data(), g.output_pitch},
                    data_.parameters);
    }

    // The ends of the rows, which do not fill a vector, through copies that do.
    void run_rest(const row_group& g, std::size_t done) const noexcept {
        alignas(widest_vector) std::byte vectors[max_inputs + 1][widest_vector];
        std::byte* const result = vectors[plan_.inputs];
        const std::size_t left = g.count - done;
        const std::size_t size = size_of(plan_.output().type);
        for (std::size_t row = 0; row < g.rows; ++row) {
            const auto rows = static_cast<std::ptrdiff_t>(row);
            input_pointers inputs;
            for (std::size_t i = 0; i < plan_.inputs; ++i) {
                inputs[i] = g.inputs[i] + bytes_along(i, done) + (row == 0 ? 0 : rows * g.input_pitches[i]);
                if (is_repeated(i)) continue;
                std::memset(vectors[i], 0, widest_vector);
                std::memcpy(vectors[i], inputs[i], left * size_of(plan_.operands[i].type));
                inputs[i] = vectors[i];
            }
            kernel_.run({.inputs = inputs.data(), .output = result, .count = kernel_.shape.unit, .repeated = repeated_},
                        data_.parameters);
            std::memcpy(g.output + done * size + (row == 0 ? 0 : rows * g.output_pitch), result, left * size);
        }
    }

    const kernel& kernel_;
    const plan& plan_;
    const memory_bindings& data_;
    stores stores_ = stores::cached;
    std::uint32_t repeated_ = 0;  // a bit for every input that is one element all along a row
};

}  // namespace sinter::cpu::detail
