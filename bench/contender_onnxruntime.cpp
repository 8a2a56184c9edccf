// ONNX Runtime's processor backend, with its default optimisations. The library is opened at run time.
#include "contenders.hpp"
#include "peers.hpp"

#if __has_include(<onnxruntime/onnxruntime_c_api.h>) && defined(SINTER_BENCH_ONNXRUNTIME)

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include <onnxruntime/onnxruntime_c_api.h>

#include "onnx_model.hpp"

namespace bench {

namespace {

const OrtApi* load_api() {
    void* const library = dlopen(SINTER_BENCH_ONNXRUNTIME, RTLD_NOW | RTLD_LOCAL);
    if (!library) return nullptr;
    const auto base = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
    return base ? base()->GetApi(ORT_API_VERSION) : nullptr;
}

const OrtApi* api() {
    static const OrtApi* const loaded = load_api();
    return loaded;
}

void check(OrtStatus* status) {
    if (!status) return;
    const std::string message = api()->GetErrorMessage(status);
    api()->ReleaseStatus(status);
    throw std::runtime_error("ONNX Runtime: " + message);
}

// Sessions live until the program ends, as the library does.
OrtSession* make_session(const attributes& a, int threads) {
    static OrtEnv* const environment = [] {
        OrtEnv* made = nullptr;
        check(api()->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "sinter_bench", &made));
        return made;
    }();
    OrtSessionOptions* options = nullptr;
    check(api()->CreateSessionOptions(&options));
    check(api()->SetIntraOpNumThreads(options, threads));
    const std::string model = onnx_chain3(a);
    OrtSession* session = nullptr;
    check(api()->CreateSessionFromArray(environment, model.data(), model.size(), options, &session));
    api()->ReleaseSessionOptions(options);
    return session;
}

OrtSession* session_for(const job& j) {
    static std::map<std::pair<std::string, int>, OrtSession*> made;
    const std::string key(reinterpret_cast<const char*>(&j.a), sizeof(j.a));
    OrtSession*& session = made[{key, j.threads}];
    if (!session) session = make_session(j.a, j.threads);
    return session;
}

OrtValue* tensor(const void* elements, std::size_t count) {
    static OrtMemoryInfo* const on_cpu = [] {
        OrtMemoryInfo* made = nullptr;
        check(api()->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &made));
        return made;
    }();
    const auto shape = static_cast<std::int64_t>(count);
    OrtValue* value = nullptr;
    check(api()->CreateTensorWithDataAsOrtValue(on_cpu, const_cast<void*>(elements), count * sizeof(float), &shape, 1,
                                                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
    return value;
}

void run(const job& j) {
    const char* const input_name = "x";
    const char* const output_name = "y";
    OrtValue* const input = tensor(j.input, j.elements);
    OrtValue* output = tensor(j.output, j.elements);
    check(api()->Run(session_for(j), nullptr, &input_name, &input, 1, &output_name, 1, &output));
    api()->ReleaseValue(input);
    api()->ReleaseValue(output);
}

const char* why_missing() { return api() ? nullptr : "libonnxruntime could not be opened"; }

// In place, it may write its output before it has read all of its input.
pass find(kind k, sinter::element_type type) { return k == kind::chain3 ? only_float32_chain3(k, type, run) : nullptr; }

}  // namespace

}  // namespace bench

#else

namespace bench {

namespace {
const char* why_missing() { return "there was no ONNX Runtime when this was built"; }
pass find(kind, sinter::element_type) { return nullptr; }
}  // namespace

}  // namespace bench

#endif

namespace bench {

const contender onnxruntime{
    .name = "onnxruntime",
    .description = "ONNX Runtime: Mul, Add, Shrink, Max as one model: float32",
    .what = computes::the_same,
    .find = find,
    .missing = why_missing,
    .divides = true,
    .most_bytes = most_bytes_of_slow_peers,
};

}  // namespace bench
