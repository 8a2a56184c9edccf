// Executors: how the parts of one evaluation reach several threads. The threads are the caller's.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

#include "../plan/backend.hpp"
#include "blocks.hpp"
#include "byte_table.hpp"
#include "memory_backend.hpp"
#include "thresholds.hpp"

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

// Parts of an evaluation: of equal size, but for the last.
struct division {
    std::size_t parts;
    std::size_t pieces;  // in a part
};

// None with too little traffic.
template <executor Executor>
division divided(std::size_t pieces, std::size_t traffic, const thresholds& pay, const Executor& threads) {
    const auto most = static_cast<std::size_t>(threads.concurrency());
    if (most <= 1) return {1, pieces};
    const std::size_t wanted = (std::min)(traffic / pay.bytes_per_thread, most);
    if (wanted <= 1) return {1, pieces};
    const std::size_t part = (pieces + wanted - 1) / wanted;
    return {(pieces + part - 1) / part, part};
}

// Calls job(first, last) for every part of `pieces` pieces.
template <executor Executor, class Job>
void divide(std::size_t pieces, std::size_t traffic, const thresholds& pay, const Executor& threads, const Job& job) {
    const division d = divided(pieces, traffic, pay, threads);
    if (d.parts == 1) return job(std::size_t{0}, pieces);
    threads.run(d.parts, [&](std::size_t i) { job(i * d.pieces, (std::min)((i + 1) * d.pieces, pieces)); });
}

// A kernel over a plan, in parts where there are threads. The usual small evaluation comes here without delay.
template <executor Executor>
void run_loop(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay,
              const Executor& threads) {
    const std::size_t traffic = p.bytes_moved();
    if (p.kind == loop_kind::packed && traffic < (std::min)(pay.streaming_bytes, pay.bytes_per_thread))
        return k.shape.whole_units(p.count) == p.count ? run_dense(k, p, data)
                                                       : row_kernel(k, p, data).run_packed(0, p.count);
    const block_loop loop(k, p, data, pay);
    divide(loop.pieces(), traffic, pay, threads, [&](std::size_t first, std::size_t last) { loop.run(first, last); });
}

// The same, by a table where that pays.
template <executor Executor>
void run_kernel(const kernel& k, const plan& p, const memory_bindings& data, const thresholds& pay,
                const Executor& threads) {
    if (p.count == 0) return;
    if (const kernel* const lookup = looking_up(k, p, pay)) {
        const byte_table table(k, data.parameters);
        return run_loop(*lookup, p, {data.inputs, data.output, table.words.data()}, pay, threads);
    }
    run_loop(k, p, data, pay, threads);
}

// The same in words, for a kernel like this one.
template <executor Executor>
std::string describe_run(const kernel& k, const plan& p, const thresholds& pay, const Executor& threads) {
    const kernel* const lookup = looking_up(k, p, pay);
    const memory_bindings nowhere{};
    const block_loop loop(lookup != nullptr ? *lookup : k, p, nowhere, pay);
    const std::size_t parts = divided(loop.pieces(), p.bytes_moved(), pay, threads).parts;
    return loop.describe() + (lookup != nullptr ? ", looked up in a table of 256 values" : "") +
           (parts > 1 ? ", in " + std::to_string(parts) + " parts" : "");
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

    const cpu::thresholds& thresholds() const noexcept { return simd_.thresholds(); }

    // Calls job(first, last), perhaps on several threads, for parts of `pieces` pieces that move `traffic` bytes.
    template <class Job>
    void divide(std::size_t pieces, std::size_t traffic, const Job& job) const {
        detail::divide(pieces, traffic, thresholds(), threads_, job);
    }

    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        detail::run_kernel(compiled<Program>(), p, data, thresholds(), threads_);
    }

    std::string describe(const program_view& program, const plan& p) const {
        return simd_.title() + ", " + detail::describe_run(simd_.outline(program), p, thresholds(), threads_) +
               " on up to " + std::to_string(threads_.concurrency()) + " threads";
    }

private:
    Simd simd_;
    Executor threads_;
};

}  // namespace sinter::cpu
