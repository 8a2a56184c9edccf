#include "d3d12_layouts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "elements.hpp"
#include "expressions.hpp"
#include "sinter/sinter.hpp"
#include "workloads.hpp"

namespace bench {

namespace {

namespace d3d12 = sinter::d3d12;

constexpr std::size_t padding = 16;  // elements between the rows of a padded matrix

enum class placed { packed, one_further, padded, transposed, repeated_row };

struct layout {
    const char* name;
    placed input, output;
    bool in_place = false;
};

constexpr layout all_layouts[] = {
    {"d3d12_packed", placed::packed, placed::packed},
    {"d3d12_in_place", placed::packed, placed::packed, true},
    {"d3d12_odd_offset", placed::one_further, placed::packed},
    {"d3d12_padded_rows", placed::padded, placed::packed},
    {"d3d12_transposed", placed::transposed, placed::packed},
    {"d3d12_broadcast", placed::repeated_row, placed::packed},
    {"d3d12_padded_output", placed::packed, placed::padded},
};

// A square matrix in a block of elements, on the CPU or on a device.
template <class Block>
auto matrix_in(const Block& block, std::size_t side, placed where) {
    const auto dense = [&](std::size_t first) {
        return sinter::reshape(sinter::slice(block, 0, first, first + side * side), {side, side});
    };
    switch (where) {
        case placed::packed: return dense(0);
        case placed::one_further: return dense(1);
        case placed::padded: return sinter::slice(sinter::reshape(block, {side, side + padding}), 1, 0, side);
        case placed::transposed: return sinter::transpose(dense(0));
        default: return sinter::broadcast_to(sinter::slice(block, 0, 0, side), {side, side});
    }
}

template <class T>
class layout_group {
public:
    layout_group(const d3d12::device& gpu, std::size_t side)
        : gpu_(gpu), side_(side), values_(side * (side + padding)) {
        std::size_t i = 0;
        for (T& v : values_) v = value_of(i++);
        x_ = gpu.upload(values_);
        y_ = gpu.allocate<T>({values_.size()});
    }

    void run(results& r, const options& o, const effort& e, time_of counted) const {
        const std::size_t bytes = side_ * side_ * sizeof(T);
        std::vector<const layout*> chosen;
        std::vector<std::function<void()>> calls;
        for (const layout& l : all_layouts) {
            if (!wants(o, l.name)) continue;
            check_result(l);
            chosen.push_back(&l);
            calls.push_back([this, &l] { evaluate(l); });
        }
        if (chosen.empty()) return;
        calls.push_back([this] {
            const auto packed = [&](const auto& block) { return matrix_in(block, side_, placed::packed); };
            sinter::evaluate(gpu_, packed(x_), packed(y_)).wait();
        });
        const std::vector<timing> times = measure(calls, e, counted);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const double moved = static_cast<double>(bytes) * (chosen[i]->input == placed::repeated_row ? 1 : 2);
            const auto add = [&](const char* contender, double traffic, const timing& time) {
                r.add({chosen[i]->name, name(type), bytes, 1, contender, traffic / time.median_ns, time,
                       unit::milliseconds});
            };
            add("sinter_d3d12", moved, times[i]);
            add("hlsl_copy", 2. * static_cast<double>(bytes), times.back());
        }
    }

private:
    static constexpr sinter::element_type type = sinter::element_type_of<T>;

    static T value_of(std::size_t i) {
        const auto mixed = static_cast<std::uint32_t>(i * 2654435761u) >> 8;  // 24 bits
        if constexpr (sinter::integral_element<T>) return static_cast<T>(mixed);
        else return static_cast<T>(static_cast<float>(mixed) * 0x1p-23f - 1.f);
    }

    void evaluate(const layout& l) const {
        const auto x = matrix_in(l.in_place ? y_ : x_, side_, l.input), y = matrix_in(y_, side_, l.output);
        sinter::evaluate(gpu_, chain3::apply(x, attributes_for(type, l.in_place)), y).wait();
    }

    // All bytes of the output's block, also those between its rows.
    void check_result(const layout& l) const {
        std::vector<T> expected = values_, got(values_.size());
        gpu_.upload_bytes(y_.memory(), 0, std::as_bytes(std::span(values_)));
        const auto x = matrix_in(sinter::view(l.in_place ? expected : values_), side_, l.input);
        const auto y = matrix_in(sinter::view(expected), side_, l.output);
        sinter::evaluate(chain3::apply(x, attributes_for(type, l.in_place)), y);
        evaluate(l);
        gpu_.download(y_, got);
        if (std::memcmp(expected.data(), got.data(), got.size() * sizeof(T)) != 0)
            throw std::runtime_error(std::string(l.name) + " gives other bits than the CPU: " + name(type));
    }

    const d3d12::device& gpu_;
    std::size_t side_;
    std::vector<T> values_;
    d3d12::tensor<T, 1> x_, y_;
};

}  // namespace

void run_d3d12_layouts(const options& o, results& r, const d3d12::device& gpu, time_of counted) {
    const bool is_wanted =
        std::any_of(std::begin(all_layouts), std::end(all_layouts), [&](const layout& l) { return wants(o, l.name); });
    if (!is_wanted) return;
    const std::size_t side = o.quick ? 1024 : 4096;
    const effort e = o.quick ? effort{3, 0.02} : effort{9, 0.1};
    for (const sinter::element_type type : all_types)
        if (wants_type(o, name(type)))
            with_element(type,
                         [&]<class T>(std::type_identity<T>) { layout_group<T>(gpu, side).run(r, o, e, counted); });
}

}  // namespace bench
