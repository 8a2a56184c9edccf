// What the backends on the CPU have in common: operands are plain memory, results are owning tensors.
#pragma once

#include <array>
#include <cstddef>

#include "../core/tensor.hpp"
#include "../plan/backend.hpp"

namespace sinter::cpu {

struct memory_backend {
    using input_location = const void*;
    using output_location = void*;

    template <element T, std::size_t Rank>
    tensor<T, Rank> allocate(const std::array<std::size_t, Rank>& sizes) const {
        return tensor<T, Rank>(sizes, sinter::detail::uninitialized{});
    }
};

}  // namespace sinter::cpu
