#include "entry.hpp"

#include <functional>
#include <stdexcept>
#include <string>

#include "contenders.hpp"
#include "threads.hpp"

namespace bench {

void entry::call() const {
    if (work.threads == 1 || who->divides) run(work);
    else divide(work, size_of(type), run);
}

std::vector<entry> entries_for(kind k, sinter::element_type type, job work, const std::string& workload) {
    work.operators = operators_of(k);
    std::vector<entry> entries;
    for (const contender* const c : contenders()) {
        if (c->most_threads < work.threads || c->most_bytes < work.elements * size_of(type)) continue;
        if (const pass found = c->find(k, type))
            entries.push_back({k, type, c, found, work, workload.empty() ? name(k) : workload});
    }
    return entries;
}

namespace {

// Read and written. What broadcast reads of its vectors is as good as nothing.
double traffic(const entry& e) {
    const auto read = static_cast<double>(e.bytes());
    return e.k == kind::nhwc_to_nchw ? 3 * read : 2 * read;
}

}  // namespace

void measure_into(results& r, const std::vector<entry>& entries, const effort& e) {
    if (entries.empty()) return;
    std::vector<timed> calls;
    for (const entry& one : entries) {
        calls.push_back({[&one] { one.call(); }});
        if (one.who->run_elsewhere)
            calls.back().call_timed_elsewhere = [&one] { return one.who->run_elsewhere(one.work); };
    }
    const bool on_one_thread = entries.front().work.threads == 1;
    const std::vector<timing> times = measure(calls, e, on_one_thread ? time_of::thread : time_of::clock);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const entry& one = entries[i];
        r.add({one.workload, name(one.type), one.bytes(), one.work.threads, one.who->name,
               traffic(one) / times[i].median_ns, times[i], unit::gigabytes_per_second});
    }
}

void refuse(const entry& e) {
    throw std::runtime_error(std::string(e.who->name) + " computes other bits than it should: " + e.workload + ", " +
                             name(e.type) + ", " + describe_bytes(e.bytes()) + ", " + std::to_string(e.work.threads) +
                             " threads");
}

}  // namespace bench
