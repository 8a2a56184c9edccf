// Bytes between the CPU's memory and an adapter's buffers, through staging buffers, exactly as many as asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../core/error.hpp"
#include "barrier.hpp"
#include "buffer.hpp"
#include "headers.hpp"
#include "staging.hpp"
#include "timeline.hpp"

namespace sinter::d3d12::detail {

// A multiple of every element's size, so that no element is split.
inline constexpr std::uint64_t transfer_chunk = std::uint64_t{1} << 24;

inline void check_range(const char* function, const buffer& memory, std::uint64_t offset, std::uint64_t size) {
    if (offset <= memory.size() && size <= memory.size() - offset) return;
    sinter::detail::fail(errc::too_large, std::string(function) + ": " + std::to_string(size) + " bytes at offset " +
                                              std::to_string(offset) + " of a buffer of " +
                                              std::to_string(memory.size()) + " bytes");
}

// Every copy stands between barriers against kernels, before and after. Direct3D itself orders lists that execute one
// after the other on one queue, but vkd3d only through barriers, and only between states other than COMMON.
inline void record_copy(recording& into, const buffer& destination, ID3D12Resource* to, std::uint64_t to_offset,
                        const buffer& source, ID3D12Resource* from, std::uint64_t from_offset, std::uint64_t size) {
    const calling_convention convention = into.list.convention();
    ID3D12GraphicsCommandList* const list = into.list.get();
    const auto kernels = [](const buffer& memory) {
        return memory.writable() ? D3D12_RESOURCE_STATE_UNORDERED_ACCESS
                                 : D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
    };
    const auto enter = [&](const buffer& memory, D3D12_RESOURCE_STATES state) {
        if (!memory) return;
        record_transition(convention, list, memory.resource(), D3D12_RESOURCE_STATE_COMMON, kernels(memory));
        record_transition(convention, list, memory.resource(), kernels(memory), state);
    };
    enter(source, D3D12_RESOURCE_STATE_COPY_SOURCE);
    enter(destination, D3D12_RESOURCE_STATE_COPY_DEST);
    com_call(convention, list, &ID3D12GraphicsCommandList::CopyBufferRegion, to, to_offset, from, from_offset, size);
    if (destination)
        record_transition(convention, list, destination.resource(), D3D12_RESOURCE_STATE_COPY_DEST,
                          kernels(destination));
}

// Calls produce(position, span<byte>) for one piece after the other. The adapter copies later, in order.
template <class Produce>
std::uint64_t upload(timeline& work, staging_pool& staging, const buffer& destination, std::uint64_t offset,
                     std::uint64_t size, const Produce& produce) {
    check_range("upload", destination, offset, size);
    std::array<std::uint64_t, 2> last{};  // bounds the staging memory of one upload
    for (std::uint64_t done = 0; done < size;) {
        const std::uint64_t now = (std::min)(size - done, transfer_chunk);
        work.wait(last[0], std::nullopt);
        const auto piece = staging.borrow(D3D12_HEAP_TYPE_UPLOAD, now);
        produce(done, std::span<std::byte>(piece->data(), static_cast<std::size_t>(now)));
        last[0] = last[1];
        last[1] = work.submit([&](recording& into) {
            record_copy(into, destination, destination.resource(), offset + done, buffer(), piece->resource(), 0, now);
            into.kept_alive.push_back(destination.shared());
            into.kept_alive.push_back(piece);
        });
        done += now;
    }
    return last[1];
}

// Calls consume(position, span<const byte>) for one piece after the other, while the adapter copies the next.
template <class Consume>
void download(timeline& work, staging_pool& staging, const buffer& source, std::uint64_t offset, std::uint64_t size,
              const Consume& consume) {
    check_range("download", source, offset, size);
    struct piece {
        std::shared_ptr<const staging_pool::lease> memory;
        std::uint64_t position;
        std::uint64_t size;
        std::uint64_t value;
    };
    const auto fetch = [&](std::uint64_t position) -> std::optional<piece> {
        if (position >= size) return std::nullopt;
        const std::uint64_t now = (std::min)(size - position, transfer_chunk);
        auto memory = staging.borrow(D3D12_HEAP_TYPE_READBACK, now);
        const std::uint64_t value = work.submit([&](recording& into) {
            record_copy(into, buffer(), memory->resource(), 0, source, source.resource(), offset + position, now);
            into.kept_alive.push_back(source.shared());
            into.kept_alive.push_back(memory);
        });
        return piece{std::move(memory), position, now, value};
    };
    for (std::optional<piece> now = fetch(0); now;) {
        std::optional<piece> next = fetch(now->position + now->size);
        work.wait(now->value, std::nullopt);
        consume(now->position, std::span<const std::byte>(now->memory->data(), static_cast<std::size_t>(now->size)));
        now = std::move(next);
    }
}

}  // namespace sinter::d3d12::detail
