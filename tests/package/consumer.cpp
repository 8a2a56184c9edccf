#include <sinter/sinter.hpp>

#include <vector>

int main() {
    const std::vector<float> input{1, 2, 3};
    std::vector<float> output(3);
    sinter::evaluate(sinter::view(input) | sinter::scale_bias(2.f, 1.f), output);
    return output == std::vector<float>{3, 5, 7} ? 0 : 1;
}
