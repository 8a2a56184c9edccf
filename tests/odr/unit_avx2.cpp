#include "chain.hpp"

std::vector<float> avx2_chain(const std::vector<float>& x) { return run_chain(x); }
std::vector<std::int8_t> avx2_chain(const std::vector<std::int8_t>& x) { return run_chain(x); }
