// Recording values: an operator's body runs on them once, in a constant expression, and leaves a list of instructions.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../core/element.hpp"
#include "program.hpp"

namespace sinter {

namespace detail {

// Appends instructions to a caller's array and merges identical ones by hashing. When the array is full, `overflowed`
// is set and what follows is lost: the caller starts again with a larger one.
class recorder {
public:
    static constexpr std::size_t slots_for(std::size_t capacity) { return std::bit_ceil(2 * capacity); }

    constexpr recorder(instruction* code, std::size_t capacity, std::uint16_t* slots, std::size_t slot_count)
        : code_(code), slots_(slots), capacity_(capacity), slot_mask_(slot_count - 1) {}

    constexpr std::uint16_t push(const instruction& wanted) {
        std::size_t slot = hash(wanted) & slot_mask_;
        while (slots_[slot] != 0) {
            const auto id = static_cast<std::uint16_t>(slots_[slot] - 1);
            if (code_[id] == wanted) return id;
            slot = (slot + 1) & slot_mask_;
        }
        if (size_ == capacity_) {
            overflowed_ = true;
            return 0;
        }
        code_[size_] = wanted;
        slots_[slot] = static_cast<std::uint16_t>(size_ + 1);
        return static_cast<std::uint16_t>(size_++);
    }

    constexpr const instruction& operator[](std::size_t id) const { return code_[id]; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool overflowed() const { return overflowed_; }

    // A literal's value is known while a body is recorded, but not to a static_assert there.
    constexpr void refuse_literal() { refused_literal_ = true; }
    constexpr bool refused_literal() const { return refused_literal_; }

private:
    static constexpr std::size_t hash(const instruction& i) {
        std::uint32_t h = static_cast<std::uint32_t>(i.op) | static_cast<std::uint32_t>(i.type) << 8;
        h = (h ^ i.bits) * 0x9e3779b1u;
        h = (h ^ (h >> 15) ^ (std::uint32_t{i.a} | std::uint32_t{i.b} << 16)) * 0x85ebca77u;
        h = (h ^ (h >> 13) ^ i.c) * 0xc2b2ae3du;
        return h ^ (h >> 16);
    }

    instruction* code_;
    std::uint16_t* slots_;
    std::size_t capacity_;
    std::size_t slot_mask_;
    std::size_t size_ = 0;
    bool overflowed_ = false;
    bool refused_literal_ = false;
};

template <class T>
inline constexpr bool false_for = false;

}  // namespace detail

// A comparison inside a body. Compared is the element type that was compared, or void where several were.
template <class Compared>
struct recorded_mask {
    detail::recorder* recorder;
    std::uint16_t id;

    template <class Bool>
        requires(std::same_as<Bool, bool>)
    explicit constexpr operator Bool() const {
        static_assert(detail::false_for<Bool>,
                      "sinter: a comparison of tensor values has no single truth value: "
                      "use select(condition, a, b) instead of if, ?:, while, std::min or std::max");
        return false;
    }
};

// An element inside a body. T is the tensor's element type; float16 values are computed in float32.
template <element T>
struct recorded {
    detail::recorder* recorder;
    std::uint16_t id;

    template <class Bool>
        requires(std::same_as<Bool, bool>)
    explicit constexpr operator Bool() const {
        static_assert(detail::false_for<Bool>,
                      "sinter: a tensor value has no truth value: use select(x != 0, a, b) instead of if, ?: or while");
        return false;
    }
};

// A floating scalar given to map: a float32 that may also stand beside float16 values.
struct recorded_scalar : recorded<float> {};

namespace detail {

template <class V>
inline constexpr bool is_recorded = false;
template <class T>
inline constexpr bool is_recorded<recorded<T>> = true;
template <>
inline constexpr bool is_recorded<recorded_scalar> = true;
template <class V>
inline constexpr bool is_recorded_mask = false;
template <class T>
inline constexpr bool is_recorded_mask<recorded_mask<T>> = true;

template <class V>
concept recorded_value = is_recorded<V>;

// The type of the register that holds a value of element type T.
template <element T>
inline constexpr value_type register_type =
    floating_element<T> ? value_type::float32 : to_value_type(element_type_of<T>);

constexpr std::uint32_t float_bits(floating_scalar auto value) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

// An integral scalar modulo 2^bits of T, extended to 32 bits.
template <integral_element T, std::integral V>
constexpr std::uint32_t wrapped_bits(V value) {
    const auto wrapped = static_cast<T>(static_cast<std::make_unsigned_t<T>>(value));
    if constexpr (std::is_signed_v<T>) return static_cast<std::uint32_t>(static_cast<std::int32_t>(wrapped));
    else return wrapped;
}

enum class literal_use : std::uint8_t { wraps, must_fit };

template <element T, literal_use Use, scalar V>
constexpr recorded<T> literal(recorder* r, V value) {
    std::uint32_t bits = 0;
    if constexpr (floating_element<T>) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    } else {
        static_assert(std::integral<V>,
                      "sinter: a floating-point literal meets an integer element: write cast<float>(x) first");
        if constexpr (std::integral<V>) {
            if (Use == literal_use::must_fit && !std::in_range<T>(value)) r->refuse_literal();
            bits = wrapped_bits<T>(value);
        }
    }
    return {r, r->push({.op = operation::constant, .type = register_type<T>, .bits = bits})};
}

template <element T>
constexpr recorded<T> emit(operation op, recorded<T> a) {
    return {a.recorder, a.recorder->push({.op = op, .type = register_type<T>, .a = a.id})};
}

template <element T>
constexpr recorded<T> emit(operation op, recorded<T> a, recorded<T> b) {
    return {a.recorder, a.recorder->push({.op = op, .type = register_type<T>, .a = a.id, .b = b.id})};
}

template <element T>
constexpr recorded_mask<T> compare(operation op, recorded<T> a, recorded<T> b) {
    return {a.recorder, a.recorder->push({.op = op, .type = value_type::mask, .a = a.id, .b = b.id})};
}

// The element type on which two operands of a body meet; void where they do not.
template <class A, class B>
struct common {
    using type = void;
};
template <class T>
struct common<recorded<T>, recorded<T>> {
    using type = T;
};
template <class T, scalar V>
struct common<recorded<T>, V> {
    using type = T;
};
template <class T, scalar V>
struct common<V, recorded<T>> {
    using type = T;
};
template <>
struct common<recorded_scalar, recorded_scalar> {
    using type = float;
};
template <class T>
struct common<recorded<T>, recorded_scalar> {
    using type = std::conditional_t<floating_element<T>, T, void>;
};
template <class T>
struct common<recorded_scalar, recorded<T>> : common<recorded<T>, recorded_scalar> {};
template <scalar V>
struct common<recorded_scalar, V> {
    using type = float;
};
template <scalar V>
struct common<V, recorded_scalar> {
    using type = float;
};

template <class A, class B>
concept body_operands = (recorded_value<A> && (recorded_value<B> || scalar<B>)) || (scalar<A> && recorded_value<B>);

template <class A, class B>
constexpr recorder* recorder_of(const A& a, const B& b) {
    if constexpr (recorded_value<A>) return a.recorder;
    else return b.recorder;
}

template <element T, literal_use Use, class V>
constexpr recorded<T> operand_of_body(recorder* r, const V& value) {
    if constexpr (recorded_value<V>) return {r, value.id};
    else return literal<T, Use>(r, value);
}

template <class A, class B>
using common_t = typename common<A, B>::type;

// After a mistake the compiler goes on with some type, so that it reports nothing that only follows from the mistake.
template <class T>
using after_mistake_t = std::conditional_t<std::is_void_v<T>, float, T>;

template <class A, class B>
constexpr void check_common() {
    static_assert(!std::is_void_v<common_t<A, B>>,
                  "sinter: the operands have different element types: cast<T>(x) one of them");
}

template <literal_use Use, class A, class B>
constexpr auto binary(operation op, const A& a, const B& b) {
    check_common<A, B>();
    using T = after_mistake_t<common_t<A, B>>;
    recorder* r = recorder_of(a, b);
    return emit<T>(op, operand_of_body<T, Use>(r, a), operand_of_body<T, Use>(r, b));
}

template <class A, class B>
constexpr auto comparison(operation op, const A& a, const B& b) {
    check_common<A, B>();
    using T = after_mistake_t<common_t<A, B>>;
    recorder* r = recorder_of(a, b);
    constexpr auto use = literal_use::must_fit;
    return compare<T>(op, operand_of_body<T, use>(r, a), operand_of_body<T, use>(r, b));
}

}  // namespace detail

template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator+(const A& a, const B& b) {
    return detail::binary<detail::literal_use::wraps>(operation::add, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator-(const A& a, const B& b) {
    return detail::binary<detail::literal_use::wraps>(operation::subtract, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator*(const A& a, const B& b) {
    return detail::binary<detail::literal_use::wraps>(operation::multiply, a, b);
}
template <element T, class B>
    requires detail::body_operands<recorded<T>, B>
constexpr recorded<T>& operator+=(recorded<T>& a, const B& b) {
    return a = a + b;
}
template <element T, class B>
    requires detail::body_operands<recorded<T>, B>
constexpr recorded<T>& operator-=(recorded<T>& a, const B& b) {
    return a = a - b;
}
template <element T, class B>
    requires detail::body_operands<recorded<T>, B>
constexpr recorded<T>& operator*=(recorded<T>& a, const B& b) {
    return a = a * b;
}
template <element T>
constexpr recorded<T> operator-(recorded<T> a) {
    return detail::emit(operation::negate, a);
}
template <element T>
constexpr recorded<T> operator+(recorded<T> a) {
    return a;
}

template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator<(const A& a, const B& b) {
    return detail::comparison(operation::less, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator<=(const A& a, const B& b) {
    return detail::comparison(operation::less_equal, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator>(const A& a, const B& b) {
    return detail::comparison(operation::greater, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator>=(const A& a, const B& b) {
    return detail::comparison(operation::greater_equal, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator==(const A& a, const B& b) {
    return detail::comparison(operation::equal, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto operator!=(const A& a, const B& b) {
    return detail::comparison(operation::not_equal, a, b);
}

namespace detail {

template <class A, class B>
using joined_mask = recorded_mask<std::conditional_t<std::same_as<A, B>, A, void>>;

}  // namespace detail

template <class A, class B>
constexpr detail::joined_mask<A, B> operator&&(recorded_mask<A> a, recorded_mask<B> b) {
    return {a.recorder,
            a.recorder->push({.op = operation::logical_and, .type = value_type::mask, .a = a.id, .b = b.id})};
}
template <class A, class B>
constexpr detail::joined_mask<A, B> operator||(recorded_mask<A> a, recorded_mask<B> b) {
    return {a.recorder,
            a.recorder->push({.op = operation::logical_or, .type = value_type::mask, .a = a.id, .b = b.id})};
}
template <class A>
constexpr recorded_mask<A> operator!(recorded_mask<A> a) {
    return {a.recorder, a.recorder->push({.op = operation::logical_not, .type = value_type::mask, .a = a.id})};
}

// Names in parentheses, so that a macro min or max does not touch them.
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto(min)(const A& a, const B& b) {
    return detail::binary<detail::literal_use::must_fit>(operation::minimum, a, b);
}
template <class A, class B>
    requires detail::body_operands<A, B>
constexpr auto(max)(const A& a, const B& b) {
    return detail::binary<detail::literal_use::must_fit>(operation::maximum, a, b);
}
// The same once more for equal types: as specialized as std::min, and constrained, so that using namespace std is safe.
template <detail::recorded_value T>
constexpr auto(min)(const T& a, const T& b) {
    return detail::binary<detail::literal_use::must_fit>(operation::minimum, a, b);
}
template <detail::recorded_value T>
constexpr auto(max)(const T& a, const T& b) {
    return detail::binary<detail::literal_use::must_fit>(operation::maximum, a, b);
}
template <element T>
constexpr recorded<T> abs(recorded<T> a) {
    return detail::emit(operation::absolute, a);
}

namespace detail {

template <class A, class B, class Compared>
struct selected : common<A, B> {};
template <scalar A, scalar B, class Compared>
struct selected<A, B, Compared> {
    using type = Compared;
};

}  // namespace detail

template <class Compared, class A, class B>
    requires((detail::recorded_value<A> || scalar<A>) && (detail::recorded_value<B> || scalar<B>))
constexpr auto select(recorded_mask<Compared> condition, const A& a, const B& b) {
    using selected = typename detail::selected<A, B, Compared>::type;
    if constexpr (scalar<A> && scalar<B>)
        static_assert(!std::is_void_v<selected>,
                      "sinter: select of two literals takes its type from the comparison, and this condition compares "
                      "several types: cast<T> one of the arms");
    else detail::check_common<A, B>();
    using T = detail::after_mistake_t<selected>;
    constexpr auto use = detail::literal_use::must_fit;
    detail::recorder* r = condition.recorder;
    const recorded<T> first = detail::operand_of_body<T, use>(r, a);
    const recorded<T> second = detail::operand_of_body<T, use>(r, b);
    return recorded<T>{r, r->push({.op = operation::select,
                                   .type = detail::register_type<T>,
                                   .a = condition.id,
                                   .b = first.id,
                                   .c = second.id})};
}

namespace detail {

enum class rounding : std::uint8_t { truncate, half_even };

template <element To, element From>
constexpr recorded<To> converted(recorded<From> x, rounding how) {
    const auto push = [&](operation op) {
        return recorded<To>{x.recorder, x.recorder->push({.op = op, .type = register_type<To>, .a = x.id})};
    };
    if constexpr (std::same_as<To, float> && floating_element<From>) return {x.recorder, x.id};
    else if constexpr (std::same_as<To, float16> && floating_element<From>) return push(operation::round_to_half);
    else if constexpr (std::same_as<To, From>) return x;
    else if constexpr (std::same_as<To, float16>) return converted<float16>(converted<float>(x, how), how);
    else if constexpr (std::same_as<To, float>) return push(operation::to_float32);
    else if constexpr (floating_element<From>)
        return push(how == rounding::truncate ? operation::truncate : operation::nearest);
    else return push(operation::saturate);
}

template <element To, class Compared>
constexpr recorded<To> ones(recorded_mask<Compared> m) {
    const recorded<To> one = literal<To, literal_use::must_fit>(m.recorder, 1);
    const recorded<To> none = literal<To, literal_use::must_fit>(m.recorder, 0);
    return select(m, one, none);
}

}  // namespace detail

// Between float types to nearest even; float to integer toward zero, saturating, NaN is 0; a mask gives 1 or 0.
template <element To, element From>
constexpr recorded<To> cast(recorded<From> x) {
    return detail::converted<To>(x, detail::rounding::truncate);
}
template <element To, element From>
constexpr recorded<To> cast_rne(recorded<From> x) {
    return detail::converted<To>(x, detail::rounding::half_even);
}
template <element To, class Compared>
constexpr recorded<To> cast(recorded_mask<Compared> m) {
    return detail::ones<To>(m);
}
template <element To, class Compared>
constexpr recorded<To> cast_rne(recorded_mask<Compared> m) {
    return detail::ones<To>(m);
}

}  // namespace sinter
