// What a device keeps of a program: for every layout that was asked for, the kernel's text and what it binds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <utility>

#include "../expr/program.hpp"
#include "../hlsl/geometry.hpp"
#include "../hlsl/interface.hpp"
#include "../hlsl/layout.hpp"
#include "../hlsl/text.hpp"
#include "../hlsl/uniforms.hpp"
#include "kernel.hpp"

namespace sinter::d3d12::detail {

struct prepared_kernel {
    prepared_kernel(const program_view& program, const hlsl::layout& l)
        : text(hlsl::text(program, l)), code(text), boundary(hlsl::interface_of(program, l)) {}

    std::string text;
    kernel code;
    hlsl::kernel_interface boundary;
};

struct prepared_program {
    explicit prepared_program(const program_view& of) : program(of), uniforms(of), read(hlsl::inputs_read(of)) {}

    program_view program;
    hlsl::uniform_evaluation uniforms;
    std::uint16_t read;  // the inputs that the program reads, as a mask
    mutable std::shared_mutex guard;
    mutable std::map<std::tuple<hlsl::form, std::uint8_t, std::uint16_t, std::uint16_t>,
                     std::unique_ptr<const prepared_kernel>>
        kernels;

    const prepared_kernel& kernel_for(const hlsl::layout& l) const {
        const std::tuple key{l.kind, l.rank, l.in_place, l.read_write};
        {
            const std::shared_lock reading(guard);
            if (const auto found = kernels.find(key); found != kernels.end()) return *found->second;
        }
        auto made = std::make_unique<const prepared_kernel>(program, l);
        const std::unique_lock writing(guard);
        return *kernels.try_emplace(key, std::move(made)).first->second;
    }
};

// Programs are known by the address of their code, which lives as long as the process.
class program_cache {
public:
    const prepared_program& get(const program_view& program) {
        {
            const std::shared_lock reading(guard_);
            if (const auto found = programs_.find(program.code); found != programs_.end()) return *found->second;
        }
        auto made = std::make_unique<const prepared_program>(program);
        const std::unique_lock writing(guard_);
        return *programs_.try_emplace(program.code, std::move(made)).first->second;
    }

private:
    std::shared_mutex guard_;
    std::map<const instruction*, std::unique_ptr<const prepared_program>> programs_;
};

}  // namespace sinter::d3d12::detail
