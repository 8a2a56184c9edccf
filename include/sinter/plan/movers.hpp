// Movers: copy runs of a strided operand into dense blocks and back. They depend on the element size alone, so that
// one kernel per program serves every layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

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

    // Past `count` rows, no more than follow. Returns the outermost dimension in which that is a step.
    std::size_t advance_rows(std::size_t count) noexcept { return advance_along(plan_.rank - 2, count); }

    // Past `count` elements, which do not leave the innermost dimension's run.
    void advance(std::size_t count) noexcept { advance_along(plan_.rank - 1, count); }

private:
    std::size_t advance_along(std::size_t i, std::size_t count) noexcept {
        index_[i] += count;
        while (index_[i] == plan_.sizes[i] && i > 0) {
            index_[i--] = 0;
            ++index_[i];
        }
        return i;
    }

    const plan& plan_;
    std::array<std::size_t, max_rank> index_;
};

// A dense run of words, stored 16 bytes at a time where the compiler has a name for them.
#if defined(__GNUC__)
template <class Word>
struct dense_words {
    static constexpr std::size_t lanes = 16 / sizeof(Word);
    static constexpr auto every_lane = std::make_index_sequence<lanes>();
    typedef Word type __attribute__((vector_size(16)));

    static type load(const std::byte* from) noexcept {
        type words;
        std::memcpy(&words, from, 16);
        return words;
    }
    static Word load_one(const std::byte* from) noexcept {
        Word word;
        std::memcpy(&word, from, sizeof(Word));
        return word;
    }

    template <std::size_t... I>
    static type backwards(type words, std::index_sequence<I...>) noexcept {
        return __builtin_shufflevector(words, words, (lanes - 1 - I)...);
    }
    template <std::size_t... I>
    static type every_second(type a, type b, std::index_sequence<I...>) noexcept {
        return __builtin_shufflevector(a, b, (2 * I)...);
    }
    template <std::size_t... I>
    static type one_by_one(const std::byte* from, std::ptrdiff_t step, std::index_sequence<I...>) noexcept {
        return type{load_one(from + static_cast<std::ptrdiff_t>(I) * step)...};
    }

    // The next words, the first of which is at `from`. Nothing is read but them and what lies between them and the word
    // after the last.
    struct repeated {
        type words;
        type operator()(const std::byte*) const noexcept { return words; }
    };
    struct reversed {
        type operator()(const std::byte* from) const noexcept {
            return backwards(load(from + sizeof(Word) - 16), every_lane);
        }
    };
    struct every_other {
        type operator()(const std::byte* from) const noexcept {
            return every_second(load(from), load(from + 16), every_lane);
        }
    };
    struct picked {
        std::ptrdiff_t step;
        type operator()(const std::byte* from) const noexcept { return one_by_one(from, step, every_lane); }
    };

    // Returns how many words are done. One at least is left, so that there is a word after those that a turn takes.
    template <class Next>
    static std::size_t fill(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t count,
                            const Next& next) noexcept {
        std::size_t done = 0;
        for (; done + lanes < count; done += lanes) {
            const type words = next(from);
            std::memcpy(to + done * sizeof(Word), &words, 16);
            from += step * static_cast<std::ptrdiff_t>(lanes);
        }
        return done;
    }
    // A choice of what pays with 16-byte registers: where a pattern is missing, words are moved one by one as fast.
    static std::size_t gather(std::byte* to, const std::byte* from, std::ptrdiff_t stride, std::size_t count) noexcept {
        const std::ptrdiff_t step = stride * static_cast<std::ptrdiff_t>(sizeof(Word));
        if (stride == 0) return fill(to, from, step, count, repeated{type{} + load_one(from)});
        if (stride == 2) return fill(to, from, step, count, every_other{});
        if constexpr (sizeof(Word) == 4)
            if (stride == -1) return fill(to, from, step, count, reversed{});
        if constexpr (sizeof(Word) > 1) return fill(to, from, step, count, picked{step});
        return 0;
    }
};
#endif

template <class Word>
void copy_strided(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from, std::ptrdiff_t from_stride,
                  std::size_t count) noexcept {
    constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(Word));
    std::size_t done = 0;
#if defined(__GNUC__)
    if (to_stride == 1 && count > 0) done = dense_words<Word>::gather(to, from, from_stride, count);
#endif
    to += static_cast<std::ptrdiff_t>(done) * to_stride * bytes;
    from += static_cast<std::ptrdiff_t>(done) * from_stride * bytes;
    for (; done < count; ++done) {
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

inline void gather_run(std::size_t size, std::byte* to, const std::byte* from, std::ptrdiff_t stride,
                       std::size_t count) noexcept {
    copy_run(size, to, 1, from, stride, count);
}

// Elements start .. start + count of the loop, from the operand into a dense block; each run by what is like
// gather_run.
template <class GatherRun>
void gather(const plan& p, const operand_path& path, const void* operand, std::size_t start, std::size_t count,
            std::byte* block, const GatherRun& run_to_block) noexcept {
    const std::size_t size = size_of(path.type);
    const std::ptrdiff_t stride = path.strides[p.rank - 1];
    loop_position position(p, start);
    while (count > 0) {
        const std::size_t run = position.run() < count ? position.run() : count;
        const auto* from =
            static_cast<const std::byte*>(operand) + position.offset_of(path) * static_cast<std::ptrdiff_t>(size);
        run_to_block(size, block, from, stride, run);
        position.advance(run);
        block += run * size;
        count -= run;
    }
}

inline void gather(const plan& p, const operand_path& path, const void* operand, std::size_t start, std::size_t count,
                   std::byte* block) noexcept {
    gather(p, path, operand, start, count, block, gather_run);
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
