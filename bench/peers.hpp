// What the peers have in common: they take part in chains, out of place and in place.
#pragma once

#include "contender.hpp"

namespace bench {

inline constexpr std::size_t most_bytes_of_slow_peers = std::size_t{64} << 20;

inline pass only_float32_chains(kind k, sinter::element_type type, pass p) {
    return operators_of(k) > 0 && type == sinter::element_type::float32 ? p : nullptr;
}

}  // namespace bench
