// uint16 from uint16, 1 instructions; written by sinter.
// Dense operands at 16-byte boundaries: a thread owns one 16-byte vector of y.
cbuffer constants : register(b0)
{
    uint zero;  // always 0, which no compiler may know
    uint count;  // work items, one for each thread
    uint groups_x;  // thread groups in x
    uint y_first;  // the first vector of the output in y
    uint x0_first;  // the input's start, in elements of its buffer
};
StructuredBuffer<uint4> x0 : register(t0);
RWStructuredBuffer<uint4> y : register(u0);

uint4 compute(uint4 e0)
{
    uint4 input_0 = e0 & 0xffffu;
    return input_0;
}

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint i = (group.y * groups_x + group.x) * 64u + thread;
    if (i < count)
    {
        uint4 w0 = x0[x0_first + i];
        uint4 r = compute(w0);
        r |= compute(w0 >> 16) << 16;
        y[y_first + i] = r;
    }
}
