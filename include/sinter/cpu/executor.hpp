// Executors: how the parts of one evaluation reach several threads. The threads are the caller's.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

#include "../plan/backend.hpp"
#include "blocks.hpp"
#include "memory_backend.hpp"

namespace sinter::cpu {

namespace detail {
struct no_job {
    void operator()(std::size_t) const noexcept {}
};
}  // namespace detail

// run(n, job) calls job(0) .. job(n - 1), in any order and on any threads, and returns when all are done;
// concurrency() is how many can run at once. Exceptions of an executor reach the caller of evaluate.
template <class E>
concept executor = std::copy_constructible<E> && requires(const E& e, std::size_t parts, const detail::no_job& job) {
    { e.concurrency() } -> std::convertible_to<std::size_t>;
    e.run(parts, job);
};

// The default: everything on the thread that calls evaluate.
struct calling_thread {
    static constexpr std::size_t concurrency() noexcept { return 1; }
    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        for (std::size_t i = 0; i < parts; ++i) job(i);
    }
};

namespace detail {

// Less traffic than this per part costs more in waking a thread than it saves.
inline constexpr std::size_t least_bytes_per_part = std::size_t{512} << 10;

// Parts of equal size that begin at a block, so that no two share a vector.
template <executor Executor>
void run_in_parts(const kernel& k, const plan& p, const memory_bindings& data, const Executor& threads) {
    const block_loop loop(k, p, data);
    const std::size_t wanted = (std::min)(loop.traffic() / least_bytes_per_part,
                                          static_cast<std::size_t>(threads.concurrency()));
    if (wanted <= 1) return loop.run(0, p.count);
    const std::size_t blocks = (p.count + block_elements - 1) / block_elements;
    const std::size_t part = (blocks + wanted - 1) / wanted * block_elements;
    threads.run((p.count + part - 1) / part, [&](std::size_t i) {
        loop.run(i * part, (std::min)((i + 1) * part, p.count));
    });
}

}  // namespace detail

// A SIMD backend whose evaluations are divided among the threads of an executor.
template <class Simd, executor Executor>
class parallel : public memory_backend {
public:
    parallel(Simd simd, Executor threads) : simd_(std::move(simd)), threads_(std::move(threads)) {}

    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        const detail::kernel& k = simd_.template compiled<Program>();
        if (p.count != 0) detail::run_in_parts(k, p, data, threads_);
    }

    std::string describe(const program_view& program, const plan& p) const {
        return simd_.describe(program, p) + ", up to " + std::to_string(threads_.concurrency()) + " threads";
    }

private:
    Simd simd_;
    Executor threads_;
};

}  // namespace sinter::cpu
