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
    collector(std::size_t calls, time_of counted) : nanoseconds(calls), counted_(counted) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            if (run.run_type == Run::RT_Iteration)
                nanoseconds[std::stoul(run.run_name.function_name)].push_back(
                    counted_ == time_of::clock ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime());
    }

    std::vector<std::vector<double>> nanoseconds;

private:
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

std::vector<timing> measure(const std::vector<std::function<void()>>& calls, const effort& e, time_of counted) {
    initialize_once();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto body = [&call = calls[i]](benchmark::State& state) {
            for (auto _ : state) {
                call();
                benchmark::ClobberMemory();
            }
        };
        auto* const added = benchmark::RegisterBenchmark(std::to_string(i).c_str(), body);
        added->Unit(benchmark::kNanosecond)->MinTime(e.seconds)->Repetitions(e.repetitions);
        if (counted == time_of::process) added->MeasureProcessCPUTime();
        if (counted == time_of::clock) added->UseRealTime();
    }
    collector results(calls.size(), counted);
    benchmark::RunSpecifiedBenchmarks(&results);
    benchmark::ClearRegisteredBenchmarks();
    std::vector<timing> timings;
    for (auto& repetitions : results.nanoseconds) timings.push_back(summarize(std::move(repetitions)));
    return timings;
}

}  // namespace bench
