// What an expert writes with intrinsics, for the best instruction set of the machine.
// Not the same as sinter for attributes of NaN, nor on int32 for a scale of 1 with a bias of 0, which it does not care
// for.
#include "contenders.hpp"
#include "hand.hpp"

namespace bench {

namespace {

#if defined(__x86_64__)

const hand_kernels* kernels_of_this_machine() {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return &hand_avx512;
    // Every processor with AVX2 has F16C; g++ 12 does not know it by name.
    if (__builtin_cpu_supports("avx2")) return &hand_avx2;
    return nullptr;
}

const char* why_missing() { return kernels_of_this_machine() ? nullptr : "this processor has no AVX2"; }

#else

const hand_kernels* kernels_of_this_machine() { return nullptr; }
const char* why_missing() { return "written for x86-64 only"; }

#endif

pass find(kind k, sinter::element_type type) {
    const hand_kernels& kernels = *kernels_of_this_machine();
    if (k == kind::shrink) return type == sinter::element_type::float32 ? kernels.float32_shrink : nullptr;
    if (k != kind::chain3 && k != kind::chain3_inplace) return nullptr;
    switch (type) {
        case sinter::element_type::float32: return kernels.float32_chain3;
        case sinter::element_type::float16: return kernels.float16_chain3;
        case sinter::element_type::int32: return kernels.int32_chain3;
        case sinter::element_type::uint8: return kernels.uint8_chain3;
        default: return nullptr;
    }
}

}  // namespace

const contender hand{
    .name = "hand",
    .description = "intrinsics by hand, AVX-512 or AVX2: float32, float16, int32 and, through float32, uint8",
    .what = computes::the_same,
    .find = find,
    .missing = why_missing,
};

}  // namespace bench
