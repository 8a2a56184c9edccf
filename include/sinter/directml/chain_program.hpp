// The operators of a chain as one program, put together when it is compiled. What expr/lowering.hpp does with types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../expr/lowering.hpp"
#include "../expr/program.hpp"
#include "../expr/recorder.hpp"
#include "step.hpp"

namespace sinter::directml::detail {

// Owns its code.
class chain_program {
public:
    explicit chain_program(std::span<const step> steps) {
        const std::size_t capacity = capacity_for(steps);
        code_.resize(capacity);
        std::vector<std::uint16_t> slots(recorder::slots_for(capacity));
        recorder r(code_.data(), capacity, slots.data(), slots.size());
        std::uint16_t result = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            result = append(r, steps[i], i == 0 ? nullptr : &result);
            if (i + 1 < steps.size() && steps[i].type == element_type::float16) result = rounded_to_half(r, result);
        }
        cut(r.size(), result, steps.back().type);
    }
    chain_program(const chain_program&) = delete;
    chain_program& operator=(const chain_program&) = delete;

    const program_view& view() const noexcept { return view_; }

private:
    using recorder = sinter::detail::recorder;

    // Every operand and every rounding is one instruction more.
    static std::size_t capacity_for(std::span<const step> steps) {
        std::size_t capacity = 0;
        for (const step& s : steps) capacity += s.fragment().size + s.inputs + s.attributes + 1u;
        if (capacity > 30000)
            sinter::detail::fail(errc::too_large, "a chain of " + std::to_string(steps.size()) + " operators has " +
                                                      std::to_string(capacity) + " instructions, more than 30000");
        return capacity;
    }

    std::uint16_t append(recorder& r, const step& s, const std::uint16_t* predecessor) {
        std::array<std::uint16_t, 8> arguments{};
        std::size_t count = 0;
        for (std::size_t k = 0; k < s.inputs; ++k)
            arguments[count++] = k == 0 && predecessor != nullptr ? *predecessor : input(r, s.type);
        for (std::size_t k = 0; k < s.attributes; ++k)
            arguments[count++] = r.push({.op = operation::parameter,
                                         .type = value_type::float32,
                                         .uniform = true,
                                         .bits = static_cast<std::uint32_t>(view_.parameters++)});
        const fragment_view& fragment = s.fragment();
        std::vector<std::uint16_t> registers(fragment.size);
        return sinter::detail::append(r, fragment.code, fragment.size, fragment.result, arguments.data(),
                                      registers.data());
    }

    std::uint16_t input(recorder& r, element_type type) {
        view_.input_types[view_.inputs] = type;
        return r.push(
            {.op = operation::input, .type = to_value_type(type), .bits = static_cast<std::uint32_t>(view_.inputs++)});
    }

    static std::uint16_t rounded_to_half(recorder& r, std::uint16_t id) {
        if (sinter::detail::holds_half(r, id)) return id;
        return r.push({.op = operation::round_to_half, .type = value_type::float32, .uniform = r[id].uniform, .a = id});
    }

    void cut(std::size_t size, std::uint16_t result, element_type output) {
        const auto needed = std::make_unique<bool[]>(size);
        std::vector<std::uint16_t> moved(size);
        view_.size = sinter::detail::keep_needed(code_.data(), size, result, needed.get(), moved.data());
        code_.resize(view_.size);
        view_.code = code_.data();
        view_.result = result;
        view_.output = output;
        // A bare copy moves bits.
        instruction& source = code_[result];
        if (source.op != operation::input) return;
        view_.output = sinter::detail::bits_of_same_size(output);
        source.type = to_value_type(view_.output);
        view_.input_types[source.bits] = view_.output;
    }

    std::vector<instruction> code_;
    program_view view_;
};

}  // namespace sinter::directml::detail
