// The family of Direct3D 12 devices, of which a test program takes the first: a block of memory becomes a buffer with
// the same bytes, of which every one is compared with the host's when it comes back.
#pragma once

#include <sinter/d3d12.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "operand.hpp"
#include "support/d3d12_device.hpp"

namespace product {

struct on_d3d12 {
    std::string name;
    unsigned share = 1;
    bool keeps_subnormals = true;
    sinter::d3d12::device device;

    static std::vector<on_d3d12> instances() {
        static const on_d3d12 first = [] {
            const sinter::d3d12::device& device = support::gpu();
            const bool keeps = support::keeps_subnormals(device);
            const std::string name = "Direct3D 12 on " + device.adapter_used().name + " by " +
                                     device.runtime_used().name + (keeps ? ", keeps" : ", flushes") +
                                     " float32 subnormals";
            std::printf("%s\n", name.c_str());
            return on_d3d12{name, 3, keeps, device};
        }();
        return {first};
    }

    template <class Out, std::size_t Rank, class... In>
    void run(const auto& make, const operand* inputs, const operand& output) const {
        constexpr std::size_t count = sizeof...(In);
        std::array<mirror, count + 1> mirrors;
        const auto find = [&](const operand& o, std::size_t k) {
            for (std::size_t other = 0; other < k; ++other)
                if (mirrors[other].block == o.block) return other;
            mirrors[k] = mirrored(o, k);
            return k;
        };
        std::array<std::size_t, count + 1> places{};
        for (std::size_t k = 0; k < count; ++k) places[k] = find(inputs[k], k);
        places[count] = find(output, count);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            sinter::evaluate(device, make(tensor<In, Rank>(mirrors[places[I]], inputs[I])...),
                             tensor<Out, Rank>(mirrors[places[count]], output));
        }(std::index_sequence_for<In...>{});
        take_back(mirrors[places[count]]);
    }

private:
    struct mirror {
        std::byte* block = nullptr;
        std::size_t size = 0;
        std::size_t lead = 0;  // bytes of the buffer before the block
        sinter::d3d12::buffer memory;
    };

    static constexpr std::byte margin_byte{0x5c};
    static constexpr std::size_t margin_after = 16;

    // Blocks begin at various elements of their buffers, so that operands differ modulo 4, 16 and 256.
    mirror mirrored(const operand& o, std::size_t k) const {
        static std::uint32_t next = 0;
        constexpr std::array<std::size_t, 8> leads{0, 1, 16, 3, 0, 64, 255, 2};
        mirror made;
        made.block = o.block;
        made.size = o.at.extent * size_of(o.type);
        made.lead = leads[(next++ + k) % leads.size()] * size_of(o.type);
        std::vector<std::byte> whole(made.lead + made.size + margin_after, margin_byte);
        if (made.size > 0) std::memcpy(whole.data() + made.lead, o.block, made.size);
        made.memory = device.allocate_bytes(whole.size());
        device.upload_bytes(made.memory, 0, whole);
        return made;
    }

    void take_back(const mirror& from) const {
        std::vector<std::byte> whole(from.memory.size());
        device.download_bytes(from.memory, 0, whole);
        for (std::size_t i = 0; i < whole.size(); ++i)
            if ((i < from.lead || i >= from.lead + from.size) && whole[i] != margin_byte)
                throw std::runtime_error("byte " + std::to_string(i) + " outside of the output's block changed");
        if (from.size > 0) std::memcpy(from.block, whole.data() + from.lead, from.size);
    }

    template <class T, std::size_t Rank>
    static sinter::d3d12::tensor<T, Rank> tensor(const mirror& in, const operand& o) {
        std::array<std::size_t, Rank> sizes;
        std::array<std::ptrdiff_t, Rank> strides;
        for (std::size_t d = 0; d < Rank; ++d) {
            sizes[d] = o.at.sizes[d];
            strides[d] = o.at.strides[d];
        }
        const auto first = static_cast<std::uint64_t>(o.at.first) * sizeof(T);
        return {in.memory, in.lead + first, sizes, strides};
    }
};

}  // namespace product
