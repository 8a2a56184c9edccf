// slice, reverse, transpose, permute, reshape and broadcast_to, one after the other on random views, against a list of
// the elements' places. A reshape succeeds exactly where strides can say it.
#include <sinter/core/rearrange.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "source.hpp"

namespace {

using fuzz::source;
using sizes = std::array<std::size_t, 3>;
using view = sinter::tensor_view<std::uint8_t, 3>;

std::size_t count_of(const sizes& s) { return s[0] * s[1] * s[2]; }

// The places of all elements in row-major order.
struct listed {
    sizes extents;
    std::vector<std::ptrdiff_t> places;

    std::ptrdiff_t at(std::size_t i, std::size_t j, std::size_t k) const {
        return places[(i * extents[1] + j) * extents[2] + k];
    }
};

template <class Place>
listed made(const sizes& extents, const Place& place) {
    listed result{extents, {}};
    for (std::size_t i = 0; i < extents[0]; ++i)
        for (std::size_t j = 0; j < extents[1]; ++j)
            for (std::size_t k = 0; k < extents[2]; ++k) result.places.push_back(place(i, j, k));
    return result;
}

listed list_of(const view& v) {
    return made(v.sizes(), [&](std::size_t i, std::size_t j, std::size_t k) { return &v(i, j, k) - v.data(); });
}

// Some strides that give these places, if there are any.
bool strides_can_say(const listed& x) {
    if (x.places.empty()) return true;
    const std::ptrdiff_t first = x.places[0];
    const std::ptrdiff_t outer = x.extents[0] > 1 ? x.at(1, 0, 0) - first : 0;
    const std::ptrdiff_t middle = x.extents[1] > 1 ? x.at(0, 1, 0) - first : 0;
    const std::ptrdiff_t inner = x.extents[2] > 1 ? x.at(0, 0, 1) - first : 0;
    return made(x.extents, [&](std::size_t i, std::size_t j, std::size_t k) {
               return first + static_cast<std::ptrdiff_t>(i) * outer + static_cast<std::ptrdiff_t>(j) * middle +
                      static_cast<std::ptrdiff_t>(k) * inner;
           }).places == x.places;
}

class walk {
public:
    explicit walk(source& from) : from_(from), memory_(8192) {
        sizes extents{};
        std::array<std::ptrdiff_t, 3> strides{};
        std::ptrdiff_t next = 1;
        for (std::size_t i = 3; i-- > 0;) {
            extents[i] = from.one_in(20) ? 0 : 1 + from.below(6);
            strides[i] = from.one_in(6) ? from.between(-9, 9) : from.one_in(4) ? -next : next;
            next *= static_cast<std::ptrdiff_t>(extents[i] == 0 ? 1 : extents[i]);
            if (from.one_in(4)) next += from.between(0, 3);
        }
        v_ = sinter::view(memory_.data() + memory_.size() / 2, extents, strides);
        expected_ = list_of(v_);
        base_ = v_.data();
    }

    void step() {
        const std::size_t d = from_.one_in(30) ? 3 + from_.below(3) : from_.below(3);
        switch (from_.below(6)) {
            case 0: return slice(d);
            case 1: return reverse(d);
            case 2: {
                const listed old = expected_;
                return must(sinter::transpose(v_), made({old.extents[0], old.extents[2], old.extents[1]},
                                                        [&](auto i, auto j, auto k) { return old.at(i, k, j); }));
            }
            case 3: {
                const listed old = expected_;
                const sizes turned{old.extents[2], old.extents[0], old.extents[1]};
                return must(sinter::permute<2, 0, 1>(v_),
                            made(turned, [&](auto i, auto j, auto k) { return old.at(j, k, i); }));
            }
            case 4: return broadcast();
            default: return reshape();
        }
    }

private:
    // What `act` gives, or nothing where it is refused for its shape.
    template <class Act>
    std::optional<view> tried(const Act& act) {
        try {
            return act();
        } catch (const sinter::error& refusal) {
            fuzz::expect(refusal.code() == sinter::errc::shape, refusal.what());
            return std::nullopt;
        }
    }

    void must(const std::optional<view>& got, listed expected) {
        fuzz::expect(got.has_value(), "refused without a reason");
        fuzz::expect(got->sizes() == expected.extents, "other sizes");
        expected_ = std::move(expected);
        v_ = *got;
        const std::ptrdiff_t offset = expected_.places.empty() ? 0 : v_.data() - base_;
        std::vector<std::ptrdiff_t> places = list_of(v_).places;
        for (std::ptrdiff_t& place : places) place += offset;
        fuzz::expect(places == expected_.places, "other elements");
    }

    void slice(std::size_t d) {
        const std::size_t first = from_.below(8), last = from_.below(8), step = from_.below(4);
        const auto got = tried([&] { return sinter::slice(v_, d, first, last, step); });
        const bool valid = d < 3 && first <= last && last <= expected_.extents[d] && step > 0;
        fuzz::expect(valid == got.has_value(), "a slice is refused, or should be");
        if (!valid) return;
        const listed old = expected_;
        sizes extents = old.extents;
        extents[d] = 0;
        for (std::size_t i = first; i < last; i += step) ++extents[d];
        must(got, made(extents, [&](auto i, auto j, auto k) {
                 std::array<std::size_t, 3> index{i, j, k};
                 index[d] = first + index[d] * step;
                 return old.at(index[0], index[1], index[2]);
             }));
    }

    void reverse(std::size_t d) {
        const auto got = tried([&] { return sinter::reverse(v_, d); });
        fuzz::expect((d < 3) == got.has_value(), "a reversal is refused, or should be");
        if (d >= 3) return;
        const listed old = expected_;
        must(got, made(old.extents, [&](auto i, auto j, auto k) {
                 std::array<std::size_t, 3> index{i, j, k};
                 index[d] = old.extents[d] - 1 - index[d];
                 return old.at(index[0], index[1], index[2]);
             }));
    }

    void broadcast() {
        sizes wanted = expected_.extents;
        for (std::size_t& size : wanted)
            if (from_.one_in(3) && size < 2) size = from_.below(5);
        if (count_of(wanted) > 1500) return;
        bool valid = true;
        for (std::size_t i = 0; i < 3; ++i)
            valid = valid && (wanted[i] == expected_.extents[i] || expected_.extents[i] == 1);
        const auto got = tried([&] { return sinter::broadcast_to(v_, wanted); });
        fuzz::expect(valid == got.has_value(), "a broadcast is refused, or should be");
        if (!valid) return;
        const listed old = expected_;
        const auto within = [&](std::size_t i, std::size_t d) { return old.extents[d] == 1 ? 0 : i; };
        must(got,
             made(wanted, [&](auto i, auto j, auto k) { return old.at(within(i, 0), within(j, 1), within(k, 2)); }));
    }

    void reshape() {
        sizes wanted = expected_.extents;
        if (from_.one_in(8)) wanted = {from_.below(6), from_.below(6), from_.below(6)};
        for (int turn = 0; turn < 3; ++turn) {
            std::size_t& give = wanted[from_.below(3)];
            std::size_t& take = wanted[from_.below(3)];
            const std::size_t factor = 2 + from_.below(2);
            if (give % factor == 0 && &give != &take && give != 0) give /= factor, take *= factor;
            if (from_.one_in(3)) std::swap(give, take);
        }
        const bool counts = count_of(wanted) == count_of(expected_.extents);
        const auto got = tried([&] { return sinter::reshape(v_, wanted); });
        const bool valid = counts && strides_can_say({wanted, expected_.places});
        fuzz::expect(valid == got.has_value(), "a reshape is refused, or should be");
        if (valid) must(got, {wanted, expected_.places});
    }

    source& from_;
    std::vector<std::uint8_t> memory_;
    view v_;
    listed expected_;
    std::uint8_t* base_ = nullptr;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    source from(data, size);
    walk w(from);
    for (std::size_t steps = 1 + from.below(12); steps > 0; --steps) w.step();
    return 0;
}
