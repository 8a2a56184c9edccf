#include "workloads.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
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

constexpr kind kinds[] = {kind::chain3, kind::chain3_inplace, kind::chain10, kind::shrink};

// The largest element that buffers::fill_input makes.
float magnitude_of(sinter::element_type type) {
    if (is_floating(type)) return 1;
    return static_cast<float>(range_of(type).highest);
}

std::vector<std::size_t> sizes_for(kind k, sinter::element_type type, const options& o) {
    std::vector<std::size_t> sizes{4_KiB, 256_KiB};
    // Quick: the goals at large sizes are about floating types, those at the largest about one. Of the integers, one
    // tells what the others do.
    const bool is_told_by_one = !is_floating(type) && type != sinter::element_type::uint8;
    if (!o.quick || !(k == kind::shrink || is_told_by_one)) sizes.push_back(64_MiB);
    if (!o.quick || (k != kind::shrink && type == sinter::element_type::float32)) sizes.push_back(512_MiB);
    return sizes;
}

// Less than the largest sizes does not repay a second thread.
std::vector<int> threads_for(sinter::element_type type, std::size_t bytes, const options& o) {
    if (bytes < 64_MiB || std::thread::hardware_concurrency() < 2) return {1};
    if (o.quick && !is_floating(type)) return {1};
    return {1, 2};
}

class group {
public:
    group(kind k, sinter::element_type type, std::size_t bytes, int threads, const buffers& memory)
        : kind_(k), type_(type), bytes_(bytes), memory_(memory) {
        job work;
        work.input = memory.input();
        work.output = output();
        work.elements = bytes / size_of(type);
        work.a = attributes_for(type, is_in_place());
        work.threads = threads;
        entries_ = entries_for(k, type, work);
    }

    void check() const {
        memory_.fill_input(type_, bytes_);
        const std::vector<std::byte> given = sample(memory_.input());
        const std::vector<std::byte> wanted = by_reference(given);
        for (const entry& e : entries_) {
            memory_.fill_input(type_, bytes_);
            e.call();
            if (sample(output()) != (e.who->what == computes::a_copy ? given : wanted)) refuse(e);
        }
    }

    void measure(results& r, const effort& e) const {
        memory_.fill_input(type_, bytes_);
        measure_into(r, entries_, e);
    }

private:
    bool is_in_place() const { return kind_ == kind::chain3_inplace; }
    void* output() const { return is_in_place() ? memory_.input() : memory_.output(); }

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

    std::vector<std::byte> by_reference(const std::vector<std::byte>& given) const {
        std::vector<std::byte> wanted(given.size());
        job work;
        work.input = given.data();
        work.output = wanted.data();
        work.elements = given.size() / size_of(type_);
        work.a = attributes_for(type_, is_in_place());
        reference(kind_, type_)(work);
        return wanted;
    }

    kind kind_;
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
    const auto is_wanted = [&](kind k) { return wants(o, name(k)); };
    if (std::none_of(std::begin(kinds), std::end(kinds), is_wanted)) return;
    const buffers memory(512_MiB);
    const effort e = o.quick ? effort{5, 0.01} : effort{9, 0.05};
    for (const kind k : kinds) {
        if (!is_wanted(k)) continue;
        for (const sinter::element_type type : all_types) {
            if (!wants_type(o, name(type))) continue;
            for (const std::size_t bytes : sizes_for(k, type, o))
                for (const int threads : threads_for(type, bytes, o)) {
                    const group g(k, type, bytes, threads, memory);
                    g.check();
                    g.measure(r, e);
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
    for (const std::size_t elements : {1, 4, 16, 64}) {
        job work;
        work.input = memory.input();
        work.output = memory.output();
        work.elements = elements;
        work.a = attributes_for(type, false);
        std::vector<entry> entries = entries_for(kind::chain3, type, work);
        std::erase_if(entries, [](const entry& e) { return e.who->what == computes::a_copy; });
        std::vector<std::function<void()>> calls;
        for (const entry& e : entries) calls.push_back([&e] { e.run(e.work); });
        const std::vector<timing> times = measure(calls, o.quick ? effort{5, 0.02} : effort{15, 0.05});
        for (std::size_t i = 0; i < times.size(); ++i)
            r.add({workload, name(type), elements * sizeof(float), 1, entries[i].who->name, {}, times[i],
                   unit::nanoseconds});
    }
}

}  // namespace bench
