// The cross-backend product: one operator on one combination of element types, on every backend, in every layout, at
// every size from 0 to 130 against unreadable pages, compared bit for bit with cpu::scalar on packed data.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends.hpp"
#include "operand.hpp"
#include "support/guarded_memory.hpp"
#include "support/values.hpp"

namespace product {

using bytes = std::vector<std::byte>;

// Calls visit(std::type_identity<T>) for the type that the enumerator names.
template <class Visitor>
decltype(auto) visit_type(sinter::element_type type, Visitor&& visit) {
    using sinter::element_type;
    switch (type) {
        case element_type::float32: return visit(std::type_identity<float>{});
        case element_type::float16: return visit(std::type_identity<sinter::float16>{});
        case element_type::int32: return visit(std::type_identity<std::int32_t>{});
        case element_type::int16: return visit(std::type_identity<std::int16_t>{});
        case element_type::int8: return visit(std::type_identity<std::int8_t>{});
        case element_type::uint32: return visit(std::type_identity<std::uint32_t>{});
        case element_type::uint16: return visit(std::type_identity<std::uint16_t>{});
        default: return visit(std::type_identity<std::uint8_t>{});
    }
}

template <class T>
T element_at(const std::byte* elements, std::size_t n) {
    T value;
    std::memcpy(&value, elements + n * sizeof(T), sizeof(T));
    return value;
}

inline std::string text_at(sinter::element_type type, const std::byte* elements, std::size_t n) {
    return visit_type(type,
                      [&]<class T>(std::type_identity<T>) { return support::text_of(element_at<T>(elements, n)); });
}

// What the gaps hold before and after.
inline bytes canaries(std::size_t count) {
    bytes made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::byte>(0xabu ^ (i * 29u & 0x7fu));
    return made;
}

// A reservoir of values of one type, drawn from at a seeded start.
inline const bytes& reservoir(sinter::element_type type) {
    static std::array<bytes, 8> made;
    bytes& values = made[static_cast<std::size_t>(type)];
    if (values.empty()) {
        visit_type(type, [&]<class T>(std::type_identity<T>) {
            constexpr std::size_t count = 8191;
            support::value_source<T> source(20240607u + static_cast<std::uint32_t>(type));
            values.resize(count * sizeof(T));
            for (std::size_t i = 0; i < count; ++i) {
                const T value = source.next();
                std::memcpy(values.data() + i * sizeof(T), &value, sizeof(T));
            }
        });
    }
    return values;
}

inline bytes drawn_values(sinter::element_type type, std::size_t count, std::uint32_t seed) {
    const bytes& from = reservoir(type);
    const std::size_t size = size_of(type);
    const std::size_t available = from.size() / size;
    bytes values(count * size);
    std::size_t next = (seed * 2654435761u) % available;
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(values.data() + i * size, from.data() + next * size, size);
        next = (next + 1) % available;
    }
    return values;
}

inline bytes special_bytes(sinter::element_type type) {
    return visit_type(type, []<class T>(std::type_identity<T>) {
        const std::vector<T> values = support::special_values<T>();
        bytes raw(values.size() * sizeof(T));
        std::memcpy(raw.data(), values.data(), raw.size());
        return raw;
    });
}

inline void flush_subnormals(sinter::element_type type, bytes& values) {
    if (type != sinter::element_type::float32) return;
    for (std::size_t i = 0; i < values.size(); i += 4) {
        const auto bits = element_at<std::uint32_t>(values.data(), i / 4);
        const std::uint32_t flushed = (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
        std::memcpy(values.data() + i, &flushed, 4);
    }
}

inline bool same_element(sinter::element_type type, const std::byte* a, const std::byte* b, bool keeps_subnormals) {
    return visit_type(type, [&]<class T>(std::type_identity<T>) {
        const T x = element_at<T>(a, 0);
        const T y = element_at<T>(b, 0);
        if (support::same(x, y)) return true;
        if constexpr (std::is_same_v<T, float>)
            return !keeps_subnormals && (support::bits_of(x) & 0x7f800000u) == 0 &&
                   (support::bits_of(y) & 0x7f800000u) == 0;
        else return false;
    });
}

struct backend_properties {
    std::string name;
    unsigned share;
    bool keeps_subnormals;
};

inline const std::vector<backend_properties>& backend_list() {
    static const std::vector<backend_properties> list = [] {
        std::vector<backend_properties> made;
        for_each_backend([&](const auto& b) { made.push_back({b.name, b.share, b.keeps_subnormals}); });
        return made;
    }();
    return list;
}

// An operator on one combination of element types, as the examination sees it.
struct subject {
    std::string name;
    unsigned number;
    std::vector<sinter::element_type> inputs;
    sinter::element_type output;
    std::size_t settings;
    std::vector<std::size_t> ranks;

    // Evaluates with one of the settings on a backend; on the reference, always at rank 3.
    const void* evaluator;
    void (*evaluate)(const void* evaluator, std::size_t backend, std::size_t rank, std::size_t setting,
                     const operand* inputs, const operand& output);
    bool (*serves)(std::size_t backend);
    void (*refer)(const void* evaluator, std::size_t setting, const operand* inputs, const operand& output);
};

// Everything that does not depend on types, so that it is compiled once.
class examination {
public:
    explicit examination(const subject& s)
        : subject_(s), number_(s.number), inputs_(s.inputs), output_(s.output), settings_(s.settings) {}

    void run() {
        runs_.assign(backend_list().size(), 0);
        for (const bool subnormals : {true, false}) {
            subnormals_ = subnormals;
            for (const std::size_t rank : subject_.ranks) run_layouts(rank);
            run_sizes();
            run_special_pairs();
            run_every_pattern();
        }
        for (std::size_t b = 0; b < runs_.size(); ++b)
            CHECK_MESSAGE((runs_[b] > 0) == subject_.serves(b), "nothing was run on " << backend_list()[b].name);
        CHECK_MESSAGE(failures_ == 0, first_failures_);
    }

private:
    const backend_properties& backend() const { return backend_list()[backend_]; }

    // Backends without float32 subnormals share data of their own. Each runs one in `share`, along every axis: any
    // pair of (operator and types, layout, turn) occurs.
    std::vector<std::size_t> backends_for(std::size_t axis) const {
        std::vector<std::size_t> wanted;
        for (std::size_t b = 0; b < backend_list().size(); ++b) {
            const backend_properties& p = backend_list()[b];
            if (p.keeps_subnormals == subnormals_ && (number_ + axis) % p.share == 0 && subject_.serves(b))
                wanted.push_back(b);
        }
        return wanted;
    }

    bytes values_for(std::size_t input, std::size_t count, std::size_t seed) const {
        bytes values =
            drawn_values(inputs_[input], count, static_cast<std::uint32_t>(number_ + 7919 * seed + 31 * input));
        if (!subnormals_) flush_subnormals(inputs_[input], values);
        return values;
    }

    static operand packed(sinter::element_type type, const std::byte* elements, std::size_t count) {
        placement at = place(layout::packed, {1, 1, count}, 0);
        at.first = 0;
        at.extent = count;
        return {type, const_cast<std::byte*>(elements), at};
    }

    bytes expected_for(const std::vector<bytes>& values, std::size_t count, std::size_t setting) const {
        std::vector<operand> operands;
        for (std::size_t k = 0; k < inputs_.size(); ++k)
            operands.push_back(packed(inputs_[k], values[k].data(), count));
        bytes result(count * size_of(output_));
        subject_.refer(subject_.evaluator, setting, operands.data(), packed(output_, result.data(), count));
        return result;
    }

    void run_layouts(std::size_t rank) {
        const std::vector<shape> shapes = rank == 3   ? std::vector<shape>{{3, 5, 7}, {2, 3, 141}}
                                          : rank == 8 ? std::vector<shape>{{2, 1, 3, 2, 1, 2, 3, 2}}
                                                      : std::vector<shape>{{77}};
        for (const shape& sizes : shapes) {
            for (const layout l : all_layouts) {
                for (std::size_t turn = 0; turn < 3; ++turn) {
                    const std::size_t axis = static_cast<std::size_t>(l) + turn;
                    const bool possible = turn != 2 || (!broadcasts(l) && size_of(inputs_[0]) == size_of(output_));
                    const std::vector<std::size_t> wanted = backends_for(axis);
                    if (possible && !wanted.empty()) run_layout(wanted, sizes, l, turn, axis % settings_);
                }
            }
        }
    }

    // turn 0: every operand lies alike. 1: every operand lies in its own way. 2: the same, the first one in place.
    void run_layout(const std::vector<std::size_t>& wanted, const shape& sizes, layout l, std::size_t turn,
                    std::size_t setting) {
        std::vector<placement> places;
        std::string what = "sizes";
        for (const std::size_t size : sizes) what += " " + std::to_string(size);
        const layout written = broadcasts(l) ? layout::packed : l;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const bool alike = turn == 0 || (turn == 2 && k == 0);
            const layout own = alike ? l : all_layouts[(static_cast<std::size_t>(l) + 3 * k + 1) % all_layouts.size()];
            places.push_back(place(own, sizes, k));
            what += std::string(", input ") + std::to_string(k + 1) + " " + name(own);
        }
        const placement out = place(written, sizes, 0);
        what += std::string(", output ") + name(written) + (turn == 2 ? " in place of input 1" : "");

        std::vector<bytes> blocks, values;
        const std::size_t count = out.count();
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const std::size_t size = size_of(inputs_[k]);
            const bytes logical = values_for(k, count, static_cast<std::size_t>(l) + 8 * turn);
            bytes block = canaries(places[k].extent * size);
            for_each_element(places[k], sizes, [&](std::size_t n, std::size_t position) {
                std::memcpy(block.data() + position * size, logical.data() + n * size, size);
            });
            bytes seen(count * size);
            for_each_element(places[k], sizes, [&](std::size_t n, std::size_t position) {
                std::memcpy(seen.data() + n * size, block.data() + position * size, size);
            });
            blocks.push_back(std::move(block));
            values.push_back(std::move(seen));
        }
        const bytes expected = expected_for(values, count, setting);
        const std::vector<bytes> before = blocks;
        const bytes empty = turn == 2 ? blocks[0] : canaries(out.extent * size_of(output_));
        bytes own_block = empty;
        bytes& output_block = turn == 2 ? blocks[0] : own_block;
        std::vector<operand> operands;
        for (std::size_t k = 0; k < inputs_.size(); ++k) operands.push_back({inputs_[k], blocks[k].data(), places[k]});

        for (const std::size_t b : wanted) {
            std::memcpy(output_block.data(), empty.data(), empty.size());
            run_once(b, setting, sizes.size(), operands, {output_, output_block.data(), out}, what);
            bytes intact = empty;
            const std::size_t size = size_of(output_);
            for_each_element(out, sizes, [&](std::size_t n, std::size_t position) {
                compare(output_block.data() + position * size, expected, n, values, what);
                std::memcpy(intact.data() + position * size, output_block.data() + position * size, size);
            });
            if (intact != output_block) failed("bytes between or around the output's elements changed", what);
            for (std::size_t k = turn == 2 ? 1 : 0; k < inputs_.size(); ++k)
                if (blocks[k] != before[k]) failed("input " + std::to_string(k + 1) + " changed", what);
        }
    }

    // Packed, every operand ending at an unreadable page, or starting after one, or ending there and in place.
    void run_sizes() {
        static std::vector<std::unique_ptr<support::guarded_page>> pages;
        while (pages.size() <= inputs_.size()) pages.push_back(std::make_unique<support::guarded_page>());
        constexpr std::size_t largest = 130;
        for (std::size_t setting = 0; setting < settings_; ++setting) {
            std::vector<bytes> values;
            for (std::size_t k = 0; k < inputs_.size(); ++k) values.push_back(values_for(k, largest, 100 + setting));
            const bytes expected = expected_for(values, largest, setting);
            for (std::size_t n = setting; n <= largest; n += settings_)
                for (std::size_t turn = 0; turn < 3; ++turn)
                    if (turn != 2 || size_of(inputs_[0]) == size_of(output_))
                        for (const std::size_t b : backends_for(n + turn))
                            run_size(b, pages, n, turn, setting, values, expected);
        }
    }

    void run_size(std::size_t b, const std::vector<std::unique_ptr<support::guarded_page>>& pages, std::size_t n,
                  std::size_t turn, std::size_t setting, const std::vector<bytes>& values, const bytes& expected) {
        const std::string what = std::to_string(n) + " elements " +
                                 (turn == 0   ? "at the end of a page"
                                  : turn == 1 ? "at the start of a page"
                                              : "in place at the end of a page");
        const auto placed = [&](std::size_t page, sinter::element_type type) {
            operand o = packed(type, pages[page]->first(), n);
            const std::size_t available = pages[page]->size() / size_of(type);
            if (turn != 1) o.at.first = static_cast<std::ptrdiff_t>(available - n);
            o.at.extent = available;
            return o;
        };
        std::vector<operand> operands;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            operands.push_back(placed(k, inputs_[k]));
            const std::size_t size = size_of(inputs_[k]);
            if (n > 0)
                std::memcpy(operands[k].block + static_cast<std::size_t>(operands[k].at.first) * size, values[k].data(),
                            n * size);
        }
        const operand output = placed(turn == 2 ? 0 : inputs_.size(), output_);
        const std::size_t size = size_of(output_);
        std::byte* const elements = output.block + static_cast<std::size_t>(output.at.first) * size;
        const std::size_t page_bytes = output.at.extent * size;
        const bytes gaps = canaries(page_bytes);
        const std::size_t front = static_cast<std::size_t>(elements - output.block);
        std::memcpy(output.block, gaps.data(), front);
        std::memcpy(elements + n * size, gaps.data() + front + n * size, page_bytes - front - n * size);

        run_once(b, setting, 3, operands, output, what);

        for (std::size_t i = 0; i < n; ++i) compare(elements + i * size, expected, i, values, what);
        if (std::memcmp(output.block, gaps.data(), front) != 0) failed("bytes before the output changed", what);
        if (std::memcmp(elements + n * size, gaps.data() + front + n * size, page_bytes - front - n * size) != 0)
            failed("bytes after the output changed", what);
    }

    // Every special value of the first input against every one of the second.
    void run_special_pairs() {
        const std::vector<std::size_t> wanted = backends_for(0);
        if (inputs_.size() < 2 || wanted.empty()) return;
        std::vector<bytes> specials;
        for (const sinter::element_type type : inputs_) specials.push_back(special_bytes(type));
        const auto held = [&](std::size_t k) { return specials[k].size() / size_of(inputs_[k]); };
        const std::size_t count = held(0) * held(1);
        std::vector<bytes> values;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const std::size_t size = size_of(inputs_[k]);
            bytes made(count * size);
            for (std::size_t n = 0; n < count; ++n) {
                const std::size_t i = k == 0 ? n / held(1) : k == 1 ? n % held(1) : (n * 7 + n / held(1)) % held(k);
                std::memcpy(made.data() + n * size, specials[k].data() + i * size, size);
            }
            if (!subnormals_) flush_subnormals(inputs_[k], made);
            values.push_back(std::move(made));
        }
        for (std::size_t setting = 0; setting < settings_; ++setting)
            run_packed(wanted, setting, values, count, "every pair of special values");
    }

    // Of an 8- or 16-bit input.
    void run_every_pattern() {
        const std::vector<std::size_t> wanted = backends_for(1);
        if (inputs_.size() != 1 || size_of(inputs_[0]) == 4 || wanted.empty()) return;
        const std::size_t size = size_of(inputs_[0]);
        const std::size_t count = std::size_t{1} << (8 * size);
        bytes made(count * size);
        for (std::size_t n = 0; n < count; ++n)
            for (std::size_t b = 0; b < size; ++b) made[n * size + b] = static_cast<std::byte>(n >> (8 * b));
        const std::size_t step = size == 1 ? 1 : settings_;
        for (std::size_t setting = number_ % step; setting < settings_; setting += step)
            run_packed(wanted, setting, {made}, count, "every pattern");
    }

    void run_packed(const std::vector<std::size_t>& wanted, std::size_t setting, const std::vector<bytes>& values,
                    std::size_t count, const std::string& what) {
        const bytes expected = expected_for(values, count, setting);
        std::vector<operand> operands;
        for (std::size_t k = 0; k < inputs_.size(); ++k)
            operands.push_back(packed(inputs_[k], values[k].data(), count));
        for (const std::size_t b : wanted) {
            bytes got = canaries(expected.size());
            run_once(b, setting, 3, operands, packed(output_, got.data(), count), what);
            for (std::size_t n = 0; n < count; ++n)
                compare(got.data() + n * size_of(output_), expected, n, values, what);
        }
    }

    void run_once(std::size_t b, std::size_t setting, std::size_t rank, const std::vector<operand>& inputs,
                  const operand& output, const std::string& what) {
        backend_ = b;
        setting_ = setting;
        ++runs_[b];
        try {
            subject_.evaluate(subject_.evaluator, b, rank, setting, inputs.data(), output);
        } catch (const std::exception& failure) {
            failed(failure.what(), what);
        }
    }

    void compare(const std::byte* got, const bytes& expected, std::size_t n, const std::vector<bytes>& values,
                 const std::string& what) {
        const std::byte* const wanted = expected.data() + n * size_of(output_);
        if (std::memcmp(got, wanted, size_of(output_)) == 0) return;
        if (same_element(output_, got, wanted, subnormals_)) return;
        if (failures_ > 5) return;
        std::string text = "element " + std::to_string(n) + ": of";
        for (std::size_t k = 0; k < inputs_.size(); ++k) text += " " + text_at(inputs_[k], values[k].data(), n);
        failed(text + " is " + text_at(output_, got, 0) + ", by the reference " + text_at(output_, wanted, 0), what);
    }

    void failed(const std::string& why, const std::string& what) {
        if (++failures_ <= 5)
            first_failures_ += "\n" + subject_.name + " on " + backend().name + ", setting " +
                               std::to_string(setting_) + ", " + what + ": " + why;
    }

    const subject& subject_;
    const unsigned number_;
    const std::vector<sinter::element_type>& inputs_;
    const sinter::element_type output_;
    const std::size_t settings_;
    bool subnormals_ = true;
    std::size_t backend_ = 0;
    std::size_t setting_ = 0;
    std::vector<std::size_t> runs_;
    std::size_t failures_ = 0;
    std::string first_failures_;
};

template <std::size_t N>
struct operator_name {
    char text[N]{};
    constexpr operator_name(const char (&name)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
    }
    constexpr unsigned number() const {
        unsigned sum = 0;
        for (const char c : text) sum = sum * 31u + static_cast<unsigned>(c);
        return sum;
    }
};

// A configuration compiles every combination, or one part of so many. Two with the parts 0 and 1 of 2 have all of them
// between them. Direct3D 12 has a share of its own: what a shader computes is no matter of the compiler's flags.
#if !defined(SINTER_TEST_SHARE)
#define SINTER_TEST_SHARE 1
#endif
#if !defined(SINTER_TEST_PART)
#define SINTER_TEST_PART 0
#endif
#if !defined(SINTER_TEST_D3D12_SHARE)
#define SINTER_TEST_D3D12_SHARE 1
#endif
#if defined(SINTER_TEST_D3D12)
inline constexpr unsigned share = SINTER_TEST_D3D12_SHARE;
#else
inline constexpr unsigned share = SINTER_TEST_SHARE;
#endif
static_assert(share <= 4, "a share above 4 leaves whole operators out: see combination::is_one_in");

// What is sampled is sampled by operator and types, so that every operator has some of every type and every type some
// of every operator. The eight combinations of one operator with one type give eight different numbers modulo 8.
template <operator_name Name, sinter::element Out, sinter::element In, sinter::element...>
struct combination {
    static constexpr auto in = static_cast<unsigned>(sinter::element_type_of<In>);
    static constexpr auto out = static_cast<unsigned>(sinter::element_type_of<Out>);
    static constexpr unsigned number = Name.number() + in + 4 * out;

    // Every combination runs at rank 3; an eighth of them also at rank 8, another at rank 1.
    static constexpr bool runs_at_rank_8 = number % 8 == 0;
    static constexpr bool runs_at_rank_1 = number % 8 == 4;

    static constexpr bool is_one_in(unsigned count) { return (number + out / 2 + SINTER_TEST_PART) % count == 0; }

    // A family may ask to be compiled for one in so many combinations: static constexpr unsigned compiled_share.
    template <class Backend>
    static constexpr bool serves() {
        if constexpr (requires { Backend::compiled_share; }) return is_one_in(Backend::compiled_share);
        else return true;
    }
};

inline void examine(const char* operator_text, unsigned number, std::size_t settings, subject s) {
    s.number = number;
    s.settings = settings;
    s.name = std::string(operator_text) + " of";
    for (const sinter::element_type type : s.inputs) s.name += std::string(" ") + name(type);
    s.name += std::string(" to ") + name(s.output);
    examination(s).run();
}

template <class Combination, class Setting, class Make, class Out, class... In>
struct evaluator {
    const std::vector<Setting>& settings;
    const Make& make;

    template <std::size_t Rank, class Backend>
    void run(const Backend& backend, std::size_t setting, const operand* inputs, const operand& output) const {
        const auto bound = [&](const auto&... x) { return make(settings[setting], x...); };
        backend.template run<Out, Rank, In...>(bound, inputs, output);
    }

    static void evaluate(const void* self, std::size_t wanted, std::size_t rank, std::size_t setting,
                         const operand* inputs, const operand& output) {
        const auto& e = *static_cast<const evaluator*>(self);
        visit_backend(wanted, [&]<class Backend>(const Backend& backend) {
            if constexpr (Combination::template serves<Backend>()) {
                if (rank == 3) e.template run<3>(backend, setting, inputs, output);
                if constexpr (Combination::runs_at_rank_8)
                    if (rank == 8) e.template run<8>(backend, setting, inputs, output);
                if constexpr (Combination::runs_at_rank_1)
                    if (rank == 1) e.template run<1>(backend, setting, inputs, output);
            }
        });
    }

    static bool serves(std::size_t wanted) {
        bool served = false;
        visit_backend(wanted, [&]<class Backend>(const Backend&) { served = Combination::template serves<Backend>(); });
        return served;
    }

    static void refer(const void* self, std::size_t setting, const operand* inputs, const operand& output) {
        const in_memory<sinter::cpu::scalar> reference{};
        static_cast<const evaluator*>(self)->template run<3>(reference, setting, inputs, output);
    }

    static std::vector<std::size_t> ranks() {
        if (Combination::runs_at_rank_8) return {3, 8};
        if (Combination::runs_at_rank_1) return {3, 1};
        return {3};
    }
};

// make(setting, x...) builds the expression from views, on whatever backend they lie.
template <operator_name Name, sinter::element Out, sinter::element... In, class Setting, class Make>
void check([[maybe_unused]] const std::vector<Setting>& settings, [[maybe_unused]] const Make& make) {
    using own_combination = combination<Name, Out, In...>;
    if constexpr (own_combination::is_one_in(share)) {
        using own = evaluator<own_combination, Setting, Make, Out, In...>;
        const own e{settings, make};
        examine(Name.text, own_combination::number, settings.size(),
                {.name = {},
                 .number = 0,
                 .inputs = {sinter::element_type_of<In>...},
                 .output = sinter::element_type_of<Out>,
                 .settings = 0,
                 .ranks = own::ranks(),
                 .evaluator = &e,
                 .evaluate = &own::evaluate,
                 .serves = &own::serves,
                 .refer = &own::refer});
    }
}

// Where the operator has no scalars.
template <operator_name Name, sinter::element Out, sinter::element... In, class Make>
void check(const Make& make) {
    check<Name, Out, In...>(std::vector<int>{0}, [&](int, const auto&... x) { return make(x...); });
}

}  // namespace product
