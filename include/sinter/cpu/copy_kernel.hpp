// A bare copy as a kernel: its program is one input and nothing else, and it moves bits without looking at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../core/element.hpp"
#include "../expr/program.hpp"
#include "kernel.hpp"
#include "static_namespace.hpp"

namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {

template <std::size_t ElementBytes>
void copy_elements(const kernel_work& work, const std::uint32_t*) {
    for_each_row<1>(work, [&](const std::byte* const* inputs, std::byte* output) {
        std::memmove(output, inputs[0], work.count * ElementBytes);
    });
}

template <class Program>
inline constexpr bool is_copy = Program::value.inputs == 1 && is_bare_copy(Program::value);

template <class Program>
inline constexpr kernel copy_kernel{&copy_elements<size_of(Program::value.output)>, 1, false};

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
