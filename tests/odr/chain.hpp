// One expression, evaluated by units that are compiled for different processors.
#pragma once

#include <sinter/sinter.hpp>

#include <cstdint>
#include <vector>

inline std::vector<float> run_chain(const std::vector<float>& x) {
    std::vector<float> y(x.size());
    sinter::evaluate(sinter::view(x) | sinter::scale_bias(1.7f, 0.3f) | sinter::shrink(0.25f, 0.5f), y);
    return y;
}

inline std::vector<std::int8_t> run_chain(const std::vector<std::int8_t>& x) {
    std::vector<std::int8_t> y(x.size());
    sinter::evaluate(sinter::view(x) | sinter::scale_bias(1.7f, 0.3f) | sinter::shrink(0.25f, 0.5f), y);
    return y;
}

// The same in each unit.
std::vector<float> baseline_chain(const std::vector<float>& x);
std::vector<std::int8_t> baseline_chain(const std::vector<std::int8_t>& x);
std::vector<float> avx2_chain(const std::vector<float>& x);
std::vector<std::int8_t> avx2_chain(const std::vector<std::int8_t>& x);
