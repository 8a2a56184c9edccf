// Typed expressions against the model: what a chain of DirectML operators cannot say. Strides of every sign, broadcast,
// ranks that differ, casts, masks, map bodies, scalars that do not fit, memory that is shared, shifted or missing; on
// every CPU backend. The expressions are fixed, since they are types; each is written once, for sinter and the model.
#include <sinter/sinter.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "model.hpp"
#include "source.hpp"
#include "support/cpu_backends.hpp"

namespace {

using fuzz::source;
using model::kind;

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using sinter::float16;

struct scalars {
    std::array<float, 6> f;
    std::int64_t n;  // may not fit the element type
};

// ---- one case: operands of any rank, and where they lie

struct operand {
    kind k{};
    std::vector<std::size_t> sizes;
    std::vector<std::ptrdiff_t> strides;
    std::byte* first = nullptr;  // element 0

    std::size_t count() const {
        std::size_t all = 1;
        for (const std::size_t size : sizes) all *= size;
        return all;
    }
    std::ptrdiff_t bytes() const { return static_cast<std::ptrdiff_t>(model::bytes_of(k)); }

    // Bytes from element 0 to the lowest and to the end of the highest.
    std::pair<std::ptrdiff_t, std::ptrdiff_t> extent() const {
        std::ptrdiff_t low = 0, high = 0;
        for (std::size_t i = 0; i < sizes.size() && count() != 0; ++i)
            (strides[i] < 0 ? low : high) += strides[i] * static_cast<std::ptrdiff_t>(sizes[i] - 1);
        return {low * bytes(), (high + 1) * bytes()};
    }

    // The address of the element that meets the output's at `index`: aligned at the right, a size of 1 repeats.
    std::byte* at(const std::vector<std::size_t>& index) const {
        std::ptrdiff_t offset = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (sizes[i] != 1)
                offset += static_cast<std::ptrdiff_t>(index[index.size() - sizes.size() + i]) * strides[i];
        return first + offset * bytes();
    }

    sinter::operand_view view() const {
        constexpr std::array types{sinter::element_type::float32, sinter::element_type::float16,
                                   sinter::element_type::int32,   sinter::element_type::int16,
                                   sinter::element_type::int8,    sinter::element_type::uint32,
                                   sinter::element_type::uint16,  sinter::element_type::uint8};
        return {reinterpret_cast<std::uintptr_t>(first), types[static_cast<std::size_t>(k)], sizes.size(), sizes.data(),
                strides.data()};
    }

    std::string text() const { return sinter::detail::describe_operand(view(), 0, true); }
};

struct operands {
    std::array<operand, 3> inputs;
    std::size_t input_count;
    operand output;
};

// ---- the expressions

template <class T>
using dummy = sinter::tensor_view<const T, 1>;

// Views that only say which input stands where: by their size.
struct finder {
    std::array<std::size_t, 16> inputs{};
    std::array<std::uint32_t, 32> parameters{};
    std::size_t input_count = 0, parameter_count = 0;

    template <class View>
    void input(const View& view) {
        inputs[input_count++] = view.sizes()[0] - 1;
    }
    void parameter(std::uint32_t bits) { parameters[parameter_count++] = bits; }
};

template <class Expression, class Backend>
void run_on(const Backend& backend, const Expression& expression, const operands& o) {
    finder found;
    sinter::detail::visit_leaves(expression, found);
    std::array<sinter::operand_view, 16> views;
    std::array<const void*, 16> locations;
    for (std::size_t i = 0; i < found.input_count; ++i) {
        views[i] = o.inputs[found.inputs[i]].view();
        locations[i] = o.inputs[found.inputs[i]].first;
    }
    sinter::plan p;
    make_plan(p, views.data(), found.input_count, o.output.view());
    backend.template run<sinter::program_for<Expression>>(
        p, sinter::memory_bindings{locations.data(), o.output.first, found.parameters.data()});
}

struct threads {
    static constexpr std::size_t concurrency() { return 3; }
    template <class Job>
    void run(std::size_t parts, const Job& job) const {
        std::vector<std::thread> all;
        for (std::size_t i = 0; i < parts; ++i) all.emplace_back([&job, i] { job(i); });
        for (std::thread& one : all) one.join();
    }
};

template <class T, std::size_t Rank>
sinter::tensor_view<T, Rank> typed_view(const operand& o) {
    std::array<std::size_t, Rank> sizes;
    std::array<std::ptrdiff_t, Rank> strides;
    std::copy_n(o.sizes.begin(), Rank, sizes.begin());
    std::copy_n(o.strides.begin(), Rank, strides.begin());
    return {reinterpret_cast<T*>(o.first), sizes, strides};
}

struct entry {
    const char* text;
    kind output;
    std::vector<kind> inputs;
    std::size_t backends;
    void (*run)(std::size_t backend, const scalars&, const operands&);
    model::value (*expect)(const scalars&, const double* inputs);
};

std::vector<sinter::cpu::target> targets() { return support::available_targets(); }

// Number 0 is the interpreter, then xsimd, every Highway target, threads, and evaluate itself.
constexpr std::size_t fixed_backends = 2;

template <class F, class Out, class... In>
struct expression_of {
    template <std::size_t... I>
    static void run(std::index_sequence<I...>, std::size_t backend, const scalars& s, const operands& o) {
        const auto e = F{}(s, dummy<In>(nullptr, {I + 1})...);
        const std::size_t parallel = fixed_backends + targets().size();
        if (backend == 0) return run_on(sinter::cpu::scalar{}, e, o);
#if __has_include(<xsimd/xsimd.hpp>)
        if (backend == 1) return run_on(sinter::cpu::xsimd{}, e, o);
#endif
        if (backend < parallel) return run_on(sinter::cpu::highway{targets()[backend - fixed_backends]}, e, o);
        const auto has_rank_2 = [](const operand& x) { return x.sizes.size() == 2; };
        if (backend > parallel && has_rank_2(o.output) && (has_rank_2(o.inputs[I]) && ...))
            return sinter::evaluate(F{}(s, typed_view<const In, 2>(o.inputs[I])...), typed_view<Out, 2>(o.output));
        run_on(sinter::cpu::highway{}.with(threads{}), e, o);
    }

    template <std::size_t... I>
    static model::value expect(std::index_sequence<I...>, const scalars& s, const double* inputs) {
        return F{}(s, model::value{model::kind_of<In>(), inputs[I]}...);
    }
};

template <class Out, class... In, class F>
entry make(const char* text, F) {
    using expression = expression_of<F, Out, In...>;
    using numbers = std::index_sequence_for<In...>;
    return {text,
            model::kind_of<Out>(),
            {model::kind_of<In>()...},
            fixed_backends + targets().size() + 2,
            [](std::size_t backend, const scalars& s, const operands& o) { expression::run(numbers(), backend, s, o); },
            [](const scalars& s, const double* inputs) { return expression::expect(numbers(), s, inputs); }};
}

#define WITH_TEXT(...) #__VA_ARGS__, __VA_ARGS__

struct distance {
    constexpr auto operator()(auto a, auto b) const {
        auto d = a - b;
        d += abs(d) * b;
        return select(d < a && !(b == a), max(d, b), min(a * d, b));
    }
};
struct polynomial {
    constexpr auto operator()(auto a) const { return (a * 1.f + 0.f) * a + 0.25f; }
};

const std::vector<entry>& expressions() {
    static const std::vector<entry> list{
        make<float, float>(WITH_TEXT([](auto&, auto x) { return x; })),
        make<u8, u8>(WITH_TEXT([](auto&, auto x) { return x; })),
        make<float, float>(WITH_TEXT(
            [](auto& s, auto x) { return threshold(shrink(scale_bias(x, s.f[0], s.f[1]), s.f[2], s.f[3]), s.f[4]); })),
        make<float, float, float>(WITH_TEXT([](auto& s, auto x, auto y) { return x * s.f[0] + s.f[1] - y * y; })),
        make<float, float, float>(WITH_TEXT([](auto& s, auto x, auto y) {
            return select(x < y || x == s.f[0], clamp(x, s.f[1], s.f[2]), -max(y, s.f[3]));
        })),
        make<float, float, float>(WITH_TEXT([](auto&, auto x, auto y) { return map(distance{}, x, y); })),
        make<float16, float16>(
            WITH_TEXT([](auto& s, auto x) { return scale_bias(shrink(x, s.f[0], s.f[1]), s.f[2], s.f[3]); })),
        make<float16, float16, float16>(WITH_TEXT([](auto&, auto x, auto y) { return cast<float16>(x * y) - abs(x); })),
        make<float16, float16>(WITH_TEXT([](auto&, auto x) { return map(polynomial{}, x); })),
        make<i8, i8>(WITH_TEXT(
            [](auto& s, auto x) { return threshold(shrink(scale_bias(x, s.f[0], s.f[1]), s.f[2], s.f[3]), s.f[4]); })),
        make<i8, i8, i8, i8>(
            WITH_TEXT([](auto&, auto x, auto y, auto z) { return select(x > y && !(x == z), z * y, x + z); })),
        make<u8, u8>(WITH_TEXT([](auto& s, auto x) { return shrink(threshold(x, s.f[0]), s.f[1], s.f[2]); })),
        make<i16, i16, i16>(WITH_TEXT([](auto& s, auto x, auto y) { return shrink(x * y - s.n, s.f[0], s.f[1]); })),
        make<u16, u16, u16>(WITH_TEXT([](auto& s, auto x, auto y) { return max(min(x, y), s.n) + s.n; })),
        make<i32, i32, i32>(
            WITH_TEXT([](auto& s, auto x, auto y) { return abs(scale_bias(x, s.f[0], s.f[1])) * y + s.n; })),
        make<u32, u32>(WITH_TEXT([](auto& s, auto x) { return threshold(shrink(x, s.f[0], s.f[1]), s.f[2]); })),
        make<i32, i32, i32>(WITH_TEXT([](auto&, auto x, auto y) { return map(distance{}, x, y); })),
        make<float, u8>(WITH_TEXT([](auto& s, auto x) { return scale_bias(cast<float>(x), s.f[0], s.f[1]); })),
        make<u8, float>(WITH_TEXT([](auto& s, auto x) { return cast_rne<u8>(x * s.f[0] + s.f[1]); })),
        make<i32, float, float>(WITH_TEXT([](auto&, auto x, auto y) { return cast<i32>(x) - cast_rne<i32>(y); })),
        make<u32, float, float>(WITH_TEXT([](auto&, auto x, auto y) { return cast<u32>(x) - cast_rne<u32>(y); })),
        make<float16, float, u32>(
            WITH_TEXT([](auto&, auto x, auto y) { return cast<float16>(min(x, cast<float>(y))); })),
        make<i8, float16, i16>(WITH_TEXT([](auto&, auto x, auto y) { return cast<i8>(x) + cast<i8>(y); })),
        make<u16, i32, u32>(WITH_TEXT([](auto&, auto x, auto y) { return cast<u16>(x) - cast<u16>(y); })),
    };
    return list;
}

// ---- random operands and memory

std::vector<std::size_t> random_sizes(source& from) {
    const std::size_t most = from.one_in(200) ? 300000 : from.one_in(4) ? 2000 : 150;
    std::vector<std::size_t> sizes(1 + (from.one_in(4) ? from.below(8) : from.below(3)), 1);
    std::size_t count = 1;
    for (std::size_t& size : sizes) {
        std::size_t wanted = from.one_in(3) ? 1 + from.below(140) : 1 + from.below(9);
        if (sizes.size() <= 2 && from.one_in(3)) wanted = 1 + from.below((std::min)(most, std::size_t{65536}));
        if (most > 150 && from.one_in(4)) wanted = 120 + from.below(200);  // rows that kernels take as they are
        if (from.one_in(60)) wanted = 0;
        const std::size_t room = (std::max)(wanted, std::size_t{1});  // others take it beside a size of 0, too
        if (count * room > most) continue;
        size = wanted;
        count *= room;
    }
    if (from.one_in(2)) std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

// Some order of dimensions, gaps, both directions; 0 for inputs; now and then anything.
std::vector<std::ptrdiff_t> random_strides(source& from, const std::vector<std::size_t>& sizes, bool is_output) {
    std::vector<std::ptrdiff_t> strides(sizes.size());
    if (from.one_in(is_output ? 20 : 6)) {
        for (std::ptrdiff_t& stride : strides) stride = from.between(-9, 9);
        return strides;
    }
    std::vector<std::size_t> order(sizes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    if (from.one_in(2))
        for (std::size_t i = 0; i < order.size(); ++i) std::swap(order[i], order[from.below(i + 1)]);
    std::ptrdiff_t next = from.one_in(4) ? from.between(1, 5) : 1;
    const bool dense = from.one_in(2);
    for (const std::size_t i : order) {
        strides[i] = dense || !from.one_in(4) ? next : -next;
        if (sizes[i] == 1 && from.one_in(2)) strides[i] = from.between(-100, 100);
        if (!is_output && !dense && from.one_in(5)) strides[i] = 0;
        next *= static_cast<std::ptrdiff_t>((std::max)(sizes[i], std::size_t{1}));
        next += dense ? 0 : from.one_in(3) ? from.between(0, 4) : 0;
    }
    return strides;
}

class expression_case {
public:
    explicit expression_case(source& from) : entry_(expressions()[from.below(expressions().size())]) {
        for (float& f : scalars_.f) f = from.attribute();
        constexpr std::array<std::int64_t, 12> edges{0,   1,     -1,    127,   -128,       255,
                                                     256, 32767, 65535, 65536, 2147483647, 4294967295};
        scalars_.n = from.one_in(2) ? edges[from.below(edges.size())] : from.between(-40, 100);
        if (!from.one_in(8)) scalars_.n = std::clamp<std::int64_t>(scalars_.n, 0, 100);

        o_.input_count = entry_.inputs.size();
        o_.output.k = entry_.output;
        o_.output.sizes = random_sizes(from);
        o_.output.strides = random_strides(from, o_.output.sizes, true);
        shared_ = from.one_in(3);
        place(from, o_.output);
        for (std::size_t i = 0; i < o_.input_count; ++i) {
            operand& in = o_.inputs[i];
            in.k = entry_.inputs[i];
            if (from.one_in(6)) {
                in.sizes = o_.output.sizes;
                in.strides = o_.output.strides;
                in.first = o_.output.first;
                continue;
            }
            in.sizes = o_.output.sizes;
            if (from.one_in(4))
                in.sizes.erase(in.sizes.begin(),
                               in.sizes.begin() + static_cast<std::ptrdiff_t>(from.below(in.sizes.size())));
            for (std::size_t& size : in.sizes)
                if (from.one_in(8)) size = 1;
            if (from.one_in(30)) in.sizes[from.below(in.sizes.size())] += 1;
            in.strides = random_strides(from, in.sizes, false);
            place(from, in);
            if (from.one_in(60)) in.first = nullptr;
        }
        for (block& b : blocks_)
            from.fill(b.memory.get(), b.size, model::bytes_of(entry_.inputs[0]), model::is_float(entry_.inputs[0]));
    }

    void run() {
        const std::optional<std::vector<sinter::errc>> refusals = expected_refusals();
        if (!refusals) compute();
        const auto before = snapshot();
        for (std::size_t backend = 0; backend < entry_.backends; ++backend) {
            try {
                entry_.run(backend, scalars_, o_);
                if (refusals) fuzz::found(text(backend) + "is not refused");
            } catch (const sinter::error& failure) {
                const bool known =
                    refusals && std::find(refusals->begin(), refusals->end(), failure.code()) != refusals->end();
                fuzz::expect(known, text(backend) + "is refused: " + failure.what());
            }
            if (!refusals) check(backend, before);
            if (snapshot() != before) fuzz::found(text(backend) + "changed other memory than its output");
        }
    }

private:
    struct block {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size;
    };

    // In memory of its own that ends where its elements end, or somewhere in the first block, which has room around it.
    void place(source& from, operand& x) {
        const auto [low, high] = x.extent();
        const std::size_t size = static_cast<std::size_t>(high - low);
        const std::size_t room = shared_ ? 64 : 0;
        std::size_t start = room / 2;
        if (!shared_ || blocks_.empty() || blocks_[0].size < size) {
            blocks_.push_back({std::make_unique<std::byte[]>(size + room), size + room});
            if (!shared_) blocks_.back() = {std::unique_ptr<std::byte[]>(new std::byte[size]()), size};
            x.first = blocks_.back().memory.get() + start - low;
            return;
        }
        const std::size_t places = (blocks_[0].size - size) / model::bytes_of(x.k) + 1;
        start = from.below((std::min)(places, std::size_t{65536})) * model::bytes_of(x.k);
        x.first = blocks_[0].memory.get() + start - low;
    }

    std::vector<std::vector<std::byte>> snapshot() const {
        std::vector<std::vector<std::byte>> all;
        for (const block& b : blocks_) all.emplace_back(b.memory.get(), b.memory.get() + b.size);
        return all;
    }

    template <class Visit>
    void for_each_index(const Visit& visit) const {
        std::vector<std::size_t> index(o_.output.sizes.size(), 0);
        for (std::size_t n = o_.output.count(); n > 0; --n) {
            visit(index);
            for (std::size_t i = index.size(); i-- > 0;) {
                if (++index[i] < o_.output.sizes[i]) break;
                index[i] = 0;
            }
        }
    }

    // Every reason for which this case must be refused; nothing where it must not. Which input an expression leaves out
    // does not matter: all expressions use all of theirs.
    std::optional<std::vector<sinter::errc>> expected_refusals() const {
        std::vector<sinter::errc> found;
        try {
            const double zeros[3]{};
            entry_.expect(scalars_, zeros);
        } catch (const model::refused&) {
            return std::vector{sinter::errc::value};
        }
        for (std::size_t k = 0; k < o_.input_count; ++k) {
            const operand& in = o_.inputs[k];
            for (std::size_t i = 0; i < in.sizes.size(); ++i) {
                const std::size_t wanted = o_.output.sizes[o_.output.sizes.size() - in.sizes.size() + i];
                if (in.sizes[i] != 1 && in.sizes[i] != wanted) return std::vector{sinter::errc::shape};
            }
        }
        if (o_.output.count() == 0) return std::nullopt;
        for (std::size_t k = 0; k < o_.input_count; ++k)
            if (o_.inputs[k].first == nullptr) return std::vector{sinter::errc::null_data};
        if (overlaps()) return std::vector{sinter::errc::overlap};
        return std::nullopt;
    }

    bool overlaps() const {
        std::vector<const std::byte*> written;
        for_each_index([&](const auto& index) { written.push_back(o_.output.at(index)); });
        std::sort(written.begin(), written.end());
        if (std::adjacent_find(written.begin(), written.end()) != written.end()) return true;
        const auto is_written = [&](const std::byte* byte) {
            const auto after = std::upper_bound(written.begin(), written.end(), byte);
            return after != written.begin() && byte < *std::prev(after) + o_.output.bytes();
        };
        for (std::size_t k = 0; k < o_.input_count; ++k) {
            const operand& in = o_.inputs[k];
            bool same = in.bytes() == o_.output.bytes(), shares = false;
            for_each_index([&](const auto& index) {
                const std::byte* const element = in.at(index);
                same = same && element == o_.output.at(index);
                for (std::ptrdiff_t i = 0; i < in.bytes(); ++i) shares = shares || is_written(element + i);
            });
            if (shares && !same) return true;
        }
        return false;
    }

    void compute() {
        for_each_index([&](const auto& index) {
            double inputs[3]{};
            for (std::size_t k = 0; k < o_.input_count; ++k)
                inputs[k] = model::load(o_.inputs[k].k, o_.inputs[k].at(index));
            expected_.push_back(entry_.expect(scalars_, inputs).v);
        });
    }

    // Compares, and puts what was there before back in place.
    void check(std::size_t backend, const std::vector<std::vector<std::byte>>& before) {
        std::size_t n = 0;
        for_each_index([&](const auto& index) {
            const double expected = expected_[n++];
            std::byte* const element = o_.output.at(index);
            if (!model::holds(entry_.output, element, expected))
                fuzz::found(text(backend) + "element " + std::to_string(n - 1) + " is " +
                            std::to_string(model::load(entry_.output, element)) + ", expected " +
                            std::to_string(expected));
        });
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const std::byte* const first = blocks_[i].memory.get();
            for_each_index([&](const auto& index) {
                std::byte* const element = o_.output.at(index);
                if (element >= first && element < first + blocks_[i].size)
                    std::memcpy(element, before[i].data() + (element - first),
                                static_cast<std::size_t>(o_.output.bytes()));
            });
        }
    }

    std::string text(std::size_t backend) const {
        std::string made = std::string("backend ") + std::to_string(backend) + ", " + entry_.text + ",";
        for (const float f : scalars_.f) made += " " + std::to_string(f);
        made += " " + std::to_string(scalars_.n) + ", " + o_.output.text();
        for (std::size_t k = 0; k < o_.input_count; ++k)
            made += "; " + o_.inputs[k].text() + " at " + std::to_string(o_.inputs[k].first - o_.output.first);
        return made + ": ";
    }

    const entry& entry_;
    scalars scalars_{};
    operands o_{};
    bool shared_ = false;
    std::vector<block> blocks_;
    std::vector<double> expected_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    source from(data, size);
    expression_case(from).run();
    return 0;
}
