// One contender with its job, and the measurement of several side by side.
#pragma once

#include <string>
#include <vector>

#include "contender.hpp"
#include "measure.hpp"
#include "results.hpp"

namespace bench {

struct entry {
    kind k;
    sinter::element_type type;
    const contender* who;
    pass run;
    job work;
    std::string workload;  // the rows' name of the case

    std::size_t bytes() const { return work.elements * size_of(type); }  // the input's
    void call() const;
};

// An entry of every contender that takes part. The case has the kind's name unless another is given.
std::vector<entry> entries_for(kind k, sinter::element_type type, job work, const std::string& workload = "");

void measure_into(results& r, const std::vector<entry>& entries, const effort& e);

// Throws what is wrong with an entry's output.
[[noreturn]] void refuse(const entry& e);

}  // namespace bench
