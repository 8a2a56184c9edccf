// Movers: copy runs of a strided operand into dense blocks and back. They depend on the element size alone, so that
// one kernel per program serves every layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "plan.hpp"

namespace sinter::detail {

// In loop order without a gap: element n lies n elements after the first.
inline bool is_dense(const plan& p, const operand_path& path) noexcept {
    std::size_t expected = 1;
    for (std::size_t i = p.rank; i-- > 0;) {
        if (path.strides[i] != static_cast<std::ptrdiff_t>(expected)) return false;
        expected *= p.sizes[i];
    }
    return true;
}

// Where element number `start` of a plan's loop lies, and how to go on from there.
class loop_position {
public:
    loop_position(const plan& p, std::size_t start) noexcept : plan_(p) {
        for (std::size_t i = p.rank; i-- > 0;) {
            index_[i] = start % p.sizes[i];
            start /= p.sizes[i];
        }
    }

    std::ptrdiff_t offset_of(const operand_path& path) const noexcept {
        std::ptrdiff_t offset = path.offset;
        for (std::size_t i = 0; i < plan_.rank; ++i) offset += static_cast<std::ptrdiff_t>(index_[i]) * path.strides[i];
        return offset;
    }

    // How many elements follow along the innermost dimension.
    std::size_t run() const noexcept { return plan_.sizes[plan_.rank - 1] - index_[plan_.rank - 1]; }

    // How many rows follow along the dimension around the innermost one, from the start of a row.
    std::size_t rows() const noexcept { return plan_.sizes[plan_.rank - 2] - index_[plan_.rank - 2]; }

    void advance_rows(std::size_t count) noexcept {
        std::size_t i = plan_.rank - 2;
        index_[i] += count;
        carry(i);
    }

    // Past `count` elements, which do not leave the innermost dimension's run.
    void advance(std::size_t count) noexcept {
        std::size_t i = plan_.rank - 1;
        index_[i] += count;
        carry(i);
    }

private:
    void carry(std::size_t i) noexcept {
        while (index_[i] == plan_.sizes[i] && i > 0) {
            index_[i--] = 0;
            ++index_[i];
        }
    }

    const plan& plan_;
    std::array<std::size_t, max_rank> index_;
};

// The same word again and again, in stores of 16 bytes where the compiler has a name for them.
template <class Word>
void repeat(std::byte* to, const std::byte* from, std::size_t count) noexcept {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    std::size_t done = 0;
#if defined(__GNUC__)
    typedef Word words __attribute__((vector_size(16)));
    constexpr std::size_t lanes = 16 / sizeof(Word);
    const words repeated = words{} + word;
    for (; done + 4 * lanes <= count; done += 4 * lanes)
        for (std::size_t i = 0; i < 4; ++i) std::memcpy(to + (done + i * lanes) * sizeof(Word), &repeated, 16);
#endif
    for (; done < count; ++done) std::memcpy(to + done * sizeof(Word), &word, sizeof(Word));
}

template <class Word>
void copy_strided(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, std::ptrdiff_t from_stride,
                  std::size_t count) noexcept {
    if (to_stride == 1 && from_stride == 0) return repeat<Word>(to, from, count);
    constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(Word));
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to, from, sizeof(Word));
        to += to_stride * bytes;
        from += from_stride * bytes;
    }
}

// One run, whose strides count elements of `size` bytes.
inline void copy_run(std::size_t size, std::byte* to, std::ptrdiff_t to_stride, const std::byte* from,
                     std::ptrdiff_t from_stride, std::size_t count) noexcept {
    if (to_stride == 1 && from_stride == 1) {
        std::memcpy(to, from, count * size);
        return;
    }
    switch (size) {
        case 4: return copy_strided<std::uint32_t>(to, to_stride, from, from_stride, count);
        case 2: return copy_strided<std::uint16_t>(to, to_stride, from, from_stride, count);
        default: return copy_strided<std::uint8_t>(to, to_stride, from, from_stride, count);
    }
}

// Elements start .. start + count of the loop, from the operand into a dense block.
inline void gather(const plan& p, const operand_path& path, const void* operand, std::size_t start, std::size_t count,
                   std::byte* block) noexcept {
    const std::size_t size = size_of(path.type);
    const std::ptrdiff_t stride = path.strides[p.rank - 1];
    loop_position position(p, start);
    while (count > 0) {
        const std::size_t run = position.run() < count ? position.run() : count;
        const auto* from =
            static_cast<const std::byte*>(operand) + position.offset_of(path) * static_cast<std::ptrdiff_t>(size);
        copy_run(size, block, 1, from, stride, run);
        position.advance(run);
        block += run * size;
        count -= run;
    }
}

// The same from a dense block into the operand.
inline void scatter(const plan& p, const operand_path& path, void* operand, std::size_t start, std::size_t count,
                    const std::byte* block) noexcept {
    const std::size_t size = size_of(path.type);
    const std::ptrdiff_t stride = path.strides[p.rank - 1];
    loop_position position(p, start);
    while (count > 0) {
        const std::size_t run = position.run() < count ? position.run() : count;
        auto* to = static_cast<std::byte*>(operand) + position.offset_of(path) * static_cast<std::ptrdiff_t>(size);
        copy_run(size, to, stride, block, 1, run);
        position.advance(run);
        block += run * size;
        count -= run;
    }
}

}  // namespace sinter::detail
