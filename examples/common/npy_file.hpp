// A .npy file that is read window by window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "mapped_file.hpp"
#include "npy_header.hpp"

struct array_file {
    mapped_file file;
    npy_header header;

    explicit array_file(const std::filesystem::path& path) : file(path) {
        const auto start = file.window(0, static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 12)));
        const auto size = npy_header_size(start);
        if (!size) fail_file(path, "is not a .npy file of version 1, 2 or 3");
        if (*size > file.size()) fail_file(path, "ends inside its header");
        try {
            header = parse_npy_header(file.window(0, static_cast<std::size_t>(*size)), file.size());
        } catch (const std::runtime_error& problem) {
            fail_file(path, problem.what());
        }
    }
};
