// A backend of one's own. It satisfies sinter::backend, so that evaluate checks and plans for it as for any other; but
// in place of computing, it counts what a computation would cost.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <sinter/plan/backend.hpp>
#include <sinter/sinter.hpp>

#include "common/command_line.hpp"

namespace {

constexpr const char* usage = R"(usage: custom_backend [OPTIONS]

Counts what scale_bias, shrink and threshold cost, fused and one by one, by a backend that computes nothing.

  --elements N  of each tensor (default 1000000)
  --help        this text
)";

class cost_backend {
public:
    // Where operands lie, as the views of an expression tell it. Here: in memory.
    using input_location = const void*;
    using output_location = void*;

    // What evaluate calls. The plan holds everything about sizes, strides and element types; the program is an array of
    // instructions that is known when this is compiled, which is what a backend that computes makes its loop of.
    template <class Program>
    void run(const sinter::plan& plan, const sinter::memory_bindings&) {
        constexpr std::size_t per_element = sinter::operations_per_element(Program::value);
        operations += per_element * plan.count;
        bytes += plan.bytes_moved();
        ++passes;
    }

    // For sinter::explain.
    std::string describe(const sinter::program_view&, const sinter::plan&) const { return "a count of its cost"; }

    std::size_t passes = 0;
    std::size_t bytes = 0;
    std::size_t operations = 0;
};

static_assert(sinter::backend<cost_backend>);

void print(const char* title, const cost_backend& cost) {
    std::printf("%-12s %zu passes, %zu bytes moved, %zu operations\n", title, cost.passes, cost.bytes, cost.operations);
}

void run(const command_line& chosen) {
    const auto elements = chosen.integer<std::size_t>("--elements", 0, 1000000000);
    const std::vector<float> x(elements);
    std::vector<float> y(elements);
    const auto input = sinter::view(x);
    const auto output = sinter::view(y);

    cost_backend fused;
    sinter::evaluate(fused, input | sinter::scale_bias(2, 1) | sinter::shrink(0.5, 1) | sinter::threshold(-4), output);

    cost_backend one_by_one;
    sinter::evaluate(one_by_one, input | sinter::scale_bias(2, 1), output);
    sinter::evaluate(one_by_one, output | sinter::shrink(0.5, 1), output);
    sinter::evaluate(one_by_one, output | sinter::threshold(-4), output);

    print("fused", fused);
    print("one by one", one_by_one);

    // The checks are the same for every backend, and come before it is called.
    const cost_backend before = fused;
    try {
        sinter::evaluate(fused, input | sinter::shrink(), sinter::view(y.data(), {elements + 1}));
    } catch (const sinter::error& refusal) {
        std::printf("refused      %s\n", refusal.what());
    }
    if (fused.passes != before.passes) throw std::runtime_error("a backend was called with sizes that do not match");
}

}  // namespace

int main(int count, char** arguments) {
    return run_example(count, arguments, usage, {{"--elements", "1000000"}}, 0, run);
}
