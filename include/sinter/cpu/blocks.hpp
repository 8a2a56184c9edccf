// The loop around a kernel. Rows that are dense in every operand are handed over as they are, transposed operands pass
// through tiles in L1, and all others, with what does not fill a vector, through blocks there. Nothing here depends on
// a program or a target.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../plan/backend.hpp"
#include "../plan/movers.hpp"
#include "kernel.hpp"
#include "thresholds.hpp"
#include "transpose.hpp"

namespace sinter::cpu::detail {

using sinter::detail::copy_run;
using sinter::detail::gather;
using sinter::detail::loop_position;
using sinter::detail::scatter;

inline constexpr std::size_t cache_line = 64;
inline constexpr std::size_t block_elements = 512;
inline constexpr std::size_t block_bytes = block_elements * 4;

// Rows of fewer bytes than this would stream little more than their ends.
inline constexpr std::size_t shortest_streamed_row = 256;

// A tile is as many rows as words of a transposed operand share a cache line, of up to so many columns.
inline constexpr std::size_t tile_columns = 256;
inline constexpr std::size_t most_tiled_operands = 3;

class block_loop {
public:
    block_loop(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay) noexcept
        : kernel_(k), plan_(p), data_(data), inner_(p.rank - 1) {
        if (!p.in_place && traffic() >= pay.streaming_bytes) stores_ = stores::streaming;
        if (p.kind == loop_kind::packed) return;
        const bool long_rows = p.sizes[inner_] >= pay.row_elements;
        if (p.kind == loop_kind::rows && long_rows) {
            shape_ = shape::rows;
        } else if (long_rows && choose_tiles()) {
            shape_ = shape::tiles;
        } else {
            shape_ = shape::blocks;
            for (std::size_t i = 0; i <= p.inputs; ++i) dense_[i] = is_dense(p.operands[i]);
        }
    }

    // Bytes read and written by the whole loop.
    std::size_t traffic() const noexcept {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i <= plan_.inputs; ++i) bytes += size_of(plan_.operands[i].type);
        return bytes * plan_.count;
    }

    // The loop consists of pieces, which may run in any order and at the same time.
    std::size_t pieces() const noexcept {
        return shape_ == shape::tiles ? bands_ * (plan_.count / (plan_.sizes[row_] * band_row_))
                                      : (plan_.count + block_elements - 1) / block_elements;
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
        std::byte bytes[most_tiled_operands][cache_line * tile_columns];
    };

    static const std::byte* bytes_of(const void* operand) noexcept { return static_cast<const std::byte*>(operand); }
    static std::byte* bytes_of(void* operand) noexcept { return static_cast<std::byte*>(operand); }

    static std::ptrdiff_t byte_offset(const operand_path& path, std::ptrdiff_t elements) noexcept {
        return elements * static_cast<std::ptrdiff_t>(size_of(path.type));
    }

    // --- Rows that are dense in every operand -------------------------------------------------------------------

    void run_packed(std::size_t start, std::size_t count) const noexcept {
        const auto first = static_cast<std::ptrdiff_t>(start);
        run_row(start, count, [&](const operand_path& path) { return path.offset + first; });
    }

    void run_rows(std::size_t first, std::size_t last) const noexcept {
        loop_position position(plan_, first);
        for (std::size_t start = first; start < last;) {
            const std::size_t count = (std::min)(position.run(), last - start);
            run_row(start, count, [&](const operand_path& path) { return position.offset_of(path); });
            position.advance(count);
            start += count;
        }
    }

    // The loop's elements from `start` on; offset_of tells where an operand has the first of them.
    template <class OffsetOf>
    void run_row(std::size_t start, std::size_t count, const OffsetOf& offset_of) const noexcept {
        if (count < kernel_.lanes) return run_moved(start, count);
        pointers inputs;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, offset_of(path));
        }
        const operand_path& path = plan_.output();
        std::byte* const output = bytes_of(data_.output) + byte_offset(path, offset_of(path));
        const std::size_t done = run_vectors(inputs, output, count);
        if (done < count) run_moved(start + done, count - done);
    }

    // As much of a row as whole vectors reach. An output that is no input may be computed twice, so there the last
    // vector lies over the one before it, and the first over the first that is aligned.
    std::size_t run_vectors(const pointers& inputs, std::byte* output, std::size_t count) const noexcept {
        const std::size_t lanes = kernel_.lanes;
        std::size_t done = 0;
        stores how = stores::cached;
        if (stores_ == stores::streaming && count * size_of(plan_.output().type) >= shortest_streamed_row) {
            how = stores::streaming;
            const std::size_t behind = reinterpret_cast<std::uintptr_t>(output) % cache_line;
            if (behind != 0) {
                done = (cache_line - behind) / size_of(plan_.output().type);
                call(inputs, output, 0, (done + lanes - 1) / lanes * lanes, stores::cached);
            }
        }
        const std::size_t whole = (count - done) - (count - done) % lanes;
        call(inputs, output, done, whole, how);
        done += whole;
        if (done < count && !plan_.in_place) {
            call(inputs, output, count - lanes, lanes, stores::cached);
            done = count;
        }
        return done;
    }

    // The kernel, from element `first` of a row on.
    void call(const pointers& row, std::byte* output, std::size_t first, std::size_t count, stores how) const noexcept {
        pointers inputs;
        for (std::size_t i = 0; i < plan_.inputs; ++i) inputs[i] = row[i] + first * size_of(plan_.operands[i].type);
        kernel_.run(inputs.data(), output + first * size_of(plan_.output().type), data_.parameters, count, how);
    }

    // --- Blocks -------------------------------------------------------------------------------------------------

    // In loop order without a gap: element n lies n elements after the first.
    bool is_dense(const operand_path& path) const noexcept {
        std::size_t expected = 1;
        for (std::size_t i = plan_.rank; i-- > 0;) {
            if (path.strides[i] != static_cast<std::ptrdiff_t>(expected)) return false;
            expected *= plan_.sizes[i];
        }
        return true;
    }

    // One block: dense operands in place, but for the elements that do not fill a vector.
    void run_split(std::size_t start, std::size_t count) const noexcept {
        const std::size_t whole = count - count % kernel_.lanes;
        if (whole > 0) run_block(start, whole, dense_);
        if (whole < count) run_moved(start + whole, count - whole);
    }

    void run_moved(std::size_t start, std::size_t count) const noexcept { run_block(start, count, {}); }

    void run_block(std::size_t start, std::size_t count, const std::array<bool, max_inputs + 1>& dense) const noexcept {
        scratch blocks;
        pointers inputs;
        const auto first = static_cast<std::ptrdiff_t>(start);
        const std::size_t padded = (count + kernel_.lanes - 1) / kernel_.lanes * kernel_.lanes;
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
            kernel_.run(inputs.data(), bytes_of(data_.output) + byte_offset(path, path.offset + first),
                        data_.parameters, count, stores::cached);
        } else {
            std::byte* block = blocks.bytes[plan_.inputs];
            kernel_.run(inputs.data(), block, data_.parameters, padded, stores::cached);
            scatter(plan_, path, data_.output, start, count, block);
        }
    }

    // --- Tiles --------------------------------------------------------------------------------------------------
    // A tile spans columns along the innermost dimension and rows along the one in which a transposed operand is dense.
    // All tiles of the same rows are a band.

    bool is_direct(const operand_path& path) const noexcept { return path.strides[inner_] == 1; }

    bool choose_tiles() noexcept {
        if (!is_direct(plan_.output())) return false;
        std::size_t gathered = 0;
        std::size_t widest = 1;
        row_ = inner_;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            if (is_direct(path)) continue;
            ++gathered;
            widest = (std::max)(widest, size_of(path.type));
            for (std::size_t d = 0; d < inner_ && row_ == inner_; ++d)
                if (path.strides[d] == 1 && path.strides[inner_] != 0) row_ = d;
        }
        if (row_ == inner_ || gathered > most_tiled_operands) return false;
        tile_rows_ = cache_line / widest;
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
            const std::size_t columns = (std::min)(tile_columns, position.run());
            run_tile(position, start + done, rows, columns);
            position.advance(columns);
            done += columns;
        }
    }

    void run_tile(const loop_position& position, std::size_t start, std::size_t rows,
                  std::size_t columns) const noexcept {
        tile_scratch tiles;
        pointers inputs;
        std::array<std::ptrdiff_t, max_inputs> pitch;
        std::size_t gathered = 0;
        for (std::size_t i = 0; i < plan_.inputs; ++i) {
            const operand_path& path = plan_.operands[i];
            const std::byte* const first = bytes_of(data_.inputs[i]) + byte_offset(path, position.offset_of(path));
            if (is_direct(path)) {
                inputs[i] = first;
                pitch[i] = byte_offset(path, path.strides[row_]);
            } else {
                std::byte* const to = tiles.bytes[gathered++];
                gather_tile(path, first, to, rows, columns);
                inputs[i] = to;
                pitch[i] = static_cast<std::ptrdiff_t>(tile_columns * size_of(path.type));
            }
        }
        const operand_path& path = plan_.output();
        std::byte* output = bytes_of(data_.output) + byte_offset(path, position.offset_of(path));
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t done = columns < kernel_.lanes ? 0 : run_vectors(inputs, output, columns);
            if (done < columns) run_moved(start + row * band_row_ + done, columns - done);
            for (std::size_t i = 0; i < plan_.inputs; ++i) inputs[i] += pitch[i];
            output += byte_offset(path, path.strides[row_]);
        }
    }

    void gather_tile(const operand_path& path, const std::byte* from, std::byte* to, std::size_t rows,
                     std::size_t columns) const noexcept {
        const std::ptrdiff_t along_row = path.strides[inner_];
        const std::size_t size = size_of(path.type);
        if (path.strides[row_] == 1 && along_row != 0) {
            switch (size) {
                case 4: return transpose(tile<std::uint32_t>{from, along_row, to, tile_columns}, rows, columns);
                case 2: return transpose(tile<std::uint16_t>{from, along_row, to, tile_columns}, rows, columns);
                default: return transpose(tile<std::uint8_t>{from, along_row, to, tile_columns}, rows, columns);
            }
        }
        for (std::size_t row = 0; row < rows; ++row) {
            copy_run(size, to, 1, from, along_row, columns);
            to += tile_columns * size;
            from += byte_offset(path, path.strides[row_]);
        }
    }

    kernel kernel_;
    const plan& plan_;
    const memory_bindings& data_;
    std::size_t inner_;
    stores stores_ = stores::cached;
    shape shape_ = shape::packed;
    std::size_t row_ = 0;        // the dimension of a tile's rows
    std::size_t tile_rows_ = 0;  // in a tile, but for the last
    std::size_t bands_ = 0;      // along the rows
    std::size_t band_row_ = 0;   // elements of the loop between two rows
    std::array<bool, max_inputs + 1> dense_{};
};

}  // namespace sinter::cpu::detail
