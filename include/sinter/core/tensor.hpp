// tensor: an owning, packed, 64-byte aligned block of elements.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "view.hpp"

namespace sinter {

namespace detail {

inline constexpr std::size_t tensor_alignment = 64;

struct aligned_free {
    void operator()(void* memory) const noexcept { ::operator delete(memory, std::align_val_t{tensor_alignment}); }
};

// The number of bytes of `sizes` elements, or errc::too_large where it cannot be counted.
template <std::size_t Rank>
std::size_t checked_bytes(const std::array<std::size_t, Rank>& sizes, std::size_t element_bytes) {
    constexpr auto limit = static_cast<std::size_t>(PTRDIFF_MAX);
    std::size_t bytes = element_bytes;
    for (const std::size_t size : sizes)
        if (size == 0) return 0;
    for (const std::size_t size : sizes) {
        if (size > limit / bytes)
            fail(errc::too_large, "a tensor of sizes " + describe(sizes) + " has more bytes than memory can address");
        bytes *= size;
    }
    return bytes;
}

inline void* allocate_aligned(std::size_t bytes) {
    void* memory = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{tensor_alignment}, std::nothrow);
    if (memory == nullptr) fail(errc::out_of_memory, "no memory for a tensor of " + std::to_string(bytes) + " bytes");
    return memory;
}

struct uninitialized {};

}  // namespace detail

template <element T, std::size_t Rank>
class tensor {
public:
    using element_type = T;

    // Elements are zero.
    explicit tensor(const detail::extent (&sizes)[Rank]) : tensor(detail::sizes_of(sizes)) {}

    template <std::integral I>
    explicit tensor(const std::array<I, Rank>& sizes) : tensor(detail::sizes_of(sizes), detail::uninitialized{}) {
        std::memset(static_cast<void*>(data()), 0, bytes());
    }

    tensor(const std::array<std::size_t, Rank>& sizes, detail::uninitialized)
        : data_(static_cast<T*>(detail::allocate_aligned(detail::checked_bytes(sizes, sizeof(T))))), sizes_(sizes) {}

    tensor(const tensor& other) : tensor(other.sizes_, detail::uninitialized{}) {
        std::memcpy(static_cast<void*>(data()), other.data(), bytes());
    }
    tensor(tensor&& other) noexcept
        : data_(std::move(other.data_)), sizes_(std::exchange(other.sizes_, std::array<std::size_t, Rank>{})) {}
    tensor& operator=(tensor other) noexcept {
        std::swap(data_, other.data_);
        std::swap(sizes_, other.sizes_);
        return *this;
    }
    ~tensor() = default;

    static constexpr std::size_t rank() noexcept { return Rank; }
    T* data() noexcept { return data_.get(); }
    const T* data() const noexcept { return data_.get(); }
    const std::array<std::size_t, Rank>& sizes() const noexcept { return sizes_; }
    std::array<std::ptrdiff_t, Rank> strides() const noexcept { return detail::packed_strides(sizes_); }
    std::size_t size() const noexcept { return detail::product(sizes_); }

    tensor_view<T, Rank> view() noexcept { return {data(), sizes_}; }
    tensor_view<const T, Rank> view() const noexcept { return {data(), sizes_}; }

    // All elements, in memory order.
    std::span<T> elements() noexcept { return {data(), size()}; }
    std::span<const T> elements() const noexcept { return {data(), size()}; }

    // One element; the indices are not checked.
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    T& operator()(I... index) noexcept {
        return view()(index...);
    }
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    const T& operator()(I... index) const noexcept {
        return view()(index...);
    }

private:
    std::size_t bytes() const noexcept { return size() * sizeof(T); }

    std::unique_ptr<T, detail::aligned_free> data_;
    std::array<std::size_t, Rank> sizes_;
};

namespace detail {

template <class T>
inline constexpr bool is_tensor = false;
template <class T, std::size_t Rank>
inline constexpr bool is_tensor<tensor<T, Rank>> = true;

// The view behind a view, an lvalue tensor or an mdspan: what expressions and rearranging functions work on.
template <class X>
concept lvalue_tensor = std::is_lvalue_reference_v<X> && is_tensor<std::remove_cvref_t<X>>;

template <class X>
concept viewable = strided_view<std::remove_cvref_t<X>> || lvalue_tensor<X>;

template <viewable X>
constexpr auto as_view(X&& x) {
    if constexpr (lvalue_tensor<X>) return x.view();
    else return std::remove_cvref_t<X>(std::forward<X>(x));
}

}  // namespace detail

template <class X>
    requires detail::lvalue_tensor<X>
constexpr auto view(X&& x) {
    return x.view();
}

}  // namespace sinter
