// The rows of a run: as a table for people while they come in, as CSV at the end.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "measure.hpp"

namespace bench {

// The unit in which a row is read. The three times of a row are nanoseconds always.
enum class unit { gigabytes_per_second, nanoseconds, milliseconds, seconds };

struct row {
    std::string workload;  // the CSV's `case`
    std::string dtype;     // empty where the row is about no element type
    std::size_t bytes;     // the input's; 0 where there is none
    int threads;
    std::string contender;
    std::optional<double> gigabytes_per_second;  // read and written, by the median
    timing time;
    bench::unit unit;
};

class results {
public:
    // Prints the row, too.
    void add(row r);

    // Null where the run has no such row.
    const row* find(const std::string& workload, const std::string& dtype, std::size_t bytes,
                    const std::string& contender, int threads = 1) const;
    const row* find(const std::string& workload, const std::string& dtype, const std::string& contender) const;
    const std::vector<row>& rows() const { return rows_; }

    void write_csv(std::FILE* file) const;
    // Adds the rows of a file that write_csv wrote, without printing them; throws where it is another.
    void read_csv(const std::string& name);

private:
    std::vector<row> rows_;
};

std::string describe_bytes(std::size_t bytes);

}  // namespace bench
