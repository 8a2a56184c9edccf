#include "workloads.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "contender.hpp"
#include "elements.hpp"

namespace bench {

namespace {

constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

// What a contender's output is compared with, bit for bit.
enum class computes { the_same, a_copy };

struct contender {
    const char* name;
    pass_for find;
    computes what;
};

struct workload {
    const char* name;
    bool in_place;
    pass_for reference;
    std::vector<contender> contenders;
};

// One line per workload and contender.
const std::vector<workload>& all_workloads() {
    static const std::vector<workload> list{
        {"chain3", false, scalar_chain3,
         {{"sinter", sinter_chain3, computes::the_same},
          {"hand", hand_chain3, computes::the_same},
          {"limit_copy", limit_copy, computes::a_copy}}},
        {"chain3_inplace", true, scalar_chain3,
         {{"sinter", sinter_chain3, computes::the_same},
          {"hand", hand_chain3, computes::the_same},
          {"limit_inplace", limit_inplace, computes::a_copy}}},
        {"shrink", false, scalar_shrink,
         {{"sinter", sinter_shrink, computes::the_same},
          {"hand", hand_shrink, computes::the_same},
          {"limit_copy", limit_copy, computes::a_copy}}},
    };
    return list;
}

// The largest element that buffers::fill_input makes.
float magnitude_of(sinter::element_type type) {
    if (is_floating(type)) return 1;
    return static_cast<float>(range_of(type).highest);
}

std::vector<std::size_t> sizes_for(const workload& w, sinter::element_type type, const options& o) {
    std::vector<std::size_t> sizes{4_KiB, 256_KiB, 64_MiB};
    // The goals at the largest size are about one type; the others tell the same there.
    if (!o.quick || (type == sinter::element_type::float32 && std::strcmp(w.name, "shrink") != 0))
        sizes.push_back(512_MiB);
    return sizes;
}

class group {
public:
    group(const workload& w, sinter::element_type type, std::size_t bytes, const buffers& memory)
        : workload_(w), type_(type), bytes_(bytes), elements_(bytes / size_of(type)), memory_(memory),
          attributes_(attributes_for(type, w.in_place)) {
        for (const contender& c : w.contenders)
            if (const pass found = c.find(type)) {
                contenders_.push_back(c);
                passes_.push_back(found);
            }
    }

    void check() const {
        for (std::size_t i = 0; i < passes_.size(); ++i) {
            memory_.fill_input(type_, bytes_);
            const std::vector<std::byte> given = sample(memory_.input());
            call(passes_[i]);
            if (sample(output()) != expected(given, contenders_[i].what))
                throw std::runtime_error(std::string(contenders_[i].name) + " computes other bits than it should: " +
                                         workload_.name + ", " + name(type_) + ", " + describe_bytes(bytes_));
        }
    }

    void measure_into(results& r, const effort& e) const {
        memory_.fill_input(type_, bytes_);
        std::vector<std::function<void()>> calls;
        for (const pass p : passes_) calls.push_back([this, p] { call(p); });
        const std::vector<timing> times = measure(calls, e);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double read_and_written = 2.0 * static_cast<double>(bytes_);
            r.add({workload_.name, name(type_), bytes_, 1, contenders_[i].name, read_and_written / times[i].median_ns,
                   times[i], unit::gigabytes_per_second});
        }
    }

private:
    void* output() const { return workload_.in_place ? memory_.input() : memory_.output(); }
    void call(pass p) const { p(memory_.input(), output(), elements_, attributes_); }

    // Blocks spread evenly from the first byte to the last: the reference is slow.
    std::vector<std::byte> sample(const void* buffer) const {
        constexpr std::size_t block = 4_KiB;
        constexpr std::size_t blocks = 17;
        const auto* const bytes = static_cast<const std::byte*>(buffer);
        std::vector<std::byte> taken;
        const std::size_t taken_blocks = bytes_ <= block ? 1 : blocks;
        for (std::size_t i = 0; i < taken_blocks; ++i) {
            const std::size_t last = bytes_ - std::min(block, bytes_);
            const std::size_t start = taken_blocks == 1 ? 0 : last / (taken_blocks - 1) * i / 64 * 64;
            const auto* const first = bytes + (i + 1 == taken_blocks ? last : start);
            taken.insert(taken.end(), first, first + std::min(block, bytes_));
        }
        return taken;
    }

    std::vector<std::byte> expected(const std::vector<std::byte>& given, computes what) const {
        if (what == computes::a_copy) return given;
        std::vector<std::byte> wanted(given.size());
        workload_.reference(type_)(given.data(), wanted.data(), given.size() / size_of(type_), attributes_);
        return wanted;
    }

    const workload& workload_;
    sinter::element_type type_;
    std::size_t bytes_;
    std::size_t elements_;
    const buffers& memory_;
    attributes attributes_;
    std::vector<contender> contenders_;
    std::vector<pass> passes_;
};

}  // namespace

// Random data must stay random when a pass runs in place again and again: there the chain turns the elements' order
// around, x -> c - x, and pulls only the small ones to 0. Elsewhere every branch is taken and integers saturate, too.
attributes attributes_for(sinter::element_type type, bool in_place) {
    const float m = magnitude_of(type);
    if (!in_place) return {1.5f, 0.25f * m, 0.25f * m, 0.5f * m, -0.75f * m};
    return {-1.f, is_unsigned(type) ? m : 0.125f, 0.f, 0.25f * m, -m};
}

void run_workloads(const options& o, results& r) {
    const buffers memory(512_MiB);
    const effort e = o.quick ? effort{5, 0.01} : effort{9, 0.05};
    for (const workload& w : all_workloads()) {
        if (!wants(o, w.name)) continue;
        for (const sinter::element_type type : all_types) {
            if (!wants_type(o, name(type))) continue;
            for (const std::size_t bytes : sizes_for(w, type, o)) {
                const group g(w, type, bytes, memory);
                g.check();
                g.measure_into(r, e);
            }
        }
    }
}

void run_call_overhead(const options& o, results& r) {
    constexpr const char* workload = "call_overhead";
    if (!wants(o, workload)) return;
    const auto type = sinter::element_type::float32;
    const buffers memory(4_KiB);
    const attributes a = attributes_for(type, false);
    memory.fill_input(type, 4_KiB);
    for (const std::size_t elements : {1, 16, 64}) {
        std::vector<const char*> names;
        std::vector<std::function<void()>> calls;
        for (const contender& c : {contender{"sinter", sinter_chain3, computes::the_same},
                                   contender{"hand", hand_chain3, computes::the_same}}) {
            const pass found = c.find(type);
            if (!found) continue;
            names.push_back(c.name);
            calls.push_back([&memory, &a, found, elements] { found(memory.input(), memory.output(), elements, a); });
        }
        const std::vector<timing> times = measure(calls, o.quick ? effort{5, 0.02} : effort{15, 0.05});
        for (std::size_t i = 0; i < times.size(); ++i)
            r.add({workload, name(type), elements * sizeof(float), 1, names[i], {}, times[i], unit::nanoseconds});
    }
}

}  // namespace bench
