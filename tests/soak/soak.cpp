// Evaluations of changing shapes on two threads for as long as wanted: memory stays as it is, results stay right, and a
// call takes as long at the end as at the beginning.
//
//   soak [SECONDS]    1 minute or more shows slow growth; the test's 20 seconds show what grows with every call
#include <sinter/directml.hpp>
#include <sinter/sinter.hpp>

#if __has_include(<directx/d3d12.h>) && __has_include(<unknwn.h>)
#define HAS_D3D12 1
#include <sinter/d3d12.hpp>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;
using sinter::view;

std::atomic<bool> failed = false;

void expect(bool holds, const char* what) {
    if (!holds && !failed.exchange(true)) std::fprintf(stderr, "wrong: %s\n", what);
}

// What the process holds in memory, in KiB; 0 where the system does not say.
long resident_kib() {
    long pages = 0, resident = 0;
    if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return resident * 4;
}

template <class X>
auto chain(const X& x, float s) {
    return x | sinter::scale_bias(s, 0.25f) | sinter::shrink(0.5f, 2.f) | sinter::threshold(-8.f);
}

// Of one thread: its data, and one turn that uses everything with a new shape.
class worker {
public:
    explicit worker(std::uint32_t seed) : random_(seed), x_(most), y_(most), expected_(most), bytes_(most) {
        for (std::size_t i = 0; i < most; ++i) {
            x_[i] = static_cast<float>(i % 511) * 0.25f - 60.f;
            bytes_[i] = static_cast<std::uint8_t>(i);
        }
    }

    void turn() {
        const std::size_t rows = 1 + random_() % 60, columns = 1 + random_() % 1000;
        const float scale = static_cast<float>(random_() % 32) * 0.25f;
        const auto in = view(x_.data(), {rows, columns});
        const auto out = view(y_.data(), {rows, columns});
        const auto right = view(expected_.data(), {rows, columns});
        sinter::evaluate(sinter::cpu::scalar{}, chain(in, scale), right);
        sinter::evaluate(chain(in, scale), out);
        expect(is_right(rows * columns), "packed");
        const auto turned = sinter::reverse(sinter::transpose(view(x_.data(), {columns, rows})), 1);
        sinter::evaluate(sinter::cpu::scalar{}, chain(turned, scale), right);
        sinter::evaluate(chain(turned, scale), out);
        expect(is_right(rows * columns), "transposed");
        const auto made = sinter::materialize(sinter::cast<float>(view(bytes_.data(), {rows, columns})) * scale + 1.f);
        expect(made(rows - 1, columns - 1) == static_cast<float>(bytes_[rows * columns - 1]) * scale + 1.f,
               "materialized");
        try {
            sinter::evaluate(chain(in, scale), view(x_.data() + 1, {rows, columns}));
            expect(rows * columns < 2, "a shifted output is refused");
        } catch (const sinter::error&) {
        }
        described(rows, columns, scale);
#if defined(HAS_D3D12)
        if (gpu_) on_gpu(rows, columns, scale);
#endif
    }

#if defined(HAS_D3D12)
    void use(const sinter::d3d12::device& gpu) { gpu_ = gpu; }
#endif

private:
    static constexpr std::size_t most = 60 * 1000;

    bool is_right(std::size_t count) const { return std::memcmp(y_.data(), expected_.data(), count * 4) == 0; }

    // A chain of descriptors, compiled anew every time.
    void described(std::size_t rows, std::size_t columns, float scale) {
        using namespace sinter::directml;
        const std::array<UINT, 2> sizes{static_cast<UINT>(rows), static_cast<UINT>(columns)};
        DML_BUFFER_TENSOR_DESC buffer{};
        buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
        buffer.DimensionCount = 2;
        buffer.Sizes = sizes.data();
        buffer.TotalTensorSizeInBytes = 4 * rows * columns;
        const DML_TENSOR_DESC t{DML_TENSOR_TYPE_BUFFER, &buffer};
        const DML_SCALE_BIAS sb{scale, 0.25f};
        const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC first{&t, &t, &sb};
        const DML_ACTIVATION_SHRINK_OPERATOR_DESC second{&t, &t, 0.5f, 2.f};
        const DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC third{&t, &t, nullptr, -8.f};
        const std::array chain_of{DML_OPERATOR_DESC{DML_OPERATOR_ELEMENT_WISE_IDENTITY, &first},
                                  DML_OPERATOR_DESC{DML_OPERATOR_ACTIVATION_SHRINK, &second},
                                  DML_OPERATOR_DESC{DML_OPERATOR_ELEMENT_WISE_THRESHOLD, &third}};
        const compiled_operator op = compile(chain_of);
        expect(op.input_count() == 1, "descriptors");
#if defined(HAS_D3D12)
        if (!gpu_) return;
        const std::size_t count = rows * columns;
        sinter::evaluate(sinter::cpu::scalar{}, chain(view(x_.data(), {count}), scale),
                         view(expected_.data(), {count}));
        const auto there = gpu_->upload(view(x_.data(), {count}));
        const auto result = gpu_->allocate<float>({count});
        op.dispatch(*gpu_, {there.memory().resource()}, {result.memory().resource()});
        gpu_->download(result, view(y_.data(), {count}));
        expect(is_right(count), "descriptors on Direct3D 12");
#endif
    }

#if defined(HAS_D3D12)
    void on_gpu(std::size_t rows, std::size_t columns, float scale) {
        const auto there = gpu_->upload(view(x_.data(), {columns, rows}));
        const auto e = chain(sinter::transpose(there), scale);
        auto result = gpu_->allocate<float>({rows, columns});
        sinter::evaluate(*gpu_, e, result);
        sinter::evaluate(*gpu_, result + 1.f, result);
        gpu_->download(result, view(y_.data(), {rows, columns}));
        sinter::evaluate(sinter::cpu::scalar{}, chain(sinter::transpose(view(x_.data(), {columns, rows})), scale) + 1.f,
                         view(expected_.data(), {rows, columns}));
        expect(is_right(rows * columns), "Direct3D 12");
    }

    std::optional<sinter::d3d12::device> gpu_;
#endif

    std::mt19937 random_;
    std::vector<float> x_, y_, expected_;
    std::vector<std::uint8_t> bytes_;
};

// The same call again and again: the shortest of a few is what the machine's other work disturbs least.
double shortest_call() {
    static const std::vector<float> x(1 << 16, 3.f);
    static std::vector<float> y(x.size());
    double shortest = 1e9;
    for (int i = 0; i < 50; ++i) {
        const auto start = clock_type::now();
        sinter::evaluate(chain(view(x), 1.5f), y);
        shortest = std::min(shortest, std::chrono::duration<double>(clock_type::now() - start).count());
    }
    return shortest;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::strtod(argv[1], nullptr) : 20.;
    std::vector<worker> workers;
    for (std::uint32_t i = 0; i < 2; ++i) workers.emplace_back(i + 1);
#if defined(HAS_D3D12)
    try {
        const auto gpu = sinter::d3d12::device::create();
        for (worker& w : workers) w.use(gpu);
        std::printf("with Direct3D 12 on %s\n", gpu.adapter_used().name.c_str());
    } catch (const sinter::error& failure) {
        std::printf("without Direct3D 12: %s\n", failure.what());
    }
#endif
    std::atomic<std::uint64_t> turns = 0;
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (worker& w : workers)
        threads.emplace_back([&] {
            try {
                for (; !stop && !failed; ++turns) w.turn();
            } catch (const std::exception& failure) {
                std::fprintf(stderr, "%s\n", failure.what());
                expect(false, "an exception");
            }
        });
    // After a fifth of the time everything that is kept has been made: kernels, pools, the allocator's own memory.
    const auto part = std::chrono::duration<double>(seconds / 5);
    std::vector<double> times;
    std::vector<long> memory;
    for (int i = 0; i < 5 && !failed; ++i) {
        std::this_thread::sleep_for(part);
        times.push_back(shortest_call());
        memory.push_back(resident_kib());
        std::printf("%5.0f s: %llu turns, %ld KiB, %.1f us per call\n", (i + 1) * part.count(),
                    static_cast<unsigned long long>(turns.load()), memory.back(), times.back() * 1e6);
        std::fflush(stdout);
    }
    stop = true;
    for (std::thread& thread : threads) thread.join();
    expect(turns > 20, "hardly any turns");
    if (!failed) {
        expect(*std::max_element(memory.begin() + 1, memory.end()) - memory[0] < 16 * 1024, "memory grows");
        expect(*std::min_element(times.begin() + 1, times.end()) < 2 * times[0], "calls become slower");
    }
    return failed ? 1 : 0;
}
