// Expressions are plain values: kept, copied, returned, evaluated many times and from many threads.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/cpu_backends.hpp"

using sinter::view;

namespace {

// The local scale, the local parts and the temporary view are gone when the result is evaluated.
auto denoised(const std::vector<float>& samples, float strength) {
    const float scale = 2.f * strength;
    const auto scaled = view(samples) * scale + 1.f;
    const auto shrunk = scaled | sinter::shrink(strength, strength);
    const auto gain = [](auto x, auto g) {
        const auto square = x * x;
        return sinter::select(square > 4.f, x * g, x);
    };
    return sinter::max(sinter::map(gain, shrunk, scale),
                       sinter::slice(sinter::reverse(view(samples), 0), 0, 0, samples.size()));
}

float denoised_by_hand(const std::vector<float>& samples, float strength, std::size_t i) {
    const float y = samples[i] * (2.f * strength) + 1.f;
    const float s = y > strength ? y - strength : y < -strength ? y + strength : 0.f;
    const float g = s * s > 4.f ? s * (2.f * strength) : s;
    return std::max(g, samples[samples.size() - 1 - i]);
}

// Overwrites the stack that a returned expression might still point into.
[[gnu::noinline]] int trample() {
    volatile unsigned char stack[4096];
    for (auto& byte : stack) byte = 0xcd;
    return stack[17];
}

std::vector<float> samples_of(std::size_t count) {
    std::vector<float> samples(count);
    for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<float>(i % 13) - 6.f;
    return samples;
}

}  // namespace

TEST_CASE("E1: an expression outlives what it was made from, but for the elements") {
    const std::vector<float> samples = samples_of(37);
    std::vector<decltype(denoised(samples, 1.f))> kept;
    for (int i = 1; i <= 4; ++i) kept.push_back(denoised(samples, 0.5f * static_cast<float>(i)));
    CHECK(trample() == 0xcd);
    std::vector<float> out(samples.size());
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        for (std::size_t k = 0; k < kept.size(); ++k) {
            sinter::evaluate(backend, kept[k], out);
            for (std::size_t i = 0; i < out.size(); ++i)
                CHECK(out[i] == denoised_by_hand(samples, 0.5f * static_cast<float>(k + 1), i));
        }
    });
}

TEST_CASE("E2: one expression, evaluated again over new elements; one factory, over new views") {
    std::vector<float> x = samples_of(20), out(20);
    const auto expression = view(x) * 2.f + 1.f;
    sinter::evaluate(expression, out);
    CHECK(out[3] == x[3] * 2.f + 1.f);
    for (float& v : x) v += 10.f;
    sinter::evaluate(expression, out);
    CHECK(out[3] == x[3] * 2.f + 1.f);

    auto assigned = expression;
    std::vector<float> other = samples_of(20);
    assigned = view(other) * 3.f + 2.f;
    sinter::evaluate(assigned, out);
    CHECK(out[7] == other[7] * 3.f + 2.f);

    const auto factory = [](auto v) { return v | sinter::scale_bias(2, 1) | sinter::threshold(0); };
    std::vector<std::int8_t> bytes{-100, 1, 100}, bytes_out(3);
    sinter::evaluate(factory(view(bytes)), bytes_out);
    CHECK(bytes_out == std::vector<std::int8_t>{0, 3, 127});
    sinter::evaluate(factory(view(x.data(), {4, 5})), view(out.data(), {4, 5}));
    CHECK(out[19] == std::max(x[19] * 2.f + 1.f, 0.f));
}

TEST_CASE("what evaluate writes to: vectors, arrays, spans, views, tensors") {
    const std::vector<float> x{1.f, 2.f, 3.f};
    std::vector<float> vector(3);
    std::array<float, 3> array{};
    float plain[3] = {};
    sinter::tensor<float, 1> tensor({3});
    sinter::evaluate(-view(x), vector);
    sinter::evaluate(-view(x), array);
    sinter::evaluate(-view(x), plain);
    sinter::evaluate(-view(x), tensor);
    CHECK(vector == std::vector<float>{-1.f, -2.f, -3.f});
    CHECK(array[2] == -3.f);
    CHECK(plain[1] == -2.f);
    CHECK(tensor(0) == -1.f);
    const std::span<float> span(vector);
    sinter::evaluate(view(x), span);
    CHECK(vector == x);
    sinter::evaluate(view(x) * 2, std::span<float>(vector).first<3>());
    CHECK(vector[2] == 6.f);
    sinter::evaluate(view(x), view(vector.data(), {3}));
    CHECK(vector == x);
}

TEST_CASE("inputs of lower rank are aligned at the right") {
    const std::vector<float> row{1, 2, 3}, matrix{10, 20, 30, 40, 50, 60};
    std::vector<float> out(12);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, view(row) + view(matrix.data(), {2, 1, 3}), view(out.data(), {2, 2, 3}));
        CHECK(out == std::vector<float>{11, 22, 33, 11, 22, 33, 41, 52, 63, 41, 52, 63});
        sinter::evaluate(backend, view(row.data() + 2, {1}) * view(matrix.data(), {2, 1}, {3, 9}),
                         view(out.data(), {3, 2, 2}));
        CHECK(out == std::vector<float>{30, 30, 120, 120, 30, 30, 120, 120, 30, 30, 120, 120});
    });
}

TEST_CASE("16 inputs") {
    std::vector<float> memory(16 * 33), out(33);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
    const auto x = [&](std::size_t k) { return view(memory.data() + 33 * k, {33}); };
    const auto four = [&](std::size_t k) { return x(k) + x(k + 1) + x(k + 2) + x(k + 3); };
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        sinter::evaluate(backend, four(0) + four(4) + four(8) + four(12), out);
        CHECK(out[32] == 16.f * 32.f + 33.f * 120.f);
        sinter::evaluate(backend, four(0) + four(4) + four(8) + four(12), sinter::reverse(view(out), 0));
        CHECK(out[0] == 16.f * 32.f + 33.f * 120.f);
    });
}

TEST_CASE("map: arguments keep their types, scalars stand anywhere") {
    const std::vector<std::uint8_t> pixels{0, 100, 255};
    const std::vector<float> weights{0.5f, 1.f, 2.f};
    std::vector<float> out(3);
    std::vector<std::uint8_t> bytes(3);
    const auto weigh = [](auto gain, auto pixel, auto weight) { return sinter::cast<float>(pixel) * weight * gain; };
    sinter::evaluate(sinter::map(weigh, 2.0, view(pixels), view(weights)), out);
    CHECK(out == std::vector<float>{0.f, 200.f, 1020.f});
    // An integral scalar takes the type of the first tensor, and wraps with it.
    sinter::evaluate(sinter::map([](auto n, auto pixel) { return pixel + n; }, 200, view(pixels)), bytes);
    CHECK(bytes == std::vector<std::uint8_t>{200, 44, 199});
    // A comparison may be an argument and a result.
    const auto keep = [](auto wanted, auto pixel) { return sinter::select(wanted, pixel, 7); };
    sinter::evaluate(sinter::map(keep, view(weights) >= 1.f, view(pixels)), bytes);
    CHECK(bytes == std::vector<std::uint8_t>{7, 100, 255});
    const auto bright = [](auto pixel) { return pixel > 50; };
    sinter::evaluate(sinter::select(sinter::map(bright, view(pixels)), view(weights), 0.f), out);
    CHECK(out == std::vector<float>{0.f, 1.f, 2.f});
    // A scalar beside float16 values.
    const std::vector<sinter::float16> halves(3, sinter::float16(3.f));
    std::vector<sinter::float16> halves_out(3);
    sinter::evaluate(sinter::map([](auto g, auto x) { return sinter::max(g * x, x) + g; }, 0.5f, view(halves)),
                     halves_out);
    CHECK(static_cast<float>(halves_out[2]) == 3.5f);
}

TEST_CASE("min and max beside using namespace std") {
    using namespace std;
    using namespace sinter;
    vector<float> x{1.f, 5.f}, y{3.f, 3.f}, out(2);
    const auto a = sinter::view(x);
    const auto b = sinter::view(y);
    sinter::evaluate(max(min(a, b), min(b, b)), out);
    CHECK(out[0] == 3.f);
    sinter::evaluate(min(a, 2.f) + max(a, b), out);
    CHECK(out[1] == 7.f);
}

TEST_CASE("K6: threads evaluate one constant expression at once") {
    const std::vector<float> samples = samples_of(5000);
    const auto expression = denoised(samples, 1.f);
    std::vector<float> expected(samples.size());
    sinter::evaluate(sinter::cpu::scalar{}, expression, expected);
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<std::vector<float>> out(8, std::vector<float>(samples.size()));
        std::vector<std::thread> threads;
        for (std::vector<float>& own : out)
            threads.emplace_back([&] {
                for (int i = 0; i < 10; ++i) {
                    std::fill(own.begin(), own.end(), 0.f);
                    sinter::evaluate(backend, expression, own);
                }
            });
        for (std::thread& thread : threads) thread.join();
        for (const std::vector<float>& own : out) CHECK(own == expected);
    });
}

TEST_CASE("chains of 100 operators run") {
    const auto x = samples_of(70);
    const auto chain = []<std::size_t... I>(auto v, std::index_sequence<I...>) {
        const auto step = []<std::size_t K>(auto w, std::integral_constant<std::size_t, K>) {
            if constexpr (K % 3 == 0) return w | sinter::scale_bias(1.25f, 0.5f);
            else if constexpr (K % 3 == 1) return w | sinter::shrink(0.25f, 0.5f);
            else return w | sinter::threshold(-3.f);
        };
        const auto next = [&]<std::size_t K>(const auto& self, auto w, std::integral_constant<std::size_t, K>) {
            if constexpr (K == sizeof...(I)) return w;
            else
                return self(self, step(w, std::integral_constant<std::size_t, K>{}),
                            std::integral_constant<std::size_t, K + 1>{});
        };
        return next(next, v, std::integral_constant<std::size_t, 0>{});
    };
    std::vector<float> expected(70), out(70);
    const auto expression = chain(view(x), std::make_index_sequence<100>{});
    sinter::evaluate(sinter::cpu::scalar{}, expression, expected);
    sinter::evaluate(expression, out);
    CHECK(out == expected);
    // The chain keeps inputs apart, so that equal results say something.
    CHECK(*std::min_element(out.begin(), out.end()) < 0.f);
    CHECK(*std::max_element(out.begin(), out.end()) > 1000.f);
}
