// The operators on plain numbers, at compile time: every rule of the numeric contract with its consequences. Where an
// operation makes a NaN out of numbers or overflows, C++ has no constant expression; unit/numbers.cpp has those.
#include <sinter/sinter.hpp>

#include <cstdint>
#include <limits>

#include "support/elements.hpp"

namespace {

using sinter::float16;
using sinter::scale_bias;
using sinter::shrink;
using sinter::threshold;
using support::half;
using support::same;

using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float huge = std::numeric_limits<float>::max();
constexpr float tiny = 0x1p-149f;
constexpr i32 i32_min = std::numeric_limits<i32>::min();
constexpr i32 i32_max = std::numeric_limits<i32>::max();
constexpr u32 u32_max = std::numeric_limits<u32>::max();

// shrink on float32: strict on both sides, x > threshold is asked first.
static_assert(shrink(2.f, .5f, 1.f) == 1.5f && shrink(-2.f, .5f, 1.f) == -1.5f);
static_assert(same(shrink(1.f, .5f, 1.f), 0.f) && same(shrink(-1.f, .5f, 1.f), 0.f));
static_assert(same(shrink(0.f, 0.f, 0.f), 0.f) && same(shrink(-0.f, 0.f, 0.f), 0.f));
static_assert(same(shrink(quiet_nan, 0.f, .5f), 0.f) && same(shrink(quiet_nan, quiet_nan, quiet_nan), 0.f));
static_assert(same(shrink(2.f, 0.f, quiet_nan), 0.f) && same(shrink(-2.f, 0.f, quiet_nan), 0.f));
static_assert(same(shrink(2.f, quiet_nan, 1.f), quiet_nan) && same(shrink(.5f, quiet_nan, 1.f), 0.f));
static_assert(same(shrink(inf, 1.f, 1.f), inf) && same(shrink(-inf, 1.f, 1.f), -inf));
static_assert(same(shrink(inf, 0.f, inf), 0.f) && same(shrink(2.f, 0.f, inf), 0.f));
static_assert(shrink(0.f, -1.f, -.5f) == 1.f && shrink(-1.f, -1.f, -.5f) == -2.f);
static_assert(same(shrink(tiny, 0.f, 0.f), tiny) && same(shrink(-tiny, 0.f, 0.f), -tiny));
static_assert(same(shrink(1.f, 1.f, .5f), 0.f) && same(shrink(-1.f, 1.f, .5f), 0.f));

// shrink on integers: the same in float32, then half to even, saturated, NaN to 0.
static_assert(shrink(i8{2}, .5f, .5f) == 2 && shrink(i8{1}, .5f, .5f) == 0 && shrink(i8{3}, .5f, .5f) == 2);
static_assert(shrink(i8{4}, .5f, .5f) == 4 && shrink(i8{-2}, .5f, .5f) == -2 && shrink(i8{-3}, .5f, .5f) == -2);
static_assert(shrink(i8{-3}, 300.f, .5f) == 127 && shrink(i8{1}, 300.f, .5f) == -128);
static_assert(shrink(u8{1}, 300.f, .5f) == 0 && shrink(u8{1}, -300.f, .5f) == 255 && shrink(u8{0}, 300.f, .5f) == 0);
static_assert(shrink(i8{0}, -1.f, -.5f) == 1 && shrink(i8{5}, quiet_nan, .5f) == 0 &&
              shrink(i8{0}, quiet_nan, .5f) == 0);
static_assert(shrink(i8{5}, inf, .5f) == -128 && shrink(i8{-5}, inf, .5f) == 127 && shrink(i8{5}, 0.f, quiet_nan) == 0);
static_assert(shrink(u8{37}, 10.f, 2.f) == 27 && shrink(u8{1}, 10.f, 2.f) == 0 && shrink(u8{11}, 10.f, 2.f) == 1);
static_assert(shrink(u32{1}, 3.f, 0.f) == 0 && shrink(u16{60000}, 0.f, .5f) == 60000 &&
              shrink(u8{250}, 0.f, .5f) == 250);
static_assert(shrink(i32{16777217}, 0.f, .5f) == 16777216 && shrink(i32_max, 0.f, .5f) == i32_max);
static_assert(shrink(i32_min, 1.f, .5f) == i32_min && shrink(i32_max, -3e9f, .5f) == i32_max);
static_assert(shrink(u32_max, 0.f, .5f) == u32_max && shrink(u32_max, 3e9f, .5f) == 1294967296u);
static_assert(shrink(i16{-32768}, 0.f, .5f) == -32768 && shrink(i16{-32768}, -1.f, .5f) == -32768);

// shrink on float16: float32 values, an attribute is never rounded to half first.
static_assert(same(shrink(support::half_from_bits(0x2e66), 0.f, .09995f), support::half_from_bits(0x2e66)));
static_assert(same(shrink(half(quiet_nan), 0.f, .5f), half(0.f)) && same(shrink(half(-2.f), .5f, 1.f), half(-1.5f)));
static_assert(same(shrink(half(65504.f), -65504.f, 1.f), half(inf)));

// scale_bias on float32: two roundings; scale 1 with bias 0 of either sign is a copy.
static_assert(scale_bias(3.f, 2.f, 1.f) == 7.f && same(scale_bias(quiet_nan, 2.f, 1.f), quiet_nan));
static_assert(same(scale_bias(-0.f, 1.f, 0.f), -0.f) && same(scale_bias(-0.f, 1.f, -0.f), -0.f));
static_assert(same(scale_bias(0.f, 1.f, 0.f), 0.f) && same(scale_bias(0.f, 1.f, -0.f), 0.f));
static_assert(same(scale_bias(-0.f, 2.f, 0.f), 0.f) && same(scale_bias(-0.f, 2.f, -0.f), -0.f));
static_assert(same(scale_bias(tiny, 1.f, 0.f), tiny) && same(scale_bias(-tiny, 1.f, 0.f), -tiny));
static_assert(same(scale_bias(quiet_nan, 1.f, 0.f), quiet_nan) && same(scale_bias(inf, 1.f, 0.f), inf));
static_assert(same(scale_bias(1.f + 0x1p-12f, 1.f + 0x1p-12f, -(1.f + 0x1p-11f)), 0.f));

// scale_bias on integers: toward zero, saturated; the copy is exact above 2^24.
static_assert(scale_bias(i8{1}, .5f, .25f) == 0 && scale_bias(i8{3}, .5f, .25f) == 1);
static_assert(scale_bias(i8{-3}, .5f, .25f) == -1 && scale_bias(i8{-1}, .5f, -.25f) == 0);
static_assert(scale_bias(i8{100}, 2.f, 0.f) == 127 && scale_bias(i8{100}, 2.f, 1.f) == 127);
static_assert(scale_bias(i8{-100}, 2.f, 0.f) == -128 && scale_bias(u8{200}, 2.f, -150.f) == 250);
static_assert(scale_bias(u8{1}, -1.f, 0.f) == 0 && scale_bias(u8{255}, 1.f, 1.f) == 255);
static_assert(scale_bias(i8{5}, quiet_nan, 0.f) == 0 && scale_bias(i8{1}, inf, 0.f) == 127);
static_assert(scale_bias(i32{16777217}, 1.f, 0.f) == 16777217 && scale_bias(i32{16777217}, 1.f, -0.f) == 16777217);
static_assert(scale_bias(i32{16777217}, 1.f, 1.f) == 16777216 && scale_bias(i32_max, 1.f, 0.f) == i32_max);
static_assert(scale_bias(u32_max, 1.f, 0.f) == u32_max && scale_bias(u32_max, 1.f, 1.f) == u32_max);
static_assert(scale_bias(i32_min, 1.f, 0.f) == i32_min && scale_bias(i32_min, -1.f, 0.f) == i32_max);
static_assert(scale_bias(i32_max, 1.f, -1.f) == i32_max && scale_bias(u32{4294967295u}, .5f, 0.f) == 2147483648u);
static_assert(scale_bias(u16{60000}, 2.f, 0.f) == 65535 && scale_bias(i16{-20000}, 2.f, 0.f) == -32768);

// scale_bias on float16: rounded once, at the end; subnormals are kept.
static_assert(support::bits_of(scale_bias(half(1.f), 0.f, 0x1p-24f)) == 0x0001);
static_assert(support::bits_of(scale_bias(half(0x1p-24f), .75f, 0.f)) == 0x0001);
static_assert(support::bits_of(scale_bias(half(0x1p-24f), .5f, 0.f)) == 0x0000);
static_assert(support::bits_of(scale_bias(half(1.f), 1.f, 0x1.8p-10f)) == 0x3c02);
static_assert(same(scale_bias(half(65504.f), 2.f, 0.f), half(inf)) &&
              same(scale_bias(half(-0.f), 1.f, 0.f), half(-0.f)));

// threshold on float32 and float16.
static_assert(threshold(2.f, 1.f) == 2.f && threshold(.5f, 1.f) == 1.f);
static_assert(same(threshold(quiet_nan, 1.f), 1.f) && same(threshold(3.f, quiet_nan), 3.f) &&
              same(threshold(quiet_nan, quiet_nan), quiet_nan));
static_assert(same(threshold(-0.f, 0.f), 0.f) && same(threshold(0.f, -0.f), -0.f));
static_assert(same(threshold(-inf, -inf), -inf) && same(threshold(-inf, -1.f), -1.f));
static_assert(same(threshold(half(quiet_nan), 1.f), half(1.f)) && same(threshold(half(.5f), quiet_nan), half(.5f)));
static_assert(support::bits_of(threshold(half(0.f), 1.f + 0x1.8p-10f)) == 0x3c02);

// threshold on integers: exact, against the minimum cut toward zero and saturated.
static_assert(threshold(i8{-5}, 1.5f) == 1 && threshold(i8{-5}, -1.5f) == -1 && threshold(i8{-5}, 300.f) == 127);
static_assert(threshold(i8{-5}, quiet_nan) == 0 && threshold(i8{5}, quiet_nan) == 5 && threshold(i8{-5}, -300.f) == -5);
static_assert(threshold(u8{0}, -1.5f) == 0 && threshold(u8{7}, -1.5f) == 7 && threshold(u8{7}, 300.f) == 255);
static_assert(threshold(i32{16777217}, 0.f) == 16777217 && threshold(i32_min, -inf) == i32_min);
static_assert(threshold(i32_min, inf) == i32_max && threshold(u32{1}, 3e9f) == 3000000000u);

// float16 itself: to nearest, ties to even, overflow to infinity, subnormals kept.
constexpr unsigned rounded(float value) { return support::bits_of(half(value)); }
static_assert(rounded(0.f) == 0x0000 && rounded(-0.f) == 0x8000 && rounded(1.f) == 0x3c00 && rounded(-2.f) == 0xc000);
static_assert(rounded(1.f + 3 * 0x1p-11f) == 0x3c02 && rounded(1.f + 0x1p-11f) == 0x3c00);
static_assert(rounded(1.f + 0x1p-11f + 0x1p-23f) == 0x3c01 && rounded(1.f + 3 * 0x1p-11f - 0x1p-23f) == 0x3c01);
static_assert(rounded(65504.f) == 0x7bff && rounded(65519.99f) == 0x7bff && rounded(65520.f) == 0x7c00);
static_assert(rounded(inf) == 0x7c00 && rounded(-inf) == 0xfc00 && rounded(huge) == 0x7c00);
static_assert(support::is_nan(half(quiet_nan)) && support::is_nan(half(-quiet_nan)));
static_assert(rounded(0x1p-24f) == 0x0001 && rounded(0x1p-25f) == 0x0000 && rounded(0x1.000002p-25f) == 0x0001);
static_assert(rounded(0x1.8p-24f) == 0x0002 && rounded(0x1p-14f) == 0x0400 && rounded(0x1p-14f - 0x1p-25f) == 0x0400);
static_assert(rounded(0x1p-14f - 0x1p-24f) == 0x03ff && rounded(-0x1p-24f) == 0x8001 && rounded(tiny) == 0x0000);
static_assert(static_cast<float>(support::half_from_bits(0x0001)) == 0x1p-24f);
static_assert(static_cast<float>(support::half_from_bits(0x83ff)) == -(0x1p-14f - 0x1p-24f));
static_assert(static_cast<float>(support::half_from_bits(0x7bff)) == 65504.f);

// The pipe form.
static_assert((2.f | shrink(.5f, 1.f)) == 1.5f && (i8{100} | scale_bias(2, 1) | threshold(3)) == 127);

// A signaling NaN stays a NaN.
static_assert(support::is_nan(half(std::bit_cast<float>(0x7f800001u))));

}  // namespace
