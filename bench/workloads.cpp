#include "workloads.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "buffers.hpp"
#include "contenders.hpp"
#include "elements.hpp"
#include "entry.hpp"

namespace bench {

namespace {

constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

// Kinds of one line have the same elements and are measured side by side.
const std::vector<std::vector<kind>>& all_groups() {
    static const std::vector<std::vector<kind>> list{
        {kind::chain1, kind::chain2, kind::chain3, kind::chain5, kind::chain7, kind::chain10},
        {kind::chain3_inplace},
        {kind::shrink},
    };
    return list;
}

// Every size of every type is measured with three operators and with ten; what each further one costs is told by one
// type, in the caches and in memory.
bool is_measured(kind k, sinter::element_type type, std::size_t bytes, int threads) {
    if (k != kind::chain1 && k != kind::chain2 && k != kind::chain5 && k != kind::chain7) return true;
    return type == sinter::element_type::float32 && (bytes == 256_KiB || bytes == 64_MiB) && threads == 1;
}

// The largest element that buffers::fill_input makes.
float magnitude_of(sinter::element_type type) {
    if (is_floating(type)) return 1;
    return static_cast<float>(range_of(type).highest);
}

std::vector<std::size_t> sizes_for(bool is_shrink, sinter::element_type type, const options& o) {
    std::vector<std::size_t> sizes{4_KiB, 256_KiB};
    // Quick: the goals at large sizes are about floating types, those at the largest about one. Of the integers, one
    // tells what the others do.
    const bool is_told_by_one = !is_floating(type) && type != sinter::element_type::uint8;
    if (!o.quick || !(is_shrink || is_told_by_one)) sizes.push_back(64_MiB);
    if (!o.quick || (!is_shrink && type == sinter::element_type::float32)) sizes.push_back(512_MiB);
    return sizes;
}

// Less than the largest sizes does not repay a second thread.
std::vector<int> threads_for(sinter::element_type type, std::size_t bytes, const options& o) {
    if (bytes < 64_MiB || std::thread::hardware_concurrency() < 2) return {1};
    if (o.quick && !is_floating(type)) return {1};
    return {1, 2};
}

// One pass over the largest size outlasts the time of a quick repetition; a median of five such passes is noise.
effort effort_for(std::size_t bytes, const options& o) {
    if (!o.quick) return {9, 0.05};
    return {bytes >= 512_MiB ? 15 : 5, 0.01};
}

class group {
public:
    group(const std::vector<kind>& kinds, sinter::element_type type, std::size_t bytes, int threads,
          const buffers& memory)
        : is_in_place_(kinds.front() == kind::chain3_inplace), type_(type), bytes_(bytes), memory_(memory) {
        job work;
        work.input = memory.input();
        work.output = output();
        work.elements = bytes / size_of(type);
        work.a = attributes_for(type, is_in_place_);
        work.threads = threads;
        for (const kind k : kinds)
            if (is_measured(k, type, bytes, threads))
                for (const entry& e : entries_for(k, type, work)) entries_.push_back(e);
    }

    // Leaves out the contender that takes longer than `most` seconds for a pass of three operators, or for each three
    // of a longer one; but neither sinter nor a limit.
    void check(double most) {
        memory_.fill_input(type_, bytes_);
        const std::vector<std::byte> given = sample(memory_.input());
        std::map<kind, std::vector<std::byte>> wanted;
        const auto is_slow = [&](const entry& e) {
            if (!wanted.contains(e.k)) wanted[e.k] = by_reference(e.k, given);
            if (is_in_place_) memory_.fill_input(type_, bytes_);
            else std::memset(output(), 0, bytes_);
            const double allowed = most * std::max(1.0, e.work.operators / 3.0);
            double seconds = time_of_call(e);
            if (!is_right(sample(output()), e, given, wanted[e.k])) refuse(e);
            if (e.who == &sinter_highway || e.who->what == computes::a_copy) return false;
            // It may have been another program that took the time, or memory that is allocated once.
            for (int again = 0; again < 2 && seconds > allowed; ++again) seconds = std::min(seconds, time_of_call(e));
            if (seconds <= allowed) return false;
            std::printf("\n%s, %s, %s, threads: %d: %s left out, %.1f s a pass\n", name(e.k), name(type_),
                        describe_bytes(bytes_).c_str(), e.work.threads, e.who->name, seconds);
            return true;
        };
        std::erase_if(entries_, is_slow);
    }

    void measure(results& r, const effort& e) const {
        memory_.fill_input(type_, bytes_);
        measure_into(r, entries_, e);
    }

private:
    bool is_right(const std::vector<std::byte>& got, const entry& e, const std::vector<std::byte>& given,
                  const std::vector<std::byte>& wanted) const {
        if (e.who->what == computes::a_copy) return got == given;
        if (e.who->what == computes::the_same) return got == wanted;
        std::vector<std::byte> otherwise(given.size());
        job work = job_of_sample(given, otherwise);
        work.operators = e.work.operators;
        rounded_otherwise(type_, work);
        const std::size_t size = size_of(type_);
        for (std::size_t i = 0; i < got.size(); i += size)
            if (std::memcmp(&got[i], &wanted[i], size) != 0 && std::memcmp(&got[i], &otherwise[i], size) != 0)
                return false;
        return true;
    }

    static double time_of_call(const entry& e) {
        const auto start = std::chrono::steady_clock::now();
        e.call();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    void* output() const { return is_in_place_ ? memory_.input() : memory_.output(); }

    // Blocks spread evenly from the first byte to the last: the reference is slow.
    std::vector<std::byte> sample(const void* buffer) const {
        constexpr std::size_t block = 4_KiB;
        constexpr std::size_t blocks = 17;
        const auto* const bytes = static_cast<const std::byte*>(buffer);
        std::vector<std::byte> taken;
        const std::size_t taken_blocks = bytes_ <= block ? 1 : blocks;
        for (std::size_t i = 0; i < taken_blocks; ++i) {
            const std::size_t last = bytes_ - std::min(block, bytes_);
            const std::size_t start = taken_blocks == 1 ? 0 : last / (taken_blocks - 1) * i / 64 * 64;
            const auto* const first = bytes + (i + 1 == taken_blocks ? last : start);
            taken.insert(taken.end(), first, first + std::min(block, bytes_));
        }
        return taken;
    }

    std::vector<std::byte> by_reference(kind k, const std::vector<std::byte>& given) const {
        std::vector<std::byte> wanted(given.size());
        reference(k, type_)(job_of_sample(given, wanted));
        return wanted;
    }

    job job_of_sample(const std::vector<std::byte>& given, std::vector<std::byte>& result) const {
        job work;
        work.input = given.data();
        work.output = result.data();
        work.elements = given.size() / size_of(type_);
        work.a = attributes_for(type_, is_in_place_);
        return work;
    }

    bool is_in_place_;
    sinter::element_type type_;
    std::size_t bytes_;
    const buffers& memory_;
    std::vector<entry> entries_;
};

}  // namespace

// Random data must stay random when a pass runs in place again and again: there the chain turns the elements' order
// around, x -> c - x, and pulls only the small ones to 0. Elsewhere every branch is taken and integers saturate, too.
attributes attributes_for(sinter::element_type type, bool in_place) {
    const float m = magnitude_of(type);
    if (!in_place) return {1.5f, 0.25f * m, 0.25f * m, 0.5f * m, -0.75f * m};
    return {-1.f, is_unsigned(type) ? m : 0.125f, 0.f, 0.25f * m, -m};
}

void run_workloads(const options& o, results& r) {
    std::optional<buffers> memory;
    for (std::vector<kind> kinds : all_groups()) {
        std::erase_if(kinds, [&](kind k) { return !wants(o, name(k)); });
        if (kinds.empty()) continue;
        if (!memory) memory.emplace(512_MiB);
        for (const sinter::element_type type : all_types) {
            if (!wants_type(o, name(type))) continue;
            for (const std::size_t bytes : sizes_for(kinds.front() == kind::shrink, type, o))
                for (const int threads : threads_for(type, bytes, o)) {
                    group g(kinds, type, bytes, threads, *memory);
                    g.check(o.quick ? 0.3 : 60);
                    g.measure(r, effort_for(bytes, o));
                }
        }
    }
}

void run_call_overhead(const options& o, results& r) {
    constexpr const char* workload = "call_overhead";
    const auto type = sinter::element_type::float32;
    if (!wants(o, workload) || !wants_type(o, name(type))) return;
    const buffers memory(4_KiB);
    memory.fill_input(type, 4_KiB);
    for (const std::size_t elements : {1u, 4u, 16u, 64u}) {
        job work;
        work.input = memory.input();
        work.output = memory.output();
        work.elements = elements;
        work.a = attributes_for(type, false);
        std::vector<entry> entries = entries_for(kind::chain3, type, work);
        // Of those that run in this process and compute something.
        std::erase_if(entries, [](const entry& e) { return e.who->what == computes::a_copy || e.who->run_elsewhere; });
        std::vector<std::function<void()>> calls;
        for (const entry& e : entries) {
            e.run(e.work);  // whatever is made once is made here
            calls.push_back([&e] { e.run(e.work); });
        }
        const std::vector<timing> times = measure(calls, o.quick ? effort{5, 0.02} : effort{15, 0.05});
        for (std::size_t i = 0; i < times.size(); ++i)
            r.add({workload,
                   name(type),
                   elements * sizeof(float),
                   1,
                   entries[i].who->name,
                   {},
                   times[i],
                   unit::nanoseconds});
    }
}

}  // namespace bench
