#include "chain.hpp"

std::vector<float> baseline_chain(const std::vector<float>& x) { return run_chain(x); }
std::vector<std::int8_t> baseline_chain(const std::vector<std::int8_t>& x) { return run_chain(x); }
