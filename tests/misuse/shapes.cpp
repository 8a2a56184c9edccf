// Sizes that do not fit: refused with both sides named; sizes that broadcast, or have no element: accepted.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "refusals.hpp"

using misuse::expect_refusal;
using sinter::errc;
using sinter::view;

namespace {

struct memory {
    std::vector<float> all = std::vector<float>(400, 7.f);
    float* in = all.data();
    float* other = all.data() + 100;
    float* out = all.data() + 200;
};

}  // namespace

TEST_CASE("S3: an input that is too short does not repeat silently") {
    memory m;
    expect_refusal(errc::shape,
                   {"input 1", "sizes {5}", "the output", "sizes {5, 2}", "dimension 0 is 5", "not 1 or 2"}, m.all,
                   -view(m.in, {5}), view(m.out, {5, 2}));
    sinter::evaluate(-view(m.in, {5, 1}), view(m.out, {5, 2}));
    for (int i = 0; i < 10; ++i) CHECK(m.out[i] == -7.f);
    CHECK(m.out[10] == 7.f);
}

TEST_CASE("sizes that differ are refused, whichever operand has them") {
    memory m;
    expect_refusal(errc::shape, {"input 1", "{4, 3}", "{4, 2}"}, m.all, -view(m.in, {4, 3}), view(m.out, {4, 2}));
    expect_refusal(errc::shape, {"input 1", "{4, 3}", "{1, 3}"}, m.all, -view(m.in, {4, 3}), view(m.out, {1, 3}));
    expect_refusal(errc::shape, {"input 2", "float32", "{3, 4}", "strides {8, 1}", "{4, 3}", "strides {3, 1}"}, m.all,
                   view(m.in, {4, 3}) + view(m.other, {3, 4}, {8, 1}), view(m.out, {4, 3}));
    expect_refusal(errc::shape, {"input 3", "{2}", "{3}"}, m.all,
                   sinter::clamp(view(m.in, {3}), view(m.other, {1}), view(m.other, {2})), view(m.out, {3}));
}

TEST_CASE("inputs do not widen the output") {
    memory m;
    expect_refusal(errc::shape, {"{6}", "{1}"}, m.all, -view(m.in, {6}), view(m.out, {1}));
    expect_refusal(errc::shape, {"{6}", "{1, 1}"}, m.all, view(m.in, {1}) + view(m.other, {6}), view(m.out, {1, 1}));
}

TEST_CASE("vectors of different lengths are refused") {
    std::vector<float> x(10, 1.f), y(9, 2.f);
    expect_refusal(errc::shape, {"sizes {10}", "sizes {9}"}, y, view(x) | sinter::shrink(), y);
}

TEST_CASE("L4: a size of 0 writes nothing, and is checked all the same") {
    memory m;
    const std::vector<float> before = m.all;
    float* const nowhere = nullptr;
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, -view(m.in, {0}), view(m.out, {0}));
        sinter::evaluate(backend, -view(m.in, {2, 0, 3}), view(m.out, {2, 0, 3}));
        sinter::evaluate(backend, -view(m.in, {1, 3}), view(m.out, {2, 0, 3}));
        sinter::evaluate(backend, -view(nowhere, {0}), view(nowhere, {0}));
        sinter::evaluate(backend, -view(m.in, {0, 4}, {0, 0}), view(m.in, {0, 4}, {0, 0}));
        std::vector<float> empty;
        sinter::evaluate(backend, view(empty) * 2.f + 1.f, empty);
        CHECK(sinter::materialize(backend, -view(m.in, {3, 0})).size() == 0);
    });
    CHECK(m.all == before);
    expect_refusal(errc::shape, {"{2, 0, 3}", "{2, 0, 4}"}, m.all, -view(m.in, {2, 0, 3}), view(m.out, {2, 0, 4}));
    expect_refusal(errc::shape, {"{0}", "{5}"}, m.all, -view(m.in, {0}), view(m.out, {5}));
    expect_refusal(errc::shape, {"{5}", "{0}"}, m.all, -view(m.in, {5}), view(m.out, {0}));
}

TEST_CASE("materialize refuses sizes that do not broadcast to one another") {
    memory m;
    support::expect_error(errc::shape, {"{3}", "{4}"}, [&] { sinter::materialize(view(m.in, {3}) + view(m.in, {4})); });
    support::expect_error(errc::shape, {"{2, 3}", "{4, 1}"},
                          [&] { sinter::materialize(view(m.in, {2, 3}) + view(m.in, {4, 1})); });
}

TEST_CASE("the stride of a size-1 dimension is ignored") {
    memory m;
    constexpr auto far = std::numeric_limits<std::ptrdiff_t>::max();
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        for (int i = 0; i < 5; ++i) m.in[i] = static_cast<float>(i);
        sinter::evaluate(backend, -view(m.in, {1, 5}, {far, 1}), view(m.out, {1, 5}, {-far, 1}));
        CHECK(m.out[4] == -4.f);
        sinter::evaluate(backend, -view(m.in, {5, 1}, {1, far}), view(m.out, {5, 1}, {1, 0}));
        CHECK(m.out[3] == -3.f);
        sinter::evaluate(backend, -view(m.in, {1, 1}, {far, far}), view(m.out, {1, 1}, {0, 0}));
        CHECK(m.out[0] == 0.f);
        sinter::evaluate(backend, -view(m.in + 1, {1}, {far}), view(m.out, {5}));
        CHECK(m.out[4] == -1.f);
    });
}

TEST_CASE("a view's sizes are not negative") {
    memory m;
    support::expect_error(errc::shape, {"negative", "-3"}, [&] { view(m.in, {2, -3}); });
    support::expect_error(errc::shape, {"negative", "-1"}, [&] { sinter::tensor<float, 1>({-1}); });
    support::expect_error(errc::shape, {"negative", "-2"}, [&] { view(m.in, std::array<int, 2>{-2, 2}); });
}

TEST_CASE("slice, reverse, reshape and broadcast_to name what they refuse") {
    memory m;
    const auto x = view(m.in, {4, 6});
    using support::expect_error;
    expect_error(errc::shape, {"slice", "dimension 2", "{4, 6}"}, [&] { sinter::slice(x, support::hidden(2), 0, 1); });
    expect_error(errc::shape, {"slice", "0", "7", "dimension 1", "{4, 6}"}, [&] { sinter::slice(x, 1, 0, 7); });
    expect_error(errc::shape, {"slice", "3", "2", "dimension 0"}, [&] { sinter::slice(x, 0, 3, 2); });
    expect_error(errc::shape, {"slice", "step", "0"}, [&] { sinter::slice(x, 0, 0, 2, 0); });
    expect_error(errc::shape, {"negative", "-1"}, [&] { sinter::slice(x, 0, -1, 2); });
    expect_error(errc::shape, {"negative", "-1"}, [&] { sinter::slice(x, 0, 0, 2, -1); });
    expect_error(errc::shape, {"reverse", "dimension 5", "{4, 6}"}, [&] { sinter::reverse(x, support::hidden(5)); });
    expect_error(errc::shape, {"reshape", "{4, 6}", "{5, 5}"}, [&] { sinter::reshape(x, {5, 5}); });
    expect_error(errc::shape, {"reshape", "{4, 6}", "{0}"}, [&] { sinter::reshape(x, {0}); });
    expect_error(errc::shape, {"reshape", "{6, 4}", "{24}", "copy"},
                 [&] { sinter::reshape(sinter::transpose(x), {24}); });
    expect_error(errc::shape, {"reshape", "copy"}, [&] { sinter::reshape(view(m.in, {4, 6}, {7, 1}), {24}); });
    expect_error(errc::shape, {"broadcast_to", "{4, 6}", "{4, 5}"}, [&] { sinter::broadcast_to(x, {4, 5}); });
    expect_error(errc::shape, {"broadcast_to", "{4, 6}", "{6, 4}"}, [&] { sinter::broadcast_to(x, {6, 4}); });
}
