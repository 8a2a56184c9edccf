// The pipelines of one device: each compiled once per text and root signature, and kept for the device's life.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "compiler.hpp"
#include "headers.hpp"
#include "hresult.hpp"
#include "kernel.hpp"
#include "root_signature.hpp"
#include "runtime.hpp"
#include "shader.hpp"

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

    // Taken before a compiler is asked.
    void add(std::span<const shader> shaders) {
        const std::lock_guard lock(mutex_);
        ahead_of_time_.insert(ahead_of_time_.end(), shaders.begin(), shaders.end());
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
        const std::optional<shader> known = made_ahead_of_time(text);
        const std::vector<std::byte> compiled = known ? std::vector<std::byte>() : compile(text);
        const std::span<const std::byte> bytecode = known ? std::as_bytes(known->bytecode) : std::span(compiled);
        D3D12_COMPUTE_PIPELINE_STATE_DESC described{};
        described.pRootSignature = signature.get();
        described.CS.pShaderBytecode = bytecode.data();
        described.CS.BytecodeLength = bytecode.size();
        return create<ID3D12PipelineState>("ID3D12Device::CreateComputePipelineState", device_, device_,
                                           &ID3D12Device::CreateComputePipelineState, &described);
    }

    std::optional<shader> made_ahead_of_time(std::string_view text) const {
        const std::lock_guard lock(mutex_);
        for (const shader& made : ahead_of_time_)
            if (made.text == text) return made;
        return std::nullopt;
    }

    std::vector<std::byte> compile(std::string_view text) const {
        if (!runtime_.hlsl_compiler) fail_without_compiler(text);
        return compiled(runtime_.hlsl_compiler, text);
    }

    [[noreturn]] void fail_without_compiler(std::string_view text) const {
        const std::lock_guard lock(mutex_);
        std::string message = "the Direct3D 12 runtime was found without a shader compiler";
        if (!ahead_of_time_.empty())
            message += ", and this kernel is none of the " + std::to_string(ahead_of_time_.size()) +
                       " that were compiled ahead of time by sinter::aot::add:\n" + std::string(comment_of(text));
        sinter::detail::fail(errc::d3d12_unavailable, message);
    }

    // The lines at the start of a kernel that say what it is.
    static std::string_view comment_of(std::string_view text) {
        std::size_t end = 0;
        for (std::size_t line = 0; line != text.npos && text.substr(line).starts_with("//");) {
            end = text.find('\n', line);
            line = end == text.npos ? end : end + 1;
        }
        return text.substr(0, end);
    }

    const runtime& runtime_;
    com_ptr<ID3D12Device> device_;
    mutable std::mutex mutex_;
    std::vector<shader> ahead_of_time_;
    std::condition_variable changed_;
    std::unordered_map<pipeline_key<std::string>, std::unique_ptr<const pipeline>, pipeline_key_hash,
                       pipeline_key_equal>
        pipelines_;
    std::mutex root_signatures_mutex_;
    std::vector<std::pair<root_shape, com_ptr<ID3D12RootSignature>>> root_signatures_;
};

}  // namespace sinter::d3d12::detail
