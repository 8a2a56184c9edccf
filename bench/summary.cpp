#include "summary.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t small[] = {std::size_t{4} << 10, std::size_t{256} << 10};
constexpr std::size_t large[] = {std::size_t{64} << 20, std::size_t{512} << 20};

void print_goal(const std::string& what, double measured, const char* relation, double goal, const char* unit,
                bool met) {
    std::printf("  %-74s %8.3f %-2s %s %-5g %s\n", what.c_str(), measured, unit, relation, goal,
                met ? "met" : "MISSED");
}

void at_least(const std::string& what, double measured, double goal) {
    print_goal(what, measured, ">=", goal, "", measured >= goal);
}

void at_most(const std::string& what, double measured, double goal, const char* unit) {
    print_goal(what, measured, "<=", goal, unit, measured <= goal);
}

// A goal is never passed over in silence.
void not_measured(const std::string& what, const char* why) {
    std::printf("  %-74s %8s not measured: %s\n", what.c_str(), "", why);
}

// The speed of one as a part of the other's. By medians: both were measured in turns, so what disturbs the machine
// disturbs both.
double ratio(const row& of, const row& to) { return to.time.median_ns / of.time.median_ns; }

const row* faster(const row* a, const row* b) {
    if (!a || !b) return a ? a : b;
    return a->time.median_ns <= b->time.median_ns ? a : b;
}

std::string describe(const row& r) {
    return r.workload + ", " + r.dtype + ", " + describe_bytes(r.bytes) +
           (r.threads > 1 ? ", " + std::to_string(r.threads) + " threads" : "");
}

const row* fastest_limit(const results& r, const row& own) {
    const row* best = nullptr;
    for (const char* const limit : {"limit_copy", "limit_stream", "limit_inplace", "limit_transpose"})
        best = faster(best, r.find(own.workload, own.dtype, own.bytes, limit, own.threads));
    return best;
}

void print_ratio(const row& own, const row* other) {
    if (other) std::printf("%14.2f", ratio(own, *other));
    else std::printf("%14s", "");
}

// Every row of sinter's beside those that it is compared with.
void print_ratios(const results& r) {
    constexpr const char* others[] = {"sinter_xsimd", "hand", "loop_gcc", "loop_clang"};
    bool has_title = false;
    for (const row& own : r.rows()) {
        if (own.contender != "sinter" || !own.gigabytes_per_second) continue;
        if (!has_title) {
            std::printf("\nsinter's speed as a part of the others', by the medians\n  %-16s %-8s %11s", "", "", "");
            for (const char* const other : others) std::printf("%14s", other);
            std::printf("%14s\n", "best limit");
        }
        has_title = true;
        const std::string threads = own.threads > 1 ? " x" + std::to_string(own.threads) : "";
        const std::string size = describe_bytes(own.bytes) + threads;
        std::printf("  %-16s %-8s %11s", own.workload.c_str(), own.dtype.c_str(), size.c_str());
        for (const char* const other : others)
            print_ratio(own, r.find(own.workload, own.dtype, own.bytes, other, own.threads));
        print_ratio(own, fastest_limit(r, own));
        std::printf("\n");
    }
}

class goals {
public:
    explicit goals(const results& r) : r_(r) {}

    void print() const {
        std::printf("\nGoals\n");
        on_d3d12();
        of_memory_speed();
        of_hand_written_code();
        of_onnxruntime();
        of_bytes();
        of_layouts();
        of_ten_operators();
        of_calls();
        of_compile_time();
    }

private:
    const row* find(const char* workload, const char* dtype, std::size_t bytes, const char* who,
                    int threads = 1) const {
        return r_.find(workload, dtype, bytes, who, threads);
    }

    // Where both were measured.
    void speed(const row* own, const row* other, double goal) const {
        if (own && other) at_least(describe(*own) + ", of " + other->contender, ratio(*own, *other), goal);
        else if (own) not_measured(describe(*own), "nothing to compare it with here");
    }

    void of_memory_speed() const {
        for (const std::size_t bytes : large)
            for (const int threads : {1, 2}) {
                const auto limit = [&](const char* dtype) {
                    return faster(find("chain3", dtype, bytes, "limit_copy", threads),
                                  find("chain3", dtype, bytes, "limit_stream", threads));
                };
                speed(find("chain3", "float32", bytes, "sinter", threads), limit("float32"), 0.95);
                // The conversions fill one thread's time.
                speed(find("chain3", "float16", bytes, "sinter", threads), limit("float16"),
                      threads == 1 ? 0.75 : 0.95);
                speed(find("chain3_inplace", "float32", bytes, "sinter", threads),
                      find("chain3_inplace", "float32", bytes, "limit_inplace", threads), 0.95);
            }
    }

    void of_hand_written_code() const {
        for (const char* const workload : {"chain3", "chain3_inplace"})
            for (const char* const dtype : {"float32", "float16", "int32"})
                for (const std::size_t bytes : small)
                    speed(find(workload, dtype, bytes, "sinter"), find(workload, dtype, bytes, "hand"), 0.95);
    }

    void of_onnxruntime() const {
        for (const row& other : r_.rows())
            if (other.contender == "onnxruntime" && other.workload == "chain3")
                speed(r_.find(other.workload, other.dtype, other.bytes, "sinter", other.threads), &other, 10);
    }

    void of_bytes() const {
        constexpr std::size_t bytes = small[1];
        const bool has_tables = has_vbmi();
        if (has_tables)
            for (const char* const dtype : {"uint8", "int8"})
                speed(find("chain3", dtype, bytes, "sinter"), find("chain3", dtype, bytes, "limit_copy"), 0.8);
        else speed(find("chain3", "uint8", bytes, "sinter"), find("chain3", "uint8", bytes, "hand"), 1);
    }

    static bool has_vbmi() {
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx512vbmi");
#else
        return false;
#endif
    }

    void of_layouts() const {
        for (const row& own : r_.rows()) {
            if (own.contender != "sinter") continue;
            if (own.workload == "transposed" || own.workload == "nhwc_to_nchw")
                speed(&own, r_.find(own.workload, own.dtype, own.bytes, "limit_transpose", own.threads), 0.8);
            if (own.workload == "padded_rows") {
                const row* const packed = r_.find("packed_rows", own.dtype, own.bytes, "sinter", own.threads);
                if (packed) at_least(describe(own) + ", of packed_rows", ratio(own, *packed), 0.95);
            }
        }
    }

    void of_ten_operators() const {
        const row* const ten = find("chain10", "float32", large[1], "sinter", 2);
        const row* const three = find("chain3", "float32", large[1], "sinter", 2);
        if (ten && three)
            at_most(describe(*ten) + ", time of chain3's", ten->time.median_ns / three->time.median_ns, 1.3, "");
    }

    void of_calls() const {
        for (const row& own : r_.rows()) {
            if (own.workload != "call_overhead" || own.contender != "sinter") continue;
            const row* const by_hand = r_.find(own.workload, own.dtype, own.bytes, "hand");
            const std::string elements = std::to_string(own.bytes / sizeof(float));
            const std::string what = "evaluate of " + elements + " elements, above hand";
            // Times, unlike ratios, are of the least disturbed repetition: what other programs take is not sinter's.
            if (by_hand) at_most(what, own.time.min_ns - by_hand->time.min_ns, 40, "ns");
            else not_measured(what, "nothing to compare it with here");
        }
    }

    void of_compile_time() const {
        if (const row* const include = find("compile_include<sinter/sinter.hpp>", "", 0, "g++"))
            at_most("<sinter/sinter.hpp>, g++ -O2", include->time.min_ns * 1e-9, 5, "s");
        for (const char* const dtype : {"float32", "uint8"})
            if (const row* const expression = find("compile_expression", dtype, 0, "g++"))
                at_most(std::string("each further expression of ") + dtype + ", g++ -O2",
                        expression->time.min_ns * 1e-9, 0.3, "s");
    }

    // As fast as the kernel written by hand, or as a copy kernel but for what the type's arithmetic costs.
    void on_d3d12() const {
        struct goal {
            const char* dtype;
            double of_copy;
        };
        constexpr double of_hand = 1.15;
        for (const goal& g : {goal{"float32", 1.4}, goal{"float16", 1.6}, goal{"int32", 1.9}, goal{"uint32", 1.9},
                              goal{"int16", 2.3}, goal{"uint16", 2.3}, goal{"int8", 3.2}, goal{"uint8", 3.2}}) {
            if (const row* const first = r_.find("d3d12_first_use", g.dtype, "sinter_d3d12"))
                at_most(std::string("d3d12_first_use, ") + g.dtype, first->time.median_ns * 1e-6, 60, "ms");
            const auto median = [&](const char* contender) {
                const row* const found = r_.find("d3d12_chain3", g.dtype, contender);
                return found ? found->time.median_ns * 1e-6 : 0;
            };
            const double own = median("sinter_d3d12"), hand = median("hlsl_hand"), copy = median("hlsl_copy");
            if (own == 0) continue;
            const double most = std::max(of_hand * hand, g.of_copy * copy);
            std::printf("  %-58s %8.3f of hlsl_hand, %.3f of hlsl_copy, %.3f of three_dispatches  %s\n",
                        (std::string("d3d12_chain3, ") + g.dtype).c_str(), own / hand, own / copy,
                        own / median("three_dispatches"), own <= most ? "met" : "MISSED");
        }
        for (const row& own : r_.rows()) {
            if (own.contender != "sinter_d3d12") continue;
            const row* const copy = r_.find(own.workload, own.dtype, own.bytes, "hlsl_copy");
            if (copy && own.workload != "d3d12_chain3")
                std::printf("  %-58s %8.3f of hlsl_copy\n", (own.workload + ", " + own.dtype).c_str(),
                            own.time.median_ns / copy->time.median_ns);
        }
        const row* const record = r_.find("d3d12_record", "float32", "sinter_d3d12");
        const row* const raw = r_.find("d3d12_record", "float32", "raw_d3d12");
        if (record && raw)
            at_most("d3d12_record, above raw_d3d12", (record->time.median_ns - raw->time.median_ns) * 1e-3, 3, "us");
    }

    const results& r_;
};

}  // namespace

void print_summary(const results& r) {
    print_ratios(r);
    goals(r).print();
}

}  // namespace bench
