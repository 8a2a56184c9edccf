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

// Calls visit(name, backend) for each.
template <class Visitor>
void for_each_cpu_backend(Visitor&& visit) {
    visit(std::string("scalar"), sinter::cpu::scalar{});
    for (const sinter::cpu::target t : available_targets())
        visit(std::string("highway, ") + name(t), sinter::cpu::highway{t});
#if __has_include(<xsimd/xsimd.hpp>)
    visit(std::string("xsimd"), sinter::cpu::xsimd{});
#endif
}

}  // namespace support
