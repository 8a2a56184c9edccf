// What an evaluation records, counted on a Direct3D 12 of the tests' own.
#include <sinter/d3d12.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fake_runtime.hpp"
#include "support/elements.hpp"

namespace d3d12 = sinter::d3d12;

namespace {

struct fixture {
    fake::world world;
    d3d12::device device = [this] {
        d3d12::device_options options;
        options.on = fake::runtime(world);
        return d3d12::device::create(options);
    }();

    // The dispatches of one evaluation, and all that was recorded.
    int count(const auto& expression, const auto& out) {
        const int before = world.dispatches;
        world.recorded.clear();
        sinter::evaluate(device, expression, out).wait();
        return world.dispatches - before;
    }
    std::ptrdiff_t recorded(const char* command) const {
        return std::count(world.recorded.begin(), world.recorded.end(), command);
    }
};

constexpr auto chain = [](const auto& x) {
    return x | sinter::scale_bias(1.5f, 0.25f) | sinter::shrink(0.5f, 2.f) | sinter::threshold(-8.f);
};

}  // namespace

TEST_CASE_TEMPLATE("one dispatch at multiples of 16 bytes, at most three elsewhere, never one per operator", T,
                   ALL_ELEMENT_TYPES) {
    fixture f;
    constexpr std::size_t lanes = 16 / sizeof(T);
    constexpr std::size_t room = 2048 * lanes;
    const auto x = f.device.allocate<T>({room}), y = f.device.allocate<T>({room});
    const auto part = [](const auto& t, std::size_t first, std::size_t count) {
        return sinter::slice(t, 0, first, first + count);
    };
    for (const std::size_t vectors : {std::size_t{1}, std::size_t{5}, std::size_t{1500}, std::size_t{2000}})
        for (const std::size_t first : {std::size_t{0}, lanes, 40 * lanes})
            CHECK(f.count(chain(part(x, first, vectors * lanes)), part(y, first % 3 * lanes, vectors * lanes)) == 1);
    std::set<int> seen;
    for (const std::size_t count : {std::size_t{1}, lanes + 1, room / 2, room / 2 + 1, room - 3 * lanes - 1})
        for (std::size_t first = 0; first < lanes; ++first)
            for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
                const int dispatches = f.count(chain(part(x, first + shift, count)), part(y, first, count));
                CHECK(dispatches >= 1);
                CHECK(dispatches <= 3);
                if (shift == 1) CHECK(dispatches == 1);
                seen.insert(dispatches);
                CHECK(f.recorded("UAV barrier") == 1);
                CHECK(f.recorded("root signature") <= dispatches);
                CHECK(f.recorded("constant buffer") == 0);
            }
    CHECK(seen == std::set<int>{1, 2, 3});
    CHECK(f.count(chain(part(x, 0, 0)), part(y, 0, 0)) == 0);
    CHECK(f.world.recorded.empty());
    const auto grid = sinter::reshape(x, {2, 32, room / 64}), out = sinter::reshape(y, {2, 32, room / 64});
    CHECK(f.count(chain(sinter::transpose(grid)), sinter::transpose(out)) == 1);
    CHECK(f.count(chain(sinter::reverse(grid, 2)), out) == 1);
    CHECK(f.count(chain(grid), sinter::reverse(out, 1)) == 1);
}

TEST_CASE("a chain of 60 operators is one dispatch with its constants in a buffer") {
    fixture f;
    const auto x = f.device.allocate<float>({4096}), y = f.device.allocate<float>({4096});
    const auto ten = [](const auto& a) {
        return a | sinter::shrink(1.f, 2.f) | sinter::scale_bias(2.f, 1.f) | sinter::threshold(0.f) |
               sinter::shrink(3.f, 4.f) | sinter::scale_bias(4.f, 3.f) | sinter::threshold(1.f) |
               sinter::shrink(5.f, 6.f) | sinter::scale_bias(6.f, 5.f) | sinter::threshold(2.f) |
               sinter::scale_bias(0.5f, -1.f);
    };
    CHECK(f.count(ten(x), y) == 1);
    CHECK(f.recorded("root constants") == 1);
    CHECK(f.count(ten(ten(ten(ten(ten(ten(x)))))), y) == 1);
    CHECK(f.recorded("constant buffer") == 1);
    CHECK(f.recorded("root constants") == 0);
}

TEST_CASE("what is recorded, in order") {
    fixture f;
    const auto x = f.device.allocate<float>({64}), y = f.device.allocate<float>({64});
    f.count(x + 1.f, y);
    const std::vector<std::string> first{"UAV barrier",    "root signature", "read-only buffer", "read-write buffer",
                                         "root constants", "pipeline",       "dispatch"};
    CHECK(f.world.recorded == first);
    f.count(y + 1.f, y);  // in place: read through the output's view
    const std::vector<std::string> in_place{"UAV barrier",    "root signature", "read-write buffer",
                                            "root constants", "pipeline",       "dispatch"};
    CHECK(f.world.recorded == in_place);
}

TEST_CASE("record: into the program's list, nothing is executed") {
    fixture f;
    const auto x = f.device.allocate<float>({64}), y = f.device.allocate<float>({64});
    fake::object* const list = fake::made(f.world, fake::list_functions());
    auto* const own = reinterpret_cast<ID3D12GraphicsCommandList*>(list);
    const std::uint64_t signalled = f.world.signalled;
    f.device.record(own, x + 1.f, y);
    f.device.record(own, y * 2.f, x);
    CHECK(f.world.dispatches == 2);
    CHECK(f.recorded("UAV barrier") == 2);
    CHECK(f.recorded("transition") == 0);
    CHECK(f.world.signalled == signalled);
    f.world.recorded.clear();
    f.device.record(own, sinter::slice(x, 0, 3, 3), sinter::slice(y, 0, 3, 3));
    CHECK(f.world.recorded.empty());
    CHECK_THROWS_AS(f.device.record(nullptr, x + 1.f, y), sinter::error);
    CHECK(f.world.recorded.empty());
    d3d12::detail::com_call(d3d12::calling_convention::native, own, &IUnknown::Release);
}

TEST_CASE("an evaluation in flight keeps its buffers, a failure leaves nothing behind") {
    fixture f;
    const auto y = f.device.allocate<float>({64});
    sinter::evaluate(f.device, f.device.allocate<float>({64}) + 1.f, y).wait();
    const int before = f.world.alive;
    f.world.held = true;
    const auto last = sinter::evaluate(f.device, f.device.allocate<float>({64}) + 1.f, y);
    CHECK(f.world.alive == before + 1);
    f.world.finish();
    last.wait();
    CHECK(f.world.alive == before);
    f.world.held = false;
    const auto x = f.device.allocate<float>({64});
    for (const std::size_t ahead : {0u, 1u, 2u, 3u}) {
        f.world.recorded.clear();
        f.world.failing_call = f.world.calls.size() + ahead;
        CHECK_THROWS_AS(sinter::evaluate(f.device, x * 3.f - y, y), sinter::error);
        f.world.failing_call = ~std::size_t{0};
    }
    sinter::evaluate(f.device, x * 3.f - y, y).wait();
}
