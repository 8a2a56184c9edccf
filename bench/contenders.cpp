#include "contenders.hpp"

#include <cstdio>

namespace bench {

const char* name(kind k) {
    switch (k) {
        case kind::chain3: return "chain3";
        case kind::chain3_inplace: return "chain3_inplace";
        case kind::chain10: return "chain10";
        case kind::shrink: return "shrink";
        case kind::packed_rows: return "packed_rows";
        case kind::padded_rows: return "padded_rows";
        case kind::transposed: return "transposed";
        case kind::nhwc_to_nchw: return "nhwc_to_nchw";
        default: return "broadcast";
    }
}

namespace {

const contender* const everyone[] = {&sinter_highway, &sinter_xsimd,  &hand,           &loop_gcc, &loop_clang,
                                     &eigen,          &xtensor,       &onnxruntime,    &numpy,    &limit_copy,
                                     &limit_stream,   &limit_inplace, &limit_transpose};

}  // namespace

const std::vector<const contender*>& contenders() {
    static const std::vector<const contender*> present = [] {
        std::vector<const contender*> found;
        for (const contender* const c : everyone)
            if (!c->missing()) found.push_back(c);
        return found;
    }();
    return present;
}

void print_contenders() {
    std::printf("\nContenders\n");
    for (const contender* const c : everyone) {
        const char* const missing = c->missing();
        std::printf("  %-16s %s%s\n", c->name, missing ? "MISSING: " : "", missing ? missing : c->description);
    }
}

}  // namespace bench
