// The loop around a kernel. Rows of dense or repeated operands are handed over as they are, transposed operands pass
// through tiles in L1, and all others through blocks there. Nothing here depends on a program or a target.
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
#include "rows.hpp"
#include "strided.hpp"
#include "thresholds.hpp"
#include "transpose.hpp"

namespace sinter::cpu::detail {

using sinter::detail::gather;
using sinter::detail::is_dense;
using sinter::detail::loop_position;
using sinter::detail::scatter;

inline constexpr std::size_t block_elements = 512;
inline constexpr std::size_t block_bytes = block_elements * 4;

// A tile is as many rows as words of a transposed operand share two cache lines, since processors fetch lines by pairs,
// of as many columns as stay in L1.
inline constexpr std::size_t tile_bytes = std::size_t{16} << 10;
inline constexpr std::size_t most_tile_columns = 2048;
inline constexpr std::size_t most_tiled_operands = 3;

class block_loop {
public:
    block_loop(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay) noexcept
        : kernel_(k), plan_(p), data_(data), row_kernel_(k, p, data, pay), inner_(p.rank - 1) {
        if (p.kind == loop_kind::packed) return;
        if (choose_rows() || choose_tiles(pay)) return;
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
            case shape::packed: row_kernel_.run_packed(first, last - first); break;
            case shape::rows: run_rows(first, last); break;
            case shape::tiles:
                for (std::size_t i = first_piece; i < last_piece; ++i) run_band(i);
                break;
            case shape::blocks:
                for (std::size_t start = first; start < last; start += block_elements)
                    run_split(start, (std::min)(block_elements, last - start));
        }
        if (row_kernel_.streams()) finish_streaming();
    }

private:
    enum class shape : std::uint8_t { packed, rows, tiles, blocks };

    struct alignas(cache_line) scratch {
        std::byte bytes[max_inputs + 1][block_bytes];
    };
    struct alignas(cache_line) tile_scratch {
        std::byte bytes[most_tiled_operands][tile_bytes];
    };

    std::string describe_stores(std::size_t row_elements) const {
        return row_kernel_.streams(row_elements) ? ", streaming stores" : "";
    }

    // --- Rows ---------------------------------------------------------------------------------------------------

    bool is_gathered(std::size_t input) const noexcept {
        return plan_.operands[input].strides[inner_] != 1 && !row_kernel_.is_repeated(input);
    }

    bool choose_rows() noexcept {
        if (plan_.sizes[inner_] < kernel_.shape.unit || plan_.output().strides[inner_] != 1) return false;
        for (std::size_t i = 0; i < plan_.inputs; ++i)
            if (is_gathered(i)) return false;
        shape_ = inner_ == 0 ? shape::packed : shape::rows;
        return true;
    }

    // Whole rows together, as many as lie at equal distances, and what is left of one at either end.
    void run_rows(std::size_t first, std::size_t last) const noexcept {
        const std::size_t row = plan_.sizes[inner_], most_rows = plan_.sizes[inner_ - 1];
        const group_steps steps(plan_);
        loop_position position(plan_, first);
        row_group g;
        set_pitches(g, inner_ - 1);
        place(g, position);
        for (std::size_t start = first;;) {
            const bool whole = position.run() == row && last - start >= row;
            g.count = (std::min)(position.run(), last - start);
            g.rows = whole ? (std::min)(position.rows(), (last - start) / row) : 1;
            row_kernel_.run(g);
            start += g.count * g.rows;
            if (start == last) return;
            if (!whole) {
                position.advance(g.count);
                place(g, position);
            } else if (const std::size_t moved = position.advance_rows(g.rows); g.rows == most_rows) {
                steps.move(g, moved);
            } else {
                place(g, position);
            }
        }
    }

    void place(row_group& g, const loop_position& position) const noexcept {
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            g.inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, position.offset_of(path));
        }
        g.output = bytes_of(data_.output) + byte_offset(plan_.output(), position.offset_of(plan_.output()));
    }

    void set_pitches(row_group& g, std::size_t dimension) const noexcept {
        for (std::size_t i = 0; i < plan_.inputs; ++i)
            g.input_pitches[i] = byte_offset(plan_.operands[i], plan_.operands[i].strides[dimension]);
        g.output_pitch = byte_offset(plan_.output(), plan_.output().strides[dimension]);
    }

    // --- Blocks -------------------------------------------------------------------------------------------------

    // One block: dense operands in place, but for the elements that do not fill a vector.
    void run_split(std::size_t start, std::size_t count) const noexcept {
        const std::size_t whole = row_kernel_.whole_units(count);
        if (whole > 0) run_block(start, whole, dense_);
        if (whole < count) run_block(start + whole, count - whole, {});
    }

    void run_block(std::size_t start, std::size_t count, const std::array<bool, max_inputs + 1>& dense) const noexcept {
        scratch blocks;
        input_pointers inputs;
        const auto first = static_cast<std::ptrdiff_t>(start);
        const std::size_t padded = row_kernel_.whole_units(count + kernel_.shape.unit - 1);
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            if (dense[i]) {
                inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, path.offset + first);
                continue;
            }
            std::byte* block = blocks.bytes[i];
            gather(plan_, path, data_.inputs[i], start, count, block, gather_run);
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

    bool choose_tiles(const thresholds& pay) noexcept {
        if (plan_.sizes[inner_] < pay.tile_elements || plan_.output().strides[inner_] != 1 || inner_ == 0) return false;
        std::size_t gathered = 0;
        std::size_t widest = 1;
        bool transposed = false;
        row_ = inner_ - 1;
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
        if (gathered > most_tiled_operands) return false;
        shape_ = shape::tiles;
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
        place(g, position);
        std::size_t gathered = 0;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            if (!is_gathered(i)) continue;
            std::byte* const to = tiles.bytes[gathered++];
            gather_tile(path, g.inputs[i], to, rows, columns);
            g.inputs[i] = to;
            g.input_pitches[i] = static_cast<std::ptrdiff_t>(tile_columns_ * size_of(path.type));
        }
        row_kernel_.run(g);
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
            gather_run(size, to, from, along_row, columns);
            to += tile_columns_ * size;
            from += byte_offset(path, path.strides[row_]);
        }
    }

    const kernel& kernel_;
    const plan& plan_;
    const memory_bindings& data_;
    row_kernel row_kernel_;
    std::size_t inner_;
    shape shape_ = shape::packed;
    std::size_t row_ = 0;        // the dimension of a tile's rows
    std::size_t tile_rows_ = 0;  // in a tile, but for the last
    std::size_t tile_columns_ = 0;
    std::size_t bands_ = 0;     // along the rows
    std::size_t band_row_ = 0;  // elements of the loop between two rows
    std::array<bool, max_inputs + 1> dense_{};
};

}  // namespace sinter::cpu::detail
