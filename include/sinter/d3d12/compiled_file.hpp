// A compiled kernel as the bytes of a file: what it was compiled from, its bytecode, a checksum over both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.hpp"

namespace sinter::d3d12::detail {

// All that bytecode depends on. It is the same for every adapter and driver, which translate it further themselves.
struct compiled_key {
    std::string_view compiler;  // its identity
    std::string_view text;
};

inline std::string file_name(const compiled_key& key) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name = "sinter-";
    for (const std::uint64_t hash : {hash_of(key.text), hash_of(key.compiler)})
        for (int bit = 60; bit >= 0; bit -= 4) name += digits[hash >> bit & 15u];
    return name;
}

inline std::string_view characters(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string eight_bytes(std::uint64_t number) {
    std::string bytes;
    for (int bit = 0; bit < 64; bit += 8) bytes += static_cast<char>(number >> bit & 255u);
    return bytes;
}

// Every file of this key begins so.
inline std::string file_head(const compiled_key& key) {
    constexpr std::string_view format = "sinter 1";  // another number where anything here changes
    std::string head(format);
    head.append(eight_bytes(key.compiler.size())).append(eight_bytes(key.text.size()));
    return head.append(key.compiler).append(key.text);
}

inline std::string encoded(const compiled_key& key, std::span<const std::byte> bytecode) {
    std::string file = file_head(key);
    file.append(characters(bytecode));
    return file.append(eight_bytes(hash_of(file)));
}

// Nothing where the file is damaged, cut short, of another key or of another program. No number in a file is trusted:
// its end is where it ends, and the checksum knows its length.
inline std::optional<std::vector<std::byte>> decoded(const compiled_key& key, std::string_view file) {
    constexpr std::size_t checksum_size = 8;
    const std::string head = file_head(key);
    if (file.size() <= head.size() + checksum_size || !file.starts_with(head)) return std::nullopt;
    const std::string_view content = file.substr(0, file.size() - checksum_size);
    if (file.substr(content.size()) != eight_bytes(hash_of(content))) return std::nullopt;
    const auto bytecode = std::as_bytes(std::span(content.substr(head.size())));
    return std::vector<std::byte>(bytecode.begin(), bytecode.end());
}

}  // namespace sinter::d3d12::detail
