// cpu::scalar: one element after the other, by the interpreter. Slow, and what every other backend must equal.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "../expr/interpret.hpp"
#include "../plan/backend.hpp"
#include "memory_backend.hpp"

namespace sinter::cpu {

namespace detail {

template <element T>
sinter::detail::scalar_register load_element(const void* element) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return sinter::detail::to_register(value);
}

inline sinter::detail::scalar_register load_element(element_type type, const void* element) {
    switch (type) {
        case element_type::float32: return load_element<float>(element);
        case element_type::float16: return load_element<float16>(element);
        case element_type::int32: return load_element<std::int32_t>(element);
        case element_type::int16: return load_element<std::int16_t>(element);
        case element_type::int8: return load_element<std::int8_t>(element);
        case element_type::uint32: return load_element<std::uint32_t>(element);
        case element_type::uint16: return load_element<std::uint16_t>(element);
        default: return load_element<std::uint8_t>(element);
    }
}

template <element T>
void store_element(const sinter::detail::scalar_register& r, void* element) {
    const T value = sinter::detail::from_register<T>(r);
    std::memcpy(element, &value, sizeof(T));
}

inline void store_element(element_type type, const sinter::detail::scalar_register& r, void* element) {
    switch (type) {
        case element_type::float32: return store_element<float>(r, element);
        case element_type::float16: return store_element<float16>(r, element);
        case element_type::int32: return store_element<std::int32_t>(r, element);
        case element_type::int16: return store_element<std::int16_t>(r, element);
        case element_type::int8: return store_element<std::int8_t>(r, element);
        case element_type::uint32: return store_element<std::uint32_t>(r, element);
        case element_type::uint16: return store_element<std::uint16_t>(r, element);
        default: return store_element<std::uint8_t>(r, element);
    }
}

// `registers` has room for every instruction of the program.
inline void run_scalar(const program_view& program, const plan& p, const memory_bindings& data,
                       sinter::detail::scalar_register* registers) {
    std::array<std::size_t, max_rank> index{};
    const auto offset_of = [&](const operand_path& path) {
        std::ptrdiff_t offset = path.offset;
        for (std::size_t i = 0; i < p.rank; ++i) offset += static_cast<std::ptrdiff_t>(index[i]) * path.strides[i];
        return offset * static_cast<std::ptrdiff_t>(size_of(path.type));
    };
    const auto load = [&](const instruction& input) {
        const auto* element = static_cast<const std::byte*>(data.inputs[input.bits]);
        return load_element(to_element_type(input.type), element + offset_of(p.operands[input.bits]));
    };
    for (std::size_t n = 0; n < p.count; ++n) {
        const auto& result = sinter::detail::interpret(program, data.parameters, load, registers);
        store_element(program.output, result, static_cast<std::byte*>(data.output) + offset_of(p.output()));
        for (std::size_t i = p.rank; i-- > 0;) {
            if (++index[i] < p.sizes[i]) break;
            index[i] = 0;
        }
    }
}

}  // namespace detail

struct scalar : memory_backend {
    template <class Program>
    void run(const plan& p, const memory_bindings& data) const {
        std::array<sinter::detail::scalar_register, Program::value.size> registers{};
        detail::run_scalar(Program::value, p, data, registers.data());
    }

    std::string describe(const program_view&, const plan&) const {
        return "scalar, one element after the other by the interpreter";
    }
};

}  // namespace sinter::cpu
