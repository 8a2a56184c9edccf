// Every CPU backend and every target that this machine runs: what a test loops over.
#pragma once

#include <sinter/sinter.hpp>
#if __has_include(<xsimd/xsimd.hpp>)
#include <sinter/cpu/xsimd.hpp>
#endif

#include <string>
#include <vector>

namespace support {

inline std::vector<sinter::cpu::target> available_targets() {
    using sinter::cpu::target;
    std::vector<target> found;
    for (const target t : {target::baseline, target::sse2, target::avx2, target::avx512, target::neon})
        if (sinter::cpu::is_available(t)) found.push_back(t);
    return found;
}

// Every special way of evaluation is taken at once: streaming stores, byte tables, tiles and threads.
inline constexpr sinter::cpu::thresholds lowest_thresholds{
    .streaming_bytes = 0, .table_elements = 0, .tile_elements = 1, .bytes_per_thread = 64};

// Calls visit(name, backend) for each.
template <class Visitor>
void for_each_cpu_backend(Visitor&& visit) {
    visit(std::string("scalar"), sinter::cpu::scalar{});
    for (const sinter::cpu::target t : available_targets()) {
        const std::string own = std::string("highway, ") + name(t);
        visit(own, sinter::cpu::highway{t});
        visit(own + ", lowest thresholds", sinter::cpu::highway{t}.with(lowest_thresholds));
    }
#if __has_include(<xsimd/xsimd.hpp>) && !defined(SINTER_TEST_FEW_KERNELS)
    visit(std::string("xsimd"), sinter::cpu::xsimd{});
    visit(std::string("xsimd, lowest thresholds"), sinter::cpu::xsimd{}.with(lowest_thresholds));
#endif
}

}  // namespace support
