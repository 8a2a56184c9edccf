// sinter's benchmark: ./dev bench [--d3d12] [--quick] [--csv FILE] [--only CASE] [--dtype NAME]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "compile_time.hpp"
#include "contenders.hpp"
#include "d3d12.hpp"
#include "layouts.hpp"
#include "options.hpp"
#include "results.hpp"
#include "strides.hpp"
#include "summary.hpp"
#include "workloads.hpp"

namespace {

void print_usage(std::FILE* to) {
    std::fputs(
        "usage: sinter_bench [--d3d12] [--quick] [--csv FILE] [--only CASE] [--dtype NAME]\n"
        "       sinter_bench --summary FILE\n"
        "  --d3d12      Direct3D 12 instead of the CPU\n"
        "  --quick      fewer sizes, shorter repetitions, nobody who takes long\n"
        "  --csv FILE   write the rows there:\n"
        "               case,dtype,bytes,threads,contender,gb_per_s,median_ns,min_ns,max_ns,unit\n"
        "               (bytes: the input's; GB/s: bytes read and written; the three times are nanoseconds always,\n"
        "               unit is the one in which the row is meant to be read)\n"
        "  --summary FILE\n"
        "               nothing measured: the summary of an earlier run's CSV\n"
        "  --only CASE  one case: call_overhead chain1 chain2 chain3 chain5 chain7 chain10 chain3_inplace shrink\n"
        "               packed_rows padded_rows transposed nhwc_to_nchw broadcast rank (or rank1 .. rank8)\n"
        "               stride (or stride1 stride2 stride3 stride4 stride8 stride16 stride_padded stride_reversed)\n"
        "               compile_include compile_expression compile_100_nodes;\n"
        "               of --d3d12: d3d12_chain3 d3d12_first_use d3d12_record d3d12_packed d3d12_in_place\n"
        "               d3d12_odd_offset d3d12_padded_rows d3d12_transposed d3d12_broadcast d3d12_padded_output\n"
        "  --dtype NAME one element type: float32 float16 int32 int16 int8 uint32 uint16 uint8\n",
        to);
}

std::optional<bench::options> parse(int count, char** arguments) {
    bench::options o;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        const bool has_value = i + 1 < count;
        if (argument == "--quick") o.quick = true;
        else if (argument == "--d3d12") o.d3d12 = true;
        else if (argument == "--csv" && has_value) o.csv = arguments[++i];
        else if (argument == "--summary" && has_value) o.summary = arguments[++i];
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

void on_cpu(const bench::options& o, bench::results& r) {
    bench::print_contenders();
    bench::run_call_overhead(o, r);
    bench::run_workloads(o, r);
    bench::run_layouts(o, r);
    bench::run_strides(o, r);
    bench::run_compile_time(o, r);
}

void on_d3d12([[maybe_unused]] const bench::options& o, [[maybe_unused]] bench::results& r) {
#if defined(SINTER_BENCH_DATA)
    bench::run_d3d12(o, r);
#else
    throw std::runtime_error("built without DirectX-Headers, so that there is no Direct3D 12");
#endif
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
        if (!o->summary.empty()) {
            bench::print_contenders();
            r.read_csv(o->summary);
        } else if (o->d3d12) on_d3d12(*o, r);
        else on_cpu(*o, r);
        bench::print_summary(r);
        if (!o->csv.empty()) write_csv(r, o->csv);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "sinter_bench: %s\n", failure.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
