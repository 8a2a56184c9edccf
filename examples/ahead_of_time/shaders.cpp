// Run while the program is built: the evaluations whose kernels it brings along. Sizes are examples; the kernels serve
// any.
#include <sinter/aot.hpp>

#include "soften.hpp"

void sinter::aot::add_shaders() {
    const tensor<float, 2> picture({480, 640}), result({480, 640}), turned({640, 480});
    add("soften", soften(picture), result);
    add("soften", soften(picture), picture);  // in place is a kernel of its own
    add("soften_turned", soften(transpose(picture)), turned);
}
