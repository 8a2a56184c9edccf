// A program that holds DirectML descriptors already: its header comes first, and the names of the layer are its own.
#if __has_include(<directx/DirectML.h>) && __has_include(<wsl/winadapter.h>) && __has_include(<unknwn.h>)
#include <wsl/winadapter.h>

#include <directx/d3d12.h>

#include <directx/DirectML.h>

#include <sinter/cpu/scalar.hpp>
#include <sinter/directml/compiled_operator.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

static_assert(std::is_same_v<sinter::directml::DML_OPERATOR_DESC, ::DML_OPERATOR_DESC>);
static_assert(std::is_same_v<sinter::directml::DML_BUFFER_TENSOR_DESC, ::DML_BUFFER_TENSOR_DESC>);
static_assert(sinter::directml::DML_FEATURE_LEVEL_6_4 == ::DML_FEATURE_LEVEL_6_4);
static_assert(std::is_constructible_v<sinter::directml::buffer_region, ::DML_BUFFER_BINDING>);

TEST_CASE("DirectML's own descriptors compile and run") {
    const UINT sizes[] = {2, 3};
    DML_BUFFER_TENSOR_DESC buffer{};
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 2;
    buffer.Sizes = sizes;
    buffer.TotalTensorSizeInBytes = 24;
    const DML_TENSOR_DESC tensor{DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ACTIVATION_SHRINK_OPERATOR_DESC shrink{&tensor, &tensor, 0.5f, 1.f};
    const DML_OPERATOR_DESC desc{DML_OPERATOR_ACTIVATION_SHRINK, &shrink};
    const std::vector<float> x{-3.f, -0.4f, 0.f, 0.7f, 2.5f, 1.f};
    std::vector<float> y(6);
    sinter::directml::compile(desc).dispatch(sinter::cpu::scalar{}, x.data(), y.data());
    CHECK(y == std::vector<float>{-2.5f, 0.f, 0.f, 0.f, 2.f, 0.f});
    buffer.TotalTensorSizeInBytes = 20;
    CHECK_THROWS_AS(sinter::directml::compile(desc), sinter::directml::descriptor_error);
}

#else

#include <doctest/doctest.h>

TEST_CASE("DirectML's own descriptors compile and run" * doctest::skip()) {}

#endif
