// A program as one SIMD kernel. No guard and no namespace of its own: included inside a namespace, once for every
// instruction set, after a struct `simd` whose static members are the primitives of that set:
//
//   real integer natural mask       registers with `lanes` lanes of 32 bits: float32, int32, uint32, true or false
//   shape                           of its kernels
//   is_worth_code                   whether its kernels are to be fast, rather than quick to compile
//   first(n)                        the first elements of a vector, as an extent; whole_vector where shape.unit is one
//   load store                      real, and integer of 8, 16 or 32 bits, at any address; what narrows is in range
//   stream                          lanes of 32 bits past the caches, to a multiple of a vector's size
//   load_half store_half            float16 bits from and to real: nearest even; a NaN stays one
//   broadcast                       the same natural in every lane
//   as_real as_integer as_natural   the same bits
//   add subtract multiply           of real: never fused with one another; of integer: wrapping
//   negate absolute                 the sign bit of real; of integer: wrapping
//   minimum maximum                 of real: the operand that is not NaN, of equals the second; of integer and natural
//   bitwise_and shift_left<N> shift_right<N>    of integer; its sign follows to the right
//   less less_equal equal           of real (false for NaN), integer and natural
//   both either opposite            of masks
//   select zero_unless              by a mask
//   clamp(v, lowest, highest)       of real; what it makes of NaN is unspecified
//   at_most(v, highest)             of real, where no lane is NaN
//   positive                        of real: zero where it is negative or NaN
//   convert<nearest>                real to integer: to the nearest, half to even, or toward zero;
//                                   what it makes of values out of range is unspecified
//   saturate_to_integer<nearest>    the same, saturating; NaN is 0
//   saturate_to_natural<nearest>    the same of real that is not negative
//   to_real                         integer or natural, to nearest even
//
// Every value lives in lanes of 32 bits, so that registers of all element types have the same number of lanes; narrow
// elements are widened when loaded and narrowed when stored. The code array is walked by an index sequence: a loop
// would keep the registers in memory.

// Which member is alive follows from the instruction that wrote it. uint32 bits live in `integer`.
struct lane_register {
    simd::real real;
    simd::integer integer;
    simd::mask mask;
};

template <value_type Type, class Extent>
SINTER_INLINE void load(lane_register& r, const std::byte* element, Extent extent) {
    const void* at = element;
    if constexpr (Type == value_type::float32) r.real = simd::load(static_cast<const float*>(at), extent);
    else if constexpr (Type == value_type::float16)
        r.real = simd::load_half(static_cast<const std::uint16_t*>(at), extent);
    else if constexpr (Type == value_type::int16) r.integer = simd::load(static_cast<const std::int16_t*>(at), extent);
    else if constexpr (Type == value_type::int8) r.integer = simd::load(static_cast<const std::int8_t*>(at), extent);
    else if constexpr (Type == value_type::uint16)
        r.integer = simd::load(static_cast<const std::uint16_t*>(at), extent);
    else if constexpr (Type == value_type::uint8) r.integer = simd::load(static_cast<const std::uint8_t*>(at), extent);
    else r.integer = simd::load(static_cast<const std::int32_t*>(at), extent);
}

template <element_type Type, class Extent>
SINTER_INLINE void store(const lane_register& r, std::byte* element, Extent extent) {
    void* at = element;
    if constexpr (Type == element_type::float32) simd::store(r.real, static_cast<float*>(at), extent);
    else if constexpr (Type == element_type::float16) simd::store_half(r.real, static_cast<std::uint16_t*>(at), extent);
    else if constexpr (Type == element_type::int16) simd::store(r.integer, static_cast<std::int16_t*>(at), extent);
    else if constexpr (Type == element_type::int8) simd::store(r.integer, static_cast<std::int8_t*>(at), extent);
    else if constexpr (Type == element_type::uint16) simd::store(r.integer, static_cast<std::uint16_t*>(at), extent);
    else if constexpr (Type == element_type::uint8) simd::store(r.integer, static_cast<std::uint8_t*>(at), extent);
    else simd::store(r.integer, static_cast<std::int32_t*>(at), extent);
}

template <element_type Type>
SINTER_INLINE void stream(const lane_register& r, std::byte* element) {
    void* at = element;
    if constexpr (Type == element_type::float32) simd::stream(r.real, static_cast<float*>(at));
    else simd::stream(r.integer, static_cast<std::int32_t*>(at));
}

// Parameters and constants: the same 32 bits in every lane.
template <value_type Type>
SINTER_INLINE void broadcast(lane_register& r, std::uint32_t bits) {
    if constexpr (is_floating(Type)) r.real = simd::as_real(simd::broadcast(bits));
    else r.integer = simd::as_integer(simd::broadcast(bits));
}

SINTER_INLINE simd::integer broadcast_integer(std::int64_t value) {
    return simd::as_integer(simd::broadcast(static_cast<std::uint32_t>(value)));
}

SINTER_INLINE simd::real broadcast_real(float value) {
    return simd::as_real(simd::broadcast(std::bit_cast<std::uint32_t>(value)));
}

// Back into the range of an 8- or 16-bit type, modulo 2^bits.
template <value_type Type>
SINTER_INLINE simd::integer wrapped(simd::integer v) {
    constexpr int bits = static_cast<int>(size_of(to_element_type(Type))) * 8;
    constexpr integer_range range = range_of(to_element_type(Type));
    if constexpr (bits == 32) return v;
    else if constexpr (range.lowest == 0) return simd::bitwise_and(v, broadcast_integer(range.highest));
    else return simd::shift_right<32 - bits>(simd::shift_left<32 - bits>(v));
}

SINTER_INLINE simd::real rounded_to_half(simd::real v) {
    std::uint16_t halves[simd::lanes];
    simd::store_half(v, halves, whole_vector());
    return simd::load_half(halves, whole_vector());
}

template <operation Op>
SINTER_INLINE simd::real compute_real(simd::real a, simd::real b) {
    if constexpr (Op == operation::add) return simd::add(a, b);
    else if constexpr (Op == operation::subtract) return simd::subtract(a, b);
    else if constexpr (Op == operation::multiply) return simd::multiply(a, b);
    else if constexpr (Op == operation::negate) return simd::negate(a);
    else if constexpr (Op == operation::absolute) return simd::absolute(a);
    else if constexpr (Op == operation::minimum) return simd::minimum(a, b);
    else if constexpr (Op == operation::maximum) return simd::maximum(a, b);
    else return rounded_to_half(a);
}

template <operation Op, value_type Type>
SINTER_INLINE simd::integer compute_integer(simd::integer a, simd::integer b) {
    constexpr bool natural = Type == value_type::uint32;
    if constexpr (Op == operation::add) return wrapped<Type>(simd::add(a, b));
    else if constexpr (Op == operation::subtract) return wrapped<Type>(simd::subtract(a, b));
    else if constexpr (Op == operation::multiply) return wrapped<Type>(simd::multiply(a, b));
    else if constexpr (Op == operation::negate) return wrapped<Type>(simd::negate(a));
    else if constexpr (Op == operation::absolute) {
        if constexpr (is_unsigned(to_element_type(Type))) return a;
        else return wrapped<Type>(simd::absolute(a));
    } else if constexpr (Op == operation::minimum) {
        if constexpr (natural) return simd::as_integer(simd::minimum(simd::as_natural(a), simd::as_natural(b)));
        else return simd::minimum(a, b);
    } else {
        if constexpr (natural) return simd::as_integer(simd::maximum(simd::as_natural(a), simd::as_natural(b)));
        else return simd::maximum(a, b);
    }
}

// != is true for NaN, everything else false.
template <operation Op, class Lanes>
SINTER_INLINE simd::mask compare(Lanes a, Lanes b) {
    if constexpr (Op == operation::less) return simd::less(a, b);
    else if constexpr (Op == operation::less_equal) return simd::less_equal(a, b);
    else if constexpr (Op == operation::greater) return simd::less(b, a);
    else if constexpr (Op == operation::greater_equal) return simd::less_equal(b, a);
    else if constexpr (Op == operation::equal) return simd::equal(a, b);
    else return simd::opposite(simd::equal(a, b));
}

// Op is truncate or nearest. Saturates, NaN is 0.
template <operation Op, value_type Type>
SINTER_INLINE simd::integer to_integer(simd::real v) {
    constexpr bool nearest = Op == operation::nearest;
    constexpr bool wide = size_of(to_element_type(Type)) == 4;
    constexpr integer_range range = range_of(to_element_type(Type));
    [[maybe_unused]] const simd::real lowest = broadcast_real(static_cast<float>(range.lowest));
    [[maybe_unused]] const simd::real highest = broadcast_real(static_cast<float>(range.highest));
    if constexpr (range.lowest == 0) {
        v = simd::positive(v);
        if constexpr (wide) return simd::saturate_to_natural<nearest>(v);
        else return simd::convert<nearest>(simd::at_most(v, highest));
    } else {
        if constexpr (wide) return simd::saturate_to_integer<nearest>(v);
        else return simd::zero_unless(simd::equal(v, v), simd::convert<nearest>(simd::clamp(v, lowest, highest)));
    }
}

template <value_type Type, value_type Source>
SINTER_INLINE simd::integer saturated(simd::integer v) {
    constexpr integer_range wanted = range_of(to_element_type(Type));
    constexpr integer_range given = range_of(to_element_type(Source));
    if constexpr (wanted.lowest > given.lowest) v = simd::maximum(v, broadcast_integer(wanted.lowest));
    if constexpr (wanted.highest < given.highest)
        v = compute_integer<operation::minimum, Source>(v, broadcast_integer(wanted.highest));
    return v;
}

// One instruction. Source is the type of its first operand.
template <operation Op, value_type Type, value_type Source>
SINTER_INLINE void compute(lane_register& r, const lane_register& a, const lane_register& b, const lane_register& c) {
    if constexpr (Op == operation::logical_and) r.mask = simd::both(a.mask, b.mask);
    else if constexpr (Op == operation::logical_or) r.mask = simd::either(a.mask, b.mask);
    else if constexpr (Op == operation::logical_not) r.mask = simd::opposite(a.mask);
    else if constexpr (Type == value_type::mask) {
        if constexpr (is_floating(Source)) r.mask = compare<Op>(a.real, b.real);
        else if constexpr (Source == value_type::uint32)
            r.mask = compare<Op>(simd::as_natural(a.integer), simd::as_natural(b.integer));
        else r.mask = compare<Op>(a.integer, b.integer);
    } else if constexpr (Op == operation::select) {
        if constexpr (is_floating(Type)) r.real = simd::select(a.mask, b.real, c.real);
        else r.integer = simd::select(a.mask, b.integer, c.integer);
    } else if constexpr (Op == operation::to_float32) {
        if constexpr (Source == value_type::uint32) r.real = simd::to_real(simd::as_natural(a.integer));
        else r.real = simd::to_real(a.integer);
    } else if constexpr (Op == operation::truncate || Op == operation::nearest)
        r.integer = to_integer<Op, Type>(a.real);
    else if constexpr (Op == operation::saturate) r.integer = saturated<Type, Source>(a.integer);
    else if constexpr (is_floating(Type)) r.real = compute_real<Op>(a.real, b.real);
    else r.integer = compute_integer<Op, Type>(a.integer, b.integer);
}

// The most vectors in a turn of a kernel's loop.
inline constexpr std::size_t most_vectors = 4;

// One element, as often as a turn reads it.
template <std::size_t Bytes>
SINTER_INLINE void repeat_element(std::byte* to, const std::byte* element) {
    std::array<std::byte, 4> word;
    for (std::size_t i = 0; i < 4; i += Bytes) std::memcpy(word.data() + i, element, Bytes);
    const simd::integer repeated = simd::as_integer(simd::broadcast(std::bit_cast<std::uint32_t>(word)));
    void* const words = to;
    for (std::size_t i = 0; i < most_vectors * Bytes / 4; ++i)
        simd::store(repeated, static_cast<std::int32_t*>(words) + i * simd::lanes, whole_vector());
}

// Any instruction but an input. All programs share it: where two instructions of a kind differ is in the arguments.
template <operation Op, value_type Type, value_type Source>
SINTER_INLINE void perform(lane_register& r, const lane_register& a, const lane_register& b, const lane_register& c,
                           std::uint32_t bits, const std::uint32_t* parameters) {
    if constexpr (Op == operation::parameter) broadcast<Type>(r, parameters[bits]);
    else if constexpr (Op == operation::constant) broadcast<Type>(r, bits);
    else compute<Op, Type, Source>(r, a, b, c);
}

template <class Program>
struct program_kernel {
    static constexpr const auto& code = Program::value;

    static constexpr bool is_prepared(std::size_t i) { return !is_per_element(code[i]); }
    static constexpr std::size_t prepared = [] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < code.size; ++i)
            if (is_prepared(i)) ++count;
        return count;
    }();
    // The instructions before the loop, then those inside.
    static constexpr std::array<std::uint16_t, code.size> order = [] {
        std::array<std::uint16_t, code.size> indices{};
        std::size_t before = 0;
        std::size_t inside = prepared;
        for (std::size_t i = 0; i < code.size; ++i)
            indices[is_prepared(i) ? before++ : inside++] = static_cast<std::uint16_t>(i);
        return indices;
    }();
    // Vectors per turn of the loop. Short programs wait for the loop's own instructions otherwise, where registers are
    // so wide that a row is few of them; very long ones are work enough for a processor. Each vector takes its time to
    // compile.
    static constexpr std::size_t inside = code.size - prepared;
    static constexpr std::size_t vectors = !simd::is_worth_code                ? 1
                                           : inside <= 16 && simd::lanes >= 16 ? most_vectors
                                           : inside <= 128                     ? 2
                                                                               : 1;

    using registers = lane_register[code.size];
    using cursor = kernel_row<code.inputs>;
    static constexpr auto every_input = std::make_index_sequence<code.inputs>();

    // Bytes of a vector.
    template <std::size_t K>
    static constexpr std::size_t vector_of_input = simd::lanes * size_of(code.input_types[K]);
    static constexpr std::size_t vector_of_output = simd::lanes * size_of(code.output);

    // Uniform registers are shared by the vectors of a turn.
    template <std::size_t I>
    static SINTER_INLINE lane_register& at(registers& own, registers& uniform) {
        if constexpr (is_prepared(I)) return uniform[I];
        else return own[I];
    }

    // What the steps of a turn read besides registers.
    template <class Extent>
    struct sources {
        const std::byte* const* inputs;
        const std::uint32_t* parameters;
        Extent extent;          // of each vector
        std::size_t first = 0;  // vector of the turn
    };

    template <std::size_t I, class Extent, std::size_t... V>
    static SINTER_INLINE void step(registers* own, registers& uniform, const sources<Extent>& from,
                                   std::index_sequence<V...>) {
        constexpr instruction i = code[I];
        if constexpr (i.op == operation::input)
            (load<i.type>(own[V][I], from.inputs[i.bits] + (from.first + V) * vector_of_input<i.bits>, from.extent),
             ...);
        else
            (perform<i.op, i.type, code[i.a].type>(at<I>(own[V], uniform), at<i.a>(own[V], uniform),
                                                   at<i.b>(own[V], uniform), at<i.c>(own[V], uniform), i.bits,
                                                   from.parameters),
             ...);
    }

    // A list, not a fold: clang limits the depth of a fold to 256.
    template <std::size_t First, class Extent, class Vectors, std::size_t... N>
    static SINTER_INLINE void steps([[maybe_unused]] registers* own, [[maybe_unused]] registers& uniform,
                                    [[maybe_unused]] const sources<Extent>& from, [[maybe_unused]] Vectors every,
                                    std::index_sequence<N...>) {
        [[maybe_unused]] const int done[] = {0, (step<order[First + N]>(own, uniform, from, every), 0)...};
    }

    // What later turns read.
    template <std::size_t Vectors, std::size_t... K>
    static SINTER_INLINE void fetch([[maybe_unused]] const cursor& here, std::index_sequence<K...>) {
        (fetch_lines<Vectors * vector_of_input<K>>(here.inputs[K] + bytes_fetched_ahead), ...);
    }

    // Parts of a vector are never streamed.
    template <class Extent, std::size_t... V>
    static SINTER_INLINE void store_all(registers* own, registers& uniform, const cursor& here, Extent extent,
                                        [[maybe_unused]] stores how, std::index_sequence<V...>) {
        if constexpr (is_streamed(code) && std::is_same_v<Extent, whole_vector>)
            if (how == stores::streaming) {
                fetch<sizeof...(V)>(here, every_input);
                return (stream<code.output>(at<code.result>(own[V], uniform), here.output + V * vector_of_output), ...);
            }
        (store<code.output>(at<code.result>(own[V], uniform), here.output + V * vector_of_output, extent), ...);
    }

    // `moving` has all bits of an input's way, or none for a repeated one.
    template <std::size_t Vectors, std::size_t... K>
    static SINTER_INLINE void advance(cursor& here, [[maybe_unused]] const std::size_t* moving,
                                      std::index_sequence<K...>) {
        ((here.inputs[K] += Vectors * vector_of_input<K> & moving[K]), ...);
        here.output += Vectors * vector_of_output;
    }

    // Two at a time: while one waits for a result, the processor works on the other. More need more registers and
    // masks than there are.
    template <std::size_t Vectors, class Extent>
    static SINTER_INLINE void compute(registers* own, registers& uniform, const sources<Extent>& from) {
        constexpr std::size_t together = Vectors < 2 ? Vectors : 2;
        steps<prepared>(own, uniform, from, std::make_index_sequence<together>(), std::make_index_sequence<inside>());
        if constexpr (Vectors > together)
            compute<Vectors - together>(
                own + together, uniform,
                sources<Extent>{from.inputs, from.parameters, from.extent, from.first + together});
    }

    // What stays the same along a row.
    struct row_context {
        const std::uint32_t* parameters;
        const std::size_t* moving;
        stores how;
    };

    // All are computed before the first is stored: the compiler cannot know that the output is no later input.
    template <std::size_t Vectors, class Extent>
    static SINTER_INLINE void turn(registers& uniform, cursor& here, const row_context& row, Extent extent) {
        registers own[Vectors];
        compute<Vectors>(own, uniform, sources<Extent>{here.inputs, row.parameters, extent});
        store_all(own, uniform, here, extent, row.how, std::make_index_sequence<Vectors>());
        advance<Vectors>(here, row.moving, every_input);
    }

    static SINTER_INLINE void run_row(registers& uniform, cursor here, const row_context& row, std::size_t count) {
        if constexpr (vectors > 1)
            for (; count >= vectors * simd::lanes; count -= vectors * simd::lanes)
                turn<vectors>(uniform, here, row, whole_vector());
        while (count > 0) {
            const std::size_t some = count < simd::lanes ? count : simd::lanes;
            turn<1>(uniform, here, row, simd::first(some));
            count -= some;
        }
    }

    // The repeated inputs of a row, with room in which a turn finds them.
    struct repeated_inputs {
        static constexpr std::size_t bytes = most_vectors * simd::lanes * 4;
        alignas(64) std::byte room[code.inputs + 1][bytes];

        template <std::size_t... K>
        SINTER_INLINE void repeat([[maybe_unused]] const std::byte** inputs, [[maybe_unused]] std::uint32_t which,
                                  std::index_sequence<K...>) {
            (repeat_one<K>(inputs, which), ...);
        }
        template <std::size_t K>
        SINTER_INLINE void repeat_one(const std::byte** inputs, std::uint32_t which) {
            if ((which >> K & 1) == 0) return;
            repeat_element<size_of(code.input_types[K])>(room[K], inputs[K]);
            inputs[K] = room[K];
        }
    };

    static SINTER_NOINLINE void run(const kernel_work& work, const std::uint32_t* parameters) {
        registers uniform;
        steps<0>(&uniform, uniform, sources<whole_vector>{nullptr, parameters, {}}, std::index_sequence<0>(),
                 std::make_index_sequence<prepared>());
        std::size_t moving[code.inputs + 1];
        for (std::size_t k = 0; k < code.inputs; ++k) moving[k] = (work.repeated >> k & 1) - std::size_t{1};
        repeated_inputs copies;
        cursor start(work);
        do {
            cursor here = start;
            if (work.repeated != 0) copies.repeat(here.inputs, work.repeated, every_input);
            run_row(uniform, here, {parameters, moving, work.how}, work.count);
        } while (start.next(work));
    }

    static constexpr kernel compiled{&run, simd::shape, mapped_bytes(code), is_streamed(code)};
};
