// Kernels compiled ahead of time: what aot::add writes down is what an evaluation asks for, and a device that has it
// asks no compiler.
#include <sinter/aot.hpp>
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fake_runtime.hpp"
#include "support/d3d12_device.hpp"
#include "support/expect_error.hpp"

namespace aot = sinter::aot;
namespace d3d12 = sinter::d3d12;
using sinter::errc;

namespace {

// A backend of aot::add with a list of its own.
struct writing {
    std::vector<aot::written_kernel> written;

    void add(std::string_view name, const auto& x, const auto& out) {
        sinter::evaluate(aot::detail::kernel_writer(written, name), x, out);
    }
    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const aot::written_kernel& kernel : written) result.push_back(kernel.name);
        return result;
    }
    std::vector<d3d12::shader> shaders() const {
        static constexpr unsigned char bytecode[4]{};
        std::vector<d3d12::shader> result;
        for (const aot::written_kernel& kernel : written)
            result.push_back({kernel.text, bytecode, D3D_SHADER_MODEL_5_1});
        return result;
    }
};

d3d12::device without_compiler(d3d12::runtime on) {
    on.hlsl_compiler = {};
    on.other_compilers.clear();
    d3d12::device_options options;
    options.on = std::move(on);
    return d3d12::device::create(options);
}

// Evaluations as a program writes them, for tensors of aot or of a device: x and y of one shape, z transposed. Two
// programs in all layouts, since each takes its time to compile.
constexpr auto chain = [](const auto& x) { return x | sinter::scale_bias(2.f, 1.f) | sinter::shrink(0.5f, 1.f); };
constexpr auto sum = [](const auto& x, const auto& y) { return x + y; };

void for_each_evaluation(const auto& x, const auto& y, const auto& z, const auto& use) {
    using sinter::slice, sinter::transpose;
    use("dense", chain(x), y);
    use("dense", chain(x), x);
    use("transposed", chain(transpose(x)), transpose(y));  // dense again
    use("turned", chain(transpose(x)), z);
    use("rows", chain(slice(x, 1, 3, 10)), slice(y, 1, 1, 8));
    use("rows", chain(slice(x, 1, 3, 10)), slice(x, 1, 3, 10));
    use("shared", chain(slice(x, 0, 0, 3)), slice(x, 0, 4, 7));
    use("two", sum(x, y), y);
    use("broadcast", sum(slice(x, 0, 1, 2), y), y);
    use("reversed", sum(sinter::reverse(x, 1), y), transpose(z));
}

std::string error_of(errc code, const auto& action) {
    try {
        action();
    } catch (const sinter::error& failure) {
        CHECK(failure.code() == code);
        return failure.what();
    }
    FAIL_CHECK("no error");
    return {};
}

}  // namespace

TEST_CASE("what is added is what evaluations ask for, at any sizes and offsets") {
    writing list;
    const aot::tensor<float, 2> x({20, 30}), y({20, 30}), z({30, 20});
    const auto add = [&](std::string_view name, const auto& of, const auto& to) { list.add(name, of, to); };
    for_each_evaluation(x, y, z, add);
    const std::vector<std::string> names = list.names();
    for (const char* const expected :
         {"dense_packed", "dense_words", "dense_packed_in_place", "dense_words_in_place", "transposed_packed",
          "turned_gather_2", "rows_strided_2", "rows_strided_2_in_place", "shared_packed_read_write",
          "two_packed_in_place_2", "broadcast_gather_2_in_place_2"})
        CHECK_MESSAGE(std::count(names.begin(), names.end(), expected) == 1, expected);
    const std::vector<d3d12::shader> shaders = list.shaders();

    fake::world world;
    std::string last_refused;
    struct shape {
        std::size_t rows, columns, offset;
    };
    for (const auto [rows, columns, first] :
         {shape{20, 30, 0}, shape{7, 11, 1}, shape{300, 200, 3}, shape{256, 256, 16}, shape{8, 10, 5}}) {
        const d3d12::device gpu = without_compiler(fake::runtime(world));
        const auto tensor = [&, offset = first](std::size_t height, std::size_t width) {
            const auto all = gpu.allocate<float>({height * width + offset});
            return sinter::reshape(sinter::slice(all, 0, offset, offset + height * width), {height, width});
        };
        const auto there_x = tensor(rows, columns), there_y = tensor(rows, columns), there_z = tensor(columns, rows);
        int refused = 0;
        const auto evaluate = [&](std::string_view name, const auto& of, const auto& to) {
            try {
                sinter::evaluate(gpu, of, to);
            } catch (const sinter::error& failure) {
                ++refused;
                CHECK(failure.code() == errc::d3d12_unavailable);
                last_refused = name;
            }
        };
        for_each_evaluation(there_x, there_y, there_z, evaluate);
        CHECK(refused == 10);
        CHECK(world.dispatches == 0);
        gpu.add(shaders);
        for_each_evaluation(there_x, there_y, there_z, evaluate);
        CHECK_MESSAGE(refused == 10, last_refused);
        CHECK(world.dispatches >= 10);
        world.dispatches = 0;
    }
    CHECK(world.alive == 0);
}

TEST_CASE("an expression and a layout that were not added are errors that say what is missing") {
    writing list;
    const aot::tensor<float, 1> x({100}), y({100});
    list.add("chain", chain(x), y);
    const std::vector<d3d12::shader> shaders = list.shaders();
    fake::world world;
    const d3d12::device gpu = without_compiler(fake::runtime(world));
    const auto here = gpu.allocate<float>({100}), there = gpu.allocate<float>({100});
    const std::string bare = error_of(errc::d3d12_unavailable, [&] { sinter::evaluate(gpu, chain(here), there); });
    CHECK(bare == "sinter: the Direct3D 12 runtime was found without a shader compiler");
    gpu.add(shaders);
    sinter::evaluate(gpu, chain(here), there);
    const std::string other = error_of(errc::d3d12_unavailable, [&] { sinter::evaluate(gpu, sum(here, here), there); });
    CHECK(other.find("none of the 2 that were compiled ahead of time by sinter::aot::add") != other.npos);
    CHECK(other.find("\n// float32 from float32, float32, 3 instructions") != other.npos);
    CHECK(other.find("\n// Dense operands") != other.npos);
    CHECK(other.find("cbuffer") == other.npos);
    const std::string in_place = error_of(errc::d3d12_unavailable, [&] { sinter::evaluate(gpu, chain(here), here); });
    CHECK(in_place.find("float32 from float32 in place") != in_place.npos);
    CHECK(gpu.pipelines_kept() == 1);
}

TEST_CASE("what was added is taken before a compiler is asked, and the rest is compiled") {
    writing list;
    const aot::tensor<float, 1> x({100}), y({100});
    list.add("chain", chain(x), y);
    const std::vector<d3d12::shader> shaders = list.shaders();
    fake::world world;
    d3d12::device_options options;
    options.on = fake::runtime(world);
    const d3d12::device gpu = d3d12::device::create(options);
    gpu.add(shaders);
    const auto here = gpu.allocate<float>({100}), there = gpu.allocate<float>({100});
    sinter::evaluate(gpu, chain(here), there);
    CHECK(std::count(world.calls.begin(), world.calls.end(), "D3DCompile") == 0);
    sinter::evaluate(gpu, sum(here, here), there);
    CHECK(std::count(world.calls.begin(), world.calls.end(), "D3DCompile") == 1);

    fake::world next;
    options.on = fake::runtime(next);
    options.on->hlsl_compiler.compile = [](std::string_view) { return d3d12::compilation{false, {}, "out of order"}; };
    const d3d12::device failing = d3d12::device::create(options);
    failing.add(shaders);
    const auto x2 = failing.allocate<float>({100}), y2 = failing.allocate<float>({100});
    sinter::evaluate(failing, chain(x2), y2);
    const auto other = [&] { sinter::evaluate(failing, sum(x2, x2), y2); };
    const std::string message = error_of(errc::compile_failed, other);
    CHECK(message.find("out of order") != message.npos);
}

TEST_CASE("kernels of a shader model that the device does not take are refused") {
    static constexpr unsigned char bytecode[4]{};
    const d3d12::shader newer[] = {{"a kernel", bytecode, D3D_SHADER_MODEL_6_0}};
    fake::world world;
    const d3d12::device gpu = without_compiler(fake::runtime(world));
    const std::string message = error_of(errc::unsupported, [&] { gpu.add(newer); });
    CHECK(message.find("compiled ahead of time has shader model 6.0, and fake adapter takes no more than 5.1") !=
          message.npos);
    world.highest_shader_model = D3D_SHADER_MODEL_6_0;
    gpu.add(newer);
}

TEST_CASE("mistakes in what is added") {
    writing list;
    const aot::tensor<float, 1> x({100}), y({100}), none({0});
    list.add("chain", chain(x), y);
    list.add("chain", chain(x), y);  // the same once more
    CHECK(list.written.size() == 2);
    support::expect_error(errc::value, {"'chain'", "two expressions"}, [&] { list.add("chain", sum(x, x), y); });
    for (const std::string name : {"a/b", "", "2d", "a b", "a-b"})
        support::expect_error(errc::value, {("'" + name + "'").c_str()}, [&] { list.add(name, sum(x, x), y); });
    support::expect_error(errc::shape, {"'empty'"}, [&] { list.add("empty", chain(none), none); });
    const auto low = sinter::slice(x, 0, 0, 9), high = sinter::slice(x, 0, 1, 10);
    support::expect_error(errc::overlap, {}, [&] { list.add("shifted", low, high); });
    CHECK(list.written.size() == 2);
}

TEST_CASE("a real device without a compiler computes the CPU's bits") {
    const d3d12::compiler& compiler = support::gpu().runtime_used().hlsl_compiler;
    writing list;
    const aot::tensor<float, 1> x({100}), y({100});
    list.add("chain", chain(x), y);
    std::vector<std::vector<std::byte>> bytecodes;
    std::vector<d3d12::shader> shaders;
    for (const aot::written_kernel& kernel : list.written) {
        bytecodes.push_back(d3d12::detail::compiled(compiler, kernel.text));
        const auto* const first = reinterpret_cast<const unsigned char*>(bytecodes.back().data());
        shaders.push_back({kernel.text, {first, bytecodes.back().size()}, compiler.shader_model});
    }
    const d3d12::device gpu = without_compiler(support::gpu().runtime_used());
    gpu.add(shaders);
    std::vector<float> values(5003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97) * 0.03125f - 1.5f;
    const auto there = gpu.upload(values);
    for (const std::size_t first : {0u, 1u, 4u}) {
        std::vector<float> expected(values.size() - first), got(expected.size());
        sinter::evaluate(sinter::cpu::scalar{}, chain(sinter::slice(sinter::view(values), 0, first, values.size())),
                         expected);
        gpu.download(sinter::materialize(gpu, chain(sinter::slice(there, 0, first, values.size()))), got);
        CHECK(got == expected);
    }
    error_of(errc::d3d12_unavailable, [&] { sinter::materialize(gpu, sum(there, there)); });
}
