#include "contenders.hpp"

#include <cstdio>

namespace bench {

const char* name(kind k) {
    switch (k) {
        case kind::chain1: return "chain1";
        case kind::chain2: return "chain2";
        case kind::chain3: return "chain3";
        case kind::chain5: return "chain5";
        case kind::chain7: return "chain7";
        case kind::chain10: return "chain10";
        case kind::chain3_inplace: return "chain3_inplace";
        case kind::shrink: return "shrink";
        case kind::packed_rows: return "packed_rows";
        case kind::padded_rows: return "padded_rows";
        case kind::transposed: return "transposed";
        case kind::nhwc_to_nchw: return "nhwc_to_nchw";
        case kind::broadcast: return "broadcast";
        default: return "strided";
    }
}

int operators_of(kind k) {
    switch (k) {
        case kind::chain1: return 1;
        case kind::chain2: return 2;
        case kind::chain3:
        case kind::chain3_inplace: return 3;
        case kind::chain5: return 5;
        case kind::chain7: return 7;
        case kind::chain10: return 10;
        default: return 0;
    }
}

bool is_limited_by_copy(kind k) {
    return (operators_of(k) > 0 && k != kind::chain3_inplace) || k == kind::shrink || k == kind::broadcast;
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
