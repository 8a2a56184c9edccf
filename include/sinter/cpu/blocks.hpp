// The loop around a kernel: dense operands are handed over as they are, all others pass through blocks in L1, and so
// does what is left when the elements do not fill a whole vector. Nothing here depends on a program or a target.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../plan/backend.hpp"
#include "../plan/movers.hpp"

namespace sinter::cpu::detail {

using sinter::detail::gather;
using sinter::detail::loop_position;
using sinter::detail::scatter;

// A program compiled for a target. Runs over `count` elements, a multiple of `lanes`, of dense operands.
struct kernel {
    void (*run)(const std::byte* const* inputs, std::byte* output, const std::uint32_t* parameters,
                std::size_t count);
    std::size_t lanes;
};

inline constexpr std::size_t block_elements = 512;
inline constexpr std::size_t block_bytes = block_elements * 4;
inline constexpr std::size_t cache_line = 64;

// Rows shorter than this go through blocks, which join them; longer ones are handed to the kernel one by one.
inline constexpr std::size_t shortest_row = 128;

class block_loop {
public:
    block_loop(const kernel& k, const plan& p, const memory_bindings& data) noexcept
        : kernel_(k), plan_(p), data_(data) {
        for (std::size_t i = 0; i <= p.inputs; ++i) dense_[i] = is_dense(p.operands[i]);
    }

    // Elements first .. last of the loop.
    void run(std::size_t first, std::size_t last) const noexcept {
        if (plan_.kind == loop_kind::packed) {
            run_dense(first, last - first);
        } else if (plan_.kind == loop_kind::rows && plan_.sizes[plan_.rank - 1] >= shortest_row) {
            run_rows(first, last);
        } else {
            for (std::size_t start = first; start < last; start += block_elements)
                run_split(start, (std::min)(block_elements, last - start));
        }
    }

    // Bytes read and written by the whole loop.
    std::size_t traffic() const noexcept {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i <= plan_.inputs; ++i) bytes += size_of(plan_.operands[i].type);
        return bytes * plan_.count;
    }

private:
    using pointers = std::array<const std::byte*, max_inputs>;

    struct alignas(cache_line) scratch {
        std::byte bytes[max_inputs + 1][block_bytes];
    };

    // In loop order without a gap: element n lies n elements after the first.
    bool is_dense(const operand_path& path) const noexcept {
        std::size_t expected = 1;
        for (std::size_t i = plan_.rank; i-- > 0;) {
            if (path.strides[i] != static_cast<std::ptrdiff_t>(expected)) return false;
            expected *= plan_.sizes[i];
        }
        return true;
    }

    static const std::byte* bytes_of(const void* operand) noexcept { return static_cast<const std::byte*>(operand); }
    static std::byte* bytes_of(void* operand) noexcept { return static_cast<std::byte*>(operand); }

    std::ptrdiff_t byte_offset(const operand_path& path, std::ptrdiff_t elements) const noexcept {
        return (path.offset + elements) * static_cast<std::ptrdiff_t>(size_of(path.type));
    }

    // The kernel on whole vectors of operands that are dense from their element `start` on.
    void run_dense(std::size_t start, std::size_t count) const noexcept {
        const std::size_t whole = count - count % kernel_.lanes;
        const auto first = static_cast<std::ptrdiff_t>(start);
        if (whole > 0) {
            pointers inputs;
            for (std::size_t i = 0; i < plan_.inputs; ++i)
                inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(plan_.operands[i], first);
            kernel_.run(inputs.data(), bytes_of(data_.output) + byte_offset(plan_.output(), first), data_.parameters,
                        whole);
        }
        if (whole < count) run_moved(start + whole, count - whole);
    }

    void run_rows(std::size_t first, std::size_t last) const noexcept {
        loop_position position(plan_, first);
        for (std::size_t start = first; start < last;) {
            const std::size_t row = (std::min)(position.run(), last - start);
            const std::size_t whole = row - row % kernel_.lanes;
            if (whole > 0) {
                pointers inputs;
                for (std::size_t i = 0; i < plan_.inputs; ++i) {
                    const operand_path& path = plan_.operands[i];
                    inputs[i] = bytes_of(data_.inputs[i]) +
                                position.offset_of(path) * static_cast<std::ptrdiff_t>(size_of(path.type));
                }
                kernel_.run(inputs.data(),
                            bytes_of(data_.output) + position.offset_of(plan_.output()) *
                                                         static_cast<std::ptrdiff_t>(size_of(plan_.output().type)),
                            data_.parameters, whole);
            }
            if (whole < row) run_moved(start + whole, row - whole);
            position.advance(row);
            start += row;
        }
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
                inputs[i] = bytes_of(data_.inputs[i]) + byte_offset(path, first);
                continue;
            }
            std::byte* block = blocks.bytes[i];
            gather(plan_, path, data_.inputs[i], start, count, block);
            std::memset(block + count * size_of(path.type), 0, (padded - count) * size_of(path.type));
            inputs[i] = block;
        }
        const operand_path& path = plan_.output();
        if (dense[plan_.inputs]) {
            kernel_.run(inputs.data(), bytes_of(data_.output) + byte_offset(path, first), data_.parameters, count);
        } else {
            std::byte* block = blocks.bytes[plan_.inputs];
            kernel_.run(inputs.data(), block, data_.parameters, padded);
            scatter(plan_, path, data_.output, start, count, block);
        }
    }

    kernel kernel_;
    const plan& plan_;
    const memory_bindings& data_;
    std::array<bool, max_inputs + 1> dense_;
};

}  // namespace sinter::cpu::detail
