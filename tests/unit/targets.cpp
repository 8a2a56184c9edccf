// Which SIMD targets a program has.
#include <sinter/sinter.hpp>
#if __has_include(<xsimd/xsimd.hpp>)
#include <sinter/cpu/xsimd.hpp>
#endif

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/cpu_backends.hpp"

using sinter::cpu::target;

TEST_CASE("the best target that is available is taken") {
    const std::vector<target> available = support::available_targets();
    REQUIRE(!available.empty());
    CHECK(sinter::cpu::highway{}.target() == available.back());
#if SINTER_HAS_WIDE_VECTORS && HWY_ARCH_X86_64
    CHECK(sinter::cpu::is_available(target::avx2) == sinter::cpu::detail::machine_has_avx2());
    CHECK(sinter::cpu::is_available(target::avx512) == sinter::cpu::detail::machine_has_avx512());
#endif
}

#if !SINTER_HAS_WIDE_VECTORS
TEST_CASE("GCC bug 54412: no vectors above 128 bits on 64-bit Windows") {
    CHECK(support::available_targets().back() == target::sse2);
    std::vector<float> x(100, 1.f);
    for (const target wide : {target::avx2, target::avx512}) {
        CHECK(!sinter::cpu::is_available(wide));
        try {
            sinter::evaluate(sinter::cpu::highway{wide}, sinter::view(x) + 1.f, x);
            FAIL("no error");
        } catch (const sinter::error& failure) {
            CHECK(failure.code() == sinter::errc::unsupported);
            CHECK(std::string(failure.what()).find("is not compiled into this program") != std::string::npos);
        }
    }
#if __has_include(<xsimd/xsimd.hpp>)
    static_assert(sizeof(sinter::cpu::detail::on_xsimd::simd::real) == 16);
#endif
}
#endif
