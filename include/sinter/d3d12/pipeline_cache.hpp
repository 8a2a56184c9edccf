// The pipelines of one device: each compiled once per text and root signature, and kept for the device's life.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "com_ptr.hpp"
#include "compiler.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "kernel.hpp"
#include "root_signature.hpp"
#include "runtime.hpp"

namespace sinter::d3d12::detail {

struct pipeline {
    root_shape shape;
    com_ptr<ID3D12RootSignature> root_signature;
    com_ptr<ID3D12PipelineState> state;
};

// Compared by content: a key by name would serve the kernel of yesterday. Looked up without copying the text.
template <class Text>
struct pipeline_key {
    Text text;
    std::uint64_t hash;
    root_shape shape;
};

struct pipeline_key_hash {
    using is_transparent = void;
    template <class Text>
    std::size_t operator()(const pipeline_key<Text>& key) const noexcept {
        const root_shape& shape = key.shape;
        const std::uint64_t shapes = shape.constants + 1024u * shape.read_only + 65536u * shape.read_write;
        return static_cast<std::size_t>(key.hash ^ (shapes * 0x9e3779b97f4a7c15u));
    }
};

struct pipeline_key_equal {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const pipeline_key<A>& a, const pipeline_key<B>& b) const noexcept {
        return a.hash == b.hash && a.shape == b.shape && std::string_view(a.text) == std::string_view(b.text);
    }
};

class pipeline_cache {
public:
    pipeline_cache(const runtime& from, com_ptr<ID3D12Device> device) : runtime_(from), device_(std::move(device)) {}

    // Whoever asks first compiles; others who ask for the same meanwhile wait for that. A failure is not kept: the
    // next one who asks, or waited, tries again. A pipeline stays where it is as long as the cache lives.
    const pipeline& get(const kernel& code, const root_shape& shape) {
        const pipeline_key<std::string_view> key{code.text, code.hash, shape};
        std::unique_lock lock(mutex_);
        for (;;) {
            const auto known = pipelines_.find(key);
            if (known == pipelines_.end()) break;
            if (known->second != nullptr) return *known->second;
            changed_.wait(lock);
        }
        pipelines_.try_emplace({std::string(code.text), code.hash, shape});
        lock.unlock();

        const promise made(*this, key);
        auto ready = std::make_unique<pipeline>();
        ready->shape = shape;
        ready->root_signature = root_signature(shape);
        ready->state = pipeline_state(ready->root_signature, code.text);
        return made.keep(std::move(ready));
    }

    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return pipelines_.size();
    }

private:
    // An entry without a pipeline yet, which others may wait for: it is filled, or taken back.
    class promise {
    public:
        promise(pipeline_cache& cache, const pipeline_key<std::string_view>& key) : cache_(cache), key_(key) {}
        promise(const promise&) = delete;
        promise& operator=(const promise&) = delete;

        const pipeline& keep(std::unique_ptr<const pipeline> made) const {
            const std::lock_guard lock(cache_.mutex_);
            auto& entry = cache_.pipelines_.find(key_)->second;
            entry = std::move(made);
            return *entry;
        }

        ~promise() {
            const std::lock_guard lock(cache_.mutex_);
            const auto entry = cache_.pipelines_.find(key_);
            if (entry->second == nullptr) cache_.pipelines_.erase(entry);
            cache_.changed_.notify_all();
        }

    private:
        pipeline_cache& cache_;
        pipeline_key<std::string_view> key_;
    };

    com_ptr<ID3D12RootSignature> root_signature(const root_shape& shape) {
        const std::lock_guard lock(root_signatures_mutex_);
        for (const auto& [known, signature] : root_signatures_)
            if (known == shape) return signature;
        root_signatures_.emplace_back(shape, create_root_signature(runtime_, device_, shape));
        return root_signatures_.back().second;
    }

    com_ptr<ID3D12PipelineState> pipeline_state(const com_ptr<ID3D12RootSignature>& signature, std::string_view text) {
        const std::vector<std::byte> bytecode = compiled(runtime_.hlsl_compiler, text);
        D3D12_COMPUTE_PIPELINE_STATE_DESC described{};
        described.pRootSignature = signature.get();
        described.CS.pShaderBytecode = bytecode.data();
        described.CS.BytecodeLength = bytecode.size();
        return create<ID3D12PipelineState>("ID3D12Device::CreateComputePipelineState", device_, device_,
                                           &ID3D12Device::CreateComputePipelineState, &described);
    }

    const runtime& runtime_;
    com_ptr<ID3D12Device> device_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::unordered_map<pipeline_key<std::string>, std::unique_ptr<const pipeline>, pipeline_key_hash,
                       pipeline_key_equal>
        pipelines_;
    std::mutex root_signatures_mutex_;
    std::vector<std::pair<root_shape, com_ptr<ID3D12RootSignature>>> root_signatures_;
};

}  // namespace sinter::d3d12::detail
