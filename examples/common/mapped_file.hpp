// A file of which one window at a time is mapped into memory, so that it may be larger than that.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#if defined(_WIN32)
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

[[noreturn]] inline void fail_file(const std::filesystem::path& path, const std::string& what) {
    throw std::runtime_error(path.string() + ": " + what);
}

class mapped_file {
public:
    // An existing file, to read.
    explicit mapped_file(std::filesystem::path path) : path_(std::move(path)), size_(existing_size()) { open(false); }
    // A new file of a size, to write.
    mapped_file(std::filesystem::path path, std::uint64_t size) : path_(std::move(path)), size_(size), writes_(true) {
        open(true);
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file() {
        unmap();
        close();
    }

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }

    // Bytes first .. first + count; the window before is gone.
    std::span<std::byte> window(std::uint64_t first, std::size_t count) {
        unmap();
        if (count == 0) return {};
        const std::uint64_t start = first / granularity * granularity;
        mapped_bytes_ = static_cast<std::size_t>(first - start) + count;
        map(start);
        return {mapped_ + (first - start), count};
    }

private:
    static constexpr std::uint64_t granularity = 65536;  // of Windows; a multiple of every page size elsewhere

    std::uint64_t existing_size() const {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path_, error)) fail_file(path_, error ? error.message() : "not a file");
        const std::uint64_t size = std::filesystem::file_size(path_, error);
        if (error) fail_file(path_, error.message());
        return size;
    }

#if defined(_WIN32)
    void open(bool create) {
        const DWORD access = create ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
        file_ = CreateFileW(path_.c_str(), access, FILE_SHARE_READ, nullptr, create ? CREATE_ALWAYS : OPEN_EXISTING,
                            FILE_ATTRIBUTE_NORMAL, nullptr);
        if (file_ == INVALID_HANDLE_VALUE) fail_file(path_, "cannot be opened");
        if (size_ == 0) return;
        section_ = CreateFileMappingW(file_, nullptr, writes_ ? PAGE_READWRITE : PAGE_READONLY,
                                      static_cast<DWORD>(size_ >> 32), static_cast<DWORD>(size_), nullptr);
        if (section_ == nullptr) fail_file(path_, "cannot be mapped; is there room on the disk?");
    }
    void map(std::uint64_t start) {
        void* const at = MapViewOfFile(section_, writes_ ? FILE_MAP_WRITE : FILE_MAP_READ,
                                       static_cast<DWORD>(start >> 32), static_cast<DWORD>(start), mapped_bytes_);
        if (at == nullptr) fail_file(path_, "a window of it cannot be mapped");
        mapped_ = static_cast<std::byte*>(at);
    }
    void unmap() {
        if (mapped_ != nullptr) UnmapViewOfFile(mapped_);
        mapped_ = nullptr;
    }
    void close() {
        if (section_ != nullptr) CloseHandle(section_);
        if (file_ != INVALID_HANDLE_VALUE) CloseHandle(file_);
    }

    HANDLE file_ = INVALID_HANDLE_VALUE;
    HANDLE section_ = nullptr;
#else
    [[noreturn]] void fail_call() const { fail_file(path_, std::error_code(errno, std::generic_category()).message()); }

    void open(bool create) {
        // O_NOFOLLOW: the name of the file to write can be guessed, and may not lead elsewhere.
        file_ = create ? ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)
                       : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (file_ < 0) fail_call();
        // Room is taken at once: a full disk would otherwise end the program when it writes to the window.
        if (!create || size_ == 0) return;
        if (const int error = ::posix_fallocate(file_, 0, static_cast<off_t>(size_)); error != 0) {
            close();
            fail_file(path_, std::error_code(error, std::generic_category()).message());
        }
    }
    void map(std::uint64_t start) {
        void* const at = ::mmap(nullptr, mapped_bytes_, writes_ ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file_,
                                static_cast<off_t>(start));
        if (at == MAP_FAILED) fail_call();
        ::madvise(at, mapped_bytes_, MADV_SEQUENTIAL);
        mapped_ = static_cast<std::byte*>(at);
    }
    void unmap() {
        if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
        mapped_ = nullptr;
    }
    void close() {
        if (file_ >= 0) ::close(file_);
        file_ = -1;
    }

    int file_ = -1;
#endif

    std::filesystem::path path_;
    std::uint64_t size_ = 0;
    bool writes_ = false;
    std::byte* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
};
