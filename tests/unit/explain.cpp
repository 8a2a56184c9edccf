// explain: the whole text once, then what each way of evaluation is called. That the words are true follows from where
// they come from: the functions that decide.
#include <sinter/explain.hpp>
#include <sinter/sinter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "support/cpu_backends.hpp"
#include "support/expect_error.hpp"

using sinter::cpu::highway;
using sinter::cpu::target;

namespace {

// The line that says who runs the evaluation and how.
std::string how(const sinter::explanation& what) {
    const std::string label = "run by: ";
    const std::size_t first = what.text.find(label) + label.size();
    return what.text.substr(first, what.text.find('\n', first) - first);
}

const highway here{sinter::cpu::highway{}.target()};
const std::string on_here = std::string("highway, target ") + name(here.target()) + ", ";

struct two_threads {
    static std::size_t concurrency() { return 2; }
    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        for (std::size_t i = 0; i < parts; ++i) job(i);
    }
};

}  // namespace

TEST_CASE("an explanation says what is computed, of what, how, and what it costs") {
    const std::vector<float> x(6);
    std::vector<std::int16_t> y(6);
    const auto bend = [](auto v, auto most) { return sinter::select(v > -most && v < most, v * v, 2.f); };
    const auto expression = sinter::cast<std::int16_t>(sinter::map(bend, sinter::view(x.data(), {2, 3}), 1.5f));
    const auto output = sinter::view(y.data(), {2, 3}, {1, 2});
    const sinter::explanation made = sinter::explain(sinter::cpu::scalar{}, expression, output);
    CHECK(made.text == R"(input 1 (float32, sizes {2, 3}, strides {3, 1})
the output (int16, sizes {2, 3}, strides {1, 2})
loop: strided, sizes {3, 2}
run by: scalar, one element after the other by the interpreter
memory: 24 bytes read, 12 written
program: 6 operations for each of 6 elements
  r0 = input 1                       float32
  r1 = scalar 1: 1.5                 float32, once
  r2 = negate(r1)                    float32, once
  r3 = r0 > r2                       mask
  r4 = r0 < r1                       mask
  r5 = r3 && r4                      mask
  r6 = r0 * r0                       float32
  r7 = 2                             float32, once
  r8 = select(r5, r6, r7)            float32
  r9 = truncate(r8)                  int16
)");
    CHECK(made.elements == 6);
    CHECK(made.operations == 6);
    CHECK(made.bytes_read == 24);
    CHECK(made.bytes_written == 12);
    CHECK(y == std::vector<std::int16_t>(6));

    const std::string converted = made;
    std::ostringstream stream;
    stream << made;
    CHECK(converted == made.text);
    CHECK(stream.str() == made.text);
}

TEST_CASE("integers are shown as what they are") {
    const std::vector<std::int8_t> x(4);
    const std::vector<std::uint32_t> z(4);
    CHECK(sinter::explain(sinter::view(x) + -3).text.find("scalar 1: -3 ") != std::string::npos);
    CHECK(sinter::explain(sinter::view(z) + 4000000000u).text.find("scalar 1: 4000000000 ") != std::string::npos);
}

TEST_CASE("without an output, the one that materialize makes") {
    const std::vector<float> x(12), row(3);
    const auto sum = sinter::view(x.data(), {4, 3}) + sinter::view(row);
    const std::string text = sinter::explain(sum);
    CHECK(text.find("the output (float32, sizes {4, 3}, strides {3, 1})") != std::string::npos);
    CHECK(text == std::string(sinter::explain(highway{}, sum)));
}

TEST_CASE("every loop has a name") {
    const auto usual = here.with(sinter::cpu::thresholds{});
    const std::vector<float> x(1 << 16), other(1 << 16);
    std::vector<float> y(1 << 16);
    const auto matrix = [](auto& v, std::size_t pitch) { return sinter::view(v.data(), {64, 200}, {pitch, 1u}); };
    CHECK(how(sinter::explain(usual, sinter::view(x) * 2.f, y)) == on_here + "one packed run");
    CHECK(how(sinter::explain(usual, matrix(x, 200) * 2.f, matrix(y, 256))) == on_here + "rows of 200");
    const auto turned = sinter::view(x.data(), {200, 64});
    CHECK(how(sinter::explain(usual, sinter::transpose(turned) * 2.f, matrix(y, 200))) ==
          on_here + "tiles of 32 x 128");
    CHECK(how(sinter::explain(usual, sinter::reverse(sinter::view(x), 0) * 2.f, y)).find("blocks of 512") !=
          std::string::npos);
    const auto short_rows = sinter::view(x.data(), {64, 16}, {20, 1});
    CHECK(how(sinter::explain(usual, short_rows * 2.f, sinter::view(y.data(), {64, 16}))) == on_here + "rows of 16");
    const auto narrow = sinter::view(x.data(), {64, 3}, {7, 2});
    CHECK(how(sinter::explain(usual, narrow * 2.f, sinter::view(y.data(), {64, 3}))) == on_here + "blocks of 192");
    CHECK(how(sinter::explain(usual, sinter::view(y) * 2.f, y)) == on_here + "one packed run");
}

TEST_CASE("streaming stores where they are made, and nowhere else") {
    const auto eager = here.with(sinter::cpu::thresholds{.streaming_bytes = 0});
    const std::vector<float> x(4096);
    std::vector<float> y(4096);
    CHECK(how(sinter::explain(eager, sinter::view(x) * 2.f, y)) == on_here + "one packed run, streaming stores");
    const auto shrunk = [](const auto& v) { return v | sinter::shrink(1.f, 2.f); };
    const auto twice = shrunk(shrunk(sinter::view(x)));
    CHECK(how(sinter::explain(eager, twice, y)) == on_here + "one packed run, streaming stores");
    CHECK(how(sinter::explain(eager, shrunk(shrunk(twice)), y)) == on_here + "one packed run");
    CHECK(how(sinter::explain(eager, sinter::view(y) * 2.f, y)) == on_here + "one packed run");
    const auto few = sinter::view(y).data();
    CHECK(how(sinter::explain(eager, sinter::view(x.data(), {8}) * 2.f, sinter::view(few, {8}))) ==
          on_here + "one packed run");
    const auto every_other = sinter::view(y.data(), {2048}, {2});
    CHECK(how(sinter::explain(eager, sinter::view(x.data(), {2048}) * 2.f, every_other)) == on_here + "blocks of 512");
}

TEST_CASE("tables of bytes") {
    const auto eager = here.with(sinter::cpu::thresholds{.table_elements = 100});
    const std::vector<std::uint8_t> x(100), few(99);
    const bool looked_up = how(sinter::explain(eager, sinter::view(x) + 1)).find("table") != std::string::npos;
    if (here.target() != target::avx512) CHECK(!looked_up);
#if defined(SINTER_HAS_BYTE_LOOKUP)
    if (here.target() == target::avx512) CHECK(looked_up == sinter::cpu::detail::machine_looks_up_bytes());
#endif
    CHECK(how(sinter::explain(eager, sinter::view(few) + 1)).find("table") == std::string::npos);
    // A copy computes nothing that could be looked up.
    CHECK(how(sinter::explain(eager, sinter::view(x))).find("table") == std::string::npos);
}

TEST_CASE("threads") {
    const auto parallel = here.with(sinter::cpu::thresholds{.bytes_per_thread = 4096}).with(two_threads{});
    const std::vector<float> x(4096), few(512);
    CHECK(how(sinter::explain(parallel, sinter::view(x) * 2.f)) ==
          on_here + "one packed run, in 2 parts on up to 2 threads");
    CHECK(how(sinter::explain(parallel, sinter::view(few) * 2.f)) == on_here + "one packed run on up to 2 threads");
}

TEST_CASE("every backend and target explains what it would run") {
    const std::vector<float> x(100);
    support::for_each_cpu_backend([&](const std::string& title, const auto& backend) {
        INFO(title);
        const std::string first_word = title.substr(0, title.find(','));
        CHECK(how(sinter::explain(backend, sinter::view(x) * 2.f)).rfind(first_word, 0) == 0);
    });
}

TEST_CASE("what evaluate refuses is refused") {
    std::vector<float> x(10), y(9);
    support::expect_error(sinter::errc::shape, {"{10}", "{9}"}, [&] { sinter::explain(sinter::view(x) * 2.f, y); });
    for (const target t : {target::neon, target::sse2}) {
        if (sinter::cpu::is_available(t)) continue;
        support::expect_error(sinter::errc::unsupported, {name(t)},
                              [&] { sinter::explain(highway{t}, sinter::view(x) * 2.f); });
    }
}

TEST_CASE("no elements, nothing to run") {
    std::vector<float> none;
    const sinter::explanation made = sinter::explain(sinter::view(none) * 2.f, none);
    CHECK(made.text.find("run by") == std::string::npos);
    CHECK(made.elements == 0);
    CHECK(made.bytes_read + made.bytes_written == 0);
}
