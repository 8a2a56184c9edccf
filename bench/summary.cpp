#include "summary.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace bench {

namespace {

void print_goal(const std::string& what, double measured, const char* relation, double goal, const char* unit, bool met) {
    std::printf("  %-58s %8.3f %-3s %s %g  %s\n", what.c_str(), measured, unit, relation, goal, met ? "met" : "MISSED");
}

void at_least(const std::string& what, double measured, double goal) {
    print_goal(what, measured, ">=", goal, "", measured >= goal);
}

void below(const std::string& what, double measured, double goal, const char* unit) {
    print_goal(what, measured, "< ", goal, unit, measured < goal);
}

double ratio(const row& of, const row& to) { return to.time.median_ns / of.time.median_ns; }

void print_ratio(const row* of, const row* to) {
    if (of && to) std::printf("%10.2f", ratio(*of, *to));
    else std::printf("%10s", "");
}

void print_ratios(const results& r) {
    std::printf("\nsinter's speed as a ratio, by the medians\n  %-16s %-8s %8s%10s%10s\n", "", "", "", "of hand",
                "of limit");
    for (const char* const workload : {"chain3", "chain3_inplace", "shrink"}) {
        const char* const limit = std::string(workload) == "chain3_inplace" ? "limit_inplace" : "limit_copy";
        for (const char* const dtype : {"float32", "float16", "int32", "int16", "int8", "uint32", "uint16", "uint8"}) {
            for (const std::size_t bytes : {std::size_t{4} << 10, std::size_t{256} << 10, std::size_t{64} << 20,
                                            std::size_t{512} << 20}) {
                const row* const own = r.find(workload, dtype, bytes, "sinter");
                if (!own) continue;
                std::printf("  %-16s %-8s %8s", workload, dtype, describe_bytes(bytes).c_str());
                print_ratio(own, r.find(workload, dtype, bytes, "hand"));
                print_ratio(own, r.find(workload, dtype, bytes, limit));
                std::printf("\n");
            }
        }
    }
}

// As fast as the kernel written by hand, or as a copy kernel but for what the type's arithmetic costs.
void print_d3d12_goals(const results& r) {
    struct goal {
        const char* dtype;
        double of_copy;
    };
    constexpr double of_hand = 1.15;
    for (const goal& g : {goal{"float32", 1.4}, goal{"float16", 1.6}, goal{"int32", 1.9}, goal{"uint32", 1.9},
                          goal{"int16", 2.3}, goal{"uint16", 2.3}, goal{"int8", 3.2}, goal{"uint8", 3.2}}) {
        if (const row* const first = r.find("d3d12_first_use", g.dtype, "sinter_d3d12"))
            below(std::string("d3d12_first_use, ") + g.dtype, first->time.median_ns * 1e-6, 60, "ms");
        const auto median = [&](const char* contender) {
            const row* const found = r.find("d3d12_chain3", g.dtype, contender);
            return found ? found->time.median_ns * 1e-6 : 0;
        };
        const double own = median("sinter_d3d12"), hand = median("hlsl_hand"), copy = median("hlsl_copy");
        if (own == 0) continue;
        const double most = std::max(of_hand * hand, g.of_copy * copy);
        std::printf("  %-58s %8.3f of hlsl_hand, %.3f of hlsl_copy, %.3f of three_dispatches  %s\n",
                    (std::string("d3d12_chain3, ") + g.dtype).c_str(), own / hand, own / copy,
                    own / median("three_dispatches"), own <= most ? "met" : "MISSED");
    }
    const row* const record = r.find("d3d12_record", "float32", "sinter_d3d12");
    const row* const raw = r.find("d3d12_record", "float32", "raw_d3d12");
    if (record && raw)
        below("d3d12_record, above raw_d3d12", (record->time.median_ns - raw->time.median_ns) * 1e-3, 3, "us");
}

void print_goals(const results& r) {
    std::printf("\nGoals\n");
    print_d3d12_goals(r);
    const auto speed_goal = [&](const char* workload, std::size_t bytes, const char* peer, double goal) {
        const row* const own = r.find(workload, "float32", bytes, "sinter");
        const row* const other = r.find(workload, "float32", bytes, peer);
        if (own && other)
            at_least(std::string(workload) + ", float32, " + describe_bytes(bytes) + ", of " + peer,
                     ratio(*own, *other), goal);
    };
    speed_goal("chain3", std::size_t{256} << 10, "hand", 0.9);
    speed_goal("chain3", std::size_t{512} << 20, "limit_copy", 0.95);

    const row* const call = r.find("call_overhead", "float32", 16 * sizeof(float), "sinter");
    const row* const loop = r.find("call_overhead", "float32", 16 * sizeof(float), "hand");
    // Times, unlike ratios, are of the least disturbed repetition: what other programs take is not sinter's.
    if (call && loop)
        below("evaluate of 16 elements, above hand", call->time.min_ns - loop->time.min_ns, 60, "ns");

    if (const row* const include = r.find("compile_include", "", 0, "g++"))
        below("<sinter/sinter.hpp>, g++ -O2", include->time.min_ns * 1e-9, 5, "s");
    for (const char* const dtype : {"float32", "uint8"})
        if (const row* const expression = r.find("compile_expression", dtype, 0, "g++"))
            below(std::string("each further expression of ") + dtype + ", g++ -O2", expression->time.min_ns * 1e-9,
                  0.3, "s");
}

}  // namespace

void print_summary(const results& r) {
    if (r.has("chain3") || r.has("chain3_inplace") || r.has("shrink")) print_ratios(r);
    print_goals(r);
}

}  // namespace bench
