#include <sinter/aot.hpp>
#include <sinter/sinter.hpp>

void sinter::aot::add_shaders() {
    const tensor<float, 1> x({1000}), y({1000});
    add("chain", x | scale_bias(2.f, 1.f), y);
}
