// Geometry against kernels that are simulated on byte numbers: every element is written once, from the right elements,
// and no bit outside the output.
#include <sinter/core/error.hpp>
#include <sinter/expr/arithmetic.hpp>
#include <sinter/expr/cast.hpp>
#include <sinter/hlsl.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlsl = sinter::hlsl;
using sinter::element_type;
using sinter::operation;

namespace {

constexpr element_type type_of_size(std::size_t bytes) {
    return bytes == 4 ? element_type::uint32 : bytes == 2 ? element_type::uint16 : element_type::uint8;
}

// A program that reads every input.
struct reader {
    std::array<sinter::instruction, 2 * sinter::max_inputs> code{};
    sinter::program_view view;

    reader(const std::vector<std::size_t>& inputs, std::size_t output) {
        const auto type = sinter::to_value_type(type_of_size(output));
        std::size_t size = 0;
        std::uint16_t sum = 0;
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const auto id = static_cast<std::uint16_t>(size);
            code[size++] = {.op = operation::input,
                            .type = sinter::to_value_type(type_of_size(inputs[k])),
                            .bits = static_cast<std::uint32_t>(k)};
            view.input_types[k] = type_of_size(inputs[k]);
            if (k > 0) code[size++] = {.op = operation::add, .type = type, .a = sum, .b = id};
            sum = static_cast<std::uint16_t>(size - 1);
        }
        view.code = code.data();
        view.size = size;
        view.result = sum;
        view.output = type_of_size(output);
        view.inputs = inputs.size();
    }
};

// Values of constants by role, as the text names them.
struct constants {
    hlsl::kernel_interface boundary;
    std::vector<std::uint32_t> values;

    std::uint32_t operator()(hlsl::constant_role role, std::size_t operand = 0, std::size_t dimension = 0) const {
        for (std::size_t i = 0; i < boundary.geometry_constants; ++i)
            if (boundary.geometry[i] ==
                hlsl::constant{role, static_cast<std::uint8_t>(operand), static_cast<std::uint8_t>(dimension)})
                return values[i];
        FAIL("the kernel has no such constant");
        return 0;
    }
};

using byte_numbers = std::array<std::int64_t, 4>;  // of a word: which byte of the buffer each byte came from

class simulation {
public:
    simulation(const sinter::program_view& program, const sinter::plan& p, const hlsl::geometry& g,
               const std::vector<std::uint64_t>& starts)
        : program_(program), plan_(p), g_(g), starts_(starts), writes_(p.count, 0) {}

    void run() {
        for (std::size_t i = 0; i < g_.dispatch_count; ++i) run(g_.dispatches[i]);
        CHECK(std::all_of(writes_.begin(), writes_.end(), [](int n) { return n == 1; }));
    }

private:
    using role = hlsl::constant_role;

    std::size_t bytes(std::size_t k) const { return size_of(plan_.operands[k].type); }
    std::size_t output() const { return plan_.inputs; }

    void run(const hlsl::dispatch& d) {
        constants c{hlsl::interface_of(program_, d.as), {}};
        c.values.resize(c.boundary.constants());
        hlsl::write_constants(c.boundary, g_, d, nullptr, c.values.data());
        const std::uint64_t threads = std::uint64_t{d.groups_x} * d.groups_y * hlsl::threads_per_group;
        REQUIRE(d.groups_x <= 65535);
        REQUIRE(d.groups_y <= 65535);
        REQUIRE(threads >= d.count);
        REQUIRE(threads - d.count < 65536 * hlsl::threads_per_group);
        for (std::uint32_t i = 0; i < c(role::count); ++i) {
            switch (d.as.kind) {
                case hlsl::form::packed: packed(d, c, i); break;
                case hlsl::form::words: words(d, c, i); break;
                case hlsl::form::gather: gather(d, c, i); break;
                case hlsl::form::strided: strided(d, c, i); break;
            }
        }
    }

    // The number, in the buffer, of a byte of a view; reads stay in the buffer.
    std::int64_t checked(std::size_t k, std::uint64_t byte_of_view) const {
        const std::uint64_t byte = g_.operands[k].view + byte_of_view;
        if (byte >= g_.operands[k].last) FAIL("a read behind the operand's last word");
        return static_cast<std::int64_t>(byte);
    }
    byte_numbers word(std::size_t k, std::uint32_t index) const {
        const std::int64_t first = checked(k, std::uint64_t{index} * 4);
        return {first, first + 1, first + 2, first + 3};
    }

    // Element `number` of the loop, and the byte where it lies.
    std::uint64_t byte_of_element(std::size_t k, std::uint64_t number) const {
        std::int64_t at =
            static_cast<std::int64_t>(starts_[k]) + plan_.operands[k].offset * static_cast<std::int64_t>(bytes(k));
        for (std::size_t d = plan_.rank; d-- > 0;) {
            const auto coordinate = static_cast<std::int64_t>(number % plan_.sizes[d]);
            number /= plan_.sizes[d];
            at += coordinate * plan_.operands[k].strides[d] * static_cast<std::int64_t>(bytes(k));
        }
        return static_cast<std::uint64_t>(at);
    }
    std::uint64_t element_at(std::uint64_t output_byte) const {
        for (std::uint64_t n = 0; n < plan_.count; ++n)
            if (byte_of_element(output(), n) == output_byte) return n;
        FAIL("a write outside the output");
        return 0;
    }
    // For dense outputs, without a search.
    std::uint64_t dense_element_at(std::uint64_t output_byte) const {
        const std::uint64_t begin = byte_of_element(output(), 0);
        if (output_byte < begin || output_byte >= begin + plan_.count * bytes(output()))
            FAIL("a write outside the output");
        return (output_byte - begin) / bytes(output());
    }

    void wrote(std::uint64_t n) { ++writes_[n]; }
    void read(std::size_t k, std::uint64_t n, std::int64_t byte) const {
        if (byte != static_cast<std::int64_t>(byte_of_element(k, n))) FAIL("a read of another element");
    }

    void packed(const hlsl::dispatch& d, const constants& c, std::uint32_t i) {
        const std::uint64_t items = 16 / bytes(output());
        const std::uint64_t to = g_.operands[output()].view + (std::uint64_t{c(role::output_first)} + i) * 16;
        for (std::uint64_t e = 0; e < items; ++e) {
            const std::uint64_t n = dense_element_at(to + e * bytes(output()));
            wrote(n);
            for (std::size_t k = 0; k < plan_.inputs; ++k) {
                if ((d.as.in_place >> k & 1) != 0) {
                    read(k, n, static_cast<std::int64_t>(to + e * bytes(k)));
                    continue;
                }
                const std::uint64_t unit = c.boundary.inputs[k].bytes;
                const std::uint64_t parts = items * bytes(k) / unit;
                const std::uint64_t byte = e * bytes(k);
                read(k, n, checked(k, (c(role::input_first, k) + i * parts + byte / unit) * unit + byte % unit));
            }
        }
    }

    std::uint32_t mask_of(const constants& c, std::uint32_t i) const {
        if (bytes(output()) == 4) return 0xffffffffu;
        return (i == 0 ? c(role::head_mask) : 0xffffffffu) &
               (i == c(role::count) - 1 ? c(role::tail_mask) : 0xffffffffu);
    }

    // visit(lane, element) for the lanes of a word that its mask selects.
    template <class Visitor>
    void for_each_lane(const constants& c, std::uint32_t i, Visitor visit) {
        const std::uint32_t mask = mask_of(c, i);
        const std::size_t size = bytes(output());
        const std::uint64_t to = g_.operands[output()].view + (std::uint64_t{c(role::output_first)} + i) * 4;
        for (std::size_t lane = 0; lane < 4 / size; ++lane) {
            const std::uint32_t ours = size == 4 ? 0xffffffffu : ((1u << (8 * size)) - 1u) << (8 * size * lane);
            if ((mask & ours) == 0) continue;
            REQUIRE((mask & ours) == ours);
            const std::uint64_t n = dense_element_at(to + lane * size);
            wrote(n);
            visit(lane, n);
        }
    }

    void words(const hlsl::dispatch& d, const constants& c, std::uint32_t i) {
        const std::size_t size = bytes(output());
        const auto lanes = static_cast<std::uint32_t>(4 / size);
        for_each_lane(c, i, [&](std::size_t lane, std::uint64_t n) {
            for (std::size_t k = 0; k < plan_.inputs; ++k) {
                if ((d.as.in_place >> k & 1) != 0) {
                    const std::uint64_t word = std::uint64_t{c(role::output_first)} + i;
                    read(k, n, static_cast<std::int64_t>(g_.operands[output()].view + word * 4 + lane * size));
                } else if (bytes(k) != size) {
                    std::uint32_t e = i * lanes + static_cast<std::uint32_t>(lane);
                    if (lanes > 1) e = std::min(std::max(e, c(role::lowest)), c(role::highest));
                    e += c(role::input_first, k);
                    read(k, n, checked(k, std::uint64_t{e} * bytes(k)));
                } else if (size == 4) {
                    read(k, n, word(k, c(role::input_first, k) + i)[0]);
                } else {
                    read(k, n, shifted(c, k, i)[lane * size]);
                }
            }
        });
    }
    byte_numbers shifted(const constants& c, std::size_t k, std::uint32_t i) const {
        const std::uint32_t j = i + c(role::input_first, k);
        const byte_numbers low = word(k, j == 0 ? 0 : j - 1);
        const byte_numbers high = word(k, std::min(j, c(role::input_last, k)));
        const std::size_t shift = c(role::input_shift, k) / 8;
        byte_numbers made;
        for (std::size_t b = 0; b < 4; ++b) made[b] = b + shift < 4 ? low[b + shift] : high[b + shift - 4];
        return made;
    }

    std::uint32_t index(const constants& c, role first, role stride, std::size_t k, std::uint64_t number) const {
        std::uint32_t at = c(first, k);
        for (std::size_t d = 0; d < plan_.rank; ++d) {
            const std::uint64_t size = d + 1 < plan_.rank ? c(role::size, 0, d) : number + 1;
            at += static_cast<std::uint32_t>(number % size) * c(stride, k, d);
            number /= size;
        }
        return at;
    }

    void gather(const hlsl::dispatch& d, const constants& c, std::uint32_t i) {
        const auto lanes = static_cast<std::uint32_t>(4 / bytes(output()));
        for_each_lane(c, i, [&](std::size_t lane, std::uint64_t n) {
            const std::uint32_t head = lanes > 1 ? c(role::lowest) : 0;
            const std::uint32_t number = i * lanes + static_cast<std::uint32_t>(lane) - head;
            CHECK(number == n);
            if (lanes > 1) CHECK(number + head <= c(role::highest));
            for (std::size_t k = 0; k < plan_.inputs; ++k) {
                if ((d.as.in_place >> k & 1) != 0) continue;
                const std::uint32_t e = index(c, role::input_first, role::input_stride, k, number);
                read(k, n, checked(k, std::uint64_t{e} * bytes(k)));
            }
        });
    }

    void strided(const hlsl::dispatch& d, const constants& c, std::uint32_t i) {
        const std::uint32_t at = index(c, role::output_first, role::output_stride, 0, i);
        const std::uint64_t n = element_at(g_.operands[output()].view + std::uint64_t{at} * bytes(output()));
        wrote(n);
        for (std::size_t k = 0; k < plan_.inputs; ++k) {
            if ((d.as.in_place >> k & 1) != 0) continue;
            const std::uint32_t e = index(c, role::input_first, role::input_stride, k, i);
            read(k, n, checked(k, std::uint64_t{e} * bytes(k)));
        }
    }

    const sinter::program_view& program_;
    const sinter::plan& plan_;
    const hlsl::geometry& g_;
    const std::vector<std::uint64_t>& starts_;
    std::vector<int> writes_;
};

struct shaped {
    std::size_t bytes;
    std::uint64_t offset;
    std::vector<std::size_t> sizes;
    std::vector<std::ptrdiff_t> strides;
};

shaped dense(std::size_t bytes, std::uint64_t element, std::size_t count) {
    return {bytes, element * bytes, {count}, {1}};
}

// Buffers lie far apart, unless an input is in place.
struct evaluated {
    sinter::plan plan;
    hlsl::geometry geometry;
    std::vector<std::uint64_t> offsets;
};

evaluated lay_out(const std::vector<shaped>& inputs, const shaped& output, bool first_in_place = false,
                  std::uint64_t few_vectors = 1) {
    evaluated made;
    std::vector<sinter::operand_view> views;
    const auto view = [](const shaped& s, std::uint64_t buffer) {
        return sinter::operand_view{(buffer << 50) + s.offset, type_of_size(s.bytes), s.sizes.size(), s.sizes.data(),
                                    s.strides.data()};
    };
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        views.push_back(view(inputs[k], k == 0 && first_in_place ? 1 : k + 2));
        made.offsets.push_back(inputs[k].offset);
    }
    made.offsets.push_back(output.offset);
    sinter::make_plan(made.plan, views.data(), views.size(), view(output, 1));
    hlsl::make_geometry(made.geometry, made.plan, {.offsets = made.offsets.data(), .few_vectors = few_vectors});
    return made;
}

void simulate(const std::vector<shaped>& inputs, const shaped& output, bool first_in_place = false,
              std::uint64_t few_vectors = 1) {
    std::vector<std::size_t> sizes;
    for (const shaped& s : inputs) sizes.push_back(s.bytes);
    const reader program(sizes, output.bytes);
    const evaluated made = lay_out(inputs, output, first_in_place, few_vectors);
    simulation(program.view, made.plan, made.geometry, made.offsets).run();
}

}  // namespace

TEST_CASE("dense operands of every size at every offset") {
    for (const std::size_t out : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
        for (const std::size_t in : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
            CAPTURE(out);
            CAPTURE(in);
            for (std::size_t n = 1; n <= 19; ++n)
                for (std::uint64_t to = 0; to < 6; ++to)
                    for (std::uint64_t from = 0; from < 6; ++from) simulate({dense(in, from, n)}, dense(out, to, n));
            for (const std::size_t n : {std::size_t{32}, std::size_t{47}, std::size_t{48}, std::size_t{49}})
                for (std::uint64_t to = 0; to < 17; ++to)
                    for (std::uint64_t from = 0; from < 17; ++from)
                        simulate({dense(in, from + 250, n)}, dense(out, to + 60, n));
        }
    }
}

TEST_CASE("dense operands in place, and mixed with others") {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
        for (std::size_t n = 1; n <= 50; ++n) {
            for (std::uint64_t at = 0; at < 17; at += 3) {
                simulate({dense(bytes, at, n)}, dense(bytes, at, n), true);
                simulate({dense(bytes, at, n), dense(1, at + 1, n), dense(4, at, n)}, dense(bytes, at, n), true);
            }
        }
    }
}

TEST_CASE("one dispatch where everything is whole vectors, at most three elsewhere") {
    const auto count = [](std::size_t n, std::uint64_t to, std::uint64_t from, std::uint64_t few_vectors = 1) {
        return lay_out({dense(1, from, n)}, dense(1, to, n), false, few_vectors).geometry.dispatch_count;
    };
    CHECK(count(64, 0, 0) == 1);
    CHECK(count(64, 16, 32) == 1);
    CHECK(count(65, 0, 0) == 2);
    CHECK(count(64, 1, 17) == 3);
    CHECK(count(63, 1, 17) == 2);
    CHECK(count(64, 1, 2) == 1);  // the residues differ: words
    CHECK(count(65, 0, 0, 1024) == 1);
    CHECK(count(16, 0, 0, 1024) == 1);

    const auto kind = [](const std::vector<shaped>& inputs, const shaped& output) {
        return lay_out(inputs, output).geometry.dispatches[0].as;
    };
    CHECK(kind({dense(1, 0, 64)}, dense(1, 0, 64)).kind == hlsl::form::packed);
    CHECK(kind({dense(1, 1, 64)}, dense(1, 0, 64)).kind == hlsl::form::words);
    CHECK(kind({dense(1, 4, 64)}, dense(4, 0, 64)).kind == hlsl::form::packed);  // a vector takes 4 of its bytes
    CHECK(kind({dense(1, 2, 64)}, dense(4, 0, 64)).kind == hlsl::form::words);
    CHECK(kind({shaped{1, 0, {1}, {1}}}, dense(1, 0, 64)) == hlsl::gather<1>::value);
    CHECK(kind({shaped{1, 0, {8, 8}, {1, 8}}}, shaped{1, 0, {8, 8}, {8, 1}}) == hlsl::gather<2>::value);
    CHECK(kind({dense(1, 0, 64)}, shaped{1, 0, {64}, {2}}) == hlsl::strided<1>::value);
}

TEST_CASE("nothing to do is no dispatch") {
    CHECK(lay_out({dense(4, 0, 0)}, dense(4, 0, 0)).geometry.dispatch_count == 0);
}

TEST_CASE("strided operands of every size at every offset") {
    for (const std::size_t out : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
        for (const std::size_t in : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
            for (std::uint64_t at = 0; at < 6; ++at) {
                const shaped packed{out, at * out, {3, 5, 7}, {35, 7, 1}};
                const shaped padded{out, at * out, {3, 5, 7}, {80, 11, 1}};
                const shaped backwards{out, (at + 140) * out, {3, 5, 7}, {35, 7, -1}};
                const shaped transposed{in, (at + 1) * in, {3, 5, 7}, {1, 3, 15}};
                const shaped reversed{in, (at + 300) * in, {3, 5, 7}, {-70, -14, -2}};
                const shaped row{in, at * in, {7}, {3}};
                const shaped column{in, at * in, {3, 1, 1}, {1, 1, 1}};
                for (const shaped& to : {packed, padded, backwards})
                    for (const shaped& from : {transposed, reversed, row, column}) simulate({from, row}, to);
                simulate({shaped{out, padded.offset, padded.sizes, padded.strides}, row}, padded, true);
                simulate({shaped{out, packed.offset, packed.sizes, packed.strides}, row}, packed, true);
            }
        }
    }
}

TEST_CASE("eight dimensions") {
    const shaped to{1, 3, {2, 3, 1, 2, 3, 2, 2, 2}, {144, 48, 48, 24, 8, 4, 2, 1}};
    const shaped from{2, 0, {2, 3, 1, 2, 3, 2, 2, 2}, {1, 2, 7, 6, 12, 36, 72, 144}};
    simulate({from}, to);
}

TEST_CASE("thread groups beyond 65535 are spread over two dimensions") {
    const evaluated made = lay_out({dense(4, 0, 1u << 26)}, dense(4, 0, 1u << 26));
    const hlsl::dispatch& d = made.geometry.dispatches[0];
    CHECK(d.count == 1u << 24);
    CHECK(d.groups_y == 5);
    CHECK(d.groups_x == 52429);
}

TEST_CASE("what 32-bit numbers cannot say is refused") {
    const auto refused = [](const std::vector<shaped>& inputs, const shaped& output) {
        try {
            lay_out(inputs, output);
        } catch (const sinter::error& e) {
            return e.code();
        }
        return sinter::errc::shape;
    };
    constexpr std::size_t large = std::size_t{1} << 32;
    CHECK(refused({shaped{1, 0, {1}, {1}}}, dense(1, 0, large)) == sinter::errc::too_large);
    CHECK(refused({dense(1, 0, large)}, shaped{1, 0, {large}, {2}}) == sinter::errc::too_large);
    CHECK(refused({dense(1, 0, large)}, dense(2, 0, large)) == sinter::errc::shape);  // vectors can: not refused
    CHECK(refused({dense(1, 1, large)}, dense(2, 0, large)) == sinter::errc::too_large);
    CHECK(refused({shaped{4, 0, {2, 2}, {std::ptrdiff_t{1} << 31, 1}}}, shaped{4, 0, {2, 2}, {2, 1}}) ==
          sinter::errc::shape);
    CHECK(refused({shaped{4, 0, {2, 3}, {std::ptrdiff_t{1} << 32, 1}}}, shaped{4, 0, {2, 3}, {3, 1}}) ==
          sinter::errc::too_large);
    CHECK(refused({shaped{4, 0, {8}, {-1}}}, dense(4, 0, 8)) == sinter::errc::value);
    CHECK(refused({shaped{4, 2, {8}, {1}}}, dense(4, 0, 8)) == sinter::errc::value);
}
