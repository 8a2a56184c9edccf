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
#include <tuple>

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
OrtSession* make_session(sinter::element_type type, const job& j) {
    static OrtEnv* const environment = [] {
        OrtEnv* made = nullptr;
        check(api()->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "sinter_bench", &made));
        return made;
    }();
    OrtSessionOptions* options = nullptr;
    check(api()->CreateSessionOptions(&options));
    check(api()->SetIntraOpNumThreads(options, j.threads));
    const std::string model = onnx_chain(j.operators, type, j.a);
    OrtSession* session = nullptr;
    check(api()->CreateSessionFromArray(environment, model.data(), model.size(), options, &session));
    api()->ReleaseSessionOptions(options);
    return session;
}

OrtSession* session_for(sinter::element_type type, const job& j) {
    static std::map<std::tuple<sinter::element_type, int, int, std::string>, OrtSession*> made;
    const std::string key(reinterpret_cast<const char*>(&j.a), sizeof(j.a));
    OrtSession*& session = made[{type, j.operators, j.threads, key}];
    if (!session) session = make_session(type, j);
    return session;
}

template <sinter::element_type Type>
OrtValue* tensor(const void* elements, std::size_t count) {
    static OrtMemoryInfo* const on_cpu = [] {
        OrtMemoryInfo* made = nullptr;
        check(api()->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &made));
        return made;
    }();
    const auto shape = static_cast<std::int64_t>(count);
    OrtValue* value = nullptr;
    constexpr auto type = Type == sinter::element_type::float16 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16
                                                                : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    check(api()->CreateTensorWithDataAsOrtValue(on_cpu, const_cast<void*>(elements), count * size_of(Type), &shape, 1,
                                                type, &value));
    return value;
}

template <sinter::element_type Type>
void run(const job& j) {
    const char* const input_name = "x";
    const char* const output_name = "y";
    OrtValue* const input = tensor<Type>(j.input, j.elements);
    OrtValue* output = tensor<Type>(j.output, j.elements);
    check(api()->Run(session_for(Type, j), nullptr, &input_name, &input, 1, &output_name, 1, &output));
    api()->ReleaseValue(input);
    api()->ReleaseValue(output);
}

const char* why_missing() { return api() ? nullptr : "libonnxruntime could not be opened"; }

// In place, it may write its output before it has read all of its input.
pass find(kind k, sinter::element_type type) {
    if (k == kind::chain3_inplace) return nullptr;
    if (k == kind::chain3 && type == sinter::element_type::float16) return run<sinter::element_type::float16>;
    return only_float32_chains(k, type, run<sinter::element_type::float32>);
}

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
    .description =
        "ONNX Runtime: Mul, Add, Shrink, Max as one model: float32; float16, where it casts to float32 before "
        "Mul and back after Add",
    .what = computes::the_same_rounded_otherwise,
    .find = find,
    .missing = why_missing,
    .divides = true,
    .most_bytes = most_bytes_of_slow_peers,
};

}  // namespace bench
