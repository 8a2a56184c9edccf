// Timing, by Google Benchmark: what is compared is repeated in turns, in random order, so that whatever disturbs the
// machine disturbs every contender alike.
#pragma once

#include <functional>
#include <vector>

namespace bench {

struct effort {
    int repetitions;
    double seconds;  // at least, of one repetition
};

struct timing {
    double median_ns;
    double min_ns;
    double max_ns;
};

// Over the repetitions' own times.
timing summarize(std::vector<double> nanoseconds);

// The processor time of one call of each, in the order given. All calls stay on the calling thread, so that this is the
// clock's time but for what other programs take of the processor.
std::vector<timing> measure(const std::vector<std::function<void()>>& calls, const effort& e);

}  // namespace bench
