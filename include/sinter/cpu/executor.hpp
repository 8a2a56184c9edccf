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

// Calls job(first, last) for parts of `count` elements: of equal size and beginning at a block, so that no two share a
// vector.
template <executor Executor, class Job>
void divide(std::size_t count, std::size_t traffic, const Executor& threads, const Job& job) {
    const std::size_t wanted =
        (std::min)(traffic / least_bytes_per_part, static_cast<std::size_t>(threads.concurrency()));
    if (wanted <= 1) return job(std::size_t{0}, count);
    const std::size_t blocks = (count + block_elements - 1) / block_elements;
    const std::size_t part = (blocks + wanted - 1) / wanted * block_elements;
    threads.run((count + part - 1) / part,
                [&](std::size_t i) { job(i * part, (std::min)((i + 1) * part, count)); });
}

template <executor Executor>
void run_in_parts(const kernel& k, const plan& p, const memory_bindings& data, const Executor& threads) {
    const block_loop loop(k, p, data);
    divide(p.count, loop.traffic(), threads, [&](std::size_t first, std::size_t last) { loop.run(first, last); });
}

}  // namespace detail

// A SIMD backend whose evaluations are divided among the threads of an executor.
template <class Simd, executor Executor>
class parallel : public memory_backend {
public:
    parallel(Simd simd, Executor threads) : simd_(std::move(simd)), threads_(std::move(threads)) {}

    template <class Program>
    const detail::kernel& compiled() const {
        return simd_.template compiled<Program>();
    }

    // Calls job(first, last), perhaps on several threads, for all parts of `count` elements that move `traffic` bytes.
    template <class Job>
    void divide(std::size_t count, std::size_t traffic, const Job& job) const {
        detail::divide(count, traffic, threads_, job);
    }

    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        const detail::kernel& k = compiled<Program>();
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
