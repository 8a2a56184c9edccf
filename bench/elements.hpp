// From an element type that is known at run time to one that the compiler knows.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sinter/core/element.hpp"
#include "sinter/core/float16.hpp"

namespace bench {

inline constexpr std::array all_types{sinter::element_type::float32, sinter::element_type::float16,
                                      sinter::element_type::int32,   sinter::element_type::int16,
                                      sinter::element_type::int8,    sinter::element_type::uint32,
                                      sinter::element_type::uint16,  sinter::element_type::uint8};

// Calls f(std::type_identity<T>{}).
template <class F>
auto with_element(sinter::element_type type, F f) {
    switch (type) {
        case sinter::element_type::float32: return f(std::type_identity<float>{});
        case sinter::element_type::float16: return f(std::type_identity<sinter::float16>{});
        case sinter::element_type::int32: return f(std::type_identity<std::int32_t>{});
        case sinter::element_type::int16: return f(std::type_identity<std::int16_t>{});
        case sinter::element_type::int8: return f(std::type_identity<std::int8_t>{});
        case sinter::element_type::uint32: return f(std::type_identity<std::uint32_t>{});
        case sinter::element_type::uint16: return f(std::type_identity<std::uint16_t>{});
        default: return f(std::type_identity<std::uint8_t>{});
    }
}

}  // namespace bench
