// Transposed inputs of every width, as many rows as a picture has channels and more, strided ones, and inputs that are
// repeated along rows, against unreadable pages: nothing around the elements is read, and each one arrives.
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/guarded_memory.hpp"

namespace {

template <class T>
void check_tiles() {
    const support::guarded_page page;
    for (std::size_t columns = 1; columns <= 70; columns += columns < 34 ? 1 : 9) {
        for (const std::size_t rows : {2u, 3u, 4u, 5u, 7u, 8u, 15u, 16u, 17u, 33u}) {
            const std::size_t count = columns * rows;
            if (count * sizeof(T) > page.size()) continue;
            for (const bool at_end : {false, true}) {
                void* const first = at_end ? page.first() + page.size() - count * sizeof(T) : page.first();
                T* const elements = static_cast<T*>(first);
                for (std::size_t i = 0; i < count; ++i) elements[i] = static_cast<T>(i * 7 + 3);
                const auto pixels = sinter::view(elements, {columns, rows});
                support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
                    std::vector<T> out(count);
                    sinter::evaluate(backend, sinter::transpose(pixels) + 1, sinter::view(out.data(), {rows, columns}));
                    std::size_t wrong = 0;
                    for (std::size_t c = 0; c < columns; ++c)
                        for (std::size_t r = 0; r < rows; ++r)
                            wrong += out[r * columns + c] != static_cast<T>(elements[c * rows + r] + 1) ? 1 : 0;
                    if (wrong > 0) FAIL_CHECK(name << ": " << wrong << " wrong of " << columns << " x " << rows);
                });
            }
        }
    }
}

// Elements at equal distances, forwards and backwards, with nothing to read before the first and after the last.
template <class T>
void check_strided() {
    const support::guarded_page page;
    for (std::ptrdiff_t distance = 1; distance <= 5; ++distance)
        for (std::size_t count = 1; count <= 70; ++count) {
            const auto extent = static_cast<std::size_t>(distance) * (count - 1) + 1;
            for (const bool at_end : {false, true}) {
                void* const lowest = at_end ? page.first() + page.size() - extent * sizeof(T) : page.first();
                T* const elements = static_cast<T*>(lowest);
                for (std::size_t i = 0; i < extent; ++i) elements[i] = static_cast<T>(i * 7 + 3);
                support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
                    const auto forwards = sinter::tensor_view<const T, 1>(elements, {count}, {distance});
                    std::vector<T> there(count), back(count);
                    sinter::evaluate(backend, forwards + 1, sinter::view(there));
                    sinter::evaluate(backend, sinter::reverse(forwards, 0) + 1, sinter::view(back));
                    std::size_t wrong = 0;
                    for (std::size_t i = 0; i < count; ++i) {
                        const T wanted = static_cast<T>(elements[static_cast<std::size_t>(distance) * i] + 1);
                        wrong += there[i] != wanted || back[count - 1 - i] != wanted ? 1 : 0;
                    }
                    if (wrong > 0) FAIL_CHECK(name << ": " << wrong << " wrong of " << count << " by " << distance);
                });
            }
        }
}

// One element for every row, the last one at the end of what can be read: alone, copied and beside packed elements.
template <class T>
void check_repeated() {
    const support::guarded_page page;
    const std::size_t rows = 5;
    void* const first = page.first() + page.size() - rows * sizeof(T);
    T* const elements = static_cast<T*>(first);
    for (std::size_t i = 0; i < rows; ++i) elements[i] = static_cast<T>(i * 31 + 3);
    const auto column = sinter::view(elements, {rows, std::size_t{1}});
    for (std::size_t columns = 1; columns <= 1100; columns += columns < 140 ? 1 : 157) {
        const std::array<std::size_t, 2> sizes{rows, columns};
        std::vector<T> packed(rows * columns), alone(packed.size()), copied(packed.size()), beside(packed.size());
        for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<T>(i * 3);
        support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
            sinter::evaluate(backend, column + 1, sinter::view(alone.data(), sizes));
            sinter::evaluate(backend, column, sinter::view(copied.data(), sizes));
            sinter::evaluate(backend, sinter::view(packed.data(), sizes) - column, sinter::view(beside.data(), sizes));
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < packed.size(); ++i) {
                const T e = elements[i / columns];
                wrong +=
                    alone[i] != static_cast<T>(e + 1) || copied[i] != e || beside[i] != static_cast<T>(packed[i] - e)
                        ? 1
                        : 0;
            }
            std::vector<T> row(columns);
            sinter::evaluate(backend, sinter::view(elements + 1, {std::size_t{1}}) + 1, sinter::view(row));
            for (const T e : row) wrong += e != static_cast<T>(elements[1] + 1) ? 1 : 0;
            if (wrong > 0) FAIL_CHECK(name << ": " << wrong << " wrong in rows of " << columns);
        });
    }
}

}  // namespace

TEST_CASE("a transposed input of 8 bits") { check_tiles<std::uint8_t>(); }
TEST_CASE("a transposed input of 16 bits") { check_tiles<std::int16_t>(); }
TEST_CASE("a transposed input of 32 bits") { check_tiles<std::int32_t>(); }

TEST_CASE("a strided input of 8 bits") { check_strided<std::uint8_t>(); }
TEST_CASE("a strided input of 16 bits") { check_strided<std::int16_t>(); }
TEST_CASE("a strided input of 32 bits") { check_strided<std::int32_t>(); }

TEST_CASE("a repeated input of 8 bits") { check_repeated<std::uint8_t>(); }
TEST_CASE("a repeated input of 16 bits") { check_repeated<std::int16_t>(); }
TEST_CASE("a repeated input of 32 bits") { check_repeated<std::int32_t>(); }

TEST_CASE("more columns than a tile has, beside packed and repeated inputs") {
    const std::size_t rows = 37, columns = 531;
    std::vector<float> a(rows * columns), b(rows * columns), c(rows);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(i % 77) * 1000;
    }
    for (std::size_t i = 0; i < rows; ++i) c[i] = static_cast<float>(i) * 100000;
    support::for_each_cpu_backend([&](const std::string& name, const auto& backend) {
        INFO(name);
        std::vector<float> out(rows * columns);
        sinter::evaluate(backend,
                         sinter::transpose(sinter::view(a.data(), {columns, rows})) +
                             sinter::view(b.data(), {rows, columns}) + sinter::view(c.data(), {rows, std::size_t{1}}),
                         sinter::view(out.data(), {rows, columns}));
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                wrong += out[i * columns + j] != (a[j * rows + i] + b[i * columns + j]) + c[i] ? 1 : 0;
        CHECK(wrong == 0);
    });
}
