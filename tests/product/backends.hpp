// The backends under test. A further one is a family: a type with
//   static std::vector<Family> instances();              // one per target or device that this machine has
//   std::string name;
//   unsigned share;                                      // runs one in `share` of the runs; 1 runs all
//   bool keeps_subnormals;                               // float32 ones; otherwise the data has none
//   static constexpr unsigned compiled_share = 1;        // compiled for one in so many operators and types; may be
//   absent template <class Out, std::size_t Rank, class... In> void run(const auto& make, const operand* inputs, const
//   operand& output) const;
// which evaluates make(input views..) into the output. Blocks are host memory: a family with memory of its own copies
// whole blocks there (operands with one block share it), and the output's block back, so that gaps are compared too.
#pragma once

#include <sinter/sinter.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "operand.hpp"
#include "support/cpu_backends.hpp"

#if defined(SINTER_TEST_D3D12)
#include "d3d12_backend.hpp"
#endif

namespace product {

template <std::size_t Rank, class Integer>
std::array<Integer, Rank> leading(const std::array<Integer, max_rank>& values) {
    std::array<Integer, Rank> taken;
    for (std::size_t d = 0; d < Rank; ++d) taken[d] = values[d];
    return taken;
}

template <class T, std::size_t Rank>
sinter::tensor_view<T, Rank> memory_view(const operand& o) {
    return {reinterpret_cast<T*>(o.block) + o.at.first, leading<Rank>(o.at.sizes), leading<Rank>(o.at.strides)};
}

template <class Backend>
struct in_memory {
    std::string name;
    unsigned share = 1;
    bool keeps_subnormals = true;
    Backend backend{};

    // The kernels of cpu::xsimd are those of cpu::highway in another vector library's words.
    static constexpr unsigned compiled_share =
        std::is_same_v<Backend, sinter::cpu::scalar> || std::is_same_v<Backend, sinter::cpu::highway> ? 1 : 2;

    static std::vector<in_memory> instances();

    template <class Out, std::size_t Rank, class... In>
    void run(const auto& make, const operand* inputs, const operand& output) const {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            sinter::evaluate(backend, make(memory_view<const In, Rank>(inputs[I])...), memory_view<Out, Rank>(output));
        }(std::index_sequence_for<In...>{});
    }
};

template <>
inline std::vector<in_memory<sinter::cpu::scalar>> in_memory<sinter::cpu::scalar>::instances() {
    return {{.name = "scalar"}};
}

template <>
inline std::vector<in_memory<sinter::cpu::highway>> in_memory<sinter::cpu::highway>::instances() {
    std::vector<in_memory> made;
    for (const sinter::cpu::target t : support::available_targets()) {
        const std::string own = std::string("highway ") + sinter::cpu::name(t);
        const sinter::cpu::highway backend(t);
        made.push_back({.name = own, .backend = backend});
        made.push_back({.name = own + ", lowest thresholds", .backend = backend.with(support::lowest_thresholds)});
    }
    return made;
}

#if __has_include(<xsimd/xsimd.hpp>)
template <>
inline std::vector<in_memory<sinter::cpu::xsimd>> in_memory<sinter::cpu::xsimd>::instances() {
    const sinter::cpu::xsimd lowest = sinter::cpu::xsimd().with(support::lowest_thresholds);
    return {{.name = "xsimd"}, {.name = "xsimd, lowest thresholds", .backend = lowest}};
}
#endif

// Direct3D 12 has programs of its own, which are skipped where there is none.
#if defined(SINTER_TEST_D3D12)
using families = std::tuple<on_d3d12>;
#elif __has_include(<xsimd/xsimd.hpp>)
using families =
    std::tuple<in_memory<sinter::cpu::scalar>, in_memory<sinter::cpu::highway>, in_memory<sinter::cpu::xsimd>>;
#else
using families = std::tuple<in_memory<sinter::cpu::scalar>, in_memory<sinter::cpu::highway>>;
#endif

template <class Family>
const std::vector<Family>& instances_of() {
    static const std::vector<Family> made = Family::instances();
    return made;
}

// Calls visit(backend) for each instance of each family.
template <class Visitor>
void for_each_backend(Visitor&& visit) {
    [&]<std::size_t... F>(std::index_sequence<F...>) {
        const auto visit_family = [&](const auto& instances) {
            for (const auto& backend : instances) visit(backend);
        };
        (visit_family(instances_of<std::tuple_element_t<F, families>>()), ...);
    }(std::make_index_sequence<std::tuple_size_v<families>>{});
}

// Calls visit(backend) for instance number `wanted`.
template <std::size_t F = 0, class Visitor>
void visit_backend(std::size_t wanted, const Visitor& visit) {
    if constexpr (F < std::tuple_size_v<families>) {
        const auto& instances = instances_of<std::tuple_element_t<F, families>>();
        if (wanted < instances.size()) visit(instances[wanted]);
        else visit_backend<F + 1>(wanted - instances.size(), visit);
    }
}

}  // namespace product
