// A Direct3D 12 of the tests' own, in the platform's calling convention: objects made by hand, whose every call can be
// made to fail, whose work finishes when told, and whose references are counted. As Direct3D's, they may be used from
// several threads.
#pragma once

#include <sinter/d3d12/device.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace fake {

namespace d3d12 = sinter::d3d12;

// What happened, and what shall happen.
struct world {
    std::atomic<int> alive = 0;
    std::vector<std::string> calls;              // of those that may fail
    std::size_t failing_call = ~std::size_t{0};  // the position of one of them
    HRESULT failure = E_OUTOFMEMORY;
    HRESULT removed_reason = S_OK;
    std::optional<D3D_SHADER_MODEL> highest_shader_model;  // none: the question is not known
    bool removed_fence = false;                            // as after a removal
    bool held = false;                                     // work stays in flight
    std::chrono::milliseconds pipelines_take{0};           // so that others come and wait
    std::atomic<std::uint64_t> signalled = 0;
    std::atomic<std::uint64_t> completed = 0;
    std::atomic<int> dispatches = 0;
    std::vector<std::string> recorded;  // into command lists

    HRESULT next(const char* call) {
        const std::lock_guard lock(guard);
        calls.emplace_back(call);
        return calls.size() - 1 == failing_call ? failure : S_OK;
    }
    void record(const char* command) {
        const std::lock_guard lock(guard);
        recorded.emplace_back(command);
    }
    void finish() { completed = signalled.load(); }

private:
    std::mutex guard;
};

// The first member is where a COM object's pointer to its table of functions is.
struct object {
    void* const* table;
    world* in;
    std::atomic<unsigned> references = 1;
    std::vector<std::byte> bytes;
    D3D12_RESOURCE_DESC description{};
};

inline object& at(void* self) { return *static_cast<object*>(self); }
inline world& in(void* self) { return *at(self).in; }

using table = std::array<void*, 128>;

[[noreturn]] inline void unexpected() {
    std::fprintf(stderr, "a call that the fake does not know\n");
    std::abort();
}

template <class Function>
void* address_of(Function* function) {
    void* address = nullptr;
    std::memcpy(&address, &function, sizeof address);
    return address;
}

#if defined(_WIN32)
// sinter itself has no need of it on Windows. By the Itanium C++ ABI, that of mingw-w64.
template <class Method>
std::ptrdiff_t table_offset(Method method) {
    return std::bit_cast<std::array<std::ptrdiff_t, 2>>(method)[0] - 1;
}
#else
using d3d12::detail::table_offset;
#endif

template <class Class, class Result, class... Parameters>
void set(table& functions, Result (Class::*method)(Parameters...),
         std::type_identity_t<Result (*)(Class*, Parameters...)> function) {
    functions[static_cast<std::size_t>(table_offset(method)) / sizeof(void*)] = address_of(function);
}

// GetDesc, which returns a structure; mingw-w64's header declares that with the result's address as its argument.
template <class Interface, class Answer>
void set_description(table& functions, Answer) {
#if defined(WIDL_EXPLICIT_AGGREGATE_RETURNS)
    using Description = std::invoke_result_t<Answer, Interface*>;
    Description* (Interface::* const method)(Description*) = &Interface::GetDesc;
    set(functions, method, [](Interface* self, Description* result) {
        *result = Answer()(self);
        return result;
    });
#else
    set(functions, &Interface::GetDesc, [](Interface* self) { return Answer()(self); });
#endif
}

template <class Interface>
table counted() {
    table functions;
    functions.fill(address_of(&unexpected));
    set(functions, &Interface::AddRef, [](IUnknown* self) -> ULONG { return ++at(self).references; });
    set(functions, &Interface::Release, [](IUnknown* self) -> ULONG {
        object& released = at(self);
        const ULONG left = --released.references;
        if (left == 0) {
            --released.in->alive;
            delete &released;
        }
        return left;
    });
    return functions;
}

inline object* made(world& by, const table& functions) {
    ++by.alive;
    return new object{functions.data(), &by, 1, {}, {}};
}

// What every Create function does.
inline HRESULT create(world& by, const char* call, const table& functions, void** result, std::size_t size = 0) {
    *result = nullptr;
    const HRESULT status = by.next(call);
    if (status < 0) return status;
    object* const created = made(by, functions);
    created->bytes.resize(size);
    *result = created;
    return S_OK;
}

inline const table& plain_functions() {
    static const table functions = counted<IUnknown>();
    return functions;
}

inline const table& blob_functions() {
    static const table functions = [] {
        table f = counted<ID3DBlob>();
        set(f, &ID3DBlob::GetBufferPointer, [](ID3DBlob* self) -> void* { return at(self).bytes.data(); });
        set(f, &ID3DBlob::GetBufferSize, [](ID3DBlob* self) -> SIZE_T { return at(self).bytes.size(); });
        return f;
    }();
    return functions;
}

inline const table& fence_functions() {
    static const table functions = [] {
        table f = counted<ID3D12Fence>();
        set(f, &ID3D12Fence::GetCompletedValue, [](ID3D12Fence* self) -> UINT64 {
            return in(self).removed_fence ? ~UINT64{0} : in(self).completed.load();
        });
        return f;
    }();
    return functions;
}

inline const table& resource_functions() {
    static const table functions = [] {
        table f = counted<ID3D12Resource>();
        set(f, &ID3D12Resource::GetGPUVirtualAddress, [](ID3D12Resource* self) -> D3D12_GPU_VIRTUAL_ADDRESS {
            return reinterpret_cast<std::uintptr_t>(at(self).bytes.data());
        });
        set(f, &ID3D12Resource::Map, [](ID3D12Resource* self, UINT, const D3D12_RANGE*, void** data) -> HRESULT {
            const HRESULT status = in(self).next("ID3D12Resource::Map");
            *data = status < 0 ? nullptr : at(self).bytes.data();
            return status;
        });
        set_description<ID3D12Resource>(f, [](ID3D12Resource* self) { return at(self).description; });
        return f;
    }();
    return functions;
}

inline const table& allocator_functions() {
    static const table functions = [] {
        table f = counted<ID3D12CommandAllocator>();
        set(f, &ID3D12CommandAllocator::Reset,
            [](ID3D12CommandAllocator* self) { return in(self).next("ID3D12CommandAllocator::Reset"); });
        return f;
    }();
    return functions;
}

inline const table& list_functions() {
    using list = ID3D12GraphicsCommandList;
    static const table functions = [] {
        table f = counted<list>();
        set(f, &list::Reset, [](list* self, ID3D12CommandAllocator*, ID3D12PipelineState*) {
            return in(self).next("ID3D12GraphicsCommandList::Reset");
        });
        set(f, &list::Close, [](list* self) { return in(self).next("ID3D12GraphicsCommandList::Close"); });
        set(f, &list::ResourceBarrier, [](list* self, UINT, const D3D12_RESOURCE_BARRIER* barrier) {
            in(self).record(barrier->Type == D3D12_RESOURCE_BARRIER_TYPE_UAV ? "UAV barrier" : "transition");
        });
        set(f, &list::SetComputeRootSignature,
            [](list* self, ID3D12RootSignature*) { in(self).record("root signature"); });
        set(f, &list::SetPipelineState, [](list* self, ID3D12PipelineState*) { in(self).record("pipeline"); });
        set(f, &list::SetComputeRoot32BitConstants,
            [](list* self, UINT, UINT, const void*, UINT) { in(self).record("root constants"); });
        set(f, &list::SetComputeRootConstantBufferView,
            [](list* self, UINT, D3D12_GPU_VIRTUAL_ADDRESS) { in(self).record("constant buffer"); });
        set(f, &list::SetComputeRootShaderResourceView,
            [](list* self, UINT, D3D12_GPU_VIRTUAL_ADDRESS) { in(self).record("read-only buffer"); });
        set(f, &list::SetComputeRootUnorderedAccessView,
            [](list* self, UINT, D3D12_GPU_VIRTUAL_ADDRESS) { in(self).record("read-write buffer"); });
        set(f, &list::Dispatch, [](list* self, UINT, UINT, UINT) {
            ++in(self).dispatches;
            in(self).record("dispatch");
        });
        set(f, &list::CopyBufferRegion,
            [](list*, ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from, UINT64 from_offset, UINT64 size) {
                std::memcpy(at(to).bytes.data() + to_offset, at(from).bytes.data() + from_offset, size);
            });
        return f;
    }();
    return functions;
}

inline const table& queue_functions() {
    using queue = ID3D12CommandQueue;
    static const table functions = [] {
        table f = counted<queue>();
        set_description<queue>(f, [](queue*) {
            D3D12_COMMAND_QUEUE_DESC description{};
            description.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
            return description;
        });
        set(f, &queue::ExecuteCommandLists, [](queue*, UINT, ID3D12CommandList* const*) {});
        set(f, &queue::Signal, [](queue* self, ID3D12Fence*, UINT64 value) {
            world& by = in(self);
            const HRESULT status = by.next("ID3D12CommandQueue::Signal");
            if (status < 0) return status;
            by.signalled = value;
            if (!by.held) by.finish();
            return status;
        });
        return f;
    }();
    return functions;
}

inline const table& device_functions() {
    using device = ID3D12Device;
    static const table functions = [] {
        table f = counted<device>();
        set(f, &device::GetDeviceRemovedReason, [](device* self) { return in(self).removed_reason; });
        set(f, &device::CheckFeatureSupport, [](device* self, D3D12_FEATURE feature, void* answer, UINT) -> HRESULT {
            if (feature != D3D12_FEATURE_SHADER_MODEL || !in(self).highest_shader_model) return E_INVALIDARG;
            static_cast<D3D12_FEATURE_DATA_SHADER_MODEL*>(answer)->HighestShaderModel = *in(self).highest_shader_model;
            return S_OK;
        });
        set(f, &device::CreateCommandQueue,
            [](device* self, const D3D12_COMMAND_QUEUE_DESC*, const GUID&, void** result) {
                return create(in(self), "ID3D12Device::CreateCommandQueue", queue_functions(), result);
            });
        set(f, &device::CreateFence, [](device* self, UINT64 value, D3D12_FENCE_FLAGS, const GUID&, void** result) {
            in(self).completed = in(self).signalled = value;
            return create(in(self), "ID3D12Device::CreateFence", fence_functions(), result);
        });
        set(f, &device::CreateCommandAllocator, [](device* self, D3D12_COMMAND_LIST_TYPE, const GUID&, void** result) {
            return create(in(self), "ID3D12Device::CreateCommandAllocator", allocator_functions(), result);
        });
        set(f, &device::CreateCommandList,
            [](device* self, UINT, D3D12_COMMAND_LIST_TYPE, ID3D12CommandAllocator*, ID3D12PipelineState*, const GUID&,
               void** result) {
                return create(in(self), "ID3D12Device::CreateCommandList", list_functions(), result);
            });
        set(f, &device::CreateRootSignature, [](device* self, UINT, const void*, SIZE_T, const GUID&, void** result) {
            return create(in(self), "ID3D12Device::CreateRootSignature", plain_functions(), result);
        });
        set(f, &device::CreateComputePipelineState,
            [](device* self, const D3D12_COMPUTE_PIPELINE_STATE_DESC*, const GUID&, void** result) {
                std::this_thread::sleep_for(in(self).pipelines_take);
                return create(in(self), "ID3D12Device::CreateComputePipelineState", plain_functions(), result);
            });
        set(f, &device::CreateCommittedResource,
            [](device* self, const D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS, const D3D12_RESOURCE_DESC* description,
               D3D12_RESOURCE_STATES, const D3D12_CLEAR_VALUE*, const GUID&, void** result) {
                const HRESULT status = create(in(self), "ID3D12Device::CreateCommittedResource", resource_functions(),
                                              result, static_cast<std::size_t>(description->Width));
                if (status >= 0) at(*result).description = *description;
                return status;
            });
        return f;
    }();
    return functions;
}

// The world of serialize_root_signature, which Direct3D gives no object.
inline world*& current() {
    static world* now = nullptr;
    return now;
}

inline HRESULT serialize_root_signature(const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob** result,
                                        ID3DBlob** messages) {
    *messages = nullptr;
    void* blob = nullptr;
    const HRESULT status = create(*current(), "D3D12SerializeRootSignature", blob_functions(), &blob, 16);
    *result = static_cast<ID3DBlob*>(blob);
    return status;
}

inline d3d12::runtime runtime(world& of) {
    current() = &of;
    d3d12::runtime made;
    made.name = "a fake";
    made.convention = d3d12::calling_convention::native;
    made.adapters = [] { return std::vector<d3d12::adapter>{{"fake adapter", true, "fake"}}; };
    made.create_device = [&of](std::size_t, const GUID&, void** device) {
        return create(of, "D3D12CreateDevice", device_functions(), device);
    };
    made.serialize_root_signature = d3d12::detail::entry_point<d3d12::detail::d3d12_serialize_root_signature>(
        d3d12::calling_convention::native, address_of(&serialize_root_signature));
    made.hlsl_compiler = {"fake compiler", [&of](std::string_view text) {
                              d3d12::compilation result;
                              result.succeeded = of.next("D3DCompile") >= 0 && text.find("broken") == text.npos;
                              result.bytecode.resize(4);
                              result.log = result.succeeded ? "" : "1: broken";
                              return result;
                          }};
    return made;
}

}  // namespace fake
