#include "threads.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace bench {

namespace {

// Parts begin at a page.
constexpr std::size_t page = 4096;

tbb::task_arena& arena(int threads) {
    static tbb::task_arena made(threads);
    if (made.max_concurrency() != threads) {
        made.terminate();
        made.initialize(threads);
    }
    return made;
}

}  // namespace

void among_threads(const job& j, pass run) {
    arena(j.threads).execute([&] { run(j); });
}

void divide(const job& j, std::size_t element_bytes, pass run) {
    const auto parts = static_cast<std::size_t>(j.threads);
    const std::size_t pages = (j.elements * element_bytes + page - 1) / page;
    const std::size_t most = (pages + parts - 1) / parts * page / element_bytes;
    arena(j.threads).execute([&] {
        tbb::parallel_for(
            std::size_t{0}, parts,
            [&](std::size_t i) {
                const std::size_t first = std::min(i * most, j.elements);
                job part = j;
                part.input = static_cast<const std::byte*>(j.input) + first * element_bytes;
                part.output = static_cast<std::byte*>(j.output) + first * element_bytes;
                part.elements = std::min(most, j.elements - first);
                part.threads = 1;
                if (part.elements > 0) run(part);
            },
            tbb::static_partitioner());
    });
}

}  // namespace bench
