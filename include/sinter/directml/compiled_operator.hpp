// compile: one DML_OPERATOR_DESC, or several as a chain, checked and made ready; dispatch: its values, on any backend.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../plan/backend.hpp"
#include "../plan/plan.hpp"
#include "chain_program.hpp"
#include "descriptors.hpp"
#include "memory_chain.hpp"
#include "reader.hpp"

struct ID3D12Resource;

namespace sinter::directml {

// A part of a buffer: from the byte `offset` on, `size` bytes; with 0, as many as the descriptor wants. What
// DML_BUFFER_BINDING says, and made of one.
struct buffer_region {
    ID3D12Resource* resource = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;

    constexpr buffer_region(ID3D12Resource* of, std::uint64_t from = 0, std::uint64_t bytes = 0) noexcept
        : resource(of), offset(from), size(bytes) {}
    template <class Binding>
        requires requires(const Binding& b) {
            { b.Buffer } -> std::convertible_to<ID3D12Resource*>;
            { b.Offset } -> std::convertible_to<std::uint64_t>;
            { b.SizeInBytes } -> std::convertible_to<std::uint64_t>;
        }
    constexpr buffer_region(const Binding& b) noexcept : resource(b.Buffer), offset(b.Offset), size(b.SizeInBytes) {}
};

namespace detail {

// Backends that take programs known at run time prepare them once, whole; all others run kernels in memory.
template <class B>
concept prepares_programs = requires { typename B::prepared_program; };

template <class B>
struct operands_of {
    using input = typename B::input_location;
    using output = typename B::output_location;
};
template <prepares_programs B>
struct operands_of<B> {
    using input = buffer_region;
    using output = buffer_region;
};

template <class B>
using input_of_backend = typename operands_of<std::remove_cvref_t<B>>::input;
template <class B>
using output_of_backend = typename operands_of<std::remove_cvref_t<B>>::output;

// Everything that compile leaves; shared by the copies of an operator and never changed.
class operator_state {
public:
    operator_state(std::vector<step> chain, std::vector<tensor_layout> inputs, const tensor_layout& output,
                   std::vector<std::uint32_t> parameters)
        : steps_(std::move(chain)),
          inputs_(std::move(inputs)),
          output_(output),
          parameters_(std::move(parameters)),
          program_(steps_) {}
    operator_state(const operator_state&) = delete;
    operator_state& operator=(const operator_state&) = delete;

    std::span<const step> steps() const noexcept { return steps_; }
    std::span<const tensor_layout> inputs() const noexcept { return inputs_; }
    const tensor_layout& output() const noexcept { return output_; }
    const std::uint32_t* parameters() const noexcept { return parameters_.data(); }
    const program_view& program() const noexcept { return program_.view(); }

    // What a kind of backend keeps of the program. It lives here, with the code that it refers to.
    template <class Prepared>
    const Prepared& prepared() const {
        static const char kind = 0;
        const std::lock_guard lock(guard_);
        for (const auto& [known, made] : prepared_)
            if (known == &kind) return *static_cast<const Prepared*>(made.get());
        prepared_.emplace_back(&kind, std::make_shared<const Prepared>(program()));
        return *static_cast<const Prepared*>(prepared_.back().second.get());
    }

private:
    std::vector<step> steps_;
    std::vector<tensor_layout> inputs_;
    tensor_layout output_;
    std::vector<std::uint32_t> parameters_;
    chain_program program_;
    mutable std::mutex guard_;
    mutable std::vector<std::pair<const void*, std::shared_ptr<const void>>> prepared_;
};

inline operand_view view_of(const tensor_layout& t, std::uint64_t address) noexcept {
    return {address, t.type, t.rank, t.sizes.data(), t.strides.data()};
}

}  // namespace detail

// Cheap to copy; may be dispatched from several threads at once. Inputs are in the order of the descriptors; in a chain
// an operator's first input is its predecessor's output, and only the others are given.
class compiled_operator {
public:
    std::size_t input_count() const noexcept { return state_->inputs().size(); }

    // The whole chain as one program, as generators of kernels read it. It lives as long as a copy of the operator.
    const program_view& program() const noexcept { return state_->program(); }

    // One input: a pointer to element 0, or a buffer_region where the backend is a Direct3D 12 device. A device's
    // dispatch is asynchronous and returns its submission.
    template <class B>
    auto dispatch(B&& backend, std::type_identity_t<detail::input_of_backend<B>> input,
                  std::type_identity_t<detail::output_of_backend<B>> output) const {
        return run(backend, std::span<const detail::input_of_backend<B>>(&input, 1), output);
    }
    template <class B>
    auto dispatch(B&& backend, std::span<const std::type_identity_t<detail::input_of_backend<B>>> inputs,
                  std::type_identity_t<detail::output_of_backend<B>> output) const {
        return run(backend, inputs, output);
    }
    // An array of pointers is a list of inputs, not the memory of one.
    template <class B, class Pointer, std::size_t N>
        requires(std::is_pointer_v<Pointer> && !detail::prepares_programs<std::remove_cvref_t<B>>)
    auto dispatch(B&& backend, const Pointer (&inputs)[N],
                  std::type_identity_t<detail::output_of_backend<B>> output) const {
        std::array<detail::input_of_backend<B>, N> list;
        for (std::size_t i = 0; i < N; ++i) list[i] = inputs[i];
        return run(backend, std::span<const detail::input_of_backend<B>>(list), output);
    }

    // Into the program's own command list; as device::record and device::constants_size.
    template <detail::prepares_programs Device, class List, class Constants>
    void record(const Device& device, List* list, std::span<const buffer_region> inputs, buffer_region output,
                const Constants& in) const {
        with_buffers(device, inputs, output, [&](const auto& prepared, const plan& p, const auto& data) {
            device.record(list, prepared, p, data, in);
        });
    }
    template <detail::prepares_programs Device, class List>
    void record(const Device& device, List* list, std::span<const buffer_region> inputs, buffer_region output) const {
        with_buffers(device, inputs, output, [&](const auto& prepared, const plan& p, const auto& data) {
            device.record(list, prepared, p, data);
        });
    }
    template <detail::prepares_programs Device>
    std::size_t constants_size(const Device& device, std::span<const buffer_region> inputs,
                               buffer_region output) const {
        return with_buffers(device, inputs, output, [&](const auto& prepared, const plan& p, const auto& data) {
            return device.constants_size(prepared, p, data);
        });
    }

private:
    friend compiled_operator compile(std::span<const DML_OPERATOR_DESC> chain, DML_FEATURE_LEVEL level);

    explicit compiled_operator(std::shared_ptr<const detail::operator_state> state) : state_(std::move(state)) {}

    template <class B, class Input, class Output>
    auto run(B& backend, std::span<const Input> inputs, Output output) const {
        if constexpr (detail::prepares_programs<std::remove_const_t<B>>) {
            return with_buffers(backend, inputs, output, [&](const auto& prepared, const plan& p, const auto& data) {
                return backend.run(prepared, p, data);
            });
        } else {
            static_assert(std::convertible_to<Input, const void*> && std::convertible_to<Output, void*>,
                          "sinter: this backend neither reads memory nor prepares programs: dispatch cannot use it");
            check_count(inputs.size());
            std::array<operand_view, max_inputs> views;
            for (std::size_t k = 0; k < inputs.size(); ++k)
                views[k] = detail::view_of(state_->inputs()[k], address_of(inputs[k]));
            plan p;
            make_plan(p, views.data(), inputs.size(), detail::view_of(state_->output(), address_of(output)));
            const memory_bindings data{inputs.data(), output, state_->parameters()};
            detail::run_in_memory(backend, state_->steps(), p, data);
        }
    }

    static std::uint64_t address_of(const void* memory) noexcept { return reinterpret_cast<std::uintptr_t>(memory); }

    template <class Device, class Use>
    auto with_buffers(const Device& device, std::span<const buffer_region> inputs, const buffer_region& output,
                      const Use& use) const {
        using location = typename Device::input_location;
        check_count(inputs.size());
        std::array<operand_view, max_inputs> views;
        std::array<location, max_inputs> locations;
        for (std::size_t k = 0; k < inputs.size(); ++k)
            views[k] = place(device, state_->inputs()[k], inputs[k], locations[k], "input " + std::to_string(k + 1));
        location written;
        const operand_view out = place(device, state_->output(), output, written, "the output");
        plan p;
        make_plan(p, views.data(), inputs.size(), out);
        const bindings<location, location> data{locations.data(), written, state_->parameters()};
        return use(state_->template prepared<typename Device::prepared_program>(), p, data);
    }

    template <class Device, class Location>
    static operand_view place(const Device& device, const detail::tensor_layout& t, const buffer_region& region,
                              Location& at, const std::string& name) {
        if (region.size != 0 && region.size < t.total_bytes)
            sinter::detail::fail(errc::too_large, name + " (" + detail::describe(t) + ") has " +
                                                      std::to_string(region.size) + " bytes of its buffer, and its " +
                                                      "descriptor's TotalTensorSizeInBytes is " +
                                                      std::to_string(t.total_bytes));
        if (region.resource == nullptr) return detail::view_of(t, 0);
        at.memory = device.share(region.resource);
        at.offset = region.offset;
        return detail::view_of(t, at.memory.gpu_address() + region.offset);
    }

    void check_count(std::size_t given) const {
        if (given != input_count())
            sinter::detail::fail(errc::value, "dispatch: the operator has " + std::to_string(input_count()) +
                                                  " inputs, and " + std::to_string(given) + " are given");
    }

    std::shared_ptr<const detail::operator_state> state_;
};

namespace detail {

inline void check_link(const operator_reading& before, const operator_reading& after, std::size_t position) {
    const tensor_layout& given = before.output;
    const tensor_layout& taken = after.inputs[0];
    const char* what = given.type != taken.type       ? "data types"
                       : given.rank != taken.rank     ? "numbers of dimensions"
                       : given.sizes != taken.sizes   ? "sizes"
                       : !same_elements(given, taken) ? "strides, which would rearrange elements"
                                                      : nullptr;
    if (what == nullptr) return;
    refuse("operator " + std::to_string(position) + " of the chain: the output of its predecessor, DML_" +
           before.support->name + "_OPERATOR_DESC.OutputTensor (" + describe(given) + "), and its first input, DML_" +
           after.support->name + "_OPERATOR_DESC's (" + describe(taken) + "), have different " + what);
}

// A copy between other operators does nothing: the tensors between them do not exist.
inline void drop_copies(std::vector<step>& steps) {
    std::vector<step> kept;
    for (const step& s : steps)
        if (s.kind != step_kind::identity) kept.push_back(s);
    if (kept.empty()) kept.push_back(steps.front());
    steps = std::move(kept);
}

// A scale-bias becomes part of the operator that follows it, which spares a pass; its parameters stand before that
// one's already. On float16 it would miss the rounding between the two.
inline void fold_scale_biases(std::vector<step>& steps) {
    std::vector<step> kept;
    for (const step& s : steps) {
        const step_kind folded = with_scale_bias(s.kind);
        if (kept.empty() || kept.back().kind != step_kind::scale_bias || folded == s.kind ||
            s.type == element_type::float16) {
            kept.push_back(s);
            continue;
        }
        kept.back().kind = folded;
        kept.back().attributes = static_cast<std::uint8_t>(kept.back().attributes + s.attributes);
    }
    steps = std::move(kept);
}

inline std::shared_ptr<const operator_state> compiled_state(std::span<const DML_OPERATOR_DESC> chain,
                                                            DML_FEATURE_LEVEL level) {
    if (chain.empty()) refuse("compile: the chain has no operators");
    std::vector<step> steps;
    std::vector<tensor_layout> inputs;
    std::vector<std::uint32_t> parameters;
    operator_reading before;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        operator_reading r;
        reader(r, static_cast<unsigned>(level), chain.size() == 1 ? 0 : i + 1).read(chain[i]);
        if (i > 0) check_link(before, r, i + 1);
        const std::uint8_t input_count = r.support->inputs;
        for (std::size_t k = i == 0 ? 0 : 1; k < input_count; ++k) inputs.push_back(r.inputs[k]);
        steps.push_back({r.kind, input_count, r.attribute_count, parameters.size(), r.output.type});
        parameters.insert(parameters.end(), r.attributes.begin(), r.attributes.begin() + r.attribute_count);
        before = r;
    }
    if (inputs.size() > max_inputs)
        sinter::detail::fail(errc::unsupported, "the chain has " + std::to_string(inputs.size()) +
                                                    " inputs, more than 16: compile it in parts");
    drop_copies(steps);
    fold_scale_biases(steps);
    parameters.push_back(0);
    return std::make_shared<const operator_state>(std::move(steps), std::move(inputs), before.output,
                                                  std::move(parameters));
}

}  // namespace detail

// Checks every descriptor as DirectML does, at the given feature level (left out: the newest), and throws a
// descriptor_error that says what is wrong. The descriptors are only looked at during the call.
inline compiled_operator compile(std::span<const DML_OPERATOR_DESC> chain,
                                 DML_FEATURE_LEVEL level = static_cast<DML_FEATURE_LEVEL>(detail::newest_level)) {
#if defined(__cpp_exceptions)
    try {
        return compiled_operator(detail::compiled_state(chain, level));
    } catch (const std::bad_alloc&) {
        sinter::detail::fail(errc::out_of_memory,
                             "compile: no memory for a chain of " + std::to_string(chain.size()) + " operators");
    }
#else
    return compiled_operator(detail::compiled_state(chain, level));
#endif
}
inline compiled_operator compile(const DML_OPERATOR_DESC& desc,
                                 DML_FEATURE_LEVEL level = static_cast<DML_FEATURE_LEVEL>(detail::newest_level)) {
    return compile(std::span<const DML_OPERATOR_DESC>(&desc, 1), level);
}

}  // namespace sinter::directml
