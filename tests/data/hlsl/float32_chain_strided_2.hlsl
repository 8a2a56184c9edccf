// float32 from float32, 23 instructions; written by sinter.
// Strided operands: a thread owns one element of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first element of the output in y
    uint size_0;  // of the innermost dimension
    uint y_stride_0;  // in elements, innermost first
    uint y_stride_1;  // of the next dimension
    uint x0_first;  // the first element of the input
    uint x0_stride_0;  // in elements, innermost first
    uint x0_stride_1;  // of the next dimension
    uint uniform_1;  // float32, parameter 0
    uint uniform_10;  // float32, select
    uint uniform_12;  // float32, parameter 2
    uint uniform_13;  // float32, parameter 3
    uint uniform_16;  // float32, negate
    uint uniform_21;  // float32, parameter 4
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
bool is_nan(float v) { return (asuint(v) & 0x7fffffffu) > 0x7f800000u; }
bool either(bool a, bool b) { return a || b; }
// The operand that is not NaN; of equals, the second.
float maximum(float a, float b) { return pick(either(a > b, is_nan(b)), a, b); }
uint compute(uint e0)
{
    float input_0 = asfloat(e0);
    float parameter_1 = asfloat(uniform_1);
    float multiply_3 = rounded(input_0 * parameter_1);
    float constant_6 = asfloat(0x00000000u ^ zero);
    float select_10 = asfloat(uniform_10);
    float add_11 = rounded(multiply_3 + select_10);
    float parameter_12 = asfloat(uniform_12);
    float parameter_13 = asfloat(uniform_13);
    bool greater_14 = add_11 > parameter_13;
    float subtract_15 = rounded(add_11 - parameter_12);
    float negate_16 = asfloat(uniform_16);
    bool less_17 = add_11 < negate_16;
    float add_18 = rounded(add_11 + parameter_12);
    float select_19 = pick(less_17, add_18, constant_6);
    float select_20 = pick(greater_14, subtract_15, select_19);
    float parameter_21 = asfloat(uniform_21);
    float maximum_22 = maximum(select_20, parameter_21);
    return asuint(maximum_22);
}

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        uint c0 = i;
        uint c1 = c0 / size_0; c0 -= c1 * size_0;
        uint x0_at = x0_first + c0 * x0_stride_0 + c1 * x0_stride_1;
        uint y_at = y_first + c0 * y_stride_0 + c1 * y_stride_1;
        y[y_at] = compute(x0[x0_at]);
    }
}
