// The threads that all contenders share: oneTBB's.
#pragma once

#include <cstddef>

#include "contender.hpp"

namespace bench {

// Calls run(part) for that many equal parts of a job without a shape, each on a thread of its own.
void divide(const job& j, std::size_t element_bytes, pass run);

// Calls run(j) where sinter::cpu::onetbb has j.threads threads.
void among_threads(const job& j, pass run);

}  // namespace bench
