#include "d3d12.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffers.hpp"
#include "contender.hpp"
#include "d3d12_layouts.hpp"
#include "elements.hpp"
#include "expressions.hpp"
#include "measure.hpp"
#include "sinter/d3d12.hpp"
#include "sinter/sinter.hpp"
#include "workloads.hpp"

namespace bench {

namespace {

namespace d3d12 = sinter::d3d12;
using namespace d3d12::detail;

// The program's own device, queue and list, as a user of plain Direct3D 12 has them, and sinter on the same ones.
class pipeline {
public:
    pipeline() {
        const d3d12::runtime& on = runtime_;
        const auto adapters = on.adapters();
        const auto hardware = first_hardware(adapters);
        shown_ = adapters.at(hardware.value_or(0));
        void* made = nullptr;
        check(on.create_device(hardware.value_or(0), interface_id<ID3D12Device>, &made), "D3D12CreateDevice", {});
        device_ = com_ptr<ID3D12Device>::adopt(on.convention, static_cast<ID3D12Device*>(made));
        D3D12_COMMAND_QUEUE_DESC described{};
        described.Type = type;
        queue_ = create<ID3D12CommandQueue>("CreateCommandQueue", device_, device_, &ID3D12Device::CreateCommandQueue,
                                            &described);
        allocator_ = create<ID3D12CommandAllocator>("CreateCommandAllocator", device_, device_,
                                                    &ID3D12Device::CreateCommandAllocator, type);
        list_ =
            create<ID3D12GraphicsCommandList>("CreateCommandList", device_, device_, &ID3D12Device::CreateCommandList,
                                              UINT{0}, type, allocator_.get(), nullptr);
        close();
        fence_ = create<ID3D12Fence>("CreateFence", device_, device_, &ID3D12Device::CreateFence, std::uint64_t{0},
                                     D3D12_FENCE_FLAG_NONE);
        sinter_ = std::make_unique<d3d12::device>(d3d12::device::from(device_.get(), queue_.get(), on));
    }

    const d3d12::device& gpu() const { return *sinter_; }
    const d3d12::adapter& adapter() const { return shown_; }
    const d3d12::runtime& runtime() const { return runtime_; }
    const com_ptr<ID3D12Device>& device() const { return device_; }
    const com_ptr<ID3D12GraphicsCommandList>& list() const { return list_; }

    void open() const {
        check(allocator_.call(&ID3D12CommandAllocator::Reset), "Reset", device_);
        check(list_.call(&ID3D12GraphicsCommandList::Reset, allocator_.get(), nullptr), "Reset", device_);
    }
    void close() const { check(list_.call(&ID3D12GraphicsCommandList::Close), "Close", device_); }
    void execute() const {
        ID3D12CommandList* const lists[] = {list_.get()};
        queue_.call(&ID3D12CommandQueue::ExecuteCommandLists, UINT{1}, lists);
        check(queue_.call(&ID3D12CommandQueue::Signal, fence_.get(), ++value_), "Signal", device_);
        check(fence_.call(&ID3D12Fence::SetEventOnCompletion, value_, nullptr), "SetEventOnCompletion", device_);
    }

private:
    static constexpr D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT;

    d3d12::runtime runtime_ = d3d12::find_runtime();
    d3d12::adapter shown_;
    com_ptr<ID3D12Device> device_;
    com_ptr<ID3D12CommandQueue> queue_;
    com_ptr<ID3D12CommandAllocator> allocator_;
    com_ptr<ID3D12GraphicsCommandList> list_;
    com_ptr<ID3D12Fence> fence_;
    std::unique_ptr<d3d12::device> sinter_;
    mutable std::uint64_t value_ = 0;
};

// A software adapter computes in this process, on all processors.
time_of counted_on(const d3d12::adapter& adapter) { return adapter.software ? time_of::process : time_of::clock; }

// ---- the chain

std::string hand_text(sinter::element_type type) {
    const std::string name = std::string(SINTER_BENCH_DATA "/chain3_") + sinter::name(type) + ".hlsl";
    std::ifstream file(name, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

// In the order of the texts' constant buffer.
std::vector<std::uint32_t> hand_constants(sinter::element_type type, const attributes& a, std::uint32_t vectors,
                                          std::uint32_t groups_x) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    std::vector<std::uint32_t> c{0,
                                 vectors,
                                 0,
                                 groups_x,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 bits(a.scale),
                                 bits(a.bias),
                                 0,
                                 bits(a.shrink_threshold),
                                 bits(-a.shrink_threshold),
                                 bits(a.shrink_bias)};
    c.push_back(is_floating(type) ? bits(a.minimum)
                                  : static_cast<std::uint32_t>(sinter::detail::truncate(type, a.minimum)));
    c.push_back(0);
    return c;
}

struct contender_on_gpu {
    const char* name;
    bool copies;
    std::function<void()> call;
};

template <class T>
class chain_group {
public:
    chain_group(const pipeline& on, const buffers& memory, std::size_t elements)
        : on_(on),
          memory_(memory),
          elements_(elements),
          bytes_(elements * sizeof(T)),
          x_(on.gpu().allocate<T>({elements})),
          y_(on.gpu().allocate<T>({elements})),
          a_(on.gpu().allocate<T>({elements})),
          b_(on.gpu().allocate<T>({elements})) {
        memory_.fill_input(type, bytes_);
        on.gpu().upload_bytes(x_.memory(), 0, {static_cast<const std::byte*>(memory_.input()), bytes_}).wait();
        on.open();
        on.list().call(&ID3D12GraphicsCommandList::CopyBufferRegion, y_.memory().resource(), std::uint64_t{0},
                       x_.memory().resource(), std::uint64_t{0}, bytes_);
        on.close();
    }

    void run(results& r, const effort& e) const {
        const std::vector<contender_on_gpu> all{
            {"sinter_d3d12", false, [this] { sinter::evaluate(gpu(), chain3::apply(x_, attributes_), y_).wait(); }},
            {"hlsl_hand", false, [this] { hand(); }},
            {"three_dispatches", false, [this] { three(); }},
            {"hlsl_copy", true, [this] { sinter::evaluate(gpu(), x_, y_).wait(); }},
            {"copy_buffer_region", true, [this] { on_.execute(); }}};
        std::vector<std::function<void()>> calls;
        for (const contender_on_gpu& c : all) {
            check_result(c);
            calls.push_back(c.call);
        }
        const std::vector<timing> times = measure(calls, e, counted_on(on_.adapter()));
        for (std::size_t i = 0; i < all.size(); ++i)
            r.add({"d3d12_chain3", name(type), bytes_, 1, all[i].name,
                   2.0 * static_cast<double>(bytes_) / times[i].median_ns, times[i], unit::milliseconds});
    }

private:
    static constexpr sinter::element_type type = sinter::element_type_of<T>;
    const d3d12::device& gpu() const { return on_.gpu(); }

    void hand() const {
        const auto vectors = static_cast<std::uint32_t>(bytes_ / 16);
        const std::uint32_t groups = (vectors + 63) / 64, rows = (groups + 65534) / 65535;
        const std::uint32_t columns = (groups + rows - 1) / rows;
        const std::vector<std::uint32_t> constants = hand_constants(type, attributes_, vectors, columns);
        const d3d12::bound_buffer read[] = {{x_.memory(), 0}}, write[] = {{y_.memory(), 0}};
        const d3d12::dispatch_part parts[] = {{d3d12::kernel(text_), constants, {columns, rows, 1}}};
        gpu().run({read, write, parts}).wait();
    }

    void three() const {
        sinter::evaluate(gpu(), sinter::scale_bias(x_, attributes_.scale, attributes_.bias), a_);
        sinter::evaluate(gpu(), sinter::shrink(a_, attributes_.shrink_bias, attributes_.shrink_threshold), b_);
        sinter::evaluate(gpu(), sinter::threshold(b_, attributes_.minimum), y_).wait();
    }

    // The first and the last elements, bit for bit; float16 is rounded three times by three dispatches.
    void check_result(const contender_on_gpu& c) const {
        const std::size_t count = std::min<std::size_t>(4096, elements_);
        gpu().upload_bytes(y_.memory(), 0, std::vector<std::byte>(bytes_, std::byte{0x5a})).wait();
        c.call();
        for (const std::size_t first : {std::size_t{0}, elements_ - count}) {
            std::vector<T> expected(count), got(count);
            const auto given = sinter::view(static_cast<const T*>(memory_.input()) + first, {count});
            const auto out = sinter::view(expected);
            const sinter::cpu::scalar reference;
            if (c.copies) sinter::evaluate(reference, given, out);
            else if constexpr (std::is_same_v<T, sinter::float16>) {
                using sinter::cast;
                const bool thrice = c.name == std::string("three_dispatches");
                if (!thrice) sinter::evaluate(reference, chain3::apply(given, attributes_), out);
                else
                    sinter::evaluate(reference,
                                     cast<T>(cast<T>(sinter::scale_bias(given, attributes_.scale, attributes_.bias)) |
                                             sinter::shrink(attributes_.shrink_bias, attributes_.shrink_threshold)) |
                                         sinter::threshold(attributes_.minimum),
                                     out);
            } else sinter::evaluate(reference, chain3::apply(given, attributes_), out);
            gpu().download_bytes(y_.memory(), first * sizeof(T), std::as_writable_bytes(std::span(got)));
            if (std::memcmp(expected.data(), got.data(), count * sizeof(T)) != 0)
                throw std::runtime_error(std::string(c.name) + " computes other bits than it should: " + name(type));
        }
    }

    const pipeline& on_;
    const buffers& memory_;
    std::size_t elements_;
    std::size_t bytes_;
    attributes attributes_ = attributes_for(type, false);
    std::string text_ = hand_text(type);
    d3d12::tensor<T, 1> x_, y_, a_, b_;
};

void run_chain(const options& o, results& r, const pipeline& on) {
    if (!wants(o, "d3d12_chain3")) return;
    const std::size_t elements = std::size_t{1} << (o.quick ? 20 : 24);
    const buffers memory(elements * sizeof(float));
    const effort e = o.quick ? effort{5, 0.02} : effort{9, 0.2};
    for (const sinter::element_type type : all_types)
        if (wants_type(o, name(type)))
            with_element(type, [&]<class T>(std::type_identity<T>) { chain_group<T>(on, memory, elements).run(r, e); });
}

// ---- the first use of an expression

double processor_nanoseconds() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// From the call to the finished result, on a few elements: text, compiler, pipeline, dispatch. The device has run
// another expression before.
void run_first_use(const options& o, results& r) {
    constexpr const char* workload = "d3d12_first_use";
    if (!wants(o, workload)) return;
    for (const sinter::element_type type : all_types) {
        if (!wants_type(o, name(type))) continue;
        std::vector<double> times;
        for (int round = 0; round < (o.quick ? 3 : 9); ++round) {
            const pipeline fresh;  // a device keeps its pipelines
            times.push_back(with_element(type, [&]<class T>(std::type_identity<T>) {
                const auto x = fresh.gpu().upload(std::vector<T>(1024)), y = fresh.gpu().allocate<T>({1024});
                sinter::evaluate(fresh.gpu(), x, y).wait();  // what a driver does once for every device
                const auto expression = chain3::apply(x, attributes_for(type, false));
                const double start = processor_nanoseconds();
                sinter::evaluate(fresh.gpu(), expression, y).wait();
                return processor_nanoseconds() - start;
            }));
        }
        r.add(
            {workload, name(type), 1024 * size_of(type), 1, "sinter_d3d12", {}, summarize(times), unit::milliseconds});
    }
}

// ---- recording what is compiled already

void run_record(const options& o, results& r, const pipeline& on) {
    constexpr const char* workload = "d3d12_record";
    if (!wants(o, workload) || !wants_type(o, "float32")) return;
    constexpr std::size_t n = 1024, calls_per_list = 64;
    const attributes a = attributes_for(sinter::element_type::float32, false);
    const auto x = on.gpu().upload(std::vector<float>(n)), y = on.gpu().allocate<float>({n});
    const auto expression = chain3::apply(x, a);
    sinter::evaluate(on.gpu(), expression, y).wait();

    // What a program writes that has compiled the same kernel itself.
    using X = std::remove_const_t<decltype(expression)>;
    constexpr std::string_view text = sinter::hlsl::text_v<X>;
    const auto boundary = sinter::hlsl::interface_of(sinter::program_of<X>, sinter::hlsl::packed::value);
    std::vector<std::uint32_t> constants(boundary.constants());
    constants[1] = n / 4;
    constants[2] = n / 256;
    pipeline_cache own(on.runtime(), on.device());
    const d3d12::root_shape shape{static_cast<std::uint32_t>(constants.size()), 1, 1};
    const auto& made = own.get(d3d12::kernel(text), shape);
    const auto raw = [&] {
        const auto& list = on.list();
        using commands = ID3D12GraphicsCommandList;
        record_unordered_access_barrier(list.convention(), list.get());
        list.call(&commands::SetComputeRootSignature, made.root_signature.get());
        list.call(&commands::SetComputeRootShaderResourceView, shape.read_only_parameter(0), x.memory().gpu_address());
        list.call(&commands::SetComputeRootUnorderedAccessView, shape.read_write_parameter(0),
                  y.memory().gpu_address());
        list.call(&commands::SetComputeRoot32BitConstants, UINT{0}, static_cast<UINT>(constants.size()),
                  constants.data(), UINT{0});
        list.call(&commands::SetPipelineState, made.state.get());
        list.call(&commands::Dispatch, UINT{n / 256}, UINT{1}, UINT{1});
    };
    const auto batch = [&](const auto& record) {
        on.open();
        for (std::size_t i = 0; i < calls_per_list; ++i) record();
        on.close();
    };
    const std::vector<timing> times =
        measure({[&] { batch([&] { on.gpu().record(on.list().get(), expression, y); }); }, [&] { batch(raw); }},
                o.quick ? effort{5, 0.02} : effort{15, 0.05});
    for (const auto& [name, time] : {std::pair{"sinter_d3d12", times[0]}, std::pair{"raw_d3d12", times[1]}}) {
        const timing each{time.median_ns / calls_per_list, time.min_ns / calls_per_list, time.max_ns / calls_per_list};
        r.add({workload, "float32", n * sizeof(float), 1, name, {}, each, unit::nanoseconds});
    }
}

}  // namespace

void run_d3d12(const options& o, results& r) {
    // Mesa keeps compiled kernels on disk otherwise, so that only the first run of this program would measure them.
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    const pipeline on;
    std::printf("Direct3D 12: %s, %s, %s\n%s\n", on.adapter().name.c_str(), on.runtime().name.c_str(),
                on.runtime().hlsl_compiler.identity.c_str(),
                on.adapter().software ? "A software adapter: times are processor time of all threads together."
                                      : "Times are the clock's; those of first_use and record the processor's.");
    run_record(o, r, on);
    run_first_use(o, r);
    run_chain(o, r, on);
    run_d3d12_layouts(o, r, on.gpu(), counted_on(on.adapter()));
}

}  // namespace bench
