// An executor on oneTBB. Optional: include it where oneTBB's headers are, and link tbb.
#pragma once

#include <cstddef>

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "executor.hpp"

namespace sinter::cpu {

// In the arena of the calling thread.
struct onetbb {
    std::size_t concurrency() const { return static_cast<std::size_t>(::tbb::this_task_arena::max_concurrency()); }

    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        ::tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t i) { job(i); }, ::tbb::static_partitioner{});
    }
};

}  // namespace sinter::cpu
