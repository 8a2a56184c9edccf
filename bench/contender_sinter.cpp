// sinter as a user calls it, and its scalar reference, by which every contender is checked.
#include <type_traits>

#include "contender.hpp"
#include "elements.hpp"
#include "sinter/sinter.hpp"

namespace bench {

namespace {

template <class T>
auto input_view(const void* input, std::size_t elements) {
    return sinter::view(static_cast<const T*>(input), {elements});
}
template <class T>
auto output_view(void* output, std::size_t elements) {
    return sinter::view(static_cast<T*>(output), {elements});
}

struct chain3 {
    static constexpr auto apply(const auto& x, const attributes& a) {
        return x | sinter::scale_bias(a.scale, a.bias) | sinter::shrink(a.shrink_bias, a.shrink_threshold) |
               sinter::threshold(a.minimum);
    }
};

struct shrink {
    static constexpr auto apply(const auto& x, const attributes& a) {
        return sinter::shrink(x, a.shrink_bias, a.shrink_threshold);
    }
};

template <class Backend, class Workload>
pass pass_of(sinter::element_type type) {
    return with_element(type, []<class T>(std::type_identity<T>) -> pass {
        return [](const void* input, void* output, std::size_t elements, const attributes& a) {
            sinter::evaluate(Backend{}, Workload::apply(input_view<T>(input, elements), a),
                             output_view<T>(output, elements));
        };
    });
}

}  // namespace

pass sinter_chain3(sinter::element_type type) { return pass_of<sinter::cpu::highway, chain3>(type); }
pass scalar_chain3(sinter::element_type type) { return pass_of<sinter::cpu::scalar, chain3>(type); }
pass sinter_shrink(sinter::element_type type) { return pass_of<sinter::cpu::highway, shrink>(type); }
pass scalar_shrink(sinter::element_type type) { return pass_of<sinter::cpu::scalar, shrink>(type); }

}  // namespace bench
