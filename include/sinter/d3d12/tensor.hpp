// Tensors in an adapter's memory: shared handles that stand in expressions as views do on the CPU.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../core/view.hpp"
#include "buffer.hpp"
#include "find_runtime.hpp"

namespace sinter::d3d12 {

// Where the elements of an operand are.
struct buffer_location {
    buffer memory;
    std::uint64_t offset = 0;  // of element 0, in bytes
};

// Expressions and work in flight keep the memory alive. Sizes and strides as of tensor_view.
template <element T, std::size_t Rank>
class tensor : public inner_namespace_operand {
    static_assert(Rank >= 1 && Rank <= max_rank, "sinter: a tensor has 1 to 8 dimensions");

public:
    using element_type = T;
    using const_view = tensor;
    using location_type = buffer_location;

    tensor() = default;
    tensor(buffer memory, std::uint64_t offset, const std::array<std::size_t, Rank>& sizes,
           const std::array<std::ptrdiff_t, Rank>& strides)
        : memory_(std::move(memory)), offset_(offset), sizes_(sizes), strides_(strides) {}

    static constexpr std::size_t rank() noexcept { return Rank; }
    const std::array<std::size_t, Rank>& sizes() const noexcept { return sizes_; }
    const std::array<std::ptrdiff_t, Rank>& strides() const noexcept { return strides_; }
    std::size_t size() const noexcept { return sinter::detail::product(sizes_); }

    const buffer& memory() const noexcept { return memory_; }
    std::uint64_t byte_offset() const noexcept { return offset_; }
    buffer_location location() const { return {memory_, offset_}; }
    std::uint64_t address() const noexcept { return memory_ ? memory_.gpu_address() + offset_ : 0; }

    template <std::size_t NewRank>
    tensor<T, NewRank> rearranged(std::ptrdiff_t offset, const std::array<std::size_t, NewRank>& sizes,
                                  const std::array<std::ptrdiff_t, NewRank>& strides) const {
        return {memory_, offset_ + static_cast<std::uint64_t>(offset) * sizeof(T), sizes, strides};
    }

private:
    buffer memory_;
    std::uint64_t offset_ = 0;
    std::array<std::size_t, Rank> sizes_{};
    std::array<std::ptrdiff_t, Rank> strides_{};
};

namespace detail {

template <element T, std::size_t Rank>
tensor<T, Rank> tensor_in(ID3D12Resource* resource, calling_convention convention, std::uint64_t byte_offset,
                          const std::array<std::size_t, Rank>& sizes, const std::array<std::ptrdiff_t, Rank>& strides) {
    if (byte_offset % sizeof(T) != 0)
        sinter::detail::fail(errc::value, "the byte offset " + std::to_string(byte_offset) +
                                              " is not a multiple of the element size " + std::to_string(sizeof(T)));
    return {share(convention, resource), byte_offset, sizes, strides};
}

}  // namespace detail

// A tensor in a buffer of the program's own, from a byte offset on: packed, or with strides in elements. The calling
// convention need be said only by a program that has opened both vkd3d and another runtime.
template <element T, std::size_t Rank>
tensor<T, Rank> view(ID3D12Resource* resource, std::uint64_t byte_offset, const sinter::detail::extent (&sizes)[Rank]) {
    const auto extents = sinter::detail::sizes_of(sizes);
    return detail::tensor_in<T>(resource, loaded_convention(), byte_offset, extents,
                                sinter::detail::packed_strides(extents));
}
template <element T, std::size_t Rank>
tensor<T, Rank> view(ID3D12Resource* resource, std::uint64_t byte_offset, const sinter::detail::extent (&sizes)[Rank],
                     const sinter::detail::step (&strides)[Rank]) {
    return detail::tensor_in<T>(resource, loaded_convention(), byte_offset, sinter::detail::sizes_of(sizes),
                                sinter::detail::strides_of(strides));
}
template <element T, std::size_t Rank>
tensor<T, Rank> view(calling_convention convention, ID3D12Resource* resource, std::uint64_t byte_offset,
                     const std::array<std::size_t, Rank>& sizes, const std::array<std::ptrdiff_t, Rank>& strides) {
    return detail::tensor_in<T>(resource, convention, byte_offset, sizes, strides);
}

}  // namespace sinter::d3d12
