// Steps on operands in memory: one step on whole operands, several block by block through memory that stays in L1.
//
// There is one kernel per operator and element type, and none per chain. Backends that compile programs to kernels are
// asked for them once per dispatch; of all others, every block of every step is one evaluation.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../cpu/kernel.hpp"
#include "../plan/backend.hpp"
#include "../plan/movers.hpp"
#include "step.hpp"

namespace sinter::directml::detail {

template <class Step, class T>
using step_program = typename programs_of<Step, typename computed_as<Step, T>::type>::program;

template <class Backend>
using step_runner = void (*)(Backend&, const plan&, const memory_bindings&);

template <class Backend, class Program>
void run_program(Backend& backend, const plan& p, const memory_bindings& data) {
    backend.template run<Program>(p, data);
}

template <class Backend>
inline constexpr auto step_runners = table_of_steps<step_runner<Backend>>(
    []<class Step, class T>() { return step_runner<Backend>(&run_program<Backend, step_program<Step, T>>); });

template <class Backend>
step_runner<Backend> runner_of(const step& s) noexcept {
    return step_runners<Backend>[static_cast<std::size_t>(s.kind)][static_cast<std::size_t>(s.type)];
}

inline constexpr std::size_t chain_block_bytes = 8192;

// Runs step number i of a chain on `count` dense elements, a multiple of lanes().
template <class Backend>
class chain_runner {
public:
    chain_runner(Backend& backend, std::span<const step> steps, element_type type) : backend_(backend), steps_(steps) {
        for (std::size_t inputs = 1; inputs <= 2; ++inputs) {
            plan& p = plans_[inputs - 1];
            p = {};
            p.kind = loop_kind::packed;
            p.narrow_indices = true;
            p.rank = 1;
            p.inputs = inputs;
            for (std::size_t k = 0; k <= inputs; ++k) {
                p.operands[k].type = type;
                p.operands[k].strides[0] = 1;
            }
        }
    }

    static constexpr std::size_t unit() noexcept { return 1; }
    static constexpr bool streams(std::size_t) noexcept { return false; }

    void operator()(std::size_t i, const std::byte* const* inputs, std::byte* output, const std::uint32_t* parameters,
                    std::size_t count, cpu::detail::stores) {
        plan& p = plans_[steps_[i].inputs - 1u];
        p.count = p.sizes[0] = count;
        const std::array<const void*, 2> operands{inputs[0], inputs[1]};
        runner_of<Backend>(steps_[i])(backend_, p, {operands.data(), output, parameters});
    }

private:
    Backend& backend_;
    std::span<const step> steps_;
    std::array<plan, 2> plans_;
};

template <class Backend>
concept compiles_programs = requires(const Backend& b) {
    { b.template compiled<sinter::detail::no_program>() } -> std::same_as<const cpu::detail::kernel&>;
    b.thresholds();
};

template <compiles_programs Backend>
class chain_runner<Backend> {
    using kernel = cpu::detail::kernel;
    using finder = const kernel& (*)(const Backend&);

    template <class Program>
    static const kernel& find(const Backend& backend) {
        return backend.template compiled<Program>();
    }
    static constexpr auto finders = table_of_steps<finder>(
        []<class Step, class T>() { return finder(&chain_runner::template find<step_program<Step, T>>); });

public:
    chain_runner(Backend& backend, std::span<const step> steps, element_type) : backend_(backend), steps_(steps) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const kernel& k = look_up(i);
            if (i < kept) kernels_[i] = &k;
            unit_ = (std::max)(unit_, k.shape.unit);
        }
    }

    std::size_t unit() const noexcept { return unit_; }
    bool streams(std::size_t traffic) const noexcept { return traffic >= backend_.thresholds().streaming_bytes; }

    void operator()(std::size_t i, const std::byte* const* inputs, std::byte* output, const std::uint32_t* parameters,
                    std::size_t count, cpu::detail::stores how) const {
        (i < kept ? *kernels_[i] : look_up(i)).run({inputs, output, count, how}, parameters);
    }

private:
    static constexpr std::size_t kept = 32;

    const kernel& look_up(std::size_t i) const {
        const step& s = steps_[i];
        return finders[static_cast<std::size_t>(s.kind)][static_cast<std::size_t>(s.type)](backend_);
    }

    const Backend& backend_;
    std::span<const step> steps_;
    std::array<const kernel*, kept> kernels_;
    std::size_t unit_ = 1;
};

template <class Backend>
class memory_chain {
public:
    memory_chain(Backend& backend, std::span<const step> steps, const plan& p, const memory_bindings& data)
        : run_step_(backend, steps, p.output().type),
          steps_(steps),
          plan_(p),
          data_(data),
          element_bytes_(size_of(p.output().type)) {
        for (std::size_t k = 0; k <= p.inputs; ++k) dense_[k] = sinter::detail::is_dense(p, p.operands[k]);
        streams_ = !p.in_place && run_step_.streams(p.count * element_bytes_ * (p.inputs + 1));
    }

    // Elements first .. last of the plan's loop.
    void run(std::size_t first, std::size_t last) {
        const std::size_t most = chain_block_bytes / element_bytes_;
        for (std::size_t start = first; start < last; start += most) {
            const std::size_t count = (std::min)(most, last - start);
            const std::size_t whole = count - count % run_step_.unit();
            if (whole > 0) run_block(start, whole, dense_);
            if (whole < count) run_block(start + whole, count - whole, {});
        }
        if (streams_) cpu::detail::finish_streaming();
    }

private:
    using dense_operands = std::array<bool, max_inputs + 1>;

    struct alignas(64) scratch {
        std::byte between[chain_block_bytes];
        std::byte gathered[2][chain_block_bytes];
        std::byte scattered[chain_block_bytes];
    };

    std::ptrdiff_t byte_offset(const operand_path& path, std::size_t start) const {
        return (path.offset + static_cast<std::ptrdiff_t>(start)) * static_cast<std::ptrdiff_t>(element_bytes_);
    }

    // What is gathered is filled up with zeros to whole vectors.
    const std::byte* input_block(std::size_t k, bool dense, std::size_t start, std::size_t count, std::size_t padded,
                                 std::byte* gathered) const {
        const operand_path& path = plan_.operands[k];
        if (dense) return static_cast<const std::byte*>(data_.inputs[k]) + byte_offset(path, start);
        sinter::detail::gather(plan_, path, data_.inputs[k], start, count, gathered);
        std::memset(gathered + count * element_bytes_, 0, (padded - count) * element_bytes_);
        return gathered;
    }

    void run_block(std::size_t start, std::size_t count, const dense_operands& dense) {
        scratch blocks;
        const std::size_t padded = (count + run_step_.unit() - 1) / run_step_.unit() * run_step_.unit();
        const operand_path& output = plan_.output();
        const bool to_output = dense[plan_.inputs];
        std::byte* const result =
            to_output ? static_cast<std::byte*>(data_.output) + byte_offset(output, start) : blocks.scattered;
        const bool aligned = reinterpret_cast<std::uintptr_t>(result) % 64 == 0;
        const auto how =
            streams_ && to_output && aligned ? cpu::detail::stores::streaming : cpu::detail::stores::cached;
        std::size_t next_input = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const step& s = steps_[i];
            const bool last = i + 1 == steps_.size();
            std::array<const std::byte*, 2> inputs{blocks.between, nullptr};
            for (std::size_t k = i == 0 ? 0 : 1; k < s.inputs; ++k, ++next_input)
                inputs[k] = input_block(next_input, dense[next_input], start, count, padded, blocks.gathered[k]);
            run_step_(i, inputs.data(), last ? result : blocks.between, data_.parameters + s.first_parameter, padded,
                      last ? how : cpu::detail::stores::cached);
        }
        if (!to_output) sinter::detail::scatter(plan_, output, data_.output, start, count, blocks.scattered);
    }

    chain_runner<Backend> run_step_;
    std::span<const step> steps_;
    const plan& plan_;
    const memory_bindings& data_;
    std::size_t element_bytes_;
    dense_operands dense_{};
    bool streams_;
};

template <class Backend>
void run_in_memory(Backend& backend, std::span<const step> steps, const plan& p, const memory_bindings& data) {
    if (steps.size() == 1) return runner_of<Backend>(steps[0])(backend, p, data);
    // Backends with threads have the parts of a loop run in each.
    if constexpr (requires { backend.divide(p.count, p.count, [](std::size_t, std::size_t) {}); }) {
        const std::size_t element_bytes = size_of(p.output().type);
        const std::size_t block = chain_block_bytes / element_bytes;
        const std::size_t traffic = p.count * element_bytes * (p.inputs + 1);
        backend.divide((p.count + block - 1) / block, traffic, [&](std::size_t first, std::size_t last) {
            memory_chain<Backend>(backend, steps, p, data).run(first * block, (std::min)(last * block, p.count));
        });
    } else {
        memory_chain<Backend>(backend, steps, p, data).run(0, p.count);
    }
}

}  // namespace sinter::directml::detail
