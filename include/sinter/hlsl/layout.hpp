// The layouts that a kernel can be written for: what one thread owns, and how its inputs are found.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../core/view.hpp"

namespace sinter::hlsl {

enum class form : std::uint8_t {
    packed,   // dense operands at 16-byte boundaries; a thread owns one 16-byte vector of the output
    words,    // dense operands at any element; a thread owns one 32-bit word of the output
    gather,   // a dense output at any element, strided or broadcast inputs; a thread owns one word of the output
    strided,  // anything else; a thread owns one element
};

constexpr const char* name(form f) noexcept {
    switch (f) {
        case form::packed: return "packed";
        case form::words: return "words";
        case form::gather: return "gather";
        default: return "strided";
    }
}

// A layout as data, for programs that are known at run time. Bit k of a mask stands for input k.
struct layout {
    form kind = form::packed;
    std::uint8_t rank = 1;         // of the loop of gather and strided
    std::uint16_t in_place = 0;    // inputs that are the output's own region, read through the output's view
    std::uint16_t read_write = 0;  // inputs that share the output's buffer, so that their views are read-write, too

    friend constexpr bool operator==(const layout&, const layout&) = default;
};

// The same as types.
struct packed {
    static constexpr layout value{.kind = form::packed};
};
struct words {
    static constexpr layout value{.kind = form::words};
};
template <std::size_t Rank>
    requires(Rank >= 1 && Rank <= max_rank)
struct gather {
    static constexpr layout value{.kind = form::gather, .rank = Rank};
};
template <std::size_t Rank>
    requires(Rank >= 1 && Rank <= max_rank)
struct strided {
    static constexpr layout value{.kind = form::strided, .rank = Rank};
};

template <class Layout>
concept layout_type = requires {
    { Layout::value } -> std::same_as<const layout&>;
};

namespace detail {

constexpr layout with_in_place(layout l, std::uint16_t inputs) {
    l.in_place = static_cast<std::uint16_t>(l.in_place | inputs);
    return l;
}
constexpr layout with_read_write(layout l, std::uint16_t inputs) {
    l.read_write = static_cast<std::uint16_t>(l.read_write | inputs);
    return l;
}

}  // namespace detail

template <layout_type Layout, std::uint16_t Inputs = 1>
struct in_place {
    static constexpr layout value = detail::with_in_place(Layout::value, Inputs);
};
template <layout_type Layout, std::uint16_t Inputs = 1>
struct read_write {
    static constexpr layout value = detail::with_read_write(Layout::value, Inputs);
};

}  // namespace sinter::hlsl
