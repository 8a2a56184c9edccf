// Steps on operands in memory: one step on whole operands, several block by block through memory that stays in L1.
//
// There is one kernel per operator and element type, and none per chain: every backend that runs programs runs these.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../plan/backend.hpp"
#include "../plan/movers.hpp"
#include "step.hpp"

namespace sinter::directml::detail {

template <class Backend>
using step_runner = void (*)(Backend&, const plan&, const memory_bindings&);

template <class Backend, class Program>
void run_program(Backend& backend, const plan& p, const memory_bindings& data) {
    backend.template run<Program>(p, data);
}

template <class Backend>
inline constexpr auto step_runners = table_of_steps<step_runner<Backend>>([]<class Step, class T>() {
    using computed = typename computed_as<Step, T>::type;
    return step_runner<Backend>(&run_program<Backend, typename programs_of<Step, computed>::program>);
});

template <class Backend>
step_runner<Backend> runner_of(const step& s) noexcept {
    return step_runners<Backend>[static_cast<std::size_t>(s.kind)][static_cast<std::size_t>(s.type)];
}

inline constexpr std::size_t chain_block_bytes = 8192;

template <class Backend>
class memory_chain {
public:
    memory_chain(Backend& backend, std::span<const step> steps, const plan& p, const memory_bindings& data)
        : backend_(backend), steps_(steps), plan_(p), data_(data), element_bytes_(size_of(p.output().type)) {
        for (std::size_t k = 0; k <= p.inputs; ++k) dense_[k] = is_dense(p.operands[k]);
        for (std::size_t inputs = 1; inputs <= 2; ++inputs) block_plans_[inputs - 1] = plan_of_block(inputs);
    }

    // Elements first .. last of the plan's loop.
    void run(std::size_t first, std::size_t last) {
        const std::size_t block = chain_block_bytes / element_bytes_;
        for (std::size_t start = first; start < last; start += block) run_block(start, (std::min)(block, last - start));
    }

private:
    struct alignas(64) scratch {
        std::byte between[chain_block_bytes];
        std::byte gathered[2][chain_block_bytes];
        std::byte scattered[chain_block_bytes];
    };

    bool is_dense(const operand_path& path) const {
        std::size_t expected = 1;
        for (std::size_t i = plan_.rank; i-- > 0;) {
            if (path.strides[i] != static_cast<std::ptrdiff_t>(expected)) return false;
            expected *= plan_.sizes[i];
        }
        return true;
    }

    plan plan_of_block(std::size_t inputs) const {
        plan p{};
        p.kind = loop_kind::packed;
        p.narrow_indices = true;
        p.rank = 1;
        p.inputs = inputs;
        for (std::size_t k = 0; k <= inputs; ++k) {
            p.operands[k].type = plan_.output().type;
            p.operands[k].strides[0] = 1;
        }
        return p;
    }

    std::ptrdiff_t byte_offset(const operand_path& path, std::size_t start) const {
        return (path.offset + static_cast<std::ptrdiff_t>(start)) * static_cast<std::ptrdiff_t>(element_bytes_);
    }

    const void* input_block(std::size_t k, std::size_t start, std::size_t count, std::byte* gathered) const {
        const operand_path& path = plan_.operands[k];
        if (dense_[k]) return static_cast<const std::byte*>(data_.inputs[k]) + byte_offset(path, start);
        sinter::detail::gather(plan_, path, data_.inputs[k], start, count, gathered);
        return gathered;
    }

    void run_block(std::size_t start, std::size_t count) {
        scratch blocks;
        for (plan& p : block_plans_) p.count = p.sizes[0] = count;
        const operand_path& output = plan_.output();
        const bool in_place = dense_[plan_.inputs];
        std::byte* const result =
            in_place ? static_cast<std::byte*>(data_.output) + byte_offset(output, start) : blocks.scattered;
        std::size_t next_input = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const step& s = steps_[i];
            std::array<const void*, 2> inputs{blocks.between, nullptr};
            for (std::size_t k = i == 0 ? 0 : 1; k < s.inputs; ++k)
                inputs[k] = input_block(next_input++, start, count, blocks.gathered[k]);
            const memory_bindings data{inputs.data(), i + 1 == steps_.size() ? result : blocks.between,
                                       data_.parameters + s.first_parameter};
            runner_of<Backend>(s)(backend_, block_plans_[s.inputs - 1u], data);
        }
        if (!in_place) sinter::detail::scatter(plan_, output, data_.output, start, count, blocks.scattered);
    }

    Backend& backend_;
    std::span<const step> steps_;
    const plan& plan_;
    const memory_bindings& data_;
    std::size_t element_bytes_;
    std::array<bool, max_inputs + 1> dense_{};
    std::array<plan, 2> block_plans_;
};

template <class Backend>
void run_in_memory(Backend& backend, std::span<const step> steps, const plan& p, const memory_bindings& data) {
    if (steps.size() == 1) runner_of<Backend>(steps[0])(backend, p, data);
    else memory_chain<Backend>(backend, steps, p, data).run(0, p.count);
}

}  // namespace sinter::directml::detail
