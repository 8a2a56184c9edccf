// uint32 from uint32, 1 instructions; written by sinter.
// Dense operands at any element: a thread owns one 32-bit word of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first word of the output in y
    uint x0_first;  // the input's start, in elements of its buffer
};
StructuredBuffer<uint> x0 : register(t0);
RWStructuredBuffer<uint> y : register(u0);

uint compute(uint e0)
{
    uint input_0 = e0;
    return input_0;
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
