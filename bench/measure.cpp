#include "measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace bench {

namespace {

// Every benchmark's name is its number among the calls.
class collector : public benchmark::BenchmarkReporter {
public:
    collector(const std::vector<timed>& calls, time_of counted)
        : nanoseconds(calls.size()), calls_(calls), counted_(counted) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            if (run.run_type == Run::RT_Iteration) {
                const std::size_t i = std::stoul(run.run_name.function_name);
                const bool by_clock = counted_ == time_of::clock || calls_[i].call_timed_elsewhere;
                nanoseconds[i].push_back(by_clock ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime());
            }
    }

    std::vector<std::vector<double>> nanoseconds;

private:
    const std::vector<timed>& calls_;
    time_of counted_;
};

void initialize_once() {
    static const bool done = [] {
        // As arguments, because the functions that set these differ between versions.
        char name[] = "sinter_bench";
        char interleave[] = "--benchmark_enable_random_interleaving=true";
        char* arguments[] = {name, interleave, nullptr};
        int count = 2;
        benchmark::Initialize(&count, arguments);
        return true;
    }();
    static_cast<void>(done);
}

}  // namespace

timing summarize(std::vector<double> nanoseconds) {
    std::sort(nanoseconds.begin(), nanoseconds.end());
    const std::size_t middle = nanoseconds.size() / 2;
    const double median =
        nanoseconds.size() % 2 != 0 ? nanoseconds[middle] : (nanoseconds[middle - 1] + nanoseconds[middle]) / 2;
    return {median, nanoseconds.front(), nanoseconds.back()};
}

std::vector<timing> measure(const std::vector<timed>& calls, const effort& e, time_of counted) {
    initialize_once();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto body = [&one = calls[i]](benchmark::State& state) {
            for (auto _ : state) {
                if (one.call_timed_elsewhere) state.SetIterationTime(one.call_timed_elsewhere() * 1e-9);
                else one.call();
                benchmark::ClobberMemory();
            }
        };
        auto* const added = benchmark::RegisterBenchmark(std::to_string(i).c_str(), body);
        added->Unit(benchmark::kNanosecond)->MinTime(e.seconds)->Repetitions(e.repetitions);
        if (calls[i].call_timed_elsewhere) added->UseManualTime();
        else if (counted == time_of::process) added->MeasureProcessCPUTime();
        else if (counted == time_of::clock) added->UseRealTime();
    }
    collector results(calls, counted);
    benchmark::RunSpecifiedBenchmarks(&results);
    benchmark::ClearRegisteredBenchmarks();
    std::vector<timing> timings;
    for (auto& repetitions : results.nanoseconds) timings.push_back(summarize(std::move(repetitions)));
    return timings;
}

std::vector<timing> measure(const std::vector<std::function<void()>>& calls, const effort& e, time_of counted) {
    std::vector<timed> all;
    for (const auto& call : calls) all.push_back({call});
    return measure(all, e, counted);
}

}  // namespace bench
