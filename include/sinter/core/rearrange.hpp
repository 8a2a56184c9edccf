// Other views of the same elements: no copy, only sizes, strides and a starting point.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "tensor.hpp"
#include "view.hpp"

namespace sinter {

namespace detail {

template <std::size_t Rank>
constexpr void check_dimension(const char* function, std::size_t dimension,
                               const std::array<std::size_t, Rank>& sizes) {
    if (dimension >= Rank)
        fail(errc::shape, std::string(function) + ": dimension " + std::to_string(dimension) +
                              " does not exist in a tensor of sizes " + describe(sizes));
}

// stride * steps, which is an error where it would wrap to another place in memory.
constexpr std::ptrdiff_t distance(const char* function, std::ptrdiff_t stride, std::size_t steps) {
    const std::size_t length = stride < 0 ? 0 - static_cast<std::size_t>(stride) : static_cast<std::size_t>(stride);
    if (length != 0 && steps > static_cast<std::size_t>((std::numeric_limits<std::ptrdiff_t>::max)()) / length)
        fail(errc::too_large, std::string(function) + ": " + std::to_string(steps) + " steps of a stride of " +
                                  std::to_string(stride) + " reach further than indices count");
    return stride * static_cast<std::ptrdiff_t>(steps);
}

// Whether the number of elements is `count`, also where it wraps.
template <std::size_t Rank>
constexpr bool has_elements(const std::array<std::size_t, Rank>& sizes, std::size_t count) {
    for (const std::size_t size : sizes)
        if (size == 0) return count == 0;
    std::size_t product = 1;
    for (const std::size_t size : sizes) {
        if (size > count / product) return false;
        product *= size;
    }
    return product == count;
}

}  // namespace detail

// Dimension i of the result is dimension Order[i] of x.
template <std::size_t... Order, detail::viewable X>
constexpr auto permute(X&& x) {
    const auto v = detail::as_view(std::forward<X>(x));
    constexpr std::size_t rank = decltype(v)::rank();
    static_assert(sizeof...(Order) == rank, "sinter::permute: name every dimension of the tensor once");
    static_assert((((std::size_t{1} << Order) | ...)) == (std::size_t{1} << rank) - 1,
                  "sinter::permute: name every dimension of the tensor once");
    return v.template rearranged<rank>(0, {v.sizes()[Order]...}, {v.strides()[Order]...});
}

// The last two dimensions exchanged.
template <detail::viewable X>
constexpr auto transpose(X&& x) {
    const auto v = detail::as_view(std::forward<X>(x));
    constexpr std::size_t rank = decltype(v)::rank();
    static_assert(rank >= 2, "sinter::transpose: the tensor has one dimension only");
    auto sizes = v.sizes();
    auto strides = v.strides();
    std::swap(sizes[rank - 1], sizes[rank - 2]);
    std::swap(strides[rank - 1], strides[rank - 2]);
    return v.template rearranged<rank>(0, sizes, strides);
}

// The positions first, first + step, .. below last of one dimension.
template <detail::viewable X>
constexpr auto slice(X&& x, detail::extent dimension, detail::extent first, detail::extent last,
                     detail::extent step = 1) {
    const auto v = detail::as_view(std::forward<X>(x));
    constexpr std::size_t rank = decltype(v)::rank();
    detail::check_dimension("slice", dimension.value, v.sizes());
    auto sizes = v.sizes();
    auto strides = v.strides();
    std::size_t& size = sizes[dimension.value];
    if (first.value > last.value || last.value > size)
        detail::fail(errc::shape, "slice: positions " + std::to_string(first.value) + " to " +
                                      std::to_string(last.value) + " do not lie in dimension " +
                                      std::to_string(dimension.value) + " of sizes " + detail::describe(v.sizes()));
    if (step.value == 0) detail::fail(errc::shape, "slice: the step is 0; give at least 1");
    const std::ptrdiff_t offset =
        first.value == last.value ? 0 : detail::distance("slice", v.strides()[dimension.value], first.value);
    size = (last.value - first.value) / step.value + ((last.value - first.value) % step.value != 0 ? 1 : 0);
    std::ptrdiff_t& stride = strides[dimension.value];
    if (size > 1) stride = detail::distance("slice", stride, step.value);
    return v.template rearranged<rank>(offset, sizes, strides);
}

// One dimension in the opposite order.
template <detail::viewable X>
constexpr auto reverse(X&& x, detail::extent dimension) {
    const auto v = detail::as_view(std::forward<X>(x));
    constexpr std::size_t rank = decltype(v)::rank();
    detail::check_dimension("reverse", dimension.value, v.sizes());
    auto strides = v.strides();
    std::ptrdiff_t& stride = strides[dimension.value];
    const std::size_t size = v.sizes()[dimension.value];
    const std::ptrdiff_t offset = v.size() == 0 ? 0 : detail::distance("reverse", stride, size - 1);
    if (size > 1) stride = detail::distance("reverse", stride, 1) * -1;
    return v.template rearranged<rank>(offset, v.sizes(), strides);
}

namespace detail {

// Row-major order over `sizes` with `strides`, seen as `wanted`. Sizes are matched group by group from the left: a
// group of old dimensions whose product equals that of a group of new ones, and which lies evenly in memory.
template <std::size_t From, std::size_t To>
constexpr bool strides_after_reshape(const std::array<std::size_t, From>& sizes,
                                     const std::array<std::ptrdiff_t, From>& strides,
                                     const std::array<std::size_t, To>& wanted,
                                     std::array<std::ptrdiff_t, To>& result) {
    // What wraps here reaches so far that no plan takes it.
    const auto evenly = [](std::ptrdiff_t stride, std::size_t size) {
        return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(stride) * size);
    };
    std::size_t old = 0;
    std::size_t fresh = 0;
    while (fresh < To) {
        if (wanted[fresh] == 1) {
            result[fresh++] = 0;
            continue;
        }
        while (old < From && sizes[old] == 1) ++old;
        if (old == From) return false;
        std::size_t old_last = old;
        std::size_t fresh_last = fresh;
        std::size_t old_product = sizes[old];
        std::size_t fresh_product = wanted[fresh];
        while (old_product != fresh_product) {
            if (old_product < fresh_product) {
                std::size_t next = old_last + 1;
                while (next < From && sizes[next] == 1) ++next;
                if (next == From) return false;
                if (strides[old_last] != evenly(strides[next], sizes[next])) return false;
                old_product *= sizes[next];
                old_last = next;
            } else {
                if (++fresh_last == To) return false;
                fresh_product *= wanted[fresh_last];
            }
        }
        std::ptrdiff_t stride = strides[old_last];
        for (std::size_t i = fresh_last + 1; i-- > fresh;) {
            result[i] = stride;
            stride = evenly(stride, wanted[i]);
        }
        old = old_last + 1;
        fresh = fresh_last + 1;
    }
    return true;
}

template <viewable X, std::size_t To>
constexpr auto reshaped(X&& x, const std::array<std::size_t, To>& wanted) {
    static_assert(To <= max_rank, "sinter::reshape: a tensor has at most 8 dimensions");
    const auto v = as_view(std::forward<X>(x));
    if (!has_elements(wanted, v.size()))
        fail(errc::shape, "reshape: sizes " + describe(v.sizes()) + " and " + describe(wanted) +
                              " have different numbers of elements");
    std::array<std::ptrdiff_t, To> strides = packed_strides(wanted);
    if (v.size() != 0 && !strides_after_reshape(v.sizes(), v.strides(), wanted, strides))
        fail(errc::shape, "reshape: sizes " + describe(v.sizes()) + " with these strides cannot be seen as " +
                              describe(wanted) + " without a copy; materialize the view first");
    return v.template rearranged<To>(0, wanted, strides);
}

template <viewable X, std::size_t To>
constexpr auto broadcasted(X&& x, const std::array<std::size_t, To>& wanted) {
    static_assert(To <= max_rank, "sinter::broadcast_to: a tensor has at most 8 dimensions");
    const auto v = as_view(std::forward<X>(x));
    constexpr std::size_t rank = decltype(v)::rank();
    static_assert(rank <= To, "sinter::broadcast_to: the tensor has more dimensions than the wanted sizes");
    std::array<std::ptrdiff_t, To> strides{};
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t size = v.sizes()[i];
        if (size != wanted[To - rank + i] && size != 1)
            fail(errc::shape,
                 "broadcast_to: sizes " + describe(v.sizes()) + " do not broadcast to " + describe(wanted));
        strides[To - rank + i] = size == 1 ? 0 : v.strides()[i];
    }
    return v.template rearranged<To>(0, wanted, strides);
}

}  // namespace detail

// The same elements in row-major order, under other sizes; an error where that needs a copy.
template <detail::viewable X, std::size_t To>
constexpr auto reshape(X&& x, const detail::extent (&sizes)[To]) {
    return detail::reshaped(std::forward<X>(x), detail::sizes_of(sizes));
}
template <detail::viewable X, std::integral I, std::size_t To>
constexpr auto reshape(X&& x, const std::array<I, To>& sizes) {
    return detail::reshaped(std::forward<X>(x), detail::sizes_of(sizes));
}

// Numpy's rule: sizes aligned at the right, a size of 1 repeats.
template <detail::viewable X, std::size_t To>
constexpr auto broadcast_to(X&& x, const detail::extent (&sizes)[To]) {
    return detail::broadcasted(std::forward<X>(x), detail::sizes_of(sizes));
}
template <detail::viewable X, std::integral I, std::size_t To>
constexpr auto broadcast_to(X&& x, const std::array<I, To>& sizes) {
    return detail::broadcasted(std::forward<X>(x), detail::sizes_of(sizes));
}

}  // namespace sinter
