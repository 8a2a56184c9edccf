// Hand-written kernels of the chain scale_bias, shrink, threshold, which the tests of the runtime run.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kernels {

// float, whole 16-byte vectors: uint4 x at t0, uint4 y at u0.
inline constexpr std::string_view f32_skt_vec = R"hlsl(cbuffer params : register(b0)
{
    uint zero;                            // always 0; the compiler must not know
    uint count, first, gx;                // work items; first item; groups in x
    uint mask0, mask1;                    // bytes of the first and the last word that belong to the tensor
    uint xshift, xword, xlast, yword;     // input words relative to output words
    uint pad0, pad1;
    uint scale, bias, sb_copy;            // sb_copy = 1: scale is 1 and bias is 0
    uint lambd, neg_lambd, shrink_bias;
    uint minimum, minimum_nan;
};
float4 rounded(float4 v) { return asfloat(asuint(v) ^ zero); }
float4 lit(uint b) { return asfloat(uint4(b ^ zero, b ^ zero, b ^ zero, b ^ zero)); }
float4 pick(bool4 c, float4 a, float4 b)
{
    return float4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
uint4 pick(bool4 c, uint4 a, uint4 b)
{
    return uint4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
bool4 is_nan(float4 v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }
float4 scale_bias(float4 x)
{
    float4 m = rounded(x * asfloat(scale));
    float4 r = rounded(m + asfloat(bias));
    return pick(bool4(sb_copy != 0u, sb_copy != 0u, sb_copy != 0u, sb_copy != 0u), x, r);
}
float4 shrink(float4 x)
{
    float4 f = x;
    float4 a = rounded(f - asfloat(shrink_bias)), b = rounded(f + asfloat(shrink_bias));
    float4 r = pick(f > asfloat(lambd), a, pick(f < asfloat(neg_lambd), b, float4(0.0, 0.0, 0.0, 0.0)));
    return r;
}
float4 threshold(float4 x)
{
    float m = asfloat(minimum);
    bool n = minimum_nan != 0u;
    return pick(bool4(n, n, n, n), x, pick(x > m, x, float4(m, m, m, m)));
}
uint4 op(uint4 e)
{
    float4 v0 = asfloat(e);
    float4 v1 = scale_bias(v0);
    float4 v2 = shrink(v1);
    float4 v3 = threshold(v2);
    return asuint(v3);
}
uint4 words(uint4 w) { return op(w); }
StructuredBuffer<uint4> x : register(t0);
RWStructuredBuffer<uint4> y : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 g : SV_GroupID, uint t : SV_GroupIndex)
{
    uint i = (g.y * gx + g.x) * 64u + t;
    if (i < count) y[first + i] = words(x[first + i + pad0]);
}
)hlsl";

// int8_t, one 32-bit word of the output per thread, any alignment: uint x at t0, uint y at u0.
inline constexpr std::string_view i8_skt_word = R"hlsl(cbuffer params : register(b0)
{
    uint zero;                            // always 0; the compiler must not know
    uint count, first, gx;                // work items; first item; groups in x
    uint mask0, mask1;                    // bytes of the first and the last word that belong to the tensor
    uint xshift, xword, xlast, yword;     // input words relative to output words
    uint pad0, pad1;
    uint scale, bias, sb_copy;            // sb_copy = 1: scale is 1 and bias is 0
    uint lambd, neg_lambd, shrink_bias;
    uint minimum, minimum_nan;
};
float4 rounded(float4 v) { return asfloat(asuint(v) ^ zero); }
float4 lit(uint b) { return asfloat(uint4(b ^ zero, b ^ zero, b ^ zero, b ^ zero)); }
float4 pick(bool4 c, float4 a, float4 b)
{
    return float4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
uint4 pick(bool4 c, uint4 a, uint4 b)
{
    return uint4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
int4 pick(bool4 c, int4 a, int4 b) { return int4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w); }
bool4 is_nan(float4 v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }
int4 to_int(float4 v, float lo, float hi)
{
    int4 r = int4(min(max(v, lo), hi));
    return pick(is_nan(v), int4(0, 0, 0, 0), r);
}
int4 scale_bias(int4 x)
{
    float4 m = rounded(float4(x) * asfloat(scale));
    float4 r = rounded(m + asfloat(bias));
    return pick(bool4(sb_copy != 0u, sb_copy != 0u, sb_copy != 0u, sb_copy != 0u), x, to_int(r, -128.0, 127.0));
}
int4 shrink(int4 x)
{
    float4 f = float4(x);
    float4 a = rounded(f - asfloat(shrink_bias)), b = rounded(f + asfloat(shrink_bias));
    float4 r = pick(f > asfloat(lambd), a, pick(f < asfloat(neg_lambd), b, float4(0.0, 0.0, 0.0, 0.0)));
    return to_int(round(r), -128.0, 127.0);
}
int4 threshold(int4 x) { return max(x, int4(asint(minimum), asint(minimum), asint(minimum), asint(minimum))); }
uint4 op(uint4 e)
{
    int4 v0 = asint(e << 24) >> 24;
    int4 v1 = scale_bias(v0);
    int4 v2 = shrink(v1);
    int4 v3 = threshold(v2);
    return asuint(v3) & 0xffu;
}
uint word(uint w)
{
    uint4 r = op(uint4(w & 0xffu, (w >> 8) & 0xffu, (w >> 16) & 0xffu, w >> 24));
    return r.x | (r.y << 8) | (r.z << 16) | (r.w << 24);
}
StructuredBuffer<uint> x : register(t0);
RWStructuredBuffer<uint> y : register(u0);
// Writes the bytes of v that m selects; the neighbours keep theirs, whoever writes them.
void merge(uint i, uint v, uint m)
{
    uint old = y[i];
    InterlockedXor(y[i], (old ^ v) & m);
}
[numthreads(64, 1, 1)]
void main(uint3 g : SV_GroupID, uint t : SV_GroupIndex)
{
    uint i = (g.y * gx + g.x) * 64u + t;
    if (i < count)
    {
        uint q = yword + i;
        uint j = i + xword;           // xword is one more than the word that holds the first byte wanted
        uint lo = x[j == 0u ? 0u : j - 1u], hi = x[min(j, xlast)];
        uint w = xshift == 0u ? lo : (lo >> xshift) | (hi << (32u - xshift));
        uint v = word(w);
        uint m = (i == 0u ? mask0 : 0xffffffffu) & (i == count - 1u ? mask1 : 0xffffffffu);
        if (m == 0xffffffffu) y[q] = v;
        else merge(q, v, m);
    }
}
)hlsl";

// int8_t, whole 16-byte vectors in place: uint4 y at u0.
inline constexpr std::string_view i8_skt_vec_inplace = R"hlsl(cbuffer params : register(b0)
{
    uint zero;                            // always 0; the compiler must not know
    uint count, first, gx;                // work items; first item; groups in x
    uint mask0, mask1;                    // bytes of the first and the last word that belong to the tensor
    uint xshift, xword, xlast, yword;     // input words relative to output words
    uint pad0, pad1;
    uint scale, bias, sb_copy;            // sb_copy = 1: scale is 1 and bias is 0
    uint lambd, neg_lambd, shrink_bias;
    uint minimum, minimum_nan;
};
float4 rounded(float4 v) { return asfloat(asuint(v) ^ zero); }
float4 lit(uint b) { return asfloat(uint4(b ^ zero, b ^ zero, b ^ zero, b ^ zero)); }
float4 pick(bool4 c, float4 a, float4 b)
{
    return float4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
uint4 pick(bool4 c, uint4 a, uint4 b)
{
    return uint4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w);
}
int4 pick(bool4 c, int4 a, int4 b) { return int4(c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w); }
bool4 is_nan(float4 v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }
int4 to_int(float4 v, float lo, float hi)
{
    int4 r = int4(min(max(v, lo), hi));
    return pick(is_nan(v), int4(0, 0, 0, 0), r);
}
int4 scale_bias(int4 x)
{
    float4 m = rounded(float4(x) * asfloat(scale));
    float4 r = rounded(m + asfloat(bias));
    return pick(bool4(sb_copy != 0u, sb_copy != 0u, sb_copy != 0u, sb_copy != 0u), x, to_int(r, -128.0, 127.0));
}
int4 shrink(int4 x)
{
    float4 f = float4(x);
    float4 a = rounded(f - asfloat(shrink_bias)), b = rounded(f + asfloat(shrink_bias));
    float4 r = pick(f > asfloat(lambd), a, pick(f < asfloat(neg_lambd), b, float4(0.0, 0.0, 0.0, 0.0)));
    return to_int(round(r), -128.0, 127.0);
}
int4 threshold(int4 x) { return max(x, int4(asint(minimum), asint(minimum), asint(minimum), asint(minimum))); }
uint4 op(uint4 e)
{
    int4 v0 = asint(e << 24) >> 24;
    int4 v1 = scale_bias(v0);
    int4 v2 = shrink(v1);
    int4 v3 = threshold(v2);
    return asuint(v3) & 0xffu;
}
uint4 words(uint4 w)
{
    return op(w & 0xffu) | (op((w >> 8) & 0xffu) << 8) | (op((w >> 16) & 0xffu) << 16) | (op(w >> 24) << 24);
}
RWStructuredBuffer<uint4> y : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 g : SV_GroupID, uint t : SV_GroupIndex)
{
    uint i = (g.y * gx + g.x) * 64u + t;
    if (i < count) y[first + i] = words(y[first + i]);
}
)hlsl";

// The constants of all of them, in the order of their cbuffer.
struct parameters {
    std::uint32_t zero = 0, count = 0, first = 0, groups_x = 1;
    std::uint32_t mask0 = ~0u, mask1 = ~0u;
    std::uint32_t x_shift = 0, x_word = 0, x_last = 0, y_word = 0;
    std::uint32_t pad0 = 0, pad1 = 0;
    float scale = 1.5f, bias = 0.25f;
    std::uint32_t copy = 0;
    float threshold = 0.5f, negative_threshold = -0.5f, shrink_bias = 0.25f;
    std::uint32_t minimum = 0, minimum_is_nan = 0;

    std::array<std::uint32_t, 20> words() const { return std::bit_cast<std::array<std::uint32_t, 20>>(*this); }
};

}  // namespace kernels
