// Sizes and strides of buffer tensors: the number of bytes, packed strides, broadcast strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../core/element.hpp"
#include "../core/error.hpp"
#include "descriptors.hpp"

namespace sinter::directml {

namespace detail {

inline constexpr std::uint64_t no_size = (std::numeric_limits<std::uint64_t>::max)();

constexpr std::uint64_t sum_or_none(std::uint64_t a, std::uint64_t b) { return a > no_size - b ? no_size : a + b; }
constexpr std::uint64_t product_or_none(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > no_size / a ? no_size : a * b;
}

// Rounded up to 4; no_size where 64 bits cannot hold it. Sizes are not 0.
constexpr std::uint64_t needed_bytes(std::size_t element_bytes, std::size_t rank, const UINT* sizes,
                                     const UINT* strides) {
    std::uint64_t elements = 1;
    if (strides != nullptr) {
        for (std::size_t i = 0; i < rank; ++i)
            elements = sum_or_none(elements, product_or_none(sizes[i] - 1u, strides[i]));
    } else {
        for (std::size_t i = 0; i < rank; ++i) elements = product_or_none(elements, sizes[i]);
    }
    const std::uint64_t bytes = product_or_none(elements, element_bytes);
    return bytes > no_size - 4 ? no_size : (bytes + 3) / 4 * 4;
}

// 0 where DirectML knows the type and this library does not, or neither does.
constexpr std::size_t element_bytes(DML_TENSOR_DATA_TYPE type) {
    switch (static_cast<int>(type)) {
        case DML_TENSOR_DATA_TYPE_FLOAT32:
        case DML_TENSOR_DATA_TYPE_UINT32:
        case DML_TENSOR_DATA_TYPE_INT32: return 4;
        case DML_TENSOR_DATA_TYPE_FLOAT16:
        case DML_TENSOR_DATA_TYPE_UINT16:
        case DML_TENSOR_DATA_TYPE_INT16: return 2;
        case DML_TENSOR_DATA_TYPE_UINT8:
        case DML_TENSOR_DATA_TYPE_INT8: return 1;
        case DML_TENSOR_DATA_TYPE_FLOAT64:
        case DML_TENSOR_DATA_TYPE_UINT64:
        case DML_TENSOR_DATA_TYPE_INT64: return 8;
        default: return 0;
    }
}

}  // namespace detail

// TotalTensorSizeInBytes of a tensor, in 64 bits throughout; strides may be null. 0 where a size is 0; errc::type where
// elements are not whole bytes, errc::too_large where 64 bits cannot hold the size.
inline UINT64 calc_buffer_tensor_size(DML_TENSOR_DATA_TYPE type, UINT dimension_count, const UINT* sizes,
                                      const UINT* strides) {
    const std::size_t bytes = detail::element_bytes(type);
    if (bytes == 0)
        sinter::detail::fail(errc::type, "calc_buffer_tensor_size: data type " +
                                             std::to_string(static_cast<int>(type)) + " has no size in bytes");
    for (std::size_t i = 0; i < dimension_count; ++i)
        if (sizes[i] == 0) return 0;
    const std::uint64_t size = detail::needed_bytes(bytes, dimension_count, sizes, strides);
    if (size == detail::no_size)
        sinter::detail::fail(errc::too_large, "calc_buffer_tensor_size: the tensor has more bytes than 64 bits count");
    return size;
}

// Of a row-major tensor without gaps.
inline std::vector<UINT> packed_strides(std::span<const UINT> sizes) {
    std::vector<UINT> strides(sizes.size());
    std::uint64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (stride > (std::numeric_limits<UINT>::max)())
            sinter::detail::fail(errc::too_large, "packed_strides: a stride does not fit 32 bits");
        strides[i] = static_cast<UINT>(stride);
        stride = detail::product_or_none(stride, sizes[i]);
    }
    return strides;
}
inline std::vector<UINT> packed_strides(std::initializer_list<UINT> sizes) {
    return packed_strides(std::span<const UINT>(sizes.begin(), sizes.size()));
}

// Of a packed tensor of sizes `from` that is read as one of sizes `to`: aligned at the right, 0 where it repeats.
inline std::vector<UINT> broadcast_strides(std::span<const UINT> from, std::span<const UINT> to) {
    const auto refuse = [&](const char* why) {
        const auto text = [](std::span<const UINT> sizes) {
            std::string list = "{";
            for (std::size_t i = 0; i < sizes.size(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
            return list + "}";
        };
        const std::string sizes = text(from) + " do not broadcast to " + text(to);
        sinter::detail::fail(errc::shape, "broadcast_strides: sizes " + sizes + ": " + why);
    };
    if (from.size() > to.size()) refuse("they are more");
    const std::vector<UINT> packed = packed_strides(from);
    std::vector<UINT> strides(to.size(), 0);
    const std::size_t first = to.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != to[first + i] && from[i] != 1) refuse("a size is neither 1 nor equal");
        strides[first + i] = from[i] == 1 ? 0 : packed[i];
    }
    return strides;
}
inline std::vector<UINT> broadcast_strides(std::initializer_list<UINT> from, std::initializer_list<UINT> to) {
    return broadcast_strides(std::span<const UINT>(from.begin(), from.size()),
                             std::span<const UINT>(to.begin(), to.size()));
}

}  // namespace sinter::directml
