// cpu::highway: SIMD kernels for every target that the processor family has, chosen when the program runs.
//
// Needs the headers of Highway 1.2 or later and links nothing. A program that uses hwy/foreach_target.h itself includes
// it before this header.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../core/inline.hpp"
#include "../plan/backend.hpp"
#include "blocks.hpp"
#include "copy_kernel.hpp"
#include "executor.hpp"
#include "memory_backend.hpp"
#include "static_namespace.hpp"
#include "target.hpp"
#include "thresholds.hpp"
#include "wide_vectors.hpp"

// SSE2, AVX2 and AVX-512, or NEON: what lies between them costs compile time and gains little for these kernels.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                                                                    \
    ((SINTER_HAS_WIDE_VECTORS ? 0 : HWY_AVX2 | HWY_AVX3) | HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | \
     HWY_AVX3_SPR | (1LL << 3) | HWY_NEON_BF16 | HWY_NEON | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
#ifndef HWY_HEADER_ONLY
#define HWY_HEADER_ONLY
#endif
#include <hwy/detect_targets.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinter/cpu/highway-inl.h"
#include <hwy/foreach_target.h>
// Once more, for the static target.
#include "highway-inl.h"

namespace sinter::cpu {

namespace detail {
inline namespace SINTER_STATIC_NAMESPACE {

constexpr bool is_compiled(target t) noexcept {
    switch (t) {
        case target::sse2: return (HWY_TARGETS & HWY_SSE2) != 0;
        case target::avx2: return (HWY_TARGETS & HWY_AVX2) != 0;
        case target::avx512: return (HWY_TARGETS & HWY_AVX3) != 0;
        case target::neon: return (HWY_TARGETS & HWY_NEON_WITHOUT_AES) != 0;
        default: return true;
    }
}

inline bool is_available(target t) noexcept {
    if (!is_compiled(t)) return false;
    switch (t) {
        case target::avx2: return machine_has_avx2();
        case target::avx512: return machine_has_avx512();
        default: return true;
    }
}

inline target find_best_target() noexcept {
    for (const target t : {target::avx512, target::avx2, target::sse2, target::neon})
        if (is_available(t)) return t;
    return target::baseline;
}
inline target best_target() noexcept {
    static const target best = find_best_target();
    return best;
}

// The program compiled for a target; null for targets that are not compiled.
template <class Program>
const kernel* kernel_for(target t) noexcept {
    if constexpr (is_copy<Program>) {
        return &copy_kernel<Program>;
    } else {
        switch (t) {
            case target::sse2: return HWY_CHOOSE_SSE2(program_kernel<Program>::compiled);
            case target::avx2: return HWY_CHOOSE_AVX2(program_kernel<Program>::compiled);
            case target::avx512: return HWY_CHOOSE_AVX3(program_kernel<Program>::compiled);
            case target::neon: return HWY_CHOOSE_NEON_WITHOUT_AES(program_kernel<Program>::compiled);
            default: return &HWY_STATIC_DISPATCH(program_kernel<Program>::compiled);
        }
    }
}

// A program's kernel for a target, but for its code.
inline kernel outline_for(target t, const program_view& p) noexcept {
    const vector_shape* shape = &HWY_STATIC_DISPATCH(simd::shape);
    switch (t) {
        case target::sse2: shape = HWY_CHOOSE_SSE2(simd::shape); break;
        case target::avx2: shape = HWY_CHOOSE_AVX2(simd::shape); break;
        case target::avx512: shape = HWY_CHOOSE_AVX3(simd::shape); break;
        case target::neon: shape = HWY_CHOOSE_NEON_WITHOUT_AES(simd::shape); break;
        default: break;
    }
    return kernel_without_code(p, *shape);
}

[[noreturn]] SINTER_COLD inline void refuse_target(target t) {
    sinter::detail::fail(errc::unsupported,
                         std::string("the target ") + name(t) +
                             (is_compiled(t) ? " does not run on this machine" : " is not compiled into this program") +
                             "; the best that is and does is " + name(best_target()));
}

}  // namespace SINTER_STATIC_NAMESPACE
}  // namespace detail

// The targets that this program has kernels for and this machine runs.
inline bool is_available(target t) noexcept { return detail::is_available(t); }

class highway : public memory_backend {
public:
    constexpr highway() noexcept = default;
    // Errc::unsupported at evaluation where the target is not available.
    constexpr explicit highway(cpu::target forced) noexcept : forced_(true), target_(forced) {}

    // The target that runs: the forced one, or the best of this machine.
    cpu::target target() const noexcept { return forced_ ? target_ : detail::best_target(); }

    // The same with other thresholds.
    highway with(const cpu::thresholds& chosen) const noexcept {
        highway tuned = *this;
        tuned.thresholds_ = chosen;
        return tuned;
    }
    const cpu::thresholds& thresholds() const noexcept { return thresholds_; }

    // The same on the threads of an executor.
    template <executor Executor>
    parallel<highway, Executor> with(Executor threads) const {
        return {*this, std::move(threads)};
    }

    template <class Program>
    const detail::kernel& compiled() const {
        return *detail::kernel_for<Program>(available_target());
    }

    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        detail::run_kernel(compiled<Program>(), p, data, thresholds_, calling_thread());
    }

    std::string title() const { return std::string("highway, target ") + name(target()); }
    detail::kernel outline(const program_view& program) const {
        return detail::outline_for(available_target(), program);
    }
    std::string describe(const program_view& program, const plan& p) const {
        return title() + ", " + detail::describe_run(outline(program), p, thresholds_, calling_thread());
    }

private:
    cpu::target available_target() const {
        if (forced_ && !detail::is_available(target_)) detail::refuse_target(target_);
        return target();
    }

    bool forced_ = false;
    cpu::target target_ = cpu::target::baseline;
    cpu::thresholds thresholds_;
};

}  // namespace sinter::cpu
