// The work of one device in order: recorded into reused command lists, executed on its queue, counted by a fence.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "staging.hpp"

namespace sinter::d3d12::detail {

using clock = std::chrono::steady_clock;

// One command list, the memory behind it, and what must live until it has executed.
struct recording {
    com_ptr<ID3D12CommandAllocator> allocator;
    com_ptr<ID3D12GraphicsCommandList> list;
    std::vector<std::shared_ptr<const void>> kept_alive;
    mapped_buffer constants;  // for kernels whose constants do not fit a root signature
    std::uint64_t value = 0;  // of the fence, once executed
};

// Between two looks at the fence: first gives way, then sleeps, longer and longer.
class back_off {
public:
    void pause(std::optional<clock::time_point> deadline) {
        if (yields_ < most_yields) {
            ++yields_;
            std::this_thread::yield();
            return;
        }
        std::this_thread::sleep_until((std::min)(clock::now() + sleep_, deadline.value_or((clock::time_point::max)())));
        sleep_ = (std::min)(2 * sleep_, longest_sleep);
    }

private:
    static constexpr int most_yields = 32;
    static constexpr std::chrono::microseconds longest_sleep{500};
    int yields_ = 0;
    std::chrono::microseconds sleep_{10};
};

class timeline {
public:
    timeline(com_ptr<ID3D12Device> device, com_ptr<ID3D12CommandQueue> queue, clock::duration stall_limit)
        : device_(std::move(device)),
          queue_(std::move(queue)),
          fence_(create<ID3D12Fence>("ID3D12Device::CreateFence", device_, device_, &ID3D12Device::CreateFence,
                                     std::uint64_t{0}, D3D12_FENCE_FLAG_NONE)),
          list_type_(description<D3D12_COMMAND_QUEUE_DESC>(queue_).Type),
          stall_limit_(stall_limit) {
        if (list_type_ != D3D12_COMMAND_LIST_TYPE_COMPUTE && list_type_ != D3D12_COMMAND_LIST_TYPE_DIRECT)
            sinter::detail::fail(errc::unsupported,
                                 "the command queue runs no compute work; it must be COMPUTE or DIRECT");
    }

    timeline(const timeline&) = delete;
    timeline& operator=(const timeline&) = delete;

    // Direct3D forbids to release what executing lists use. Where they never end, all of it is left as it is.
    ~timeline() {
        const outcome ended = look_until(last_value_, std::nullopt);
        if (ended == outcome::stalled) new std::list<recording>(std::move(in_flight_));
    }

    // Calls record(recording&) and executes what it recorded; returns the fence's value of that work.
    template <class Record>
    std::uint64_t submit(const Record& record) {
        std::vector<std::shared_ptr<const void>> released;  // dropped after the lock
        std::unique_lock lock(mutex_);
        std::list<recording> taken = take(lock, released);
        recording& now = taken.front();
        record(now);
        check(now.list.call(&ID3D12GraphicsCommandList::Close), "ID3D12GraphicsCommandList::Close", device_);
        ID3D12CommandList* const lists[] = {now.list.get()};
        queue_.call(&ID3D12CommandQueue::ExecuteCommandLists, UINT{1}, lists);
        now.value = ++last_value_;
        in_flight_.splice(in_flight_.end(), taken);
        check(queue_.call(&ID3D12CommandQueue::Signal, fence_.get(), last_value_), "ID3D12CommandQueue::Signal",
              device_);
        return last_value_;
    }

    std::uint64_t ticks_per_second() const {
        std::uint64_t frequency = 0;
        check(queue_.call(&ID3D12CommandQueue::GetTimestampFrequency, &frequency),
              "ID3D12CommandQueue::GetTimestampFrequency", device_);
        return frequency;
    }

    // False if the deadline came first.
    bool wait(std::uint64_t value, std::optional<clock::time_point> deadline) {
        switch (look_until(value, deadline)) {
            case outcome::late: return false;
            case outcome::removed: fail_removed("waiting for the device", removed_reason());
            case outcome::stalled: fail_stalled();
            case outcome::done: break;
        }
        release_finished();
        return true;
    }

private:
    enum class outcome { done, late, removed, stalled };

    static constexpr std::uint64_t removed_value = ~std::uint64_t{0};
    static constexpr std::size_t most_in_flight = 256;

    // The greatest value of the fence that was seen before a removal.
    bool is_done(std::uint64_t value) const { return seen_.load(std::memory_order_acquire) >= value; }

    std::uint64_t look() {
        const std::uint64_t value = fence_.call(&ID3D12Fence::GetCompletedValue);
        if (value == removed_value) return value;
        std::uint64_t seen = seen_.load(std::memory_order_relaxed);
        while (seen < value && !seen_.compare_exchange_weak(seen, value, std::memory_order_acq_rel)) {
        }
        return value;
    }

    HRESULT removed_reason() const { return device_.call(&ID3D12Device::GetDeviceRemovedReason); }

    outcome look_until(std::uint64_t value, std::optional<clock::time_point> deadline) {
        if (is_done(value)) return outcome::done;
        back_off between;
        std::uint64_t progress = seen_.load(std::memory_order_relaxed);
        clock::time_point since = clock::now();
        for (;;) {
            const std::uint64_t completed = look();
            if (completed == removed_value) return outcome::removed;
            if (completed >= value) return outcome::done;
            const clock::time_point now = clock::now();
            if (deadline && now >= *deadline) return outcome::late;
            if (failed(removed_reason())) return outcome::removed;
            if (completed != progress) {
                progress = completed;
                since = now;
            }
            if (now - since >= stall_limit_) return outcome::stalled;
            between.pause(deadline);
        }
    }

    [[noreturn]] void fail_stalled() const {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(stall_limit_).count();
        sinter::detail::fail(errc::timeout, "waiting for the device: none of its work has finished for " +
                                                std::to_string(seconds) + " s and it does not report a removal");
    }

    // A recording that is open and belongs to the caller alone.
    std::list<recording> take(std::unique_lock<std::mutex>& lock, std::vector<std::shared_ptr<const void>>& released) {
        retire(released);
        while (free_.empty() && in_flight_.size() >= most_in_flight) {
            const std::uint64_t oldest = in_flight_.front().value;
            lock.unlock();
            wait(oldest, std::nullopt);
            lock.lock();
            retire(released);
        }
        std::list<recording> taken;
        if (free_.empty()) {
            taken.push_back(opened());
        } else {
            taken.splice(taken.end(), free_, free_.begin());
            reopen(taken.front());
        }
        return taken;
    }

    recording opened() const {
        recording made;
        made.allocator = create<ID3D12CommandAllocator>("ID3D12Device::CreateCommandAllocator", device_, device_,
                                                        &ID3D12Device::CreateCommandAllocator, list_type_);
        made.list = create<ID3D12GraphicsCommandList>("ID3D12Device::CreateCommandList", device_, device_,
                                                      &ID3D12Device::CreateCommandList, UINT{0}, list_type_,
                                                      made.allocator.get(), nullptr);
        return made;
    }

    void reopen(recording& again) const {
        check(again.allocator.call(&ID3D12CommandAllocator::Reset), "ID3D12CommandAllocator::Reset", device_);
        check(again.list.call(&ID3D12GraphicsCommandList::Reset, again.allocator.get(), nullptr),
              "ID3D12GraphicsCommandList::Reset", device_);
    }

    // Makes what has executed available again, and hands out what it kept alive.
    void retire(std::vector<std::shared_ptr<const void>>& released) {
        if (in_flight_.empty()) return;
        const std::uint64_t completed = look();
        while (!in_flight_.empty() && in_flight_.front().value <= completed) {
            auto& kept = in_flight_.front().kept_alive;
            std::move(kept.begin(), kept.end(), std::back_inserter(released));
            kept.clear();
            free_.splice(free_.end(), in_flight_, in_flight_.begin());
        }
    }

    void release_finished() {
        std::vector<std::shared_ptr<const void>> released;
        const std::lock_guard lock(mutex_);
        retire(released);
    }

    com_ptr<ID3D12Device> device_;
    com_ptr<ID3D12CommandQueue> queue_;
    com_ptr<ID3D12Fence> fence_;
    D3D12_COMMAND_LIST_TYPE list_type_;
    clock::duration stall_limit_;
    std::atomic<std::uint64_t> seen_{0};
    std::mutex mutex_;
    std::uint64_t last_value_ = 0;
    std::list<recording> in_flight_;
    std::list<recording> free_;
};

}  // namespace sinter::d3d12::detail
