// float32 from float32, 23 instructions; written by sinter.
// Dense operands at 16-byte boundaries: a thread owns one 16-byte vector of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first vector of the output in y
    uint x0_first;  // the input's start, in elements of its buffer
    uint uniform_1;  // float32, parameter 0
    uint uniform_10;  // float32, select
    uint uniform_12;  // float32, parameter 2
    uint uniform_13;  // float32, parameter 3
    uint uniform_16;  // float32, negate
    uint uniform_21;  // float32, parameter 4
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
bool4 either(bool4 a, bool4 b) { return bool4(a.x || b.x, a.y || b.y, a.z || b.z, a.w || b.w); }
// The operand that is not NaN; of equals, the second.
float4 maximum(float4 a, float4 b) { return pick(either(a > b, is_nan(b)), a, b); }
uint4 compute(uint4 e0)
{
    float4 input_0 = asfloat(e0);
    float4 parameter_1 = asfloat(splat(uniform_1));
    float4 multiply_3 = rounded(input_0 * parameter_1);
    float4 constant_6 = asfloat(splat(0x00000000u ^ zero));
    float4 select_10 = asfloat(splat(uniform_10));
    float4 add_11 = rounded(multiply_3 + select_10);
    float4 parameter_12 = asfloat(splat(uniform_12));
    float4 parameter_13 = asfloat(splat(uniform_13));
    bool4 greater_14 = add_11 > parameter_13;
    float4 subtract_15 = rounded(add_11 - parameter_12);
    float4 negate_16 = asfloat(splat(uniform_16));
    bool4 less_17 = add_11 < negate_16;
    float4 add_18 = rounded(add_11 + parameter_12);
    float4 select_19 = pick(less_17, add_18, constant_6);
    float4 select_20 = pick(greater_14, subtract_15, select_19);
    float4 parameter_21 = asfloat(splat(uniform_21));
    float4 maximum_22 = maximum(select_20, parameter_21);
    return asuint(maximum_22);
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
