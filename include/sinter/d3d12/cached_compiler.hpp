// A compiler that keeps what it made in a directory, for the next run of the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiled_file.hpp"
#include "compiler.hpp"
#include "private_file.hpp"

namespace sinter::d3d12 {

// One file for each text and compiler, found by its content: another version or other flags of a compiler make another
// file. Several processes may share a directory. Files that are damaged, cut short or foreign are compiled anew and
// replaced; a directory that is missing, full or read-only only means that nothing is kept. The directory is never
// made, and no file is ever removed: both are left to the program. `directory` is UTF-8 on Windows.
inline compiler cached(compiler with, std::string directory) {
    if (!with || directory.empty()) return with;
    compiler keeping = with;
    keeping.compile = [with = std::move(with), directory = std::move(directory)](std::string_view text) {
        constexpr std::size_t most_bytes = std::size_t{1} << 26;  // a file beyond it is none of these
        const detail::compiled_key key{with.identity, text};
        const std::string path = directory + "/" + detail::file_name(key);
        if (const auto file = detail::read_private_file(path, most_bytes))
            if (auto bytecode = detail::decoded(key, *file)) return compilation{true, std::move(*bytecode), {}};
        compilation made = with.compile(text);
        if (made.succeeded) detail::write_private_file(path, detail::encoded(key, made.bytecode));
        return made;
    };
    return keeping;
}

}  // namespace sinter::d3d12
