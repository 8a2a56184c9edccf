// A bare copy as a kernel: its program is one input and nothing else, and it moves bits without looking at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../core/element.hpp"
#include "../expr/program.hpp"
#include "../plan/movers.hpp"
#include "kernel.hpp"
#include "static_namespace.hpp"

namespace sinter::cpu::detail {
inline namespace SINTER_STATIC_NAMESPACE {

template <std::size_t ElementBytes>
void copy_elements(const kernel_work& work, const std::uint32_t*) {
    kernel_row<1> row(work);
    do {
        if (work.repeated == 0) std::memmove(row.output, row.inputs[0], work.count * ElementBytes);
        else sinter::detail::copy_run(ElementBytes, row.output, 1, row.inputs[0], 0, work.count);
    } while (row.next(work));
}

constexpr bool is_moved_as_bits(const program_view& p) noexcept { return p.inputs == 1 && is_bare_copy(p); }

template <class Program>
inline constexpr bool is_copy = is_moved_as_bits(Program::value);

template <class Program>
inline constexpr kernel copy_kernel{&copy_elements<size_of(Program::value.output)>, {1, 1}, 0, false};

// The kernel of a program on a target of such vectors, but for its code: what decides how it is run.
constexpr kernel kernel_without_code(const program_view& p, const vector_shape& shape) noexcept {
    return is_moved_as_bits(p) ? kernel{nullptr, {1, 1}, 0, false}
                               : kernel{nullptr, shape, mapped_bytes(p), is_streamed(p)};
}

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace sinter::cpu::detail
