#include "layouts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "buffers.hpp"
#include "contenders.hpp"
#include "entry.hpp"
#include "sinter/core/float16.hpp"
#include "workloads.hpp"

namespace bench {

namespace {

using sinter::element_type;

// Measured side by side: kinds of the same elements.
struct layout {
    std::vector<kind> kinds;
    element_type type;
    std::size_t rows;
    std::size_t columns;
};

constexpr std::size_t channels = 3;
constexpr std::size_t padding = 16;

const std::vector<layout>& all_layouts() {
    static const std::vector<layout> list{
        {{kind::packed_rows, kind::padded_rows}, element_type::float32, 64, 1024},
        {{kind::packed_rows, kind::padded_rows}, element_type::float32, 16384, 1024},
        {{kind::transposed}, element_type::float32, 256, 256},
        {{kind::transposed}, element_type::float32, 4096, 4096},
        {{kind::nhwc_to_nchw}, element_type::uint8, 224, 224},
        {{kind::nhwc_to_nchw}, element_type::uint8, 1024, 1024},
        {{kind::nhwc_to_nchw}, element_type::uint8, 2160, 3840},
        {{kind::broadcast}, element_type::float32, 256, 256},
        {{kind::broadcast}, element_type::float32, 4096, 4096},
    };
    return list;
}

// Bytes 0 .. 255 to -1 .. 1.
constexpr attributes normalizing{2.f / 255, -1.f, 0, 0, 0};

// Room for the padding of every row, or for elements of twice the input's size.
std::size_t most_bytes(const layout& l) {
    if (l.type == element_type::uint8) return l.rows * l.columns * channels * sizeof(sinter::float16);
    return l.rows * (l.columns + padding) * size_of(l.type);
}

std::vector<float> random_vector(std::size_t size) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> distribution(-1, 1);
    std::vector<float> values(size);
    for (float& v : values) v = distribution(random);
    return values;
}

class group {
public:
    group(const layout& l, const buffers& memory)
        : row_(random_vector(l.columns)), column_(random_vector(l.rows)), memory_(memory) {
        for (const kind k : l.kinds) {
            const std::size_t depth = k == kind::nhwc_to_nchw ? channels : 1;
            job work;
            work.input = memory.input();
            work.output = memory.output();
            work.elements = l.rows * l.columns * depth;
            work.a = k == kind::nhwc_to_nchw ? normalizing : attributes_for(l.type, false);
            work.rows = l.rows;
            work.columns = l.columns;
            work.pitch = l.columns + (k == kind::padded_rows ? padding : 0);
            work.row = row_.data();
            work.column = column_.data();
            for (const entry& e : entries_for(k, l.type, work)) entries_.push_back(e);
        }
        memory.fill_input(l.type, most_bytes(l));
    }

    // Where the reference gives what the contender wrote, writing it once more changes nothing.
    void check() const {
        for (const entry& e : entries_) {
            std::memset(memory_.output(), 0, output_bytes(e));
            e.call();
            const auto* const written = static_cast<const std::byte*>(memory_.output());
            std::vector<std::byte> rewritten(written, written + output_bytes(e));
            const std::size_t rows = e.k == kind::transposed ? e.work.columns : e.work.rows;
            for (const std::size_t row : sampled(rows))
                reference_rows(e.k, e.who->what, e.work, rewritten.data(), row, row + 1);
            if (std::memcmp(rewritten.data(), written, rewritten.size()) != 0) refuse(e);
        }
    }

    void measure(results& r, const effort& e) const { measure_into(r, entries_, e); }

private:
    static std::size_t output_bytes(const entry& e) {
        if (e.k == kind::nhwc_to_nchw) return e.work.elements * sizeof(std::uint16_t);
        return e.work.rows * e.work.pitch * sizeof(float);
    }

    // Spread evenly from the first to the last: the reference is slow.
    static std::vector<std::size_t> sampled(std::size_t rows) {
        constexpr std::size_t most = 65;
        std::vector<std::size_t> taken;
        for (std::size_t i = 0; i < most; ++i) taken.push_back(i * (rows - 1) / (most - 1));
        return taken;
    }

    std::vector<float> row_, column_;
    const buffers& memory_;
    std::vector<entry> entries_;
};

}  // namespace

void run_layouts(const options& o, results& r) {
    const effort e = o.quick ? effort{5, 0.01} : effort{9, 0.05};
    for (const layout& l : all_layouts()) {
        const auto is_wanted = [&](kind k) { return wants(o, name(k)) && wants_type(o, name(l.type)); };
        if (std::none_of(l.kinds.begin(), l.kinds.end(), is_wanted)) continue;
        const buffers memory(most_bytes(l));
        const group g(l, memory);
        g.check();
        g.measure(r, e);
    }
}

}  // namespace bench
