// Small files that a program keeps for itself: read whole, and replaced whole, so that no reader sees half of one.
// Whatever goes wrong, there is no file: a cache is none the worse for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#if defined(_WIN32)
#include <atomic>

#include "headers.hpp"
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#endif

namespace sinter::d3d12::detail {

#if defined(_WIN32)

// Who may read and write is what the directory hands down.
class open_file {
public:
    open_file(const std::wstring& path, DWORD access, DWORD sharing, DWORD disposition)
        : handle_(::CreateFileW(path.c_str(), access, sharing, nullptr, disposition,
                                FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr)) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() {
        if (*this) ::CloseHandle(handle_);
    }
    explicit operator bool() const noexcept { return handle_ != INVALID_HANDLE_VALUE; }
    HANDLE get() const noexcept { return handle_; }

private:
    HANDLE handle_;
};

inline std::wstring widened(const std::string& utf_8) {
    const int size = ::MultiByteToWideChar(CP_UTF8, 0, utf_8.data(), static_cast<int>(utf_8.size()), nullptr, 0);
    std::wstring wide(static_cast<std::size_t>(size), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, utf_8.data(), static_cast<int>(utf_8.size()), wide.data(), size);
    return wide;
}

inline std::optional<std::string> read_private_file(const std::string& path, std::size_t most_bytes) {
    const open_file file(widened(path), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, OPEN_EXISTING);
    LARGE_INTEGER size{};
    if (!file || ::GetFileType(file.get()) != FILE_TYPE_DISK || !::GetFileSizeEx(file.get(), &size) ||
        static_cast<ULONGLONG>(size.QuadPart) > most_bytes)
        return std::nullopt;
    std::string bytes(static_cast<std::size_t>(size.QuadPart), '\0');
    DWORD count = 0;
    if (!::ReadFile(file.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) ||
        count != bytes.size())
        return std::nullopt;
    return bytes;
}

inline bool write_private_file(const std::string& path, std::string_view bytes) {
    static std::atomic<unsigned> made = 0;
    const std::wstring wanted = widened(path);
    const std::wstring temporary = wanted + L"." + std::to_wstring(::GetCurrentProcessId()) + L"-" +
                                   std::to_wstring(::GetTickCount64()) + L"-" + std::to_wstring(made++);
    bool whole = false;
    {
        const open_file file(temporary, GENERIC_WRITE, 0, CREATE_NEW);
        if (!file) return false;
        DWORD count = 0;
        whole = ::WriteFile(file.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) &&
                count == bytes.size();
    }
    if (whole && ::MoveFileExW(temporary.c_str(), wanted.c_str(), MOVEFILE_REPLACE_EXISTING)) return true;
    ::DeleteFileW(temporary.c_str());
    return false;
}

#else

class open_file {
public:
    explicit open_file(int descriptor) : descriptor_(descriptor) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() { close(); }
    explicit operator bool() const noexcept { return descriptor_ >= 0; }
    int get() const noexcept { return descriptor_; }
    bool close() noexcept {
        const bool closed = descriptor_ >= 0 && ::close(descriptor_) == 0;
        descriptor_ = -1;
        return closed;
    }

private:
    int descriptor_;
};

// Calls `transfer` until it has moved all bytes.
template <class Transfer>
bool transfer_whole(std::size_t size, const Transfer& transfer) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t count = transfer(done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

// Only a file, only of this user or the system's, and only where no one else may write: what others can put there is
// not the program's own. The file named by a link, and what blocks (a pipe), are left alone.
inline std::optional<std::string> read_private_file(const std::string& path, std::size_t most_bytes) {
    const open_file file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    struct stat found{};
    if (!file || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) ||
        (found.st_uid != ::geteuid() && found.st_uid != 0) || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0 ||
        found.st_size < 0 || static_cast<std::size_t>(found.st_size) > most_bytes)
        return std::nullopt;
    std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
    const auto read = [&](std::size_t from, std::size_t count) { return ::read(file.get(), &bytes[from], count); };
    if (!transfer_whole(bytes.size(), read)) return std::nullopt;
    return bytes;
}

// Under a name that no one else has (O_EXCL), for its owner alone (0600), and then put in the place of the file.
inline bool write_private_file(const std::string& path, std::string_view bytes) {
    std::string temporary = path + ".XXXXXX";
    open_file file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file) return false;
    const auto write = [&](std::size_t from, std::size_t count) { return ::write(file.get(), &bytes[from], count); };
    const bool whole = transfer_whole(bytes.size(), write);
    if (file.close() && whole && std::rename(temporary.c_str(), path.c_str()) == 0) return true;
    ::unlink(temporary.c_str());
    return false;
}

#endif

}  // namespace sinter::d3d12::detail
