// The standard library's views as operands: std::span, and std::mdspan where the library has it (C++23). sinter sees
// the same memory through them; it copies and owns nothing.
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>
#include <version>

#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

#include <sinter/sinter.hpp>

#include "common/command_line.hpp"

namespace {

constexpr const char* usage = R"(usage: std_views [--help]

Evaluates expressions over std::span, and over std::mdspan where the standard library has it.
)";

void print(const char* title, std::span<const float> values) {
    std::printf("%-24s", title);
    for (const float v : values) std::printf(" %g", v);
    std::printf("\n");
}

// A function of the program, which takes whatever is contiguous.
void normalize(std::span<float> samples, float gain) {
    sinter::evaluate(sinter::view(samples) * gain | sinter::threshold(0), samples);
}

void with_span() {
    std::vector<float> recording{-1, 0, 1, 2, 3, 4, 5, 6};
    normalize(recording, 0.5f);
    print("whole vector", recording);
    normalize(std::span(recording).subspan(2, 3), 10.f);
    print("the third to the fifth", recording);
    std::array<float, 3> few{1, 2, 3};
    normalize(few, 3.f);
    print("an array", few);
}

#if defined(__cpp_lib_mdspan)

void with_mdspan() {
    // Rank, sizes and strides come with the mdspan, whatever its layout.
    std::array<float, 6> rows{1, 2, 3, 4, 5, 6}, columns{}, sum{};
    const std::mdspan by_row(rows.data(), std::extents<std::size_t, 2, 3>());
    const std::mdspan<float, std::extents<int, 2, 3>, std::layout_left> by_column(columns.data());
    sinter::evaluate(sinter::view(by_row) * 10.f, sinter::view(by_column));
    print("mdspan, by columns", columns);

    // A part of a picture with padded rows.
    using padded = std::mdspan<float, std::dextents<std::size_t, 2>, std::layout_stride>;
    std::vector<float> picture(12, -1.f);
    const padded part(picture.data() + 1, {std::dextents<std::size_t, 2>(2, 3), std::array<std::size_t, 2>{4, 1}});
    sinter::evaluate(sinter::view(by_row) + sinter::view(by_column), sinter::view(part));
    print("mdspan, padded rows", picture);

    // It broadcasts as any view does.
    const std::mdspan row(rows.data(), std::extents<int, 3>());
    sinter::evaluate(sinter::view(row) - sinter::view(by_row), sinter::view(sum.data(), {2, 3}));
    print("mdspan, broadcast", sum);
    if (by_column[1, 2] != 60.f || part[1, 2] != 66.f) throw std::runtime_error("an element is not where it should be");
}

#else

void with_mdspan() { std::printf("This standard library has no std::mdspan, or C++23 was not asked for.\n"); }

#endif

void run(const command_line&) {
    with_span();
    with_mdspan();
}

}  // namespace

int main(int count, char** arguments) { return run_example(count, arguments, usage, {}, 0, run); }
