#include <doctest/doctest.h>

#include <random>

#include "chain.hpp"

TEST_CASE("E6 E8: units compiled for different instruction sets live in one program and agree") {
    if (!sinter::cpu::is_available(sinter::cpu::target::avx2)) {
        MESSAGE("this machine has no AVX2: the unit that needs it is linked but not run");
        return;
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-4.f, 4.f);
    std::vector<float> x(1003);
    std::vector<std::int8_t> bytes(1003);
    for (float& v : x) v = uniform(random);
    for (std::int8_t& v : bytes) v = static_cast<std::int8_t>(random() % 256);

    std::vector<float> expected(x.size());
    sinter::evaluate(sinter::cpu::scalar{},
                     sinter::view(x) | sinter::scale_bias(1.7f, 0.3f) | sinter::shrink(0.25f, 0.5f), expected);
    CHECK(baseline_chain(x) == expected);
    CHECK(avx2_chain(x) == expected);
    CHECK(baseline_chain(bytes) == avx2_chain(bytes));
}
