// The kernels whose texts are kept in tests/data/hlsl: representative programs, element types and layouts.
#pragma once

#include <sinter/expr/arithmetic.hpp>
#include <sinter/expr/cast.hpp>
#include <sinter/expr/map.hpp>
#include <sinter/hlsl.hpp>
#include <sinter/ops/scale_bias.hpp>
#include <sinter/ops/shrink.hpp>
#include <sinter/ops/threshold.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace golden {

template <sinter::element T>
using tensor = sinter::tensor_view<const T, 2>;

template <sinter::element T>
using chain = decltype(tensor<T>{} | sinter::scale_bias(2, 1) | sinter::shrink(1, 1) | sinter::threshold(0));

struct accepts_band {
    constexpr auto operator()(auto x, auto low, auto high) const {
        auto inside = x > low && !(x >= high);
        auto outside = x != x || x == 0.f;
        return select(inside || outside, abs(-x) - 0.5f, min(x, high));
    }
};
using user_operator = decltype(sinter::map(accepts_band{}, tensor<float>{}, 1.f, 2.f));

using bytes_to_half = decltype(sinter::cast<sinter::float16>(tensor<std::uint8_t>{}));
using weighted = decltype(sinter::cast_rne<std::uint8_t>(sinter::cast<float>(tensor<std::uint8_t>{}) * tensor<float>{} +
                                                         sinter::cast<float>(tensor<sinter::float16>{})));
using wrapping = decltype(-(tensor<std::int8_t>{} * tensor<std::int8_t>{}) + 3);

// visit(name, expression, layout), with the types as values of type_identity.
template <class Visitor>
void for_each(Visitor visit) {
    namespace hlsl = sinter::hlsl;
    const auto all_layouts = [&]<class T>(std::type_identity<T>) {
        const std::string name = std::string(sinter::name(sinter::element_type_of<T>)) + "_chain_";
        constexpr std::type_identity<chain<T>> expression;
        visit(name + "packed", expression, std::type_identity<hlsl::packed>{});
        visit(name + "words", expression, std::type_identity<hlsl::words>{});
        visit(name + "gather_2", expression, std::type_identity<hlsl::gather<2>>{});
        visit(name + "strided_2", expression, std::type_identity<hlsl::strided<2>>{});
        visit(name + "packed_in_place", expression, std::type_identity<hlsl::in_place<hlsl::packed>>{});
    };
    all_layouts(std::type_identity<float>{});
    all_layouts(std::type_identity<sinter::float16>{});
    all_layouts(std::type_identity<std::int32_t>{});
    all_layouts(std::type_identity<std::int16_t>{});
    all_layouts(std::type_identity<std::int8_t>{});
    all_layouts(std::type_identity<std::uint32_t>{});
    all_layouts(std::type_identity<std::uint16_t>{});
    all_layouts(std::type_identity<std::uint8_t>{});

    visit("user_operator_packed", std::type_identity<user_operator>{}, std::type_identity<hlsl::packed>{});
    visit("user_operator_strided_8", std::type_identity<user_operator>{}, std::type_identity<hlsl::strided<8>>{});
    visit("float16_copy_packed", std::type_identity<tensor<sinter::float16>>{}, std::type_identity<hlsl::packed>{});
    visit("float32_copy_words", std::type_identity<tensor<float>>{}, std::type_identity<hlsl::words>{});
    visit("bytes_to_half_packed", std::type_identity<bytes_to_half>{}, std::type_identity<hlsl::packed>{});
    visit("bytes_to_half_words", std::type_identity<bytes_to_half>{}, std::type_identity<hlsl::words>{});
    visit("weighted_packed", std::type_identity<weighted>{}, std::type_identity<hlsl::packed>{});
    visit("weighted_words_in_place", std::type_identity<weighted>{},
          std::type_identity<hlsl::in_place<hlsl::words, 1>>{});
    visit("weighted_gather_3", std::type_identity<weighted>{}, std::type_identity<hlsl::gather<3>>{});
    visit("wrapping_packed_read_write", std::type_identity<wrapping>{},
          std::type_identity<hlsl::read_write<hlsl::in_place<hlsl::packed, 1>, 2>>{});
    visit("wrapping_strided_1_in_place", std::type_identity<wrapping>{},
          std::type_identity<hlsl::in_place<hlsl::strided<1>, 3>>{});
}

inline std::string path_of(const std::string& name) { return std::string(SINTER_TEST_DATA "/hlsl/") + name + ".hlsl"; }

}  // namespace golden
