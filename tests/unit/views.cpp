// Every way to make a view, and every other view of the same elements.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

using sinter::view;

namespace {

// As std::mdspan offers itself, with a layout of its own.
template <class T>
struct column_major {
    T* data;
    int rows, columns;

    static constexpr std::size_t rank() { return 2; }
    constexpr int extent(std::size_t d) const { return d == 0 ? rows : columns; }
    constexpr int stride(std::size_t d) const { return d == 0 ? 1 : rows; }
    constexpr T* data_handle() const { return data; }
};

template <class V>
auto sizes_of(const V& v) {
    return std::vector<std::size_t>(v.sizes().begin(), v.sizes().end());
}
template <class V>
auto strides_of(const V& v) {
    return std::vector<std::ptrdiff_t>(v.strides().begin(), v.strides().end());
}
using sizes = std::vector<std::size_t>;
using strides = std::vector<std::ptrdiff_t>;

std::vector<int> ramp(int count) {
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

// The elements in row-major order, read one by one.
template <class T>
std::vector<int> elements_of(sinter::tensor_view<T, 1> v) {
    std::vector<int> read;
    for (std::size_t i = 0; i < v.sizes()[0]; ++i) read.push_back(v(i));
    return read;
}
template <class T>
std::vector<int> elements_of(sinter::tensor_view<T, 2> v) {
    std::vector<int> read;
    for (std::size_t i = 0; i < v.sizes()[0]; ++i)
        for (std::size_t j = 0; j < v.sizes()[1]; ++j) read.push_back(v(i, j));
    return read;
}
template <class T>
std::vector<int> elements_of(sinter::tensor_view<T, 3> v) {
    std::vector<int> read;
    for (std::size_t i = 0; i < v.sizes()[0]; ++i)
        for (std::size_t j = 0; j < v.sizes()[1]; ++j)
            for (std::size_t k = 0; k < v.sizes()[2]; ++k) read.push_back(v(i, j, k));
    return read;
}

}  // namespace

TEST_CASE("views of contiguous ranges") {
    std::vector<int> vector = ramp(5);
    std::array<int, 3> array{1, 2, 3};
    int plain[] = {4, 5};
    const std::span<int> span(vector.data() + 1, 3);
    CHECK(view(vector).data() == vector.data());
    CHECK(sizes_of(view(vector)) == sizes{5});
    CHECK(strides_of(view(vector)) == strides{1});
    CHECK(sizes_of(view(array)) == sizes{3});
    CHECK(sizes_of(view(plain)) == sizes{2});
    CHECK(view(span).data() == &vector[1]);
    CHECK(view(std::span<const int>(span))(2) == 3);
    view(vector)(0) = 9;
    CHECK(vector[0] == 9);
    std::vector<int> empty;
    CHECK(view(empty).size() == 0);
}

TEST_CASE("views of pointers, with any integer type in the braces") {
    std::vector<int> m = ramp(24);
    const short rows = 2;
    const std::size_t columns = 3;
    const unsigned char deep = 4;
    const auto packed = view(m.data(), {rows, columns, deep});
    CHECK(sizes_of(packed) == sizes{2, 3, 4});
    CHECK(strides_of(packed) == strides{12, 4, 1});
    CHECK(packed(1, 2, 3) == 23);
    CHECK(packed.size() == 24);

    const long row = 5;
    const auto strided = view(m.data() + 23, {rows, columns}, {-row, -1});
    CHECK(strides_of(strided) == strides{-5, -1});
    CHECK(strided(1, 2) == 23 - 5 - 2);
    CHECK(elements_of(strided) == std::vector<int>{23, 22, 21, 18, 17, 16});

    const auto by_arrays = view(m.data(), std::array<int, 2>{4, 2}, std::array<long, 2>{3, 0});
    CHECK(by_arrays(3, 1) == 9);
    CHECK(strides_of(view(m.data(), std::array<std::uint64_t, 2>{4, 6})) == strides{6, 1});
    const int* const constant = m.data();
    CHECK(view(constant, {3})(2) == 2);
    const auto high = view(m.data(), {1, 2, 1, 3, 1, 2, 1, 2});
    CHECK(high.rank() == 8);
    CHECK(high(0, 1, 0, 2, 0, 1, 0, 1) == 23);
}

TEST_CASE("views of what is shaped like std::mdspan") {
    std::vector<int> m = ramp(6);
    const column_major<int> matrix{m.data(), 2, 3};
    const auto v = view(matrix);
    CHECK(sizes_of(v) == sizes{2, 3});
    CHECK(strides_of(v) == strides{1, 2});
    CHECK(v(1, 2) == 5);
    CHECK(v(0, 1) == 2);
    const column_major<const int> constant{m.data(), 3, 2};
    CHECK(view(constant)(2, 1) == 5);
    std::vector<int> out(6);
    sinter::evaluate(view(matrix) * 10, view(out.data(), {2, 3}));
    CHECK(out == std::vector<int>{0, 20, 40, 10, 30, 50});
}

TEST_CASE("a view converts to one of const") {
    std::vector<int> m = ramp(4);
    const sinter::tensor_view<int, 2> v = view(m.data(), {2, 2});
    const sinter::tensor_view<const int, 2> c = v;
    CHECK(c.data() == v.data());
    CHECK(c(1, 0) == 2);
}

TEST_CASE("transpose and permute") {
    std::vector<int> m = ramp(24);
    const auto v = view(m.data(), {2, 3, 4});
    CHECK(sizes_of(sinter::transpose(v)) == sizes{2, 4, 3});
    CHECK(sinter::transpose(v)(1, 3, 2) == v(1, 2, 3));
    const auto p = sinter::permute<2, 0, 1>(v);
    CHECK(sizes_of(p) == sizes{4, 2, 3});
    CHECK(p(3, 1, 2) == v(1, 2, 3));
    CHECK(p(2, 0, 1) == v(0, 1, 2));
    CHECK(elements_of(sinter::permute<0, 1, 2>(v)) == m);
    sinter::tensor<int, 2> t({2, 3});
    t(1, 2) = 7;
    CHECK(sinter::transpose(t)(2, 1) == 7);
    CHECK(sinter::transpose(column_major<int>{m.data(), 2, 3}.data == m.data() ? view(column_major<int>{m.data(), 2, 3})
                                                                               : view(m.data(), {2, 3}))(2, 1) == 5);
}

TEST_CASE("slice") {
    std::vector<int> m = ramp(24);
    const auto v = view(m.data(), {4, 6});
    const auto s = sinter::slice(v, 1, 1, 6, 2);
    CHECK(sizes_of(s) == sizes{4, 3});
    CHECK(strides_of(s) == strides{6, 2});
    CHECK(s(2, 1) == v(2, 3));
    CHECK(sizes_of(sinter::slice(v, 0, 1, 4, 2)) == sizes{2, 6});
    CHECK(sizes_of(sinter::slice(v, 0, 0, 4, 3)) == sizes{2, 6});
    CHECK(sizes_of(sinter::slice(v, 0, 0, 4, 100)) == sizes{1, 6});
    CHECK(sizes_of(sinter::slice(v, 0, 4, 4)) == sizes{0, 6});
    CHECK(sinter::slice(v, 0, 4, 4).data() == m.data());
    CHECK(elements_of(sinter::slice(sinter::reverse(view(m), 0), 0, 2, 6, 2)) == std::vector<int>{21, 19});
    CHECK(sizes_of(sinter::slice(view(m), 0, 0, 24, ~std::size_t{0})) == sizes{1});
}

TEST_CASE("reverse") {
    std::vector<int> m = ramp(6);
    const auto v = view(m.data(), {2, 3});
    CHECK(elements_of(sinter::reverse(v, 1)) == std::vector<int>{2, 1, 0, 5, 4, 3});
    CHECK(elements_of(sinter::reverse(v, 0)) == std::vector<int>{3, 4, 5, 0, 1, 2});
    CHECK(elements_of(sinter::reverse(sinter::reverse(v, 0), 0)) == m);
    const auto none = sinter::reverse(view(m.data(), {0, 3}), 1);
    CHECK(none.size() == 0);
    CHECK(none.data() == m.data());
}

TEST_CASE("reshape") {
    std::vector<int> m = ramp(24);
    const auto v = view(m.data(), {4, 6});
    CHECK(elements_of(sinter::reshape(v, {24})) == m);
    CHECK(strides_of(sinter::reshape(v, {2, 2, 6})) == strides{12, 6, 1});
    CHECK(strides_of(sinter::reshape(v, {3, 8})) == strides{8, 1});
    CHECK(sinter::reshape(v, std::array<int, 3>{1, 24, 1})(0, 23, 0) == 23);

    // Rows with gaps: what stays within a row, or keeps the rows, needs no copy.
    const auto padded = view(m.data(), {3, 6}, {8, 1});
    CHECK(strides_of(sinter::reshape(padded, {3, 2, 3})) == strides{8, 3, 1});
    CHECK(strides_of(sinter::reshape(padded, {3, 1, 6})) == strides{8, 0, 1});
    CHECK(elements_of(sinter::reshape(padded, {3, 3, 2})) == elements_of(padded));
    CHECK(elements_of(sinter::reshape(sinter::reverse(view(m), 0), {4, 6}))[0] == 23);

    const auto transposed = sinter::transpose(v);
    CHECK(elements_of(sinter::reshape(transposed, {2, 3, 4})) == elements_of(transposed));
    CHECK(sizes_of(sinter::reshape(view(m.data(), {1, 1}), {1})) == sizes{1});
    CHECK(sizes_of(sinter::reshape(view(m.data(), {0, 3}), {5, 0})) == sizes{5, 0});
    const auto repeated = sinter::broadcast_to(view(m.data(), {1}), {4, 6});
    CHECK(elements_of(sinter::reshape(repeated, {24})) == std::vector<int>(24, 0));
}

TEST_CASE("broadcast_to") {
    std::vector<int> m = ramp(6);
    CHECK(elements_of(sinter::broadcast_to(view(m.data(), {3}), {2, 3})) == std::vector<int>{0, 1, 2, 0, 1, 2});
    CHECK(elements_of(sinter::broadcast_to(view(m.data(), {2, 1}), {2, 3})) == std::vector<int>{0, 0, 0, 1, 1, 1});
    CHECK(strides_of(sinter::broadcast_to(view(m.data(), {2, 1, 3}), {4, 2, 5, 3})) == strides{0, 3, 0, 1});
    CHECK(sizes_of(sinter::broadcast_to(view(m.data(), {1}), std::array<int, 2>{0, 3})) == sizes{0, 3});
}
