// The owning tensor, and materialize.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/elements.hpp"

using sinter::tensor;
using sinter::view;

TEST_CASE_TEMPLATE("a new tensor is zero, packed and aligned to 64 bytes", T, ALL_ELEMENT_TYPES) {
    for (const std::size_t n : {1u, 3u, 64u, 1000u}) {
        tensor<T, 2> t({n, std::size_t{3}});
        CHECK(reinterpret_cast<std::uintptr_t>(t.data()) % 64 == 0);
        CHECK(t.size() == 3 * n);
        CHECK(t.strides() == std::array<std::ptrdiff_t, 2>{3, 1});
        CHECK(std::all_of(t.elements().begin(), t.elements().end(), [](T v) { return support::bits_of(v) == 0; }));
    }
}

TEST_CASE("copies are apart, moves take the memory along") {
    tensor<float, 2> t({2, 3});
    t(1, 2) = 5.f;
    tensor<float, 2> copy = t;
    copy(1, 2) = 6.f;
    CHECK(t(1, 2) == 5.f);
    CHECK(copy.data() != t.data());

    const float* const memory = copy.data();
    tensor<float, 2> moved = std::move(copy);
    CHECK(moved.data() == memory);
    CHECK(moved(1, 2) == 6.f);
    CHECK(copy.size() == 0);
    CHECK(copy.sizes() == std::array<std::size_t, 2>{0, 0});

    t = moved;
    CHECK(t(1, 2) == 6.f);
    CHECK(t.data() != moved.data());
    t = std::move(moved);
    CHECK(t.data() == memory);
    t = tensor<float, 2>(std::array<int, 2>{1, 1});
    CHECK(t.size() == 1);
    auto& same = t;
    t = same;
    CHECK(t.size() == 1);
    // What was moved from can be filled again.
    copy = tensor<float, 2>({4, 4});
    CHECK(copy.size() == 16);
}

TEST_CASE("tensors without elements") {
    tensor<std::int8_t, 3> t({2, 0, 3});
    CHECK(t.size() == 0);
    CHECK(t.elements().empty());
    const tensor<std::int8_t, 3> copy = t;
    CHECK(copy.sizes() == std::array<std::size_t, 3>{2, 0, 3});
}

TEST_CASE("a tensor stands where a view does") {
    tensor<float, 2> x({2, 3}), y({2, 3});
    const tensor<float, 2>& constant = x;
    std::fill(x.elements().begin(), x.elements().end(), 3.f);
    sinter::evaluate(constant * 2.f + x, y);
    CHECK(y(1, 1) == 9.f);
    sinter::evaluate(sinter::transpose(y) - 1.f, sinter::transpose(y));
    CHECK(y(0, 2) == 8.f);
    static_assert(std::is_same_v<decltype(x.view()), sinter::tensor_view<float, 2>>);
    static_assert(std::is_same_v<decltype(constant.view()), sinter::tensor_view<const float, 2>>);
    CHECK(view(constant)(1, 2) == 3.f);
}

TEST_CASE("materialize makes a tensor of the sizes to which all inputs broadcast") {
    std::vector<float> row{1, 2, 3}, column{10, 20};
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        const auto t = sinter::materialize(backend, view(row) + view(column.data(), {2, 1}));
        static_assert(std::is_same_v<decltype(t), const tensor<float, 2>>);
        CHECK(t.sizes() == std::array<std::size_t, 2>{2, 3});
        CHECK(t(1, 2) == 23.f);
        CHECK(t(0, 0) == 11.f);
    });
    const auto bytes = sinter::materialize(sinter::cast<std::uint8_t>(view(row) * 100.f));
    static_assert(std::is_same_v<decltype(bytes), const tensor<std::uint8_t, 1>>);
    CHECK(bytes(2) == 255);
    tensor<float, 1> own({3});
    CHECK(sinter::materialize(own).data() != own.data());
    CHECK(sinter::materialize(view(row.data(), {0, 3}) + 1.f).size() == 0);
    CHECK(sinter::materialize(sinter::map([](auto s, auto x) { return s * x; }, 2.f, view(row)))(2) == 6.f);
}
