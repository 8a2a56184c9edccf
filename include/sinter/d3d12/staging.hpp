// Buffers that the CPU can see, through which data goes to and from the adapter; a device keeps a few for reuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "com_ptr.hpp"
#include "headers.hpp"
#include "hresult.hpp"

namespace sinter::d3d12::detail {

struct mapped_buffer {
    resource memory;
    std::byte* data = nullptr;
};

inline mapped_buffer create_mapped_buffer(const com_ptr<ID3D12Device>& device, D3D12_HEAP_TYPE heap,
                                          std::uint64_t size) {
    mapped_buffer made{create_buffer(device, heap, size)};
    // Mapped for its whole life, which Direct3D allows in both kinds of heap that the CPU sees.
    void* data = nullptr;
    check(made.memory.object.call(&ID3D12Resource::Map, UINT{0}, nullptr, &data), "ID3D12Resource::Map", device);
    made.data = static_cast<std::byte*>(data);
    return made;
}

class staging_pool : public std::enable_shared_from_this<staging_pool> {
public:
    explicit staging_pool(com_ptr<ID3D12Device> device) : device_(std::move(device)) {}

    // One buffer of the pool, which returns to it with its last owner: the work in flight that copies from or to it.
    class lease {
    public:
        lease(std::shared_ptr<staging_pool> pool, mapped_buffer mapped)
            : pool_(std::move(pool)), mapped_(std::move(mapped)) {}
        lease(const lease&) = delete;
        lease& operator=(const lease&) = delete;
        ~lease() { pool_->take_back(std::move(mapped_)); }

        std::byte* data() const noexcept { return mapped_.data; }
        ID3D12Resource* resource() const noexcept { return mapped_.memory.object.get(); }

    private:
        std::shared_ptr<staging_pool> pool_;
        mapped_buffer mapped_;
    };

    std::shared_ptr<const lease> borrow(D3D12_HEAP_TYPE heap, std::uint64_t size) {
        mapped_buffer found = take(heap, size);
        if (found.data == nullptr) found = create_mapped_buffer(device_, heap, size_class(size));
        return std::make_shared<const lease>(shared_from_this(), std::move(found));
    }

private:
    static constexpr std::uint64_t smallest = std::uint64_t{1} << 16;
    static constexpr std::uint64_t most_kept = std::uint64_t{1} << 26;

    static std::uint64_t size_class(std::uint64_t size) {
        std::uint64_t result = smallest;
        while (result < size) result *= 2;
        return result;
    }

    mapped_buffer take(D3D12_HEAP_TYPE heap, std::uint64_t size) {
        const std::lock_guard lock(mutex_);
        std::size_t best = free_.size();
        for (std::size_t i = 0; i < free_.size(); ++i) {
            const resource& candidate = free_[i].memory;
            if (candidate.heap != heap || candidate.capacity < size) continue;
            if (best == free_.size() || candidate.capacity < free_[best].memory.capacity) best = i;
        }
        if (best == free_.size()) return {};
        mapped_buffer found = std::move(free_[best]);
        free_[best] = std::move(free_.back());
        free_.pop_back();
        kept_ -= found.memory.capacity;
        return found;
    }

    void take_back(mapped_buffer returned) {
        const std::lock_guard lock(mutex_);
        if (kept_ + returned.memory.capacity > most_kept) return;
        kept_ += returned.memory.capacity;
        free_.push_back(std::move(returned));
    }

    com_ptr<ID3D12Device> device_;
    std::mutex mutex_;
    std::vector<mapped_buffer> free_;
    std::uint64_t kept_ = 0;
};

}  // namespace sinter::d3d12::detail
