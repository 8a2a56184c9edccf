// Any bytes as a file of the cache of compiled kernels: refused, or what the cache itself would have written; and files
// of the cache, damaged, cut short or asked for under another key: refused.
#include <sinter/d3d12/compiled_file.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "failure.hpp"
#include "source.hpp"

namespace {

using sinter::d3d12::detail::compiled_key, sinter::d3d12::detail::decoded, sinter::d3d12::detail::encoded;

std::string some_text(fuzz::source& from) {
    std::string text(from.below(40), 'a');
    for (char& character : text) character = static_cast<char>('a' + from.below(3));
    return text;
}

void expect_sound(const compiled_key& key, std::string_view file) {
    if (const auto bytecode = decoded(key, file)) {
        fuzz::expect(!bytecode->empty(), "bytecode of no bytes");
        fuzz::expect(encoded(key, *bytecode) == file, "a file is taken that the cache would not have written");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // In memory that ends where the file does.
    const std::vector<char> any(data, data + size);
    expect_sound({"", ""}, {any.data(), any.size()});

    fuzz::source from(data, size);
    const std::string compiler = some_text(from), text = some_text(from);
    const compiled_key key{compiler, text};
    std::vector<std::byte> bytecode(1 + from.below(100));
    from.fill(bytecode.data(), bytecode.size(), 1, false);
    const std::string file = encoded(key, bytecode);
    fuzz::expect(decoded(key, file) == bytecode, "a file does not come back as it was written");

    const std::string other_compiler = some_text(from), other_text = some_text(from);
    const bool same = other_compiler == compiler && other_text == text;
    fuzz::expect(decoded({other_compiler, other_text}, file).has_value() == same, "a file of another key is taken");

    const std::vector<char> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(from.below(file.size())));
    fuzz::expect(!decoded(key, {cut.data(), cut.size()}), "a file that was cut short is taken");
    std::vector<char> damaged(file.begin(), file.end());
    damaged[from.below(damaged.size())] ^= static_cast<char>(1 + from.below(255));
    fuzz::expect(!decoded(key, {damaged.data(), damaged.size()}), "a file with a wrong byte is taken");
    for (std::size_t i = from.below(8); i > 0; --i)
        damaged[from.below(damaged.size())] = static_cast<char>(from.below(256));
    expect_sound(key, {damaged.data(), damaged.size()});
    return 0;
}
