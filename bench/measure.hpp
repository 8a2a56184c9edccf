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

// What is counted: the processor time of the calling thread, that of all threads of the process, or the clock's time.
enum class time_of { thread, process, clock };

struct timed {
    std::function<void()> call;
    // Calls, and gives the nanoseconds that it took by a clock of its own: where the work is done by another process.
    std::function<double()> call_timed_elsewhere = nullptr;
};

// The time of one call of each, in the order given. Where all of the work stays on the calling thread, its processor
// time is the clock's but for what other programs take of the processor.
std::vector<timing> measure(const std::vector<timed>& calls, const effort& e, time_of counted = time_of::thread);
std::vector<timing> measure(const std::vector<std::function<void()>>& calls, const effort& e,
                            time_of counted = time_of::thread);

}  // namespace bench
