// float32 from float32, 18 instructions; written by sinter.
// Dense operands at 16-byte boundaries: a thread owns one 16-byte vector of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first vector of the output in y
    uint x0_first;  // the input's start, in elements of its buffer
    uint uniform_1;  // float32, parameter 0
    uint uniform_2;  // float32, parameter 1
};
StructuredBuffer<uint4> x0 : register(t0);
RWStructuredBuffer<uint4> y : register(u0);

uint4 splat(uint bits) { return uint4(bits, bits, bits, bits); }
// Ends every rounding: what passes through integers is neither fused nor rearranged.
float4 rounded(float4 v) { return asfloat(asuint(v) ^ zero); }
float4 pick(bool4 c, float4 a, float4 b)
{
    uint4 m = 0u - uint4(c);
    return asfloat((asuint(a) & m) | (asuint(b) & ~m));
}
bool4 is_nan(float4 v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }
bool4 both(bool4 a, bool4 b) { return bool4(a.x && b.x, a.y && b.y, a.z && b.z, a.w && b.w); }
bool4 either(bool4 a, bool4 b) { return bool4(a.x || b.x, a.y || b.y, a.z || b.z, a.w || b.w); }
bool4 opposite(bool4 a) { return bool4(!a.x, !a.y, !a.z, !a.w); }
// The operand that is not NaN; of equals, the second.
float4 minimum(float4 a, float4 b) { return pick(either(a < b, is_nan(b)), a, b); }
uint4 compute(uint4 e0)
{
    float4 input_0 = asfloat(e0);
    float4 parameter_1 = asfloat(splat(uniform_1));
    float4 parameter_2 = asfloat(splat(uniform_2));
    bool4 greater_3 = input_0 > parameter_1;
    bool4 greater_equal_4 = input_0 >= parameter_2;
    bool4 logical_not_5 = opposite(greater_equal_4);
    bool4 logical_and_6 = both(greater_3, logical_not_5);
    bool4 not_equal_7 = is_nan(input_0);
    float4 constant_8 = asfloat(splat(0x00000000u ^ zero));
    bool4 equal_9 = input_0 == constant_8;
    bool4 logical_or_10 = either(not_equal_7, equal_9);
    bool4 logical_or_11 = either(logical_and_6, logical_or_10);
    float4 negate_12 = asfloat(asuint(input_0) ^ 0x80000000u);
    float4 absolute_13 = asfloat(asuint(negate_12) & 0x7fffffffu);
    float4 constant_14 = asfloat(splat(0x3f000000u ^ zero));
    float4 subtract_15 = rounded(absolute_13 - constant_14);
    float4 minimum_16 = minimum(input_0, parameter_2);
    float4 select_17 = pick(logical_or_11, subtract_15, minimum_16);
    return asuint(select_17);
}

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        uint4 w0 = x0[x0_first + i];
        y[y_first + i] = compute(w0);
    }
}
