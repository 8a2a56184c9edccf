// threshold(shrink(scale_bias(x))) on float16, written by hand: one 16-byte vector per thread.
cbuffer params : register(b0)
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
float4 from_f16(uint4 h) { return f16tof32(h); }
uint4 to_f16(float4 v)
{
    uint4 u = asuint(v), a = u & 0x7fffffffu;
    uint4 n = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;  // ties to even; carries into infinity
    uint4 d = asuint(asfloat(a) + 0.5) - 0x3f000000u;  // subnormal: the adder rounds to 2^-24
    uint4 none = uint4(0x7e00u, 0x7e00u, 0x7e00u, 0x7e00u), infinite = uint4(0x7c00u, 0x7c00u, 0x7c00u, 0x7c00u);
    uint4 r = pick(a < 0x38800000u, d, pick(a < 0x47800000u, n, pick(a > 0x7f800000u, none, infinite)));
    return r | ((u >> 16) & 0x8000u);
}
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
    float4 v0 = from_f16(e);
    float4 v1 = scale_bias(v0);
    float4 v2 = shrink(v1);
    float4 v3 = threshold(v2);
    return to_f16(v3);
}
uint4 words(uint4 w) { return op(w & 0xffffu) | (op(w >> 16) << 16); }
StructuredBuffer<uint4> x : register(t0);
RWStructuredBuffer<uint4> y : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 g : SV_GroupID, uint t : SV_GroupIndex)
{
    uint i = (g.y * gx + g.x) * 64u + t;
    if (i < count) y[first + i] = words(x[first + i + pad0]);
}
