// uint32 from uint32, 29 instructions; written by sinter.
// Dense operands at any element: a thread owns one 32-bit word of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first word of the output in y
    uint x0_first;  // the input's start, in elements of its buffer
    uint uniform_1;  // float32, parameter 0
    uint uniform_9;  // mask, logical_and
    uint uniform_11;  // float32, select
    uint uniform_15;  // float32, parameter 2
    uint uniform_16;  // float32, parameter 3
    uint uniform_20;  // float32, negate
    uint uniform_27;  // uint32, truncate
};
StructuredBuffer<uint> x0 : register(t0);
RWStructuredBuffer<uint> y : register(u0);

// Ends every rounding: what passes through integers is neither fused nor rearranged.
float rounded(float v) { return asfloat(asuint(v) ^ zero); }
float pick(bool c, float a, float b)
{
    uint m = 0u - uint(c);
    return asfloat((asuint(a) & m) | (asuint(b) & ~m));
}
uint pick(bool c, uint a, uint b)
{
    uint m = 0u - uint(c);
    return (a & m) | (b & ~m);
}
// Toward zero and saturated; NaN becomes 0, by max. The highest float32 below 2^32 is 4294967040.
uint to_uint32(float v)
{
    uint r = uint(min(max(v, 0.0), 4294967040.0));
    return pick(v >= 4294967296.0, 0xffffffffu, r);
}
uint compute(uint e0)
{
    uint input_0 = e0;
    float parameter_1 = asfloat(uniform_1);
    float to_float32_3 = float(input_0);
    float multiply_4 = rounded(to_float32_3 * parameter_1);
    float constant_7 = asfloat(0x00000000u ^ zero);
    bool logical_and_9 = uniform_9 != 0u;
    float select_11 = asfloat(uniform_11);
    float add_12 = rounded(multiply_4 + select_11);
    uint truncate_13 = to_uint32(add_12);
    uint select_14 = pick(logical_and_9, input_0, truncate_13);
    float parameter_15 = asfloat(uniform_15);
    float parameter_16 = asfloat(uniform_16);
    float to_float32_17 = float(select_14);
    bool greater_18 = to_float32_17 > parameter_16;
    float subtract_19 = rounded(to_float32_17 - parameter_15);
    float negate_20 = asfloat(uniform_20);
    bool less_21 = to_float32_17 < negate_20;
    float add_22 = rounded(to_float32_17 + parameter_15);
    float select_23 = pick(less_21, add_22, constant_7);
    float select_24 = pick(greater_18, subtract_19, select_23);
    uint nearest_25 = to_uint32(round(select_24));
    uint truncate_27 = uniform_27;
    uint maximum_28 = max(nearest_25, truncate_27);
    return maximum_28;
}

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        y[y_first + i] = compute(x0[x0_first + i]);
    }
}
