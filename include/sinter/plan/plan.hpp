// The plan of one evaluation: every check and every layout decision, made once, for every backend.
//
// The loop of a plan visits each element of the output once. Dimensions of size 1 are gone, those that the output
// runs through backwards are turned around, the output's smallest stride is innermost, and neighbours that every
// operand passes evenly are merged. Nothing here knows a backend or allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "../core/element.hpp"
#include "../core/error.hpp"
#include "../core/view.hpp"
#include "../expr/program.hpp"
#include "overlap.hpp"

namespace sinter {

// An input or the output as it was given. The address is where element 0 lies: in memory, or in a device's.
struct operand_view {
    std::uint64_t address;
    element_type type;
    std::size_t rank;
    const std::size_t* sizes;
    const std::ptrdiff_t* strides;
};

// How an operand moves through the loop: from `offset`, in elements from element 0, by strides in elements.
struct operand_path {
    element_type type;
    bool in_place;  // an input that is the output's own region
    std::ptrdiff_t offset;
    std::array<std::ptrdiff_t, max_rank> strides;  // outermost first
};

enum class loop_kind : std::uint8_t {
    packed,   // one dimension, every operand dense
    rows,     // every operand dense along the innermost dimension
    strided,  // anything else
};

constexpr const char* name(loop_kind kind) noexcept {
    return kind == loop_kind::packed ? "packed" : kind == loop_kind::rows ? "rows" : "strided";
}

struct plan {
    loop_kind kind;
    bool in_place;        // some input is the output's own region
    bool narrow_indices;  // every offset and count fits 31 bits
    std::size_t rank;     // of the loop, at least 1
    std::size_t count;    // elements; with 0 nothing is to be done
    std::size_t inputs;
    std::array<std::size_t, max_rank> sizes;            // outermost first
    std::array<operand_path, max_inputs + 1> operands;  // the inputs, then the output

    const operand_path& output() const noexcept { return operands[inputs]; }

    // Every element of an operand counts as often as the loop comes by.
    std::size_t bytes_read() const noexcept {
        if (count == 0) return 0;  // and the operands are not described
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < inputs; ++i) bytes += size_of(operands[i].type);
        return bytes * count;
    }
    std::size_t bytes_written() const noexcept { return count == 0 ? 0 : size_of(output().type) * count; }
    std::size_t bytes_moved() const noexcept { return bytes_read() + bytes_written(); }
};

namespace detail {

inline std::string describe_operand(const operand_view& v, std::size_t number, bool output) {
    std::string text = output ? std::string("the output") : "input " + std::to_string(number + 1);
    text += std::string(" (") + name(v.type) + ", sizes " + describe(v.sizes, v.rank) + ", strides {";
    for (std::size_t i = 0; i < v.rank; ++i) text += (i == 0 ? "" : ", ") + std::to_string(v.strides[i]);
    return text + "})";
}

// Cold, so that the text of errors stays out of the way of evaluations that succeed.
#if defined(__GNUC__)
#define SINTER_COLD __attribute__((cold, noinline))
#else
#define SINTER_COLD
#endif

class planner {
public:
    planner(const operand_view* inputs, std::size_t input_count, const operand_view& output) noexcept
        : inputs_(inputs), input_count_(input_count), output_(output) {}

    void check_and_plan(plan& p) const {
        p.inputs = input_count_;
        if (plan_packed(p)) return;
        check_shapes();
        p.count = checked_count();
        if (p.count == 0) return;
        check_memory();
        check_overlap(p);
        lay_out(p);
    }

private:
    // The usual case, decided by a few comparisons: all operands packed and of the same sizes, and each input apart
    // from the output or in its place. Everything else goes the long way, every refusal too.
    bool plan_packed(plan& p) const noexcept {
        constexpr std::size_t limit = std::size_t{1} << 31;
        p.count = 1;
        for (std::size_t i = output_.rank; i-- > 0;) {
            const std::size_t size = output_.sizes[i];
            if (size == 0 || size >= limit) return false;
            for (std::size_t k = 0; k <= input_count_; ++k) {
                const operand_view& v = operand(k);
                if (v.rank != output_.rank || v.sizes[i] != size) return false;
                if (size != 1 && v.strides[i] != static_cast<std::ptrdiff_t>(p.count)) return false;
            }
            p.count *= size;
            if (p.count >= limit) return false;
        }
        p.in_place = false;
        for (std::size_t k = 0; k <= input_count_; ++k) {
            const operand_view& v = operand(k);
            if (v.address == 0) return false;
            operand_path& path = p.operands[k];
            path.in_place = k < input_count_ && v.address == output_.address;
            const std::size_t bytes = p.count * size_of(v.type), written = p.count * size_of(output_.type);
            if (path.in_place
                    ? bytes != written
                    : k < input_count_ && v.address < output_.address + written && output_.address < v.address + bytes)
                return false;
            p.in_place = p.in_place || path.in_place;
            path.type = v.type;
            path.offset = 0;
            path.strides[0] = 1;
        }
        p.kind = loop_kind::packed;
        p.narrow_indices = true;
        p.rank = 1;
        p.sizes[0] = p.count;
        return true;
    }

    const operand_view& operand(std::size_t k) const noexcept { return k == input_count_ ? output_ : inputs_[k]; }

    bool broadcasts(const operand_view& v, std::size_t dimension) const {
        return dimension + v.rank < output_.rank || v.sizes[dimension + v.rank - output_.rank] == 1;
    }
    std::ptrdiff_t stride_of(const operand_view& v, std::size_t dimension) const {
        return broadcasts(v, dimension) ? 0 : v.strides[dimension + v.rank - output_.rank];
    }
    std::string describe_input(std::size_t k) const { return describe_operand(inputs_[k], k, false); }
    std::string describe_output() const { return describe_operand(output_, 0, true); }

    void check_shapes() const {
        for (std::size_t k = 0; k < input_count_; ++k) {
            const operand_view& v = inputs_[k];
            if (v.rank > output_.rank) refuse_rank(k);
            for (std::size_t i = 0; i < v.rank; ++i) {
                const std::size_t wanted = output_.sizes[output_.rank - v.rank + i];
                if (v.sizes[i] != wanted && v.sizes[i] != 1) refuse_shape(k, i, wanted);
            }
        }
    }

    std::size_t checked_count() const {
        constexpr auto limit = static_cast<std::size_t>((std::numeric_limits<std::int64_t>::max)() / 8);
        for (std::size_t i = 0; i < output_.rank; ++i)
            if (output_.sizes[i] == 0) return 0;
        std::size_t count = 1;
        for (std::size_t i = 0; i < output_.rank; ++i) {
            if (output_.sizes[i] > limit / count) refuse_count();
            count *= output_.sizes[i];
        }
        for (std::size_t k = 0; k <= input_count_; ++k) check_extent(k);
        return count;
    }

    // The furthest element of an operand lies less than 2^60 bytes away, so that sums of two extents cannot overflow.
    void check_extent(std::size_t k) const {
        const operand_view& v = operand(k);
        std::uint64_t left = (std::uint64_t{1} << 60) / size_of(v.type);
        for (std::size_t i = 0; i < v.rank; ++i) {
            if (v.sizes[i] == 1) continue;
            const auto stride = static_cast<std::uint64_t>(v.strides[i]);
            const std::uint64_t step = v.strides[i] < 0 ? 0 - stride : stride;
            const std::uint64_t steps = v.sizes[i] - 1;
            if (step != 0 && steps > left / step) refuse_extent(k);
            left -= steps * step;
        }
    }

    void check_memory() const {
        for (std::size_t k = 0; k < input_count_; ++k)
            if (inputs_[k].address == 0) refuse_null(describe_input(k));
        if (output_.address == 0) refuse_null(describe_output());
    }

    bool is_same_region(const operand_view& v) const {
        if (v.address != output_.address || size_of(v.type) != size_of(output_.type)) return false;
        for (std::size_t i = 0; i < output_.rank; ++i)
            if (output_.sizes[i] != 1 && stride_of(v, i) != output_.strides[i]) return false;
        return true;
    }

    byte_region region_of(const operand_view& v, std::uint64_t origin) const {
        const auto bytes = static_cast<std::int64_t>(size_of(v.type));
        byte_region r{.first = static_cast<std::int64_t>(v.address - origin), .element_bytes = bytes, .rank = v.rank};
        for (std::size_t i = 0; i < v.rank; ++i) {
            r.sizes[i] = static_cast<std::int64_t>(v.sizes[i]);
            r.strides[i] = v.sizes[i] == 1 ? 0 : v.strides[i] * bytes;
        }
        return r;
    }

    // Whether the bytes between the lowest and the highest element are apart: the usual case, at little cost.
    struct span {
        std::uint64_t low;
        std::uint64_t high;
    };
    static span span_of(const operand_view& v) {
        span s{v.address, v.address + size_of(v.type)};
        for (std::size_t i = 0; i < v.rank; ++i) {
            const auto extent = static_cast<std::uint64_t>(v.strides[i]) * (v.sizes[i] - 1) * size_of(v.type);
            if (v.sizes[i] == 1) continue;
            (v.strides[i] < 0 ? s.low : s.high) += extent;
        }
        return s;
    }

    void check_overlap(plan& p) const {
        check_output_with_itself();
        p.in_place = false;
        const span written = span_of(output_);
        for (std::size_t k = 0; k < input_count_; ++k) {
            const operand_view& v = inputs_[k];
            p.operands[k].in_place = false;
            const span read = span_of(v);
            if (read.high <= written.low || written.high <= read.low) continue;
            if (is_same_region(v)) {
                p.operands[k].in_place = p.in_place = true;
                continue;
            }
            const meeting found = meet(region_of(output_, output_.address), region_of(v, output_.address));
            if (found != meeting::disjoint) refuse_overlap(k, found);
        }
        p.operands[input_count_].in_place = false;
    }

    void check_output_with_itself() const {
        // Packed, or padded from the inside out: nested strides, without the general question.
        std::ptrdiff_t reach = 0;
        bool nested = true;
        for (std::size_t i = output_.rank; i-- > 0;) {
            if (output_.sizes[i] == 1) continue;
            nested = nested && output_.strides[i] > reach;
            reach += output_.strides[i] * static_cast<std::ptrdiff_t>(output_.sizes[i] - 1);
        }
        if (nested) return;
        const meeting found = meets_itself(region_of(output_, output_.address));
        if (found != meeting::disjoint) refuse_self_overlap(found);
    }

    void lay_out(plan& p) const {
        p.rank = 0;
        for (std::size_t k = 0; k <= input_count_; ++k) {
            p.operands[k].type = operand(k).type;
            p.operands[k].offset = 0;
        }
        for (std::size_t i = 0; i < output_.rank; ++i)
            if (output_.sizes[i] != 1) insert_dimension(p, i);
        if (p.rank == 0) insert_single_element(p);
        merge_dimensions(p);
        classify(p);
    }

    // Keeps the output's strides positive and descending.
    void insert_dimension(plan& p, std::size_t dimension) const {
        const std::size_t size = output_.sizes[dimension];
        const bool backwards = output_.strides[dimension] < 0;
        const std::ptrdiff_t step = backwards ? -output_.strides[dimension] : output_.strides[dimension];
        std::size_t place = p.rank++;
        for (; place > 0 && p.operands[input_count_].strides[place - 1] < step; --place) {
            p.sizes[place] = p.sizes[place - 1];
            for (std::size_t k = 0; k <= input_count_; ++k)
                p.operands[k].strides[place] = p.operands[k].strides[place - 1];
        }
        p.sizes[place] = size;
        for (std::size_t k = 0; k <= input_count_; ++k) {
            const operand_view& v = operand(k);
            const std::ptrdiff_t stride = stride_of(v, dimension);
            p.operands[k].strides[place] = backwards ? -stride : stride;
            if (backwards) p.operands[k].offset += static_cast<std::ptrdiff_t>(size - 1) * stride;
        }
    }

    void insert_single_element(plan& p) const {
        p.rank = 1;
        p.sizes[0] = 1;
        for (std::size_t k = 0; k <= input_count_; ++k) p.operands[k].strides[0] = 1;
    }

    void merge_dimensions(plan& p) const {
        std::size_t kept = 0;
        for (std::size_t i = 1; i < p.rank; ++i) {
            if (passes_evenly(p, kept, i)) {
                p.sizes[kept] *= p.sizes[i];
            } else {
                p.sizes[++kept] = p.sizes[i];
            }
            for (std::size_t k = 0; k <= input_count_; ++k) p.operands[k].strides[kept] = p.operands[k].strides[i];
        }
        p.rank = kept + 1;
    }

    bool passes_evenly(const plan& p, std::size_t outer, std::size_t inner) const {
        for (std::size_t k = 0; k <= input_count_; ++k) {
            const auto& strides = p.operands[k].strides;
            if (strides[outer] != strides[inner] * static_cast<std::ptrdiff_t>(p.sizes[inner])) return false;
        }
        return true;
    }

    void classify(plan& p) const {
        bool dense = true;
        std::uint64_t furthest = p.count;
        for (std::size_t k = 0; k <= input_count_; ++k) {
            const operand_path& path = p.operands[k];
            dense = dense && path.strides[p.rank - 1] == 1;
            std::uint64_t extent = 1;
            for (std::size_t i = 0; i < p.rank; ++i) {
                const auto stride = static_cast<std::uint64_t>(path.strides[i]);
                extent += (p.sizes[i] - 1) * (path.strides[i] < 0 ? 0 - stride : stride);
            }
            furthest = furthest < extent ? extent : furthest;
        }
        p.kind = !dense ? loop_kind::strided : p.rank == 1 ? loop_kind::packed : loop_kind::rows;
        p.narrow_indices = furthest < (std::uint64_t{1} << 31);
    }

    [[noreturn]] SINTER_COLD void refuse_rank(std::size_t k) const {
        fail(errc::rank, describe_input(k) + " has more dimensions than " + describe_output());
    }
    [[noreturn]] SINTER_COLD void refuse_shape(std::size_t k, std::size_t i, std::size_t wanted) const {
        const std::size_t met = output_.rank - inputs_[k].rank + i;
        fail(errc::shape, describe_input(k) + " does not broadcast to " + describe_output() + ": dimension " +
                              std::to_string(i) + " is " + std::to_string(inputs_[k].sizes[i]) + ", not 1 or " +
                              std::to_string(wanted) +
                              (met == i ? ""
                                        : ", the output's dimension " + std::to_string(met) +
                                              ": sizes are aligned at the last dimension"));
    }
    [[noreturn]] SINTER_COLD void refuse_count() const {
        fail(errc::too_large, describe_output() + " has more elements than 2^60, the limit of index arithmetic");
    }
    [[noreturn]] SINTER_COLD void refuse_extent(std::size_t k) const {
        fail(errc::too_large, (k == input_count_ ? describe_output() : describe_input(k)) +
                                  " reaches further than 2^60 bytes, the limit of index arithmetic");
    }
    [[noreturn]] SINTER_COLD static void refuse_null(const std::string& operand) {
        fail(errc::null_data, operand + " has elements but no memory: its data pointer is null");
    }
    static const char* how(meeting found) {
        return found == meeting::shared ? "" : " (not decided within the search limit, so refused)";
    }
    [[noreturn]] SINTER_COLD void refuse_overlap(std::size_t k, meeting found) const {
        fail(errc::overlap, describe_input(k) + " and " + describe_output() +
                                " share memory without being the same region with the same strides and element size" +
                                how(found));
    }
    [[noreturn]] SINTER_COLD void refuse_self_overlap(meeting found) const {
        fail(errc::overlap, describe_output() + " overlaps itself: two indices name the same element" + how(found));
    }

    const operand_view* inputs_;
    std::size_t input_count_;
    const operand_view& output_;
};

}  // namespace detail

// Checks everything and fills `p`; throws before anything is written. p.count is 0 when there is nothing to do.
inline void make_plan(plan& p, const operand_view* inputs, std::size_t input_count, const operand_view& output) {
    detail::planner(inputs, input_count, output).check_and_plan(p);
}

}  // namespace sinter
