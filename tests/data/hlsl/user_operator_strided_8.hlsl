// float32 from float32, 18 instructions; written by sinter.
// Strided operands: a thread owns one element of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first element of the output in y
    uint size_0;  // of the innermost dimension
    uint size_1;  // of the next one
    uint size_2;  // of the next one
    uint size_3;  // of the next one
    uint size_4;  // of the next one
    uint size_5;  // of the next one
    uint size_6;  // of the next one
    uint y_stride_0;  // in elements, innermost first
    uint y_stride_1;  // of the next dimension
    uint y_stride_2;  // of the next dimension
    uint y_stride_3;  // of the next dimension
    uint y_stride_4;  // of the next dimension
    uint y_stride_5;  // of the next dimension
    uint y_stride_6;  // of the next dimension
    uint y_stride_7;  // of the next dimension
    uint x0_first;  // the first element of the input
    uint x0_stride_0;  // in elements, innermost first
    uint x0_stride_1;  // of the next dimension
    uint x0_stride_2;  // of the next dimension
    uint x0_stride_3;  // of the next dimension
    uint x0_stride_4;  // of the next dimension
    uint x0_stride_5;  // of the next dimension
    uint x0_stride_6;  // of the next dimension
    uint x0_stride_7;  // of the next dimension
    uint uniform_1;  // float32, parameter 0
    uint uniform_2;  // float32, parameter 1
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
bool both(bool a, bool b) { return a && b; }
bool either(bool a, bool b) { return a || b; }
bool opposite(bool a) { return !a; }
// The operand that is not NaN; of equals, the second.
float minimum(float a, float b) { return pick(either(a < b, is_nan(b)), a, b); }
uint compute(uint e0)
{
    float input_0 = asfloat(e0);
    float parameter_1 = asfloat(uniform_1);
    float parameter_2 = asfloat(uniform_2);
    bool greater_3 = input_0 > parameter_1;
    bool greater_equal_4 = input_0 >= parameter_2;
    bool logical_not_5 = opposite(greater_equal_4);
    bool logical_and_6 = both(greater_3, logical_not_5);
    bool not_equal_7 = is_nan(input_0);
    float constant_8 = asfloat(0x00000000u ^ zero);
    bool equal_9 = input_0 == constant_8;
    bool logical_or_10 = either(not_equal_7, equal_9);
    bool logical_or_11 = either(logical_and_6, logical_or_10);
    float negate_12 = asfloat(asuint(input_0) ^ 0x80000000u);
    float absolute_13 = asfloat(asuint(negate_12) & 0x7fffffffu);
    float constant_14 = asfloat(0x3f000000u ^ zero);
    float subtract_15 = rounded(absolute_13 - constant_14);
    float minimum_16 = minimum(input_0, parameter_2);
    float select_17 = pick(logical_or_11, subtract_15, minimum_16);
    return asuint(select_17);
}

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        uint c0 = i;
        uint c1 = c0 / size_0; c0 -= c1 * size_0;
        uint c2 = c1 / size_1; c1 -= c2 * size_1;
        uint c3 = c2 / size_2; c2 -= c3 * size_2;
        uint c4 = c3 / size_3; c3 -= c4 * size_3;
        uint c5 = c4 / size_4; c4 -= c5 * size_4;
        uint c6 = c5 / size_5; c5 -= c6 * size_5;
        uint c7 = c6 / size_6; c6 -= c7 * size_6;
        uint x0_at = x0_first + c0 * x0_stride_0 + c1 * x0_stride_1 + c2 * x0_stride_2 + c3 * x0_stride_3
            + c4 * x0_stride_4 + c5 * x0_stride_5 + c6 * x0_stride_6 + c7 * x0_stride_7;
        uint y_at = y_first + c0 * y_stride_0 + c1 * y_stride_1 + c2 * y_stride_2 + c3 * y_stride_3
            + c4 * y_stride_4 + c5 * y_stride_5 + c6 * y_stride_6 + c7 * y_stride_7;
        y[y_at] = compute(x0[x0_at]);
    }
}
