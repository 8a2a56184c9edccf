// The command line.
#pragma once

#include <string>

namespace bench {

struct options {
    bool quick = false;
    bool d3d12 = false;   // Direct3D 12 instead of the CPU
    std::string csv;      // a file name, or empty
    std::string summary;  // a file to summarize instead of measuring, or empty
    std::string only;     // a case's name, or empty for all
    std::string dtype;    // an element type's name, or empty for all
};

inline bool wants(const options& o, const std::string& workload) { return o.only.empty() || o.only == workload; }
inline bool wants_type(const options& o, const std::string& dtype) { return o.dtype.empty() || o.dtype == dtype; }

}  // namespace bench
