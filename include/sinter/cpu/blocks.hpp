// The loop around a kernel. Rows of dense or repeated operands are handed over as they are, transposed operands pass
// through tiles in L1, and all others through blocks there. Nothing here depends on
// a program or a target.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "../plan/backend.hpp"
#include "../plan/movers.hpp"
#include "kernel.hpp"
#include "thresholds.hpp"
#include "transpose.hpp"

namespace sinter::cpu::detail {

using sinter::detail::copy_run;
using sinter::detail::gather;
using sinter::detail::is_dense;
using sinter::detail::loop_position;
using sinter::detail::scatter;

inline constexpr std::size_t cache_line = 64;
inline constexpr std::size_t block_elements = 512;
inline constexpr std::size_t block_bytes = block_elements * 4;
inline constexpr std::size_t widest_vector = 128;  // of the elements that a kernel takes at once

// Rows of fewer bytes than this would stream little more than their ends.
inline constexpr std::size_t shortest_streamed_row = 256;

// A tile is as many rows as words of a transposed operand share two cache lines, since processors fetch lines by pairs,
// of as many columns as stay in L1.
inline constexpr std::size_t tile_bytes = std::size_t{16} << 10;
inline constexpr std::size_t most_tile_columns = 2048;
inline constexpr std::size_t most_tiled_operands = 3;

class block_loop {
public:
    block_loop(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay) noexcept
        : kernel_(k), plan_(p), data_(data), inner_(p.rank - 1) {
        if (!p.in_place && p.bytes_moved() >= pay.streaming_bytes) stores_ = stores::streaming;
        if (p.kind == loop_kind::packed) return;
        for (std::size_t i = 0; i < p.inputs; ++i)
            if (p.operands[i].strides[inner_] == 0) repeated_ |= std::uint32_t{1} << i;
        if (p.sizes[inner_] >= pay.row_elements && choose_rows_or_tiles()) return;
        shape_ = shape::blocks;
        for (std::size_t i = 0; i <= p.inputs; ++i) dense_[i] = is_dense(p, p.operands[i]);
    }

    // The loop consists of pieces, which may run in any order and at the same time.
    std::size_t pieces() const noexcept {
        return shape_ == shape::tiles ? bands_ * (plan_.count / (plan_.sizes[row_] * band_row_))
                                      : (plan_.count + block_elements - 1) / block_elements;
    }

    std::string describe() const {
        const std::string row = std::to_string(plan_.sizes[inner_]);
        switch (shape_) {
            case shape::packed: return "one packed run" + describe_stores(plan_.count);
            case shape::rows: return "rows of " + row + describe_stores(plan_.sizes[inner_]);
            case shape::tiles: {
                const std::size_t columns = (std::min)(tile_columns_, plan_.sizes[inner_]);
                return "tiles of " + std::to_string(tile_rows_) + " x " + std::to_string(columns) +
                       describe_stores(columns);
            }
            default: return "blocks of " + std::to_string((std::min)(block_elements, plan_.count));
        }
    }

    void run(std::size_t first_piece, std::size_t last_piece) const noexcept {
        const std::size_t first = first_piece * block_elements;
        const std::size_t last = (std::min)(last_piece * block_elements, plan_.count);
        switch (shape_) {
            case shape::packed: run_packed(first, last - first); break;
            case shape::rows: run_rows(first, last); break;
            case shape::tiles:
                for (std::size_t i = first_piece; i < last_piece; ++i) run_band(i);
                break;
            case shape::blocks:
                for (std::size_t start = first; start < last; start += block_elements)
                    run_split(start, (std::min)(block_elements, last - start));
        }
        if (stores_ == stores::streaming) finish_streaming();
    }

private:
    enum class shape : std::uint8_t { packed, rows, tiles, blocks };

    using pointers = std::array<const std::byte*, max_inputs>;

    struct alignas(cache_line) scratch {
        std::byte bytes[max_inputs + 1][block_bytes];
    };
    struct alignas(cache_line) tile_scratch {
        std::byte bytes[most_tiled_operands][tile_bytes];
    };

    static const std::byte* bytes_of(const void* operand) noexcept { return static_cast<const std::byte*>(operand); }
    static std::byte* bytes_of(void* operand) noexcept { return static_cast<std::byte*>(operand); }

    static std::ptrdiff_t byte_offset(const operand_path& path, std::ptrdiff_t elements) noexcept {
        return elements * static_cast<std::ptrdiff_t>(size_of(path.type));
    }

    // --- Rows ---------------------------------------------------------------------------------------------------
    // In a row the output is dense, and every input is dense or one element all along.

    // Rows of the same length and at the same distances, in which the kernel finds its operands.
    struct row_group {
        std::size_t count;  // elements in a row
        std::size_t rows;
        pointers inputs;
        std::byte* output;
        std::array<std::ptrdiff_t, max_inputs> input_pitches;
        std::ptrdiff_t output_pitch;
    };

    void run_packed(std::size_t start, std::size_t count) const noexcept {
        row_group g;
        g.count = count;
        g.rows = 1;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            g.inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, path.offset) + bytes_along(i, start);
        }
        const operand_path& path = plan_.output();
        g.output = bytes_of(data_.output) + byte_offset(path, path.offset + static_cast<std::ptrdiff_t>(start));
        run_group(g);
    }

    bool is_repeated(std::size_t input) const noexcept { return (repeated_ >> input & 1) != 0; }

    // So many elements further in a row.
    std::size_t bytes_along(std::size_t input, std::size_t elements) const noexcept {
        return is_repeated(input) ? 0 : elements * size_of(plan_.operands[input].type);
    }

    // Whole rows together, as many as lie at equal distances, and what is left of one at either end.
    void run_rows(std::size_t first, std::size_t last) const noexcept {
        const std::size_t row = plan_.sizes[inner_];
        loop_position position(plan_, first);
        row_group g;
        set_pitches(g, inner_ - 1);
        for (std::size_t start = first; start < last;) {
            const bool whole = position.run() == row && last - start >= row;
            g.count = (std::min)(position.run(), last - start);
            g.rows = whole ? (std::min)(position.rows(), (last - start) / row) : 1;
            for (std::size_t i = 0; i < plan_.inputs; ++i) {
                const operand_path& path = plan_.operands[i];
                g.inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, position.offset_of(path));
            }
            const operand_path& path = plan_.output();
            g.output = bytes_of(data_.output) + byte_offset(path, position.offset_of(path));
            run_group(g);
            if (whole) position.advance_rows(g.rows);
            else position.advance(g.count);
            start += g.count * g.rows;
        }
    }

    void set_pitches(row_group& g, std::size_t dimension) const noexcept {
        for (std::size_t i = 0; i < plan_.inputs; ++i)
            g.input_pitches[i] = byte_offset(plan_.operands[i], plan_.operands[i].strides[dimension]);
        g.output_pitch = byte_offset(plan_.output(), plan_.output().strides[dimension]);
    }

    void run_group(const row_group& g) const noexcept {
        const std::size_t done = g.count < kernel_.lanes ? 0 : run_vectors(g);
        if (done < g.count) run_rest(g, done);
    }

    bool streams(std::size_t row_elements) const noexcept {
        return stores_ == stores::streaming && row_elements * size_of(plan_.output().type) >= shortest_streamed_row;
    }
    std::string describe_stores(std::size_t row_elements) const {
        return streams(row_elements) ? ", streaming stores" : "";
    }

    // As much of every row as whole vectors reach; returns how much. An output that is no input may be computed twice,
    // so there the last vector lies over the one before it, and the first over the first that is aligned.
    std::size_t run_vectors(const row_group& g) const noexcept {
        const std::size_t lanes = kernel_.lanes;
        const std::size_t element = size_of(plan_.output().type);
        std::size_t done = 0;
        stores how = stores::cached;
        if (streams(g.count)) {
            if (g.rows > 1 && g.output_pitch % static_cast<std::ptrdiff_t>(cache_line) != 0) return run_one_by_one(g);
            how = stores::streaming;
            const std::size_t behind = reinterpret_cast<std::uintptr_t>(g.output) % cache_line;
            if (behind != 0) {
                done = (cache_line - behind) / element;
                call(g, 0, whole_vectors(done + lanes - 1), stores::cached);
            }
        }
        const std::size_t whole = whole_vectors(g.count - done);
        call(g, done, whole, how);
        done += whole;
        if (done < g.count && !plan_.in_place) {
            call(g, g.count - lanes, lanes, stores::cached);
            done = g.count;
        }
        return done;
    }

    std::size_t whole_vectors(std::size_t elements) const noexcept { return elements & ~(kernel_.lanes - 1); }

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
        pointers inputs;
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
            pointers inputs;
            for (std::size_t i = 0; i < plan_.inputs; ++i) {
                inputs[i] = g.inputs[i] + bytes_along(i, done) + (row == 0 ? 0 : rows * g.input_pitches[i]);
                if (is_repeated(i)) continue;
                std::memset(vectors[i], 0, widest_vector);
                std::memcpy(vectors[i], inputs[i], left * size_of(plan_.operands[i].type));
                inputs[i] = vectors[i];
            }
            kernel_.run({.inputs = inputs.data(), .output = result, .count = kernel_.lanes, .repeated = repeated_},
                        data_.parameters);
            std::memcpy(g.output + done * size + (row == 0 ? 0 : rows * g.output_pitch), result, left * size);
        }
    }

    // --- Blocks -------------------------------------------------------------------------------------------------

    // One block: dense operands in place, but for the elements that do not fill a vector.
    void run_split(std::size_t start, std::size_t count) const noexcept {
        const std::size_t whole = whole_vectors(count);
        if (whole > 0) run_block(start, whole, dense_);
        if (whole < count) run_block(start + whole, count - whole, {});
    }

    void run_block(std::size_t start, std::size_t count, const std::array<bool, max_inputs + 1>& dense) const noexcept {
        scratch blocks;
        pointers inputs;
        const auto first = static_cast<std::ptrdiff_t>(start);
        const std::size_t padded = whole_vectors(count + kernel_.lanes - 1);
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            if (dense[i]) {
                inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, path.offset + first);
                continue;
            }
            std::byte* block = blocks.bytes[i];
            gather(plan_, path, data_.inputs[i], start, count, block);
            std::memset(block + count * size_of(path.type), 0, (padded - count) * size_of(path.type));
            inputs[i] = block;
        }
        const operand_path& path = plan_.output();
        if (dense[plan_.inputs]) {
            std::byte* const to = bytes_of(data_.output) + byte_offset(path, path.offset + first);
            kernel_.run({.inputs = inputs.data(), .output = to, .count = count}, data_.parameters);
        } else {
            std::byte* block = blocks.bytes[plan_.inputs];
            kernel_.run({.inputs = inputs.data(), .output = block, .count = padded}, data_.parameters);
            scatter(plan_, path, data_.output, start, count, block);
        }
    }

    // --- Tiles --------------------------------------------------------------------------------------------------
    // A tile spans columns along the innermost dimension and rows along another: the one in which a transposed operand
    // is dense, if there is such an operand. All tiles of the same rows are a band.

    bool is_gathered(std::size_t input) const noexcept {
        return plan_.operands[input].strides[inner_] != 1 && !is_repeated(input);
    }

    // Rows where nothing is gathered. False where neither rows nor tiles will do.
    bool choose_rows_or_tiles() noexcept {
        if (plan_.output().strides[inner_] != 1) return false;
        std::size_t gathered = 0;
        std::size_t widest = 1;
        bool transposed = false;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            if (!is_gathered(i)) continue;
            ++gathered;
            widest = (std::max)(widest, size_of(path.type));
            for (std::size_t d = 0; d < inner_ && !transposed; ++d)
                if (path.strides[d] == 1) {
                    transposed = true;
                    row_ = d;
                }
        }
        if (gathered == 0) {
            shape_ = inner_ == 0 ? shape::packed : shape::rows;
            return true;
        }
        if (gathered > most_tiled_operands || inner_ == 0) return false;
        shape_ = shape::tiles;
        if (!transposed) row_ = inner_ - 1;
        tile_rows_ = (std::min)(2 * cache_line / widest, plan_.sizes[row_]);
        tile_columns_ = (std::min)(tile_bytes / (tile_rows_ * widest), most_tile_columns);
        bands_ = (plan_.sizes[row_] + tile_rows_ - 1) / tile_rows_;
        band_row_ = 1;
        for (std::size_t d = row_ + 1; d < plan_.rank; ++d) band_row_ *= plan_.sizes[d];
        return true;
    }

    // Band number i counts along the rows, then along the dimensions around them.
    void run_band(std::size_t i) const noexcept {
        const std::size_t first_row = i % bands_ * tile_rows_;
        const std::size_t rows = (std::min)(tile_rows_, plan_.sizes[row_] - first_row);
        const std::size_t start = (i / bands_ * plan_.sizes[row_] + first_row) * band_row_;
        loop_position position(plan_, start);
        for (std::size_t done = 0; done < band_row_;) {
            const std::size_t columns = (std::min)(tile_columns_, position.run());
            run_tile(position, rows, columns);
            position.advance(columns);
            done += columns;
        }
    }

    void run_tile(const loop_position& position, std::size_t rows, std::size_t columns) const noexcept {
        tile_scratch tiles;
        row_group g;
        g.count = columns;
        g.rows = rows;
        set_pitches(g, row_);
        std::size_t gathered = 0;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            g.inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, position.offset_of(path));
            if (!is_gathered(i)) continue;
            std::byte* const to = tiles.bytes[gathered++];
            gather_tile(path, g.inputs[i], to, rows, columns);
            g.inputs[i] = to;
            g.input_pitches[i] = static_cast<std::ptrdiff_t>(tile_columns_ * size_of(path.type));
        }
        g.output = bytes_of(data_.output) + byte_offset(plan_.output(), position.offset_of(plan_.output()));
        run_group(g);
    }

    void gather_tile(const operand_path& path, const std::byte* from, std::byte* to, std::size_t rows,
                     std::size_t columns) const noexcept {
        const std::ptrdiff_t along_row = path.strides[inner_];
        const std::ptrdiff_t stride = byte_offset(path, along_row);
        const std::size_t size = size_of(path.type);
        const auto pitch = static_cast<std::ptrdiff_t>(tile_columns_ * size);
        if (path.strides[row_] == 1) {
            switch (size) {
                case 4: return transpose(tile<std::uint32_t>{from, stride, to, pitch}, rows, columns);
                case 2: return transpose(tile<std::uint16_t>{from, stride, to, pitch}, rows, columns);
                default: return transpose(tile<std::uint8_t>{from, stride, to, pitch}, rows, columns);
            }
        }
        for (std::size_t row = 0; row < rows; ++row) {
            copy_run(size, to, 1, from, along_row, columns);
            to += tile_columns_ * size;
            from += byte_offset(path, path.strides[row_]);
        }
    }

    kernel kernel_;
    const plan& plan_;
    const memory_bindings& data_;
    std::size_t inner_;
    stores stores_ = stores::cached;
    std::uint32_t repeated_ = 0;  // a bit for every input that is one element all along a row
    shape shape_ = shape::packed;
    std::size_t row_ = 0;        // the dimension of a tile's rows
    std::size_t tile_rows_ = 0;  // in a tile, but for the last
    std::size_t tile_columns_ = 0;
    std::size_t bands_ = 0;     // along the rows
    std::size_t band_row_ = 0;  // elements of the loop between two rows
    std::array<bool, max_inputs + 1> dense_{};
};

}  // namespace sinter::cpu::detail
