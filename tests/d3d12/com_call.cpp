// Calls reach their functions in the platform's convention and in Microsoft's, structures included.
#include <sinter/d3d12/com_ptr.hpp>
#include <sinter/d3d12/entry_point.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <utility>

namespace d3d12 = sinter::d3d12;

namespace {

// A resource that answers with what it was asked.
class resource final : public ID3D12Resource {
public:
    int references = 1;
    UINT subresource = 0;
    D3D12_BOX box{};

    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override { return E_NOINTERFACE; }
    ULONG STDMETHODCALLTYPE AddRef() override { return static_cast<ULONG>(++references); }
    ULONG STDMETHODCALLTYPE Release() override { return static_cast<ULONG>(--references); }
    HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE SetName(LPCWSTR) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_NOTIMPL; }
    HRESULT STDMETHODCALLTYPE Map(UINT, const D3D12_RANGE*, void**) override { return E_NOTIMPL; }
    void STDMETHODCALLTYPE Unmap(UINT, const D3D12_RANGE*) override {}
#if defined(WIDL_EXPLICIT_AGGREGATE_RETURNS)  // mingw-w64's header returns structures by address
    D3D12_RESOURCE_DESC* STDMETHODCALLTYPE GetDesc(D3D12_RESOURCE_DESC* result) override {
        *result = described();
        return result;
    }
#else
    D3D12_RESOURCE_DESC STDMETHODCALLTYPE GetDesc() override { return described(); }
#endif
    D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE GetGPUVirtualAddress() override { return 0xfedcba9876543210u; }
    HRESULT STDMETHODCALLTYPE WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT, UINT) override {
        return E_NOTIMPL;
    }
    HRESULT STDMETHODCALLTYPE ReadFromSubresource(void* data, UINT row, UINT depth, UINT index,
                                                  const D3D12_BOX* from) override {
        *static_cast<UINT*>(data) = row * 10 + depth;
        subresource = index;
        box = *from;
        return S_FALSE;
    }
    HRESULT STDMETHODCALLTYPE GetHeapProperties(D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS*) override {
        return E_NOTIMPL;
    }

private:
    static D3D12_RESOURCE_DESC described() {
        D3D12_RESOURCE_DESC description{};
        description.Width = 0x123456789abcu;
        description.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
        return description;
    }
};

}  // namespace

TEST_CASE("results, arguments and structures") {
    resource called;
    {
        const auto held = d3d12::detail::com_ptr<ID3D12Resource>::share(d3d12::calling_convention::native, &called);
        CHECK(called.references == 2);
        CHECK(held.call(&ID3D12Resource::GetGPUVirtualAddress) == 0xfedcba9876543210u);
        const auto description = d3d12::detail::description<D3D12_RESOURCE_DESC>(held);
        CHECK(description.Width == 0x123456789abcu);
        CHECK(description.Flags == D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
        UINT data = 0;
        const D3D12_BOX box{1, 2, 3, 4, 5, 6};
        CHECK(held.call(&ID3D12Resource::ReadFromSubresource, &data, 4u, 2u, 9u, &box) == S_FALSE);
        CHECK(data == 42);
        CHECK(called.subresource == 9);
        CHECK(called.box.back == 6);
    }
    CHECK(called.references == 1);
}

TEST_CASE("copies count, moves do not") {
    using pointer = d3d12::detail::com_ptr<ID3D12Resource>;
    resource called;
    pointer a = pointer::share(d3d12::calling_convention::native, &called);
    pointer b = a;
    CHECK(called.references == 3);
    pointer c = std::move(b);
    CHECK(called.references == 3);
    c = pointer();
    CHECK(called.references == 2);
    a = pointer(a);
    CHECK(called.references == 2);
}

#if defined(__x86_64__) && !defined(_WIN32)

namespace {

using weigh = int(int, int, int, int, int, int);

int native_weigh(int a, int b, int c, int d, int e, int f) {
    return a + 10 * (b + 10 * (c + 10 * (d + 10 * (e + 10 * f))));
}
__attribute__((ms_abi)) int microsoft_weigh(int a, int b, int c, int d, int e, int f) {
    return -native_weigh(a, b, c, d, e, f);
}

template <class Function>
void* address_of(Function* function) {
    void* address = nullptr;
    std::memcpy(&address, &function, sizeof address);
    return address;
}

// A queue as vkd3d makes one: in C, its structure returned through a pointer that follows `this`.
struct microsoft_queue {
    void* const* table;
    unsigned references;
};

__attribute__((ms_abi)) ULONG release(microsoft_queue* self) { return --self->references; }
__attribute__((ms_abi)) D3D12_COMMAND_QUEUE_DESC* get_desc(microsoft_queue* self, D3D12_COMMAND_QUEUE_DESC* result) {
    *result = {D3D12_COMMAND_LIST_TYPE_COMPUTE, static_cast<INT>(self->references), {}, 7};
    return result;
}

// Out of line, so that one piece of code serves both conventions.
[[gnu::noinline]] int called(const d3d12::detail::entry_point<weigh>& function) { return function(1, 2, 3, 4, 5, 6); }

}  // namespace

TEST_CASE("one place of a call serves both conventions") {
    using d3d12::calling_convention;
    CHECK(called({calling_convention::native, address_of(&native_weigh)}) == 654321);
    CHECK(called({calling_convention::microsoft, address_of(&microsoft_weigh)}) == -654321);
}

TEST_CASE("methods and structures in Microsoft's convention") {
    const auto slot = [](auto method) {
        return static_cast<std::size_t>(d3d12::detail::table_offset(method)) / sizeof(void*);
    };
    void* table[32] = {};
    table[slot(&ID3D12CommandQueue::Release)] = address_of(&release);
    table[slot(&ID3D12CommandQueue::GetDesc)] = address_of(&get_desc);
    microsoft_queue queue{table, 3};
    {
        const auto held = d3d12::detail::com_ptr<ID3D12CommandQueue>::adopt(
            d3d12::calling_convention::microsoft, reinterpret_cast<ID3D12CommandQueue*>(&queue));
        const auto description = d3d12::detail::description<D3D12_COMMAND_QUEUE_DESC>(held);
        CHECK(description.Type == D3D12_COMMAND_LIST_TYPE_COMPUTE);
        CHECK(description.Priority == 3);
        CHECK(description.NodeMask == 7);
    }
    CHECK(queue.references == 2);
}

#endif
