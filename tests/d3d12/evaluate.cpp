// Expressions on Direct3D 12 as a program uses them: transfers, views, evaluation, lifetime, errors.
#include <sinter/d3d12.hpp>
#include <sinter/explain.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/d3d12_device.hpp"
#include "support/elements.hpp"

namespace d3d12 = sinter::d3d12;
using sinter::errc;
using support::gpu;

namespace {

template <class T>
std::vector<T> counting(std::size_t count, int first = 0) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int value = (static_cast<int>(i) * 7 + first) % 113 - 20;
        if constexpr (sinter::floating_element<T>) values[i] = static_cast<T>(static_cast<float>(value));
        else values[i] = static_cast<T>(value);
    }
    return values;
}

template <class T>
bool same_elements(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// The elements in row-major order.
template <class T, std::size_t Rank>
std::vector<T> elements_of(const d3d12::tensor<T, Rank>& there) {
    std::vector<T> packed(there.size());
    gpu().download(there, sinter::view(packed.data(), there.sizes()));
    return packed;
}
template <class X>
auto elements_of(const X& expression) {
    const auto here = sinter::materialize(sinter::cpu::scalar{}, expression);
    return std::vector<std::remove_cvref_t<decltype(*here.data())>>(here.data(), here.data() + here.size());
}

std::optional<sinter::error> error_of(const auto& action) {
    try {
        action();
    } catch (const sinter::error& failure) {
        return failure;
    }
    return std::nullopt;
}

errc code_of(const auto& action) {
    const auto failure = error_of(action);
    REQUIRE(failure);
    MESSAGE(std::string(failure->what()));
    return failure->code();
}

constexpr auto chain = [](const auto& x) {
    return x | sinter::scale_bias(1.5f, 0.25f) | sinter::shrink(0.5f, 2.f) | sinter::threshold(-8.f);
};

}  // namespace

// ---- transfers

TEST_CASE_TEMPLATE("upload and download: packed, strided, transposed, padded, reversed", T, ALL_ELEMENT_TYPES) {
    const std::vector<T> memory = counting<T>(400);
    const auto check = [&](const auto& view) {
        const auto there = gpu().upload(view);
        CHECK(there.sizes() == view.sizes());
        CHECK(there.strides() == sinter::detail::packed_strides(view.sizes()));
        CHECK(same_elements(elements_of(there), elements_of(view)));
    };
    check(sinter::view(memory));
    check(sinter::view(memory.data(), {6, 10}));
    check(sinter::view(memory.data(), {6, 10}, {13, 1}));
    check(sinter::view(memory.data() + 3, {6, 10}, {1, 7}));
    check(sinter::transpose(sinter::view(memory.data(), {4, 6, 10})));
    check(sinter::reverse(sinter::view(memory.data(), {6, 10}), 1));
    check(sinter::broadcast_to(sinter::view(memory.data(), {1, 10}), {6, 10}));
    check(sinter::view(memory.data(), {2, 1, 3, 2, 1, 2, 2, 3}));
    check(sinter::permute<7, 0, 5, 2, 1, 3, 6, 4>(sinter::view(memory.data(), {2, 1, 3, 2, 1, 2, 2, 3})));
    check(sinter::view(memory.data(), {3, 0, 2}));
}

TEST_CASE("upload takes what a view takes") {
    const std::array<int, 4> array{1, 2, 3, 4};
    CHECK(elements_of(gpu().upload(array)) == std::vector<int>{1, 2, 3, 4});
    sinter::tensor<float, 2> owned({2, 3});
    owned.view()(1, 2) = 7.f;
    const auto there = gpu().upload(owned);
    CHECK(there.sizes() == std::array<std::size_t, 2>{2, 3});
    CHECK(elements_of(there).back() == 7.f);
}

TEST_CASE_TEMPLATE("download leaves gaps alone", T, ALL_ELEMENT_TYPES) {
    const std::vector<T> values = counting<T>(6 * 10);
    const auto there = gpu().upload(sinter::view(values.data(), {6, 10}));
    std::vector<T> memory(6 * 13 + 2, static_cast<T>(99)), expected = memory;
    gpu().download(there, sinter::view(memory.data() + 1, {6, 10}, {13, 1}));
    for (std::size_t i = 0; i < 60; ++i) expected[1 + i / 10 * 13 + i % 10] = values[i];
    CHECK(same_elements(memory, expected));
}

TEST_CASE("download of what is not packed, and of nothing") {
    const std::vector<std::int16_t> values = counting<std::int16_t>(60);
    const auto view = sinter::view(values.data(), {6, 10});
    const auto there = gpu().upload(view);
    CHECK(elements_of(sinter::transpose(there)) == elements_of(sinter::transpose(view)));
    CHECK(elements_of(sinter::slice(there, 1, 1, 9, 3)) == elements_of(sinter::slice(view, 1, 1, 9, 3)));
    CHECK(elements_of(sinter::reverse(there, 0)) == elements_of(sinter::reverse(view, 0)));
    CHECK(elements_of(sinter::reverse(sinter::slice(there, 0, 1, 5), 1)) ==
          elements_of(sinter::reverse(sinter::slice(view, 0, 1, 5), 1)));
    CHECK(elements_of(sinter::permute<1, 0>(there)) == elements_of(sinter::permute<1, 0>(view)));
    CHECK(elements_of(sinter::reshape(there, {3, 2, 10})) == values);
    CHECK(elements_of(sinter::broadcast_to(sinter::slice(there, 0, 2, 3), {4, 10})) ==
          elements_of(sinter::broadcast_to(sinter::slice(view, 0, 2, 3), {4, 10})));
    CHECK(elements_of(sinter::slice(there, 1, 5, 5)).empty());
}

TEST_CASE("an error of a download leaves the output as it was") {
    const auto there = gpu().upload(counting<float>(12));
    std::vector<float> memory(13, -1.f);
    CHECK(code_of([&] { gpu().download(there, memory); }) == errc::shape);
    CHECK(code_of([&] { gpu().download(there, sinter::view(memory.data(), {12}, {0})); }) == errc::overlap);
    CHECK(memory == std::vector<float>(13, -1.f));
    CHECK(code_of([&] { gpu().download(there, sinter::view(static_cast<float*>(nullptr), {12})); }) == errc::null_data);
    CHECK(code_of([&] { gpu().upload(sinter::view(static_cast<const float*>(nullptr), {12})); }) == errc::null_data);
}

// ---- expressions

TEST_CASE_TEMPLATE("views of device tensors in expressions", T, ALL_ELEMENT_TYPES) {
    const std::vector<T> a = counting<T>(60), b = counting<T>(60, 3);
    const auto here_a = sinter::view(a.data(), {6, 10}), here_b = sinter::view(b.data(), {10, 6});
    const auto there_a = gpu().upload(here_a), there_b = gpu().upload(here_b);
    const auto check = [&](const auto& expression) {
        const auto here = expression(here_a, here_b);
        const auto there = sinter::materialize(gpu(), expression(there_a, there_b));
        CHECK(same_elements(elements_of(there), elements_of(here)));
    };
    using sinter::transpose, sinter::slice, sinter::reverse, sinter::broadcast_to, sinter::permute, sinter::reshape;
    check([](const auto& x, const auto& y) { return x + transpose(y); });
    check([](const auto& x, const auto& y) { return chain(transpose(x)) + y; });
    check([](const auto& x, const auto& y) { return slice(x, 1, 2, 8, 2) * slice(transpose(y), 1, 1, 4); });
    check([](const auto& x, const auto& y) { return reverse(x, 1) - reverse(reverse(permute<1, 0>(y), 0), 1); });
    check([](const auto& x, const auto& y) { return x + broadcast_to(slice(transpose(y), 0, 3, 4), {6, 10}); });
    check([](const auto& x, const auto& y) { return sinter::max(x, slice(transpose(y), 1, 2, 3)); });
    check([](const auto& x, const auto& y) {
        return reshape(x, {2, 3, 10}) +
               reshape(y, {3, 2, 10})
                   .rearranged(0, std::array<std::size_t, 3>{2, 3, 10}, std::array<std::ptrdiff_t, 3>{30, 10, 1});
    });
    check([](const auto& x, const auto&) { return transpose(x); });
}

TEST_CASE("materialize: sizes by broadcasting, types by cast, a bare tensor copies") {
    const auto row = gpu().upload(counting<float>(5));
    const auto column = gpu().upload(sinter::view(counting<float>(3, 1).data(), {3, 1}));
    const auto sum = sinter::materialize(gpu(), row + column);
    CHECK(sum.sizes() == std::array<std::size_t, 2>{3, 5});
    CHECK(elements_of(sum)[7] == counting<float>(5)[2] + counting<float>(3, 1)[1]);
    const auto bytes = sinter::materialize(gpu(), sinter::cast_rne<std::uint8_t>(row * 2.f));
    static_assert(std::is_same_v<std::remove_const_t<decltype(bytes)>, d3d12::tensor<std::uint8_t, 1>>);
    CHECK(elements_of(bytes)[4] == 16);
    const auto copy = sinter::materialize(gpu(), row);
    CHECK(!same_resource(copy.memory(), row.memory()));
    CHECK(elements_of(copy) == counting<float>(5));
    const auto none = sinter::materialize(gpu(), gpu().allocate<float>({2, 0, 3}) + 1.f);
    CHECK(none.sizes() == std::array<std::size_t, 3>{2, 0, 3});
    CHECK(elements_of(none).empty());
}

TEST_CASE("an expression and its results outlive every name") {
    const std::vector<float> values = counting<float>(5000);
    const auto make = [&] {
        const auto x = gpu().upload(values);
        const auto y = gpu().upload(counting<float>(5000, 5));
        const float scale = 2.f;
        return chain(x * scale + y);
    };
    std::vector<decltype(make())> kept;
    for (int round = 0; round < 3; ++round) kept.push_back(make());
    const std::vector<float> others = counting<float>(5000, 5);
    const auto expected = elements_of(chain(sinter::view(values) * 2.f + sinter::view(others)));
    for (const auto& expression : kept) CHECK(elements_of(sinter::materialize(gpu(), expression)) == expected);
    // Memory of work in flight, too: both operands go before the work is done.
    auto last = [&] {
        const auto result = gpu().allocate<float>({5000});
        sinter::evaluate(gpu(), make(), result);
        return result;
    }();
    CHECK(elements_of(last) == expected);
}

TEST_CASE("K10: evaluations are asynchronous and in order") {
    constexpr std::size_t n = std::size_t{1} << 20;
    const auto x = gpu().upload(std::vector<std::int32_t>(n, 1));
    const auto y = gpu().allocate<std::int32_t>({n});
    d3d12::submission last;
    CHECK(last.wait(std::chrono::nanoseconds(0)));
    for (int round = 0; round < 20; ++round) {
        sinter::evaluate(gpu(), x + x, y);         // dropped: neither waits nor cancels
        last = sinter::evaluate(gpu(), y - 1, x);  // 2 * 1 - 1 = 1
    }
    const bool already = last.wait(std::chrono::nanoseconds(0));
    CHECK(!already);
    last.wait();
    CHECK(last.wait(std::chrono::nanoseconds(0)));
    CHECK(elements_of(x) == std::vector<std::int32_t>(n, 1));
    CHECK(elements_of(y) == std::vector<std::int32_t>(n, 2));
}

TEST_CASE("K6: one expression on many threads") {
    const std::vector<std::uint8_t> values = counting<std::uint8_t>(4099);
    const auto expression = chain(gpu().upload(values));
    const auto expected = elements_of(chain(sinter::view(values)));
    std::vector<std::thread> threads;
    std::array<int, 8> right{};
    for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 10; ++round)
                right[t] += elements_of(sinter::materialize(gpu(), expression)) == expected;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == std::array<int, 8>{10, 10, 10, 10, 10, 10, 10, 10});
}

TEST_CASE_TEMPLATE("in place, and parts of one buffer", T, ALL_ELEMENT_TYPES) {
    for (const std::size_t n : {1u, 5u, 33u, 4096u, 20011u}) {
        const std::vector<T> values = counting<T>(2 * n + 3);
        const auto whole = gpu().upload(values);
        const auto front = sinter::slice(whole, 0, 1, 1 + n), back = sinter::slice(whole, 0, 1 + n, 1 + 2 * n);
        std::vector<T> expected = values;
        const auto here_front = sinter::view(expected.data() + 1, {n});
        const auto here_back = sinter::view(expected.data() + 1 + n, {n});
        sinter::evaluate(gpu(), chain(front), front);
        sinter::evaluate(sinter::cpu::scalar{}, chain(here_front), here_front);
        sinter::evaluate(gpu(), front + chain(back), back);
        sinter::evaluate(sinter::cpu::scalar{}, here_front + chain(here_back), here_back);
        CHECK(same_elements(elements_of(whole), expected));
        // Interleaved: even elements into odd ones.
        const auto even = sinter::slice(whole, 0, 0, 2 * n, 2), odd = sinter::slice(whole, 0, 1, 2 * n, 2);
        sinter::evaluate(gpu(), chain(even), odd);
        sinter::evaluate(sinter::cpu::scalar{}, chain(sinter::view(expected.data(), {n}, {2})),
                         sinter::view(expected.data() + 1, {n}, {2}));
        CHECK(same_elements(elements_of(whole), expected));
    }
}

TEST_CASE_TEMPLATE("every head, body and tail: large operands at every offset", T, ALL_ELEMENT_TYPES) {
    constexpr std::size_t n = 3 * 16384 / sizeof(T);  // enough for vectors between head and tail
    const std::vector<T> values = counting<T>(n + 40);
    const auto source = gpu().upload(values);
    for (std::size_t first = 0; first < 20; first += sizeof(T) == 4 ? 1 : 3) {
        for (const std::size_t shift : {std::size_t{0}, 16 / sizeof(T), std::size_t{1}, std::size_t{3}}) {
            const std::size_t count = n - first;
            const std::size_t from = (first + shift) % 20;
            std::vector<T> memory(n + 40, static_cast<T>(55));
            const auto target = gpu().upload(memory);
            sinter::evaluate(gpu(), chain(sinter::slice(source, 0, from, from + count)),
                             sinter::slice(target, 0, first, first + count));
            sinter::evaluate(sinter::cpu::scalar{}, chain(sinter::view(values.data() + from, {count})),
                             sinter::view(memory.data() + first, {count}));
            CHECK(same_elements(elements_of(target), memory));
        }
    }
}

TEST_CASE("L1: more than 65535 groups, in two dimensions") {
    constexpr std::size_t n = std::size_t{65535} * 64 * 4 + 64 * 4 + 3;
    const auto x = gpu().upload(counting<std::int32_t>(n));
    const auto y = gpu().allocate<std::int32_t>({n});
    sinter::evaluate(gpu(), x + 1, y);
    std::vector<std::int32_t> expected = counting<std::int32_t>(n);
    for (std::int32_t& value : expected) ++value;
    CHECK(elements_of(y) == expected);
    const std::size_t rows = 3, columns = 65536u * 64 / 2;
    const auto wide = gpu().upload(counting<std::int32_t>(rows * columns));
    const auto grid = sinter::reshape(wide, {columns, rows});
    const auto turned = sinter::materialize(gpu(), sinter::transpose(grid) + 1);
    const std::vector<std::int32_t> got = elements_of(turned), base = counting<std::int32_t>(rows * columns);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != base[i % columns * rows + i / columns] + 1;
    CHECK(wrong == 0);
}

TEST_CASE("16 inputs, and scalars beyond a root signature") {
    std::vector<d3d12::tensor<float, 2>> x;
    std::vector<std::vector<float>> values;
    for (int k = 0; k < 16; ++k) {
        values.push_back(counting<float>(35, k));
        x.push_back(gpu().upload(sinter::view(values.back().data(), {5, 7})));
    }
    const auto sum = [](const auto& at) {
        return ((at(0) * 1.f + at(1) * 2.f) + (at(2) * 3.f + at(3) * 4.f)) +
               ((at(4) * 5.f + at(5) * 6.f) + (at(6) * 7.f + at(7) * 8.f)) +
               ((at(8) * 9.f + at(9) * 10.f) + (at(10) * 11.f + at(11) * 12.f)) +
               ((at(12) * 13.f + at(13) * 14.f) + (at(14) * 15.f + at(15) * 16.f));
    };
    const auto there = sum([&](std::size_t k) { return x[k]; });
    const auto here = sum([&](std::size_t k) { return sinter::view(values[k].data(), {5, 7}); });
    CHECK(elements_of(sinter::materialize(gpu(), there)) == elements_of(here));
    const auto mixed = sum([&](std::size_t k) { return sinter::slice(x[k], 1, k % 3, 3 + k % 3); });
    const auto here_mixed =
        sum([&](std::size_t k) { return sinter::slice(sinter::view(values[k].data(), {5, 7}), 1, k % 3, 3 + k % 3); });
    const auto strided = gpu().upload(sinter::view(std::vector<float>(60, 9.f).data(), {5, 12}));
    CHECK(gpu().constants_size(mixed, sinter::slice(strided, 1, 1, 10, 4)) > 0);
    sinter::evaluate(gpu(), mixed, sinter::slice(strided, 1, 1, 10, 4));
    CHECK(elements_of(sinter::slice(strided, 1, 1, 10, 4)) == elements_of(here_mixed));
}

namespace {

struct ten_operators {
    constexpr auto operator()(auto x) const {
        x = sinter::threshold(sinter::scale_bias(sinter::shrink(x, 0.5f, 2.f), 1.5f, 0.25f), -8.f);
        x = sinter::threshold(sinter::scale_bias(sinter::shrink(x, 0.25f, 4.f), -0.5f, 3.f), -1.f);
        x = sinter::threshold(sinter::scale_bias(sinter::shrink(x, 0.75f, 6.f), 1.25f, -5.f), -20.f);
        return sinter::scale_bias(x, -1.f, 1.f);
    }
};

// Ten nodes instead of a hundred, which take a compiler many seconds for every type.
constexpr auto hundred_in_bodies = [](const auto& x) {
    const auto twice = [](const auto& y) { return sinter::map(ten_operators{}, sinter::map(ten_operators{}, y)); };
    return twice(twice(twice(twice(twice(x)))));
};

}  // namespace

TEST_CASE("a chain of 100 operators") {
    const auto ten = [](const auto& a) {
        return a | sinter::shrink(0.5f, 2.f) | sinter::scale_bias(1.5f, 0.25f) | sinter::threshold(-8.f) |
               sinter::shrink(0.25f, 4.f) | sinter::scale_bias(-0.5f, 3.f) | sinter::threshold(-1.f) |
               sinter::shrink(0.75f, 6.f) | sinter::scale_bias(1.25f, -5.f) | sinter::threshold(-20.f) |
               sinter::scale_bias(-1.f, 1.f);
    };
    const auto hundred = [&](const auto& a) { return ten(ten(ten(ten(ten(ten(ten(ten(ten(ten(a)))))))))); };
    const std::vector<float> values = counting<float>(500);
    const auto expected = elements_of(hundred_in_bodies(sinter::view(values)));
    CHECK(same_elements(elements_of(sinter::materialize(gpu(), hundred(gpu().upload(values)))), expected));
}

TEST_CASE_TEMPLATE("100 operators in bodies", T, float, std::int8_t) {
    const std::vector<T> values = counting<T>(500);
    const auto expected = elements_of(hundred_in_bodies(sinter::view(values)));
    CHECK(same_elements(elements_of(sinter::materialize(gpu(), hundred_in_bodies(gpu().upload(values)))), expected));
}

// ---- mistakes

namespace {

template <class X, class Out>
constexpr bool can_evaluate = sinter::detail::evaluable<d3d12::device, X, Out>;

using here = sinter::tensor_view<const float, 1>;
using there = d3d12::tensor<float, 1>;
static_assert(can_evaluate<there, there>);
static_assert(can_evaluate<decltype(there() + there()), there>);
static_assert(!can_evaluate<here, there>);
static_assert(!can_evaluate<decltype(there() + here()), there>);
static_assert(!can_evaluate<there, sinter::tensor_view<float, 1>>);
static_assert(!can_evaluate<there, d3d12::tensor<std::int32_t, 1>>);
static_assert(!can_evaluate<d3d12::tensor<float, 2>, there>);
static_assert(!sinter::detail::evaluable<sinter::cpu::scalar, there, sinter::tensor_view<float, 1>>);

}  // namespace

TEST_CASE("shapes, overlaps and missing memory are errors, and nothing is written") {
    const std::vector<float> values = counting<float>(60);
    const auto x = gpu().upload(sinter::view(values.data(), {6, 10}));
    const auto y = gpu().upload(sinter::view(values.data(), {6, 10}));
    using sinter::evaluate, sinter::slice;
    CHECK(code_of([&] { evaluate(gpu(), slice(x, 1, 0, 9), y); }) == errc::shape);
    CHECK(code_of([&] { evaluate(gpu(), x + slice(x, 0, 0, 5), y); }) == errc::shape);
    CHECK(code_of([&] { sinter::transpose(slice(y, 0, 3, 7)); }) == errc::shape);
    CHECK(code_of([&] { evaluate(gpu(), slice(y, 0, 0, 5) + 1.f, slice(y, 0, 1, 6)); }) == errc::overlap);
    CHECK(code_of([&] { evaluate(gpu(), sinter::reverse(y, 0) + 1.f, y); }) == errc::overlap);
    CHECK(code_of([&] { evaluate(gpu(), x, sinter::broadcast_to(slice(y, 0, 0, 1), {6, 10})); }) == errc::overlap);
    const d3d12::tensor<float, 2> nowhere({}, 0, {6, 10}, {10, 1});
    CHECK(code_of([&] { evaluate(gpu(), nowhere, y); }) == errc::null_data);
    CHECK(code_of([&] { evaluate(gpu(), x, nowhere); }) == errc::null_data);
    const auto same = evaluate(gpu(), slice(x, 0, 2, 2), slice(y, 0, 4, 4));  // no elements: nothing to do
    CHECK(same.wait(std::chrono::nanoseconds(0)));
    CHECK(elements_of(y) == values);
}

TEST_CASE("a tensor of another device is an error") {
    const d3d12::device other = d3d12::device::create();
    const std::vector<float> values = counting<float>(60);
    const auto here = gpu().upload(values), there = other.upload(values);
    CHECK(code_of([&] { sinter::evaluate(gpu(), there + 1.f, here); }) == errc::value);
    CHECK(code_of([&] { sinter::evaluate(gpu(), here + 1.f, there); }) == errc::value);
    std::vector<float> out(60);
    CHECK(code_of([&] { gpu().download(there, out); }) == errc::value);
    CHECK(elements_of(here) == values);
    CHECK(out == std::vector<float>(60));
    sinter::evaluate(other, there + 1.f, there);  // its own
}

TEST_CASE("a tensor that leaves its buffer is an error") {
    const d3d12::buffer memory = gpu().allocate_bytes(100);  // has room for 256
    const auto y = gpu().allocate<float>({64});
    const auto made = [&](std::uint64_t offset, std::size_t n, std::ptrdiff_t stride) {
        return d3d12::tensor<float, 1>(memory, offset, {n}, {stride});
    };
    const auto refuses = [&](const auto& x) {
        const auto out = sinter::slice(y, 0, 0, x.sizes()[0]);
        CHECK(code_of([&] { sinter::evaluate(gpu(), x + 1.f, out); }) != errc::shape);
        CHECK(code_of([&] { sinter::evaluate(gpu(), out + 1.f, x); }) != errc::shape);
    };
    refuses(made(4, 64, 1));
    refuses(made(252, 2, 1));
    refuses(made(8, 4, -1));
    refuses(made(2, 4, 1));
    refuses(made(0, 9, 8));
    sinter::evaluate(gpu(), made(252, 1, 1) + 1.f, sinter::slice(y, 0, 0, 1)).wait();
}

namespace {

// The runtime's compiler, which refuses while told so.
d3d12::runtime with_failing_compiler(const bool& refuses) {
    d3d12::runtime on = gpu().runtime_used();
    on.hlsl_compiler.compile = [compile = on.hlsl_compiler.compile, &refuses](std::string_view text) {
        if (!refuses) return compile(text);
        return compile(std::string(text) + "static const uint broken = no_such;\n");
    };
    return on;
}

}  // namespace

TEST_CASE("K7: a kernel that does not compile: log and text in the error, the device goes on") {
    bool refuses = false;
    d3d12::device_options options;
    options.on = with_failing_compiler(refuses);
    const d3d12::device own = d3d12::device::create(options);
    const std::vector<float> values = counting<float>(100);
    const auto x = own.upload(values), y = own.allocate<float>({100});
    sinter::evaluate(own, x + 1.f, y);
    refuses = true;
    for (int round = 0; round < 2; ++round) {
        const auto failure = error_of([&] { sinter::evaluate(own, x * 3.f, y); });
        REQUIRE(failure);
        const std::string_view message = failure->what();
        CHECK(failure->code() == errc::compile_failed);
        CHECK(message.find(own.compiler_used()) != message.npos);
        CHECK(message.find("   1  // float32 from float32") != message.npos);
        CHECK(message.find("no_such") != message.npos);  // the log, since the text shown is the kernel's own
    }
    CHECK(own.pipelines_kept() == 1);
    sinter::evaluate(own, x + 1.f, y);  // its pipeline is there
    refuses = false;
    sinter::evaluate(own, y * 3.f, x);
    std::vector<float> got(100);
    own.download(x, got);
    for (std::size_t i = 0; i < 100; ++i) CHECK(got[i] == (values[i] + 1.f) * 3.f);
}

TEST_CASE("pipelines are kept: one for an expression and layout, whatever the scalars and sizes are") {
    const d3d12::device own = d3d12::device::create();
    const auto x = own.upload(counting<float>(1000)), y = own.allocate<float>({1000});
    for (int round = 0; round < 5; ++round) {
        const std::size_t n = 1000 - 40 * static_cast<std::size_t>(round);
        sinter::evaluate(own, sinter::slice(x, 0, 0, n) * static_cast<float>(round) + 1.f, sinter::slice(y, 0, 0, n));
    }
    CHECK(own.pipelines_kept() == 1);
    sinter::evaluate(own, sinter::slice(x, 0, 1, 1000) * 2.f + 1.f, sinter::slice(y, 0, 0, 999));
    CHECK(own.pipelines_kept() == 2);
    sinter::evaluate(own, x * 2.f + 2.f, y).wait();
    CHECK(own.pipelines_kept() == 2);
}

TEST_CASE("an explanation names the dispatches that evaluate makes") {
    const auto x = gpu().upload(counting<float>(4104));
    auto y = gpu().allocate<float>({4104});
    const auto dispatches = [](const sinter::explanation& what) {
        const std::size_t first = what.text.find("run by: Direct3D 12 on ");
        const std::size_t last = what.text.find('\n', first);
        const std::string line = what.text.substr(first, last - first);
        return line.substr(line.find(std::string(gpu().adapter_used().name) + ", ") + gpu().adapter_used().name.size() +
                           2);
    };
    CHECK(dispatches(sinter::explain(gpu(), x * 2.f, y)) == "1 dispatch: packed for 1026 threads");
    const auto inner = [](auto& t) { return sinter::slice(t, 0, 1, 4103); };
    CHECK(dispatches(sinter::explain(gpu(), inner(x) * 2.f, inner(y))) ==
          "3 dispatches: words for 3 threads, packed for 1024 threads, words for 3 threads");
    CHECK(dispatches(sinter::explain(gpu(), sinter::reverse(x, 0) * 2.f, y)) == "1 dispatch: gather for 4104 threads");
    CHECK(dispatches(sinter::explain(gpu(), x * 2.f)) == "1 dispatch: packed for 1026 threads");
}
