// A shader compiler: HLSL text to bytecode.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/error.hpp"
#include "com_ptr.hpp"
#include "entry_point.hpp"
#include "headers.hpp"

namespace sinter::d3d12 {

struct compilation {
    bool succeeded = false;
    std::vector<std::byte> bytecode;
    std::string log;
};

// A compiler's identity says everything but the text that its bytecode depends on: name, version, target, flags.
struct compiler {
    std::string identity;
    std::function<compilation(std::string_view text)> compile;
    D3D_SHADER_MODEL shader_model = D3D_SHADER_MODEL_5_1;  // that of the bytecode

    explicit operator bool() const noexcept { return static_cast<bool>(compile); }
};

namespace detail {

inline std::string numbered(std::string_view text) {
    std::string result;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        char number[24];
        std::snprintf(number, sizeof number, "%4zu  ", line);
        result.append(number).append(text.substr(0, end)).append("\n");
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return result;
}

inline std::vector<std::byte> compiled(const compiler& with, std::string_view text) {
    compilation result = with.compile(text);
    if (!result.succeeded)
        sinter::detail::fail(errc::compile_failed, "the shader compiler refused a kernel\ncompiler: " + with.identity +
                                                       "\n" + result.log + "\nHLSL:\n" + numbered(text));
    return std::move(result.bytecode);
}

inline std::string text_of(const com_ptr<ID3DBlob>& blob) {
    if (!blob) return {};
    std::string text(static_cast<const char*>(blob.call(&ID3DBlob::GetBufferPointer)),
                     blob.call(&ID3DBlob::GetBufferSize));
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
}

inline std::vector<std::byte> bytes_of(const com_ptr<ID3DBlob>& blob) {
    const auto* const first = static_cast<const std::byte*>(blob.call(&ID3DBlob::GetBufferPointer));
    return {first, first + blob.call(&ID3DBlob::GetBufferSize)};
}

using d3d_compile = HRESULT(const void*, SIZE_T, const char*, const D3D_SHADER_MACRO*, ID3DInclude*, const char*,
                            const char*, UINT, UINT, ID3DBlob**, ID3DBlob**);

// IEEE strictness keeps NaN comparisons and divisions as written; warnings are errors since a text that warns is a
// text that some other compiler may understand differently.
struct fxc_flags {
    static constexpr UINT strictness = 1u << 11;
    static constexpr UINT ieee_strictness = 1u << 13;
    static constexpr UINT optimization_level_3 = 1u << 15;
    static constexpr UINT warnings_are_errors = 1u << 18;
    static constexpr UINT all = strictness | ieee_strictness | optimization_level_3 | warnings_are_errors;
};
static_assert(fxc_flags::all == 0x4a800);

// The compiler behind D3DCompile: Microsoft's FXC on Windows; elsewhere vkd3d's own, which knows none of the flags.
inline compiler make_d3d_compiler(const std::string& name, calling_convention convention,
                                  entry_point<d3d_compile> d3d_compile_function, UINT flags) {
    const auto compile = [convention, d3d_compile_function, flags](std::string_view text) {
        ID3DBlob* bytecode = nullptr;
        ID3DBlob* messages = nullptr;
        const HRESULT status = d3d_compile_function(text.data(), text.size(), "sinter", nullptr, nullptr, "main",
                                                    "cs_5_1", flags, 0, &bytecode, &messages);
        const auto owned_bytecode = com_ptr<ID3DBlob>::adopt(convention, bytecode);
        const auto owned_messages = com_ptr<ID3DBlob>::adopt(convention, messages);
        compilation result;
        result.log = text_of(owned_messages);
        result.succeeded = status >= 0 && bytecode != nullptr;
        if (result.succeeded) result.bytecode = bytes_of(owned_bytecode);
        return result;
    };
    return {name + " cs_5_1 flags " + std::to_string(flags), compile};
}

}  // namespace detail

}  // namespace sinter::d3d12
