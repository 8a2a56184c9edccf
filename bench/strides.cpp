#include "strides.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "contenders.hpp"
#include "entry.hpp"
#include "workloads.hpp"

namespace bench {

namespace {

constexpr std::size_t elements = std::size_t{1} << 16;
constexpr std::size_t padding = 16;

// Where an input's elements lie.
struct placement {
    std::string name;
    std::vector<std::size_t> sizes;
    std::vector<std::ptrdiff_t> strides;
};

// Measured side by side.
struct family {
    std::string name;
    std::vector<placement> members;
};

std::ptrdiff_t signed_size(std::size_t size) { return static_cast<std::ptrdiff_t>(size); }

// Padded rows of 64 elements, and 1024 of them in every order but the output's: the dimensions above a row follow each
// other the other way round, so that no two are one.
placement of_rank(std::size_t rank) {
    placement p{"rank" + std::to_string(rank), {elements}, {1}};
    if (rank == 1) return p;
    constexpr std::size_t row = 64;
    std::size_t halvings = 10;  // of the rows, left to the dimensions that follow
    static_assert(row << 10 == elements);
    p.sizes.clear();
    p.strides.clear();
    std::size_t pitch = row + padding;
    for (std::size_t above = rank - 1; above > 0; --above) {
        const std::size_t taken = (halvings + above - 1) / above;
        halvings -= taken;
        p.sizes.push_back(std::size_t{1} << taken);
        p.strides.push_back(signed_size(pitch));
        pitch <<= taken;
    }
    p.sizes.push_back(row);
    p.strides.push_back(1);
    return p;
}

std::vector<family> all_families() {
    family ranks{"rank", {}};
    for (std::size_t rank = 1; rank <= most_rank; ++rank) ranks.members.push_back(of_rank(rank));
    family strides{"stride", {}};
    for (const int stride : {1, 2, 3, 4, 8, 16})
        strides.members.push_back({"stride" + std::to_string(stride), {elements}, {stride}});
    constexpr std::size_t row = 1024;
    strides.members.push_back({"stride_padded", {elements / row, row}, {signed_size(row + padding), 1}});
    strides.members.push_back({"stride_reversed", {elements}, {-1}});
    return {ranks, strides};
}

// From the first element in memory: to the one that comes first, and past the last.
std::size_t offset_of_first(const placement& p) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < p.sizes.size(); ++d)
        if (p.strides[d] < 0) offset += (p.sizes[d] - 1) * static_cast<std::size_t>(-p.strides[d]);
    return offset;
}
std::size_t extent_of(const placement& p) {
    std::size_t last = 0;
    for (std::size_t d = 0; d < p.sizes.size(); ++d)
        last += (p.sizes[d] - 1) * static_cast<std::size_t>(std::abs(p.strides[d]));
    return last + 1;
}

job job_on(const placement& p, const buffers& memory) {
    job work;
    work.input = static_cast<const float*>(memory.input()) + offset_of_first(p);
    work.output = memory.output();
    work.elements = elements;
    work.a = attributes_for(sinter::element_type::float32, false);
    work.rank = p.sizes.size();
    std::copy(p.sizes.begin(), p.sizes.end(), work.sizes);
    std::copy(p.strides.begin(), p.strides.end(), work.strides);
    return work;
}

// The input's elements in the output's order.
std::vector<float> gathered(const job& j) {
    std::vector<float> found(j.elements);
    for (std::size_t i = 0; i < j.elements; ++i) {
        std::ptrdiff_t offset = 0;
        std::size_t left = i;
        for (std::size_t d = j.rank; d-- > 0; left /= j.sizes[d])
            offset += signed_size(left % j.sizes[d]) * j.strides[d];
        found[i] = static_cast<const float*>(j.input)[offset];
    }
    return found;
}

void check(const entry& e) {
    const std::vector<float> given = gathered(e.work);
    std::vector<float> wanted(elements);
    job packed = e.work;
    packed.input = given.data();
    packed.output = wanted.data();
    reference(kind::chain3, e.type)(packed);
    std::memset(e.work.output, 0, e.bytes());
    e.call();
    if (std::memcmp(wanted.data(), e.work.output, e.bytes()) != 0) refuse(e);
}

}  // namespace

void run_strides(const options& o, results& r) {
    constexpr auto type = sinter::element_type::float32;
    if (!wants_type(o, name(type))) return;
    for (family& f : all_families()) {
        std::erase_if(f.members, [&](const placement& p) { return !wants(o, f.name) && !wants(o, p.name); });
        if (f.members.empty()) continue;
        std::size_t most = 0;
        for (const placement& p : f.members) most = std::max(most, extent_of(p) * sizeof(float));
        const buffers memory(most);
        memory.fill_input(type, most);
        std::vector<entry> entries;
        for (const placement& p : f.members)
            for (const entry& e : entries_for(kind::strided, type, job_on(p, memory), p.name)) {
                check(e);
                entries.push_back(e);
            }
        measure_into(r, entries, o.quick ? effort{5, 0.01} : effort{9, 0.05});
    }
}

}  // namespace bench
