// Of <sinter/sinter.hpp> the part that compiles in a second, and of Highway what the rest of it would include.
#include <hwy/highway.h>

#include <sinter/cpu/scalar.hpp>
#include <sinter/ops/scale_bias.hpp>

#include <vector>

int main() {
    const std::vector<float> input{1, 2, 3};
    std::vector<float> output(3);
    sinter::evaluate(sinter::cpu::scalar{}, sinter::view(input) | sinter::scale_bias(2.f, 1.f), output);
    return output == std::vector<float>{3, 5, 7} ? 0 : 1;
}
