// A page between two pages that no one may touch: reading or writing past either end ends the program.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace support {

class guarded_page {
public:
    guarded_page() {
#if defined(_WIN32)
        SYSTEM_INFO system;
        GetSystemInfo(&system);
        size_ = system.dwPageSize;
        mapped_ = static_cast<std::byte*>(VirtualAlloc(nullptr, 3 * size_, MEM_RESERVE, PAGE_NOACCESS));
        if (mapped_ == nullptr || !VirtualAlloc(first(), size_, MEM_COMMIT, PAGE_READWRITE)) throw std::bad_alloc();
#else
        size_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        void* const mapped = mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        mapped_ = static_cast<std::byte*>(mapped);
        if (mprotect(first(), size_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
#endif
    }
    guarded_page(const guarded_page&) = delete;
    guarded_page& operator=(const guarded_page&) = delete;
    ~guarded_page() {
#if defined(_WIN32)
        VirtualFree(mapped_, 0, MEM_RELEASE);
#else
        munmap(mapped_, 3 * size_);
#endif
    }

    std::byte* first() const { return mapped_ + size_; }
    std::size_t size() const { return size_; }

private:
    std::byte* mapped_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace support
