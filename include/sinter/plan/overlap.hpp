// Do two strided regions share a byte? Decided exactly, as a bounded linear equation in whole numbers.
//
// Addresses are first + sum(stride * index). Two regions meet where the difference of two such sums is 0, which is the
// question whether sum(coefficient_i * x_i) = target has a solution with 0 <= x_i <= bound_i. Bounds and common
// divisors prune the search; layouts that occur in practice are decided in a few steps. The question is NP-hard in
// general, so that the search gives up after a fixed number of steps: the caller then refuses.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "../core/view.hpp"

namespace sinter::detail {

enum class meeting : std::uint8_t { disjoint, shared, undecided };

struct term_of_equation {
    std::int64_t coefficient;
    std::int64_t bound;
};

constexpr std::int64_t multiply_modulo(std::int64_t a, std::int64_t b, std::int64_t modulus) {
    std::int64_t product = 0;
    for (a %= modulus; b > 0; b >>= 1) {
        if ((b & 1) != 0) product = product >= modulus - a ? product - (modulus - a) : product + a;
        a = a >= modulus - a ? a - (modulus - a) : a + a;
    }
    return product;
}

// The inverse of a modulo `modulus`, which has no divisor in common with a.
constexpr std::int64_t inverse_modulo(std::int64_t a, std::int64_t modulus) {
    if (modulus == 1) return 0;
    std::int64_t old_rest = a % modulus, rest = modulus;
    std::int64_t old_factor = 1, factor = 0;
    while (rest != 0) {
        const std::int64_t quotient = old_rest / rest;
        old_rest = std::exchange(rest, old_rest - quotient * rest);
        old_factor = std::exchange(factor, old_factor - quotient * factor);
    }
    return old_factor < 0 ? old_factor + modulus : old_factor;
}

class bounded_equation {
public:
    // Negative coefficients are turned around; terms of equal coefficients are merged.
    constexpr void add(std::int64_t coefficient, std::int64_t bound) {
        if (coefficient == 0 || bound == 0) return;
        if (coefficient < 0) {
            coefficient = -coefficient;
            target_ += coefficient * bound;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            if (terms_[i].coefficient != coefficient) continue;
            terms_[i].bound += bound;
            return;
        }
        terms_[count_++] = {coefficient, bound};
    }

    constexpr void add_to_target(std::int64_t amount) { target_ += amount; }

    constexpr meeting solve() {
        // Insertion sort: a handful of terms, and usable at compile time.
        for (std::size_t i = 1; i < count_; ++i)
            for (std::size_t j = i; j > 0 && terms_[j - 1].coefficient < terms_[j].coefficient; --j)
                std::swap(terms_[j - 1], terms_[j]);
        reach_[count_] = 0;
        divisor_[count_] = 0;
        for (std::size_t i = count_; i-- > 0;) {
            reach_[i] = reach_[i + 1] + terms_[i].coefficient * terms_[i].bound;
            divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].coefficient);
        }
        for (std::size_t i = 0; i < count_; ++i) {
            std::int64_t common = terms_[i].coefficient;
            gap_end_[i] = i;
            for (std::size_t k = i + 1; k < count_; ++k) {
                if (reach_[k] < common - 1) {
                    gap_end_[i] = k;
                    gap_divisor_[i] = common;
                }
                common = std::gcd(common, terms_[k].coefficient);
            }
        }
        steps_left_ = step_limit;
        return solve_from(0, target_);
    }

private:
    static constexpr int step_limit = 1 << 16;

    constexpr meeting solve_from(std::size_t i, std::int64_t target) {
        if (target < 0 || target > reach_[i]) return meeting::disjoint;
        if (target == 0) return meeting::shared;
        if (target % divisor_[i] != 0) return meeting::disjoint;
        if (gap_end_[i] > i && target % gap_divisor_[i] > reach_[gap_end_[i]]) return meeting::disjoint;
        const auto [coefficient, bound] = terms_[i];
        const std::int64_t below = target - reach_[i + 1];
        const std::int64_t highest = (std::min)(bound, target / coefficient);
        std::int64_t x = below <= 0 ? 0 : (below + coefficient - 1) / coefficient;
        std::int64_t stride = 1;
        if (i + 1 < count_) {
            // Only every stride-th x leaves a rest that the divisor of the later terms divides.
            const std::int64_t common = std::gcd(coefficient, divisor_[i + 1]);
            stride = divisor_[i + 1] / common;
            const std::int64_t residue =
                multiply_modulo((target / common) % stride, inverse_modulo(coefficient / common, stride), stride);
            x += (residue - x % stride + stride) % stride;
        }
        for (; x <= highest; x += stride) {
            if (--steps_left_ < 0) return meeting::undecided;
            const meeting found = solve_from(i + 1, target - coefficient * x);
            if (found != meeting::disjoint) return found;
        }
        return meeting::disjoint;
    }

    std::array<term_of_equation, 2 * max_rank + 2> terms_{};
    std::array<std::int64_t, 2 * max_rank + 3> reach_{};
    std::array<std::int64_t, 2 * max_rank + 3> divisor_{};
    // Terms i .. gap_end_[i] - 1 give multiples of gap_divisor_[i], and all later ones together cannot fill the gaps
    // between them: so bytes within an element that lie between the elements of another region are seen at once.
    std::array<std::size_t, 2 * max_rank + 2> gap_end_{};
    std::array<std::int64_t, 2 * max_rank + 2> gap_divisor_{};
    std::size_t count_ = 0;
    std::int64_t target_ = 0;
    int steps_left_ = 0;
};

// A strided region: strides in bytes, every size at least 1.
struct byte_region {
    std::int64_t first = 0;  // relative to any common origin
    std::int64_t element_bytes = 1;
    std::size_t rank = 0;
    std::array<std::int64_t, max_rank> sizes{};
    std::array<std::int64_t, max_rank> strides{};
};

constexpr std::pair<std::int64_t, std::int64_t> bounds_of(const byte_region& r) {
    std::int64_t low = r.first;
    std::int64_t high = r.first + r.element_bytes;
    for (std::size_t i = 0; i < r.rank; ++i) {
        const std::int64_t extent = (r.sizes[i] - 1) * r.strides[i];
        (extent < 0 ? low : high) += extent;
    }
    return {low, high};
}

constexpr meeting meet(const byte_region& a, const byte_region& b) {
    const auto [a_low, a_high] = bounds_of(a);
    const auto [b_low, b_high] = bounds_of(b);
    if (a_high <= b_low || b_high <= a_low) return meeting::disjoint;
    bounded_equation equation;
    equation.add_to_target(b.first - a.first);
    for (std::size_t i = 0; i < a.rank; ++i) equation.add(a.strides[i], a.sizes[i] - 1);
    for (std::size_t i = 0; i < b.rank; ++i) equation.add(-b.strides[i], b.sizes[i] - 1);
    equation.add(1, a.element_bytes - 1);
    equation.add(-1, b.element_bytes - 1);
    return equation.solve();
}

// Do two different indices of one region name the same element?
constexpr meeting meets_itself(const byte_region& r) {
    std::array<term_of_equation, max_rank> dimensions{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < r.rank; ++i) {
        if (r.sizes[i] == 1) continue;
        if (r.strides[i] == 0) return meeting::shared;
        dimensions[count++] = {r.strides[i] < 0 ? -r.strides[i] : r.strides[i], r.sizes[i] - 1};
    }
    for (std::size_t i = 1; i < count; ++i)
        for (std::size_t j = i; j > 0 && dimensions[j - 1].coefficient > dimensions[j].coefficient; --j)
            std::swap(dimensions[j - 1], dimensions[j]);
    bool nested = true;
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < count; ++i) {
        nested = nested && dimensions[i].coefficient > reach;
        reach += dimensions[i].coefficient * dimensions[i].bound;
    }
    if (nested) return meeting::disjoint;
    // Some difference of indices that is not 0 gives no distance; its first dimension differs by 1 or more.
    for (std::size_t k = 0; k < count; ++k) {
        bounded_equation equation;
        equation.add_to_target(-dimensions[k].coefficient);
        equation.add(dimensions[k].coefficient, dimensions[k].bound - 1);
        for (std::size_t j = k + 1; j < count; ++j) {
            equation.add_to_target(dimensions[j].coefficient * dimensions[j].bound);
            equation.add(dimensions[j].coefficient, 2 * dimensions[j].bound);
        }
        const meeting found = equation.solve();
        if (found != meeting::disjoint) return found;
    }
    return meeting::disjoint;
}

}  // namespace sinter::detail
