// sinter's benchmark: ./dev bench [--quick] [--csv FILE] [--only CASE] [--dtype NAME]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "compile_time.hpp"
#include "options.hpp"
#include "results.hpp"
#include "summary.hpp"
#include "workloads.hpp"

namespace {

void print_usage(std::FILE* to) {
    std::fputs(
        "usage: sinter_bench [--quick] [--csv FILE] [--only CASE] [--dtype NAME]\n"
        "  --quick      fewer sizes, shorter repetitions\n"
        "  --csv FILE   write the rows there: case,dtype,bytes,threads,contender,gb_per_s,median_ns,min_ns,max_ns,unit\n"
        "               (bytes: the input's; GB/s: bytes read and written; the three times are nanoseconds always,\n"
        "               unit is the one in which the row is meant to be read)\n"
        "  --only CASE  one case: chain3 chain3_inplace shrink call_overhead compile_include compile_expression\n"
        "               compile_100_nodes\n"
        "  --dtype NAME one element type: float32 float16 int32 int16 int8 uint32 uint16 uint8\n",
        to);
}

std::optional<bench::options> parse(int count, char** arguments) {
    bench::options o;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const bool has_value = i + 1 < count;
        if (argument == "--quick") o.quick = true;
        else if (argument == "--csv" && has_value) o.csv = arguments[++i];
        else if (argument == "--only" && has_value) o.only = arguments[++i];
        else if (argument == "--dtype" && has_value) o.dtype = arguments[++i];
        else return std::nullopt;
    }
    return o;
}

void write_csv(const bench::results& r, const std::string& name) {
    std::FILE* const file = std::fopen(name.c_str(), "w");
    if (!file) throw std::runtime_error("cannot write " + name);
    r.write_csv(file);
    if (std::fclose(file) != 0) throw std::runtime_error("cannot write " + name);
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::string_view(arguments[1]) == "--help") {
        print_usage(stdout);
        return EXIT_SUCCESS;
    }
    const auto o = parse(count, arguments);
    if (!o) {
        print_usage(stderr);
        return 2;
    }
    try {
        bench::results r;
        bench::run_call_overhead(*o, r);
        bench::run_workloads(*o, r);
        bench::run_compile_time(*o, r);
        bench::print_summary(r);
        if (!o->csv.empty()) write_csv(r, o->csv);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "sinter_bench: %s\n", failure.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
