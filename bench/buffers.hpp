// The memory that all contenders share, so that none is lucky with its pages.
#pragma once

#include <cstddef>

#include "sinter/core/element.hpp"

namespace bench {

class buffers {
public:
    // Room for an input and an output of that many bytes each. All pages are touched here.
    explicit buffers(std::size_t bytes);
    ~buffers();
    buffers(const buffers&) = delete;
    buffers& operator=(const buffers&) = delete;

    void* input() const { return input_; }
    void* output() const { return output_; }

    // Random elements: floating ones in [-1, 1), integers of the whole range. The same ones in every run.
    void fill_input(sinter::element_type type, std::size_t bytes) const;

private:
    std::size_t mapped_bytes_;
    void* mapping_;
    void* input_;
    void* output_;
};

}  // namespace bench
