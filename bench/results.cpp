#include "results.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

constexpr const char* columns = "case,dtype,bytes,threads,contender,gb_per_s,median_ns,min_ns,max_ns,unit";
constexpr unit all_units[] = {unit::gigabytes_per_second, unit::nanoseconds, unit::milliseconds, unit::seconds};

const char* name(unit u) {
    switch (u) {
        case unit::gigabytes_per_second: return "GB/s";
        case unit::nanoseconds: return "ns";
        case unit::milliseconds: return "ms";
        default: return "s";
    }
}

void print_time(const row& r) {
    const bool in_seconds = r.unit == unit::seconds, in_milliseconds = r.unit == unit::milliseconds;
    const double scale = in_seconds ? 1e9 : in_milliseconds ? 1e6 : 1;
    const char* const format = in_seconds        ? "%12.2f s   (%.2f to %.2f)\n"
                               : in_milliseconds ? "%12.2f ms  (%.2f to %.2f)\n"
                                                 : "%12.1f ns  (%.1f to %.1f)\n";
    std::printf(format, r.time.median_ns / scale, r.time.min_ns / scale, r.time.max_ns / scale);
}

}  // namespace

namespace {

row parse_row(const std::string& line) {
    std::istringstream fields(line);
    const auto next = [&] {
        std::string field;
        std::getline(fields, field, ',');
        return field;
    };
    row r{};
    r.workload = next();
    r.dtype = next();
    const std::string bytes = next();
    r.bytes = bytes.empty() ? 0 : std::stoull(bytes);
    r.threads = std::stoi(next());
    r.contender = next();
    const std::string speed = next();
    if (!speed.empty()) r.gigabytes_per_second = std::stod(speed);
    r.time.median_ns = std::stod(next());
    r.time.min_ns = std::stod(next());
    r.time.max_ns = std::stod(next());
    const std::string unit_name = next();
    for (const unit u : all_units)
        if (unit_name == name(u)) r.unit = u;
    return r;
}

}  // namespace

void results::read_csv(const std::string& name) {
    std::ifstream file(name);
    std::string line;
    if (!std::getline(file, line) || line != columns) throw std::runtime_error(name + " is no CSV of this benchmark");
    while (std::getline(file, line)) rows_.push_back(parse_row(line));
}

std::string describe_bytes(std::size_t bytes) {
    if (bytes == 0) return "";
    if (bytes % (1u << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
    if (bytes % (1u << 10) == 0) return std::to_string(bytes >> 10) + " KiB";
    return std::to_string(bytes) + " B";
}

void results::add(row r) {
    const bool new_group = rows_.empty() || rows_.back().workload != r.workload || rows_.back().dtype != r.dtype ||
                           rows_.back().bytes != r.bytes || rows_.back().threads != r.threads;
    if (rows_.empty() || rows_.back().workload != r.workload) std::printf("\n%s\n", r.workload.c_str());
    const std::string size = describe_bytes(r.bytes) + (r.threads > 1 ? " x" + std::to_string(r.threads) : "");
    std::printf("  %-8s %10s  %-18s", new_group ? r.dtype.c_str() : "", new_group ? size.c_str() : "",
                r.contender.c_str());
    if (r.gigabytes_per_second) std::printf("%8.1f GB/s", *r.gigabytes_per_second);
    else std::printf("%13s", "");
    print_time(r);
    std::fflush(stdout);
    rows_.push_back(std::move(r));
}

const row* results::find(const std::string& workload, const std::string& dtype, std::size_t bytes,
                         const std::string& contender, int threads) const {
    for (const row& r : rows_)
        if (r.workload == workload && r.dtype == dtype && r.bytes == bytes && r.contender == contender &&
            r.threads == threads)
            return &r;
    return nullptr;
}

const row* results::find(const std::string& workload, const std::string& dtype, const std::string& contender) const {
    for (const row& r : rows_)
        if (r.workload == workload && r.dtype == dtype && r.contender == contender) return &r;
    return nullptr;
}

void results::write_csv(std::FILE* file) const {
    std::fprintf(file, "%s\n", columns);
    for (const row& r : rows_) {
        std::fprintf(file, "%s,%s,", r.workload.c_str(), r.dtype.c_str());
        if (r.bytes != 0) std::fprintf(file, "%zu", r.bytes);
        std::fprintf(file, ",%d,%s,", r.threads, r.contender.c_str());
        if (r.gigabytes_per_second) std::fprintf(file, "%.3f", *r.gigabytes_per_second);
        std::fprintf(file, ",%.2f,%.2f,%.2f,%s\n", r.time.median_ns, r.time.min_ns, r.time.max_ns, name(r.unit));
    }
}

}  // namespace bench
