// The kernels of the contender `hand`, one source file per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contender.hpp"

namespace bench {

// float16 elements by their bits. The integers are computed through float32, as the numeric contract asks.
struct hand_kernels {
    pass float32_chain3;
    pass float32_shrink;
    pass float16_chain3;
    pass int32_chain3;
    pass uint8_chain3;
};

extern const hand_kernels hand_avx512;
extern const hand_kernels hand_avx2;

}  // namespace bench
