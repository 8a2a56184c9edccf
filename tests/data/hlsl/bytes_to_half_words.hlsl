// float16 from uint8, 2 instructions; written by sinter.
// Dense operands at any element: a thread owns one 32-bit word of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first word of the output in y
    uint head_mask;  // the bits of the first word that are the output's
    uint tail_mask;  // the bits of the last word that are the output's
    uint lowest;  // elements of the first word that are not the output's
    uint highest;  // the output's last element, counted from the first word
    uint x0_first;  // the element that belongs to the first word's start; may wrap
};
StructuredBuffer<uint> x0 : register(t0);
RWStructuredBuffer<uint> y : register(u0);

uint2 pick(bool2 c, uint2 a, uint2 b)
{
    uint2 m = 0u - uint2(c);
    return (a & m) | (b & ~m);
}
// To nearest even, by integers, since hardware differs; NaN stays a NaN.
uint2 to_half(float2 v)
{
    uint2 u = asuint(v), a = u & 0x7fffffffu;
    uint2 n = (a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13;  // may carry
    uint2 d = asuint(asfloat(a) + 0.5) - 0x3f000000u;  // subnormal: the adder rounds
    uint2 r = pick(a > 0x7f800000u, uint2(0x7e00u, 0x7e00u), uint2(0x7c00u, 0x7c00u));
    r = pick(a < 0x38800000u, d, pick(a < 0x47800000u, n, r));
    return r | ((u >> 16) & 0x8000u);
}
uint2 compute(uint2 e0)
{
    uint2 input_0 = e0 & 0xffu;
    float2 to_float32_1 = float2(input_0);
    return to_half(to_float32_1);
}

uint x0_element(uint e) { return x0[e >> 2] >> ((e & 3u) * 8u); }
// Writes the bits that the mask selects; the others keep what they have, whoever writes them.
void merge(uint at, uint v, uint mask)
{
    uint old = y[at];
    InterlockedXor(y[at], (old ^ v) & mask);
}
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        uint n0 = min(max(i * 2u, lowest), highest);
        uint n1 = min(max(i * 2u + 1u, lowest), highest);
        uint2 r = compute(uint2(x0_element(x0_first + n0), x0_element(x0_first + n1)));
        uint v = r.x | (r.y << 16);
        uint mask = (i == 0u ? head_mask : 0xffffffffu) & (i == count - 1u ? tail_mask : 0xffffffffu);
        if (mask == 0xffffffffu) y[y_first + i] = v;
        else merge(y_first + i, v, mask);
    }
}
