// From a program, a plan and buffers to the dispatches of one evaluation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../hlsl/geometry.hpp"
#include "../plan/backend.hpp"
#include "../plan/plan.hpp"
#include "dispatch.hpp"
#include "prepared_kernel.hpp"
#include "tensor.hpp"

namespace sinter::d3d12 {

using buffer_bindings = bindings<buffer_location, buffer_location>;

namespace detail {

// Holds the arrays to which its `work` refers.
class evaluation {
public:
    evaluation(const prepared_program& prepared, const plan& p, const buffer_bindings& data) {
        std::array<std::uint64_t, max_inputs + 1> offsets;
        for (std::size_t k = 0; k < p.inputs; ++k) offsets[k] = data.inputs[k].offset;
        offsets[p.inputs] = data.output.offset;
        const hlsl::placement placed{offsets.data(), prepared.read, sharing_the_output(p, data)};
        hlsl::make_geometry(geometry_, p, placed);
        check_reach(prepared, p, data);

        uniforms_.resize(prepared.uniforms.size());
        prepared.uniforms(data.parameters, uniforms_.data());
        for (std::size_t i = 0; i < geometry_.dispatch_count; ++i) add_part(i, prepared, data, p);
        work_ = {
            {read_only_.data(), read_only_count_}, {read_write_.data(), read_write_count_}, {parts_.data(), count_}};
    }
    evaluation(const evaluation&) = delete;
    evaluation& operator=(const evaluation&) = delete;

    const dispatch& work() const noexcept { return work_; }

    std::string describe() const {
        std::string text = std::to_string(count_) + (count_ == 1 ? " dispatch: " : " dispatches: ");
        for (std::size_t i = 0; i < count_; ++i) {
            const hlsl::dispatch& d = geometry_.dispatches[i];
            text += std::string(i == 0 ? "" : ", ") + name(d.as.kind) + " for " + std::to_string(d.count) + " threads";
        }
        return text;
    }

private:
    static std::uint16_t sharing_the_output(const plan& p, const buffer_bindings& data) {
        std::uint16_t mask = 0;
        for (std::size_t k = 0; k < p.inputs; ++k)
            if (same_resource(data.inputs[k].memory, data.output.memory))
                mask = static_cast<std::uint16_t>(mask | 1u << k);
        return mask;
    }

    // Kernels touch whole words, so that the last one must lie in the resource.
    void check_reach(const prepared_program& prepared, const plan& p, const buffer_bindings& data) const {
        for (std::size_t k = 0; k <= p.inputs; ++k) {
            if (k < p.inputs && (prepared.read >> k & 1u) == 0) continue;
            const buffer& memory = k == p.inputs ? data.output.memory : data.inputs[k].memory;
            if (geometry_.operands[k].last > memory.capacity())
                sinter::detail::fail(errc::too_large,
                                     (k == p.inputs ? std::string("the output") : "input " + std::to_string(k + 1)) +
                                         " ends at byte " + std::to_string(geometry_.operands[k].last) +
                                         " (whole 32-bit words), its buffer at byte " +
                                         std::to_string(memory.capacity()));
        }
    }

    void add_part(std::size_t i, const prepared_program& prepared, const buffer_bindings& data, const plan& p) {
        const hlsl::dispatch& d = geometry_.dispatches[i];
        const prepared_kernel& k = prepared.kernel_for(d.as);
        if (i == 0) bind(k.boundary, data, p);
        constants_[i].resize(k.boundary.constants());
        hlsl::write_constants(k.boundary, geometry_, d, uniforms_.data(), constants_[i].data());
        parts_[count_++] = {k.code, constants_[i], {d.groups_x, d.groups_y, 1}};
    }

    // The parts of one evaluation bind the same buffers in the same places.
    void bind(const hlsl::kernel_interface& boundary, const buffer_bindings& data, const plan& p) {
        read_write_[0] = {data.output.memory, geometry_.operands[p.inputs].view};
        read_write_count_ = boundary.read_write_buffers;
        read_only_count_ = boundary.read_only_buffers;
        for (std::size_t k = 0; k < p.inputs; ++k) {
            const hlsl::binding& b = boundary.inputs[k];
            const bound_buffer bound{data.inputs[k].memory, geometry_.operands[k].view};
            if (b.how == hlsl::access::read_only) read_only_[b.slot] = bound;
            if (b.how == hlsl::access::read_write) read_write_[b.slot] = bound;
        }
    }

    hlsl::geometry geometry_;
    std::vector<std::uint32_t> uniforms_;
    std::array<std::vector<std::uint32_t>, dispatch::most_parts> constants_;
    std::array<dispatch_part, dispatch::most_parts> parts_{dispatch_part{kernel{""}, {}}, dispatch_part{kernel{""}, {}},
                                                           dispatch_part{kernel{""}, {}}};
    std::array<bound_buffer, max_inputs> read_only_;
    std::array<bound_buffer, max_inputs + 1> read_write_;
    std::size_t count_ = 0;
    std::size_t read_only_count_ = 0;
    std::size_t read_write_count_ = 0;
    dispatch work_;
};

}  // namespace detail

}  // namespace sinter::d3d12
