// Kernels compiled ahead of time, when a program is built: so that it ships without a shader compiler.
//
// A source file of the program's defines sinter::aot::add_shaders(). CMake's sinter_add_shaders(TARGET FILE.cpp) calls
// it during the build and writes a header with the compiled kernels, which d3d12::device::add takes.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view.hpp"
#include "hlsl/geometry.hpp"
#include "hlsl/text.hpp"
#include "plan/backend.hpp"

namespace sinter::aot {

// Where an operand would be: in a buffer that has a number and no memory.
struct place {
    std::uint64_t buffer = 0;
    std::uint64_t offset = 0;  // of element 0, in bytes

    // The addresses of one buffer, with room on both sides of element 0.
    static constexpr std::uint64_t space = std::uint64_t{1} << 42;
    std::uint64_t address() const noexcept { return buffer * space + offset; }
};

inline place new_place() {
    static std::atomic<std::uint64_t> made = 0;
    return {++made, place::space / 2};
}

// Stands for a tensor on a device. Each that is made has a buffer of its own, which its copies share, and what
// transpose, slice, permute, reverse, reshape and broadcast_to make of it.
template <element T, std::size_t Rank>
class tensor : public inner_namespace_operand {
    static_assert(Rank >= 1 && Rank <= max_rank, "sinter: a tensor has 1 to 8 dimensions");

public:
    using element_type = T;
    using const_view = tensor;
    using location_type = place;

    explicit tensor(const sinter::detail::extent (&sizes)[Rank])
        : tensor(new_place(), sinter::detail::sizes_of(sizes)) {}
    tensor(const sinter::detail::extent (&sizes)[Rank], const sinter::detail::step (&strides)[Rank])
        : tensor(new_place(), sinter::detail::sizes_of(sizes), sinter::detail::strides_of(strides)) {}
    tensor(const place& at, const std::array<std::size_t, Rank>& sizes)
        : tensor(at, sizes, sinter::detail::packed_strides(sizes)) {}
    tensor(const place& at, const std::array<std::size_t, Rank>& sizes, const std::array<std::ptrdiff_t, Rank>& strides)
        : at_(at), sizes_(sizes), strides_(strides) {}

    static constexpr std::size_t rank() noexcept { return Rank; }
    const std::array<std::size_t, Rank>& sizes() const noexcept { return sizes_; }
    const std::array<std::ptrdiff_t, Rank>& strides() const noexcept { return strides_; }
    std::size_t size() const noexcept { return sinter::detail::product(sizes_); }

    place location() const noexcept { return at_; }
    std::uint64_t address() const noexcept { return at_.address(); }

    template <std::size_t NewRank>
    tensor<T, NewRank> rearranged(std::ptrdiff_t offset, const std::array<std::size_t, NewRank>& sizes,
                                  const std::array<std::ptrdiff_t, NewRank>& strides) const {
        return {{at_.buffer, at_.offset + static_cast<std::uint64_t>(offset) * sizeof(T)}, sizes, strides};
    }

private:
    place at_;
    std::array<std::size_t, Rank> sizes_;
    std::array<std::ptrdiff_t, Rank> strides_;
};

// A kernel of an expression.
struct written_kernel {
    std::string name;
    std::string text;
};

namespace detail {

// soften_packed, soften_gather_2_in_place: the name that was given, and the layout.
inline std::string kernel_name(std::string_view name, const hlsl::layout& l) {
    constexpr std::array<std::string_view, 4> kinds{"packed", "words", "gather", "strided"};
    const auto listed = [](std::string_view what, std::uint16_t inputs) {
        if (inputs == 0) return std::string();
        std::string text = "_" + std::string(what);
        if (inputs != 1)
            for (std::size_t k = 0; k < max_inputs; ++k)
                if (hlsl::detail::has(inputs, k)) text += "_" + std::to_string(k + 1);
        return text;
    };
    std::string full = std::string(name) + "_" + std::string(kinds[static_cast<std::size_t>(l.kind)]);
    if (l.kind == hlsl::form::gather || l.kind == hlsl::form::strided) full += "_" + std::to_string(l.rank);
    return full + listed("in_place", l.in_place) + listed("read_write", l.read_write);
}

// The layouts of the kernels that an evaluation dispatches. Dense operands take either of two, by sizes and offsets.
inline std::vector<hlsl::layout> layouts_of(const program_view& program, const plan& p,
                                            const bindings<place, place>& data) {
    std::array<std::uint64_t, max_inputs + 1> offsets{};
    std::uint16_t shared = 0;
    for (std::size_t k = 0; k < p.inputs; ++k) {
        offsets[k] = data.inputs[k].offset;
        if (data.inputs[k].buffer == data.output.buffer) shared = static_cast<std::uint16_t>(shared | 1u << k);
    }
    offsets[p.inputs] = data.output.offset;
    hlsl::geometry g;
    hlsl::make_geometry(g, p, {offsets.data(), hlsl::inputs_read(program), shared});
    if (g.dispatch_count == 0) return {};
    hlsl::layout l = g.dispatches[0].as;
    if (p.kind != loop_kind::packed) return {l};
    l.kind = hlsl::form::packed;
    hlsl::layout edges = l;
    edges.kind = hlsl::form::words;
    return {l, edges};
}

// A backend that writes kernels down in place of running them.
class kernel_writer {
public:
    using input_location = place;
    using output_location = place;

    kernel_writer(std::vector<written_kernel>& to, std::string_view name) : to_(to), name_(name) {
        const auto plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        };
        const bool digit_first = !name.empty() && name[0] >= '0' && name[0] <= '9';
        if (name.empty() || digit_first || !std::all_of(name.begin(), name.end(), plain))
            sinter::detail::fail(errc::value, "aot::add: a name is letters, digits and _, no digit first, and not '" +
                                                  std::string(name) + "'");
    }

    template <element T, std::size_t Rank>
    tensor<T, Rank> allocate(const std::array<std::size_t, Rank>& sizes) const {
        return {new_place(), sizes};
    }

    template <class Program>
    void run(const plan& p, const bindings<place, place>& data) const {
        if (p.count == 0)
            sinter::detail::fail(errc::shape, "aot::add: '" + name_ + "' has no elements, and so no kernel");
        for (const hlsl::layout& l : layouts_of(Program::value, p, data))
            add({kernel_name(name_, l), hlsl::text(Program::value, l)});
    }

    std::string describe(const program_view&, const plan&) const { return "written down as " + name_; }

private:
    void add(written_kernel made) const {
        for (const written_kernel& other : to_) {
            if (other.name != made.name) continue;
            if (other.text == made.text) return;
            sinter::detail::fail(errc::value, "aot::add: two expressions are called '" + name_ + "'");
        }
        to_.push_back(std::move(made));
    }

    std::vector<written_kernel>& to_;
    std::string name_;
};

}  // namespace detail

// What was added until now.
inline std::vector<written_kernel>& written_kernels() {
    static std::vector<written_kernel> written;
    return written;
}

// The kernels that evaluate(device, x, out) needs, for tensors of any sizes and offsets in their buffers that are laid
// out alike: dense or with strides, in place or not, in the output's buffer or not. Of strided tensors the same
// dimensions must merge, or have the size 1. Several may have one name, if their layouts differ.
template <class X, class Out>
    requires sinter::detail::evaluable<const detail::kernel_writer&, X, Out>
void add(std::string_view name, X&& x, Out&& out) {
    evaluate(detail::kernel_writer(written_kernels(), name), std::forward<X>(x), std::forward<Out>(out));
}

// Into a dense tensor of its own, as materialize makes one.
template <class X>
void add(std::string_view name, X&& x) {
    materialize(detail::kernel_writer(written_kernels(), name), std::forward<X>(x));
}

// Defined by the file that sinter_add_shaders is given.
void add_shaders();

}  // namespace sinter::aot
