// vkd3d, Wine's Direct3D 12 on top of Vulkan, as a native library of the machine.
#pragma once

#if !defined(_WIN32)

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "entry_point.hpp"
#include "hresult.hpp"
#include "library.hpp"
#include "runtime.hpp"

namespace sinter::d3d12::detail {

// The few declarations of vkd3d.h that listing adapters needs; vkd3d keeps them stable within libvkd3d.so.1.
namespace vkd3d {

struct instance;

struct instance_description {
    std::int32_t type = 0;
    const void* next = nullptr;
    HRESULT (*signal_event)(HANDLE) = nullptr;
    void* (*create_thread)(void* (*)(void*), void*) = nullptr;
    HRESULT (*join_thread)(void*) = nullptr;
    std::size_t wide_character_size = sizeof(wchar_t);
    void* vulkan_entry = nullptr;
    const char* const* extensions = nullptr;
    std::uint32_t extension_count = 0;
};

struct device_description {
    std::int32_t type = 1;
    const void* next = nullptr;
    D3D_FEATURE_LEVEL feature_level = D3D_FEATURE_LEVEL_11_0;
    instance* from = nullptr;
    const instance_description* description = nullptr;
    void* vulkan_device = nullptr;
    const char* const* extensions = nullptr;
    std::uint32_t extension_count = 0;
    IUnknown* parent = nullptr;
    LUID adapter{};
};

inline HRESULT ignore_event(HANDLE) { return S_OK; }

}  // namespace vkd3d

// The head of VkPhysicalDeviceProperties; Vulkan fills in the whole structure.
struct vulkan_device_properties {
    std::uint32_t api_version;
    std::uint32_t driver_version;
    std::uint32_t vendor;
    std::uint32_t device;
    std::uint32_t type;
    char name[256];
    std::byte rest[2048];
};

// Vulkan's view of the adapters, through the vkd3d instance that opens them. These functions are C, not COM.
class vkd3d_adapters {
public:
    // Nothing if this vkd3d or this Vulkan cannot list adapters.
    static std::shared_ptr<vkd3d_adapters> open(const library& utilities, std::string& report) {
        auto list = std::make_shared<vkd3d_adapters>();
        const auto create_instance = function<HRESULT(const vkd3d::instance_description*, vkd3d::instance**)>(
            utilities.symbol("vkd3d_create_instance"));
        const auto vulkan_instance =
            function<void*(vkd3d::instance*)>(utilities.symbol("vkd3d_instance_get_vk_instance"));
        list->create_device_ = function<HRESULT(const vkd3d::device_description*, const GUID*, void**)>(
            utilities.symbol("vkd3d_create_device"));
        list->release_ = function<std::uint32_t(vkd3d::instance*)>(utilities.symbol("vkd3d_instance_decref"));
        if (!create_instance || !vulkan_instance || !list->create_device_ || !list->release_) return nullptr;

        const library vulkan = library::open("libvulkan.so.1", report);
        const auto address_of = function<void*(void*, const char*)>(vulkan.symbol("vkGetInstanceProcAddr"));
        if (!address_of) return nullptr;
        vkd3d::instance_description description;
        description.signal_event = vkd3d::ignore_event;
        description.vulkan_entry = vulkan.symbol("vkGetInstanceProcAddr");
        if (failed(create_instance(&description, &list->instance_))) return nullptr;

        void* const instance = vulkan_instance(list->instance_);
        const auto enumerate =
            function<std::int32_t(void*, std::uint32_t*, void**)>(address_of(instance, "vkEnumeratePhysicalDevices"));
        const auto describe =
            function<void(void*, vulkan_device_properties*)>(address_of(instance, "vkGetPhysicalDeviceProperties"));
        std::uint32_t count = 0;
        if (!enumerate || !describe || enumerate(instance, &count, nullptr) < 0) return nullptr;
        std::vector<void*> devices(count);
        if (enumerate(instance, &count, devices.data()) < 0) return nullptr;
        devices.resize(count);
        for (void* const device : devices) {
            auto properties = std::make_unique<vulkan_device_properties>();
            describe(device, properties.get());
            const auto place = std::find_if(list->entries_.begin(), list->entries_.end(), [&](const entry& other) {
                return other.preference > preference(properties->type);
            });
            list->entries_.insert(place, {described(*properties), preference(properties->type), device});
        }
        return list;
    }

    vkd3d_adapters() = default;
    vkd3d_adapters(const vkd3d_adapters&) = delete;
    vkd3d_adapters& operator=(const vkd3d_adapters&) = delete;
    ~vkd3d_adapters() {
        if (instance_ != nullptr) release_(instance_);
    }

    std::vector<adapter> list() const {
        std::vector<adapter> adapters;
        adapters.reserve(entries_.size());
        for (const entry& known : entries_) adapters.push_back(known.shown);
        return adapters;
    }

    HRESULT create_device(std::size_t index, const GUID& id, void** device) const {
        vkd3d::device_description description;
        description.from = instance_;
        description.vulkan_device = entries_[index].vulkan_device;
        // Vulkan has no such number to offer everywhere; vkd3d only hands it back.
        description.adapter.LowPart = static_cast<decltype(description.adapter.LowPart)>(index + 1);
        return create_device_(&description, &id, device);
    }

private:
    struct entry {
        adapter shown;
        int preference;
        void* vulkan_device;
    };

    template <class Signature>
    static Signature* function(void* address) {
        Signature* result = nullptr;
        std::memcpy(&result, &address, sizeof result);
        return result;
    }

    static constexpr std::uint32_t integrated = 1, discrete = 2, virtual_device = 3, processor = 4;

    static int preference(std::uint32_t type) {
        switch (type) {
            case discrete: return 0;
            case integrated: return 1;
            case virtual_device: return 2;
            case processor: return 4;
            default: return 3;
        }
    }

    static adapter described(const vulkan_device_properties& properties) {
        const std::string identity = "vulkan " + std::to_string(properties.vendor) + " " +
                                     std::to_string(properties.device) + " " +
                                     std::to_string(properties.driver_version) + " " + properties.name;
        return {properties.name, properties.type == processor, identity};
    }

    vkd3d::instance* instance_ = nullptr;
    HRESULT (*create_device_)(const vkd3d::device_description*, const GUID*, void**) = nullptr;
    std::uint32_t (*release_)(vkd3d::instance*) = nullptr;
    std::vector<entry> entries_;
};

inline std::string vkd3d_compiler_name(const library& utilities) {
    void* const address = utilities.symbol("vkd3d_shader_get_version");
    if (address == nullptr) return "vkd3d-shader";
    const char* (*version)(unsigned*, unsigned*) = nullptr;
    std::memcpy(&version, &address, sizeof version);
    return version(nullptr, nullptr);
}

inline bool is_vkd3d(const library& opened) { return opened.symbol("vkd3d_create_event") != nullptr; }

inline bool take_vkd3d_runtime(const library& utilities, const std::string& path, runtime& found, std::string& report) {
    constexpr auto convention = calling_convention::microsoft;
    const entry_point<d3d12_create_device> create(convention, utilities.symbol("D3D12CreateDevice"));
    const entry_point<d3d12_serialize_root_signature> serialize(convention,
                                                                utilities.symbol("D3D12SerializeRootSignature"));
    const entry_point<d3d_compile> compile(convention, utilities.symbol("D3DCompile"));
    if (!create || !serialize || !compile) {
        report += ", but this vkd3d is too old: it lacks D3D12CreateDevice, D3D12SerializeRootSignature or D3DCompile";
        return false;
    }
    found.name = "vkd3d (" + path + ")";
    found.convention = convention;
    found.serialize_root_signature = serialize;
    found.hlsl_compiler = make_d3d_compiler(vkd3d_compiler_name(utilities), convention, compile, 0);
    if (const auto list = vkd3d_adapters::open(utilities, report)) {
        found.adapters = [list] { return list->list(); };
        found.create_device = [list](std::size_t index, const GUID& id, void** device) {
            return list->create_device(index, id, device);
        };
    } else {
        found.adapters = [] { return std::vector<adapter>{{"default adapter of vkd3d", false, "vkd3d"}}; };
        found.create_device = [create](std::size_t, const GUID& id, void** device) {
            return create(nullptr, D3D_FEATURE_LEVEL_11_0, id, device);
        };
    }
    return true;
}

}  // namespace sinter::d3d12::detail

#endif
