// The interface of kernels, and the values that the host computes for them.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "golden_kernels.hpp"

namespace hlsl = sinter::hlsl;
using golden::chain;
using golden::tensor;

namespace {

constexpr std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

template <class E>
std::vector<std::uint32_t> values(const std::vector<std::uint32_t>& parameters) {
    const hlsl::uniform_evaluation evaluation(sinter::program_of<E>);
    std::vector<std::uint32_t> made(evaluation.size());
    evaluation(parameters.data(), made.data());
    return made;
}

template <class E, class L>
const hlsl::kernel_interface boundary = hlsl::interface_of(sinter::program_of<E>, L::value);

}  // namespace

// Every constant costs one of a root signature's 64 dwords, every buffer two.
TEST_CASE("the constants and elements of kernels") {
    CHECK(boundary<chain<float>, hlsl::packed>.constants() == 5 + 6);
    CHECK(boundary<chain<float>, hlsl::packed>.elements_per_item == 4);
    CHECK(boundary<chain<std::int8_t>, hlsl::words>.constants() == 9 + 6);
    CHECK(boundary<chain<std::uint8_t>, hlsl::packed>.elements_per_item == 16);
    CHECK(boundary<chain<float>, hlsl::in_place<hlsl::packed>>.read_only_buffers == 0);
    CHECK(boundary<golden::weighted, hlsl::packed>.inputs[0].bytes == 16);
    CHECK(boundary<golden::bytes_to_half, hlsl::packed>.inputs[0].bytes == 8);
    CHECK(boundary<golden::bytes_to_half, hlsl::strided<8>>.inputs[0].bytes == 4);
    CHECK(boundary<golden::wrapping, hlsl::read_write<hlsl::in_place<hlsl::packed>, 2>>.read_write_buffers == 2);
    const hlsl::binding shared{hlsl::access::read_write, 1, 16};
    CHECK((boundary<golden::wrapping, hlsl::read_write<hlsl::packed, 2>>.inputs[1] == shared));
}

TEST_CASE("scale 1 with bias 0 is passed as bias -0") {
    const auto made = values<chain<float>>({bits(1.f), bits(0.f), bits(2.f), bits(3.f), bits(4.f)});
    CHECK(made == std::vector{bits(1.f), bits(-0.f), bits(2.f), bits(3.f), bits(-3.f), bits(4.f)});
}

TEST_CASE("32-bit integers get a mask of 1 or 0") {
    const auto made = values<decltype(tensor<std::int32_t>{} | sinter::scale_bias(1, 0))>({bits(1.f), bits(0.f)});
    REQUIRE(made.size() == 3);
    CHECK(made[1] + made[2] == bits(-0.f) + 1u);
}

TEST_CASE("a subnormal threshold of integers is the smallest normal number, since drivers may drop it") {
    constexpr float tiny = std::numeric_limits<float>::denorm_min();
    constexpr float least = (std::numeric_limits<float>::min)();
    const std::vector<std::uint32_t> parameters{bits(0.f), bits(tiny)};
    CHECK(values<decltype(tensor<std::int8_t>{} | sinter::shrink())>(parameters) ==
          std::vector{bits(0.f), bits(least), bits(-least)});
    CHECK(values<decltype(tensor<float>{} | sinter::shrink())>(parameters) ==
          std::vector{bits(0.f), bits(tiny), bits(-tiny)});
    // The bias is computed with, so it stays as it is.
    CHECK(values<decltype(tensor<std::int8_t>{} | sinter::shrink())>({bits(-tiny), bits(1.f)}) ==
          std::vector{bits(-tiny), bits(1.f), bits(-1.f)});
}

TEST_CASE("integers come extended to 32 bits") {
    CHECK(values<decltype(tensor<std::int8_t>{} | sinter::threshold(0))>({bits(-1.5f)}) == std::vector{0xffffffffu});
    CHECK(values<decltype(tensor<std::uint8_t>{} | sinter::threshold(0))>({bits(300.f)}) == std::vector{255u});
}

TEST_CASE("a chain of many operators has its scalars in order") {
    const auto many = [](auto x) {
        const auto ten = [](auto v) {
            return v | sinter::threshold(0) | sinter::threshold(0) | sinter::threshold(0) | sinter::threshold(0) |
                   sinter::threshold(0) | sinter::threshold(0) | sinter::threshold(0) | sinter::threshold(0) |
                   sinter::threshold(0) | sinter::threshold(0);
        };
        return ten(ten(ten(ten(ten(ten(ten(ten(x))))))));
    };
    std::vector<std::uint32_t> parameters;
    for (std::uint32_t i = 0; i < 80; ++i) parameters.push_back(bits(static_cast<float>(i)));
    CHECK(values<decltype(many(tensor<float>{}))>(parameters) == parameters);
    CHECK(boundary<decltype(many(tensor<float>{})), hlsl::packed>.constants() == 85);
}
