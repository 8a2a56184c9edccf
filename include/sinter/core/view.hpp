// tensor_view: a non-owning, strided window on elements in memory, and the ways to make one.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include "element.hpp"
#include "error.hpp"
#include "unsatisfied.hpp"

namespace sinter {

inline constexpr std::size_t max_rank = 8;

// A base class in this namespace makes its operators, x + y, found for operands from an inner one.
struct inner_namespace_operand {};

namespace detail {

// A size in a braced list: takes any integer type, so that {n, 3} needs no cast, and refuses what is negative.
struct extent {
    std::size_t value;

    template <std::integral I>
        requires(!std::same_as<I, bool>)
    constexpr extent(I size) : value(static_cast<std::size_t>(size)) {
        if (std::cmp_less(size, 0)) fail(errc::shape, "a size or position is negative: " + std::to_string(size));
    }
};

struct step {
    std::ptrdiff_t value;

    template <std::integral I>
        requires(!std::same_as<I, bool>)
    constexpr step(I stride) : value(static_cast<std::ptrdiff_t>(stride)) {}
};

template <std::size_t R>
constexpr std::array<std::size_t, R> sizes_of(const extent (&list)[R]) {
    std::array<std::size_t, R> sizes{};
    for (std::size_t i = 0; i < R; ++i) sizes[i] = list[i].value;
    return sizes;
}

template <std::size_t R>
constexpr std::array<std::ptrdiff_t, R> strides_of(const step (&list)[R]) {
    std::array<std::ptrdiff_t, R> strides{};
    for (std::size_t i = 0; i < R; ++i) strides[i] = list[i].value;
    return strides;
}

template <std::integral I, std::size_t R>
constexpr std::array<std::size_t, R> sizes_of(const std::array<I, R>& list) {
    std::array<std::size_t, R> sizes{};
    for (std::size_t i = 0; i < R; ++i) sizes[i] = extent(list[i]).value;
    return sizes;
}

template <std::integral I, std::size_t R>
constexpr std::array<std::ptrdiff_t, R> strides_of(const std::array<I, R>& list) {
    std::array<std::ptrdiff_t, R> strides{};
    for (std::size_t i = 0; i < R; ++i) strides[i] = static_cast<std::ptrdiff_t>(list[i]);
    return strides;
}

template <std::size_t R>
constexpr std::array<std::ptrdiff_t, R> packed_strides(const std::array<std::size_t, R>& sizes) noexcept {
    std::array<std::ptrdiff_t, R> strides{};
    std::size_t stride = 1;
    for (std::size_t i = R; i-- > 0;) {
        strides[i] = static_cast<std::ptrdiff_t>(stride);
        stride *= sizes[i];
    }
    return strides;
}

template <std::size_t R>
constexpr std::size_t product(const std::array<std::size_t, R>& sizes) noexcept {
    std::size_t count = 1;
    for (const std::size_t size : sizes) count *= size;
    return count;
}

inline std::string describe(const std::size_t* sizes, std::size_t rank) {
    std::string text = "{";
    for (std::size_t i = 0; i < rank; ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
    return text + "}";
}

template <std::size_t R>
std::string describe(const std::array<std::size_t, R>& sizes) {
    return describe(sizes.data(), R);
}

}  // namespace detail

template <class T, std::size_t Rank>
class tensor_view {
    static_assert(Rank >= 1, "sinter: a tensor has at least one dimension; give a scalar the sizes {1}");
    static_assert(Rank <= max_rank, "sinter: a tensor has at most 8 dimensions; merge some with reshape");
    static_assert(element<std::remove_const_t<T>>,
                  "sinter: elements are float, float16 or an integer of 8, 16 or 32 bits");

public:
    using element_type = T;
    using const_view = tensor_view<const std::remove_const_t<T>, Rank>;
    using location_type = std::conditional_t<std::is_const_v<T>, const void*, void*>;

    tensor_view() = default;

    constexpr tensor_view(T* data, const std::array<std::size_t, Rank>& sizes,
                          const std::array<std::ptrdiff_t, Rank>& strides) noexcept
        : data_(data), sizes_(sizes), strides_(strides) {}

    constexpr tensor_view(T* data, const std::array<std::size_t, Rank>& sizes) noexcept
        : tensor_view(data, sizes, detail::packed_strides(sizes)) {}

    template <class U>
        requires(std::same_as<T, const U>)
    constexpr tensor_view(const tensor_view<U, Rank>& other) noexcept
        : tensor_view(other.data(), other.sizes(), other.strides()) {}

    static constexpr std::size_t rank() noexcept { return Rank; }
    constexpr T* data() const noexcept { return data_; }
    constexpr const std::array<std::size_t, Rank>& sizes() const noexcept { return sizes_; }
    constexpr const std::array<std::ptrdiff_t, Rank>& strides() const noexcept { return strides_; }
    constexpr std::size_t size() const noexcept { return detail::product(sizes_); }

    // Where a backend finds the elements, and the address by which overlap is decided.
    constexpr location_type location() const noexcept { return data_; }
    std::uint64_t address() const noexcept { return reinterpret_cast<std::uintptr_t>(data_); }

    // One element; the indices are not checked.
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    constexpr T& operator()(I... index) const noexcept {
        std::size_t dimension = 0;
        std::ptrdiff_t offset = 0;
        ((offset += static_cast<std::ptrdiff_t>(index) * strides_[dimension++]), ...);
        return data_[offset];
    }

    // The same memory seen with other sizes and strides, starting `offset` elements further.
    template <std::size_t NewRank>
    constexpr tensor_view<T, NewRank> rearranged(std::ptrdiff_t offset, const std::array<std::size_t, NewRank>& sizes,
                                                 const std::array<std::ptrdiff_t, NewRank>& strides) const noexcept {
        return {offset == 0 ? data_ : data_ + offset, sizes, strides};
    }

private:
    T* data_ = nullptr;
    std::array<std::size_t, Rank> sizes_{};
    std::array<std::ptrdiff_t, Rank> strides_{};
};

namespace detail {

// What expressions hold as leaves and rearranging functions accept: tensor_view, and the handles of other backends.
// std::copyable stands last: it costs a compiler much, and most types that are asked are no views.
template <class V>
concept strided_view = requires(const V v) {
    typename V::element_type;
    typename V::const_view;
    typename V::location_type;
    { V::rank() } -> std::same_as<std::size_t>;
    v.sizes();
    v.strides();
    v.template rearranged<1>(std::ptrdiff_t{}, std::array<std::size_t, 1>{}, std::array<std::ptrdiff_t, 1>{});
} && std::copyable<V>;

template <class M>
concept mdspan_shaped = requires(const M m) {
    { M::rank() } -> std::convertible_to<std::size_t>;
    { m.extent(0) } -> std::convertible_to<std::size_t>;
    { m.stride(0) } -> std::convertible_to<std::ptrdiff_t>;
    m.data_handle();
};

template <class Range>
concept viewable_range = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                         (element<std::remove_cv_t<std::ranges::range_value_t<Range>>> ||
                          unsatisfied<"sinter: elements are float, float16 or an integer of 8, 16 or 32 bits">) &&
                         (std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>);

}  // namespace detail

// Rank 1 over a contiguous range that outlives the view: an lvalue vector or array, or a span.
template <detail::viewable_range Range>
constexpr auto view(Range&& range) {
    using T = std::remove_reference_t<std::ranges::range_reference_t<Range>>;
    return tensor_view<T, 1>(std::ranges::data(range), {static_cast<std::size_t>(std::ranges::size(range))});
}

// Packed, row-major.
template <class T, std::size_t Rank>
constexpr tensor_view<T, Rank> view(T* data, const detail::extent (&sizes)[Rank]) {
    return {data, detail::sizes_of(sizes)};
}

template <class T, std::integral I, std::size_t Rank>
constexpr tensor_view<T, Rank> view(T* data, const std::array<I, Rank>& sizes) {
    return {data, detail::sizes_of(sizes)};
}

// Strided; strides count elements, may be negative, and repeat an element when 0.
template <class T, std::size_t Rank>
constexpr tensor_view<T, Rank> view(T* data, const detail::extent (&sizes)[Rank], const detail::step (&strides)[Rank]) {
    return {data, detail::sizes_of(sizes), detail::strides_of(strides)};
}

template <class T, std::integral I, std::integral J, std::size_t Rank>
constexpr tensor_view<T, Rank> view(T* data, const std::array<I, Rank>& sizes, const std::array<J, Rank>& strides) {
    return {data, detail::sizes_of(sizes), detail::strides_of(strides)};
}

// Anything shaped like std::mdspan.
template <detail::mdspan_shaped M>
constexpr auto view(const M& span) {
    using T = std::remove_pointer_t<std::remove_cvref_t<decltype(span.data_handle())>>;
    std::array<std::size_t, M::rank()> sizes{};
    std::array<std::ptrdiff_t, M::rank()> strides{};
    for (std::size_t i = 0; i < M::rank(); ++i) {
        sizes[i] = static_cast<std::size_t>(span.extent(i));
        strides[i] = static_cast<std::ptrdiff_t>(span.stride(i));
    }
    return tensor_view<T, M::rank()>(span.data_handle(), sizes, strides);
}

}  // namespace sinter
