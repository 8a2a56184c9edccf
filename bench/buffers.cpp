#include "buffers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <type_traits>
#include <vector>

#include "elements.hpp"

namespace bench {

namespace {

constexpr std::size_t huge_page = 2u << 20;

// Input and output never start at the same place of a page, as large arrays from an allocator would: where a store and
// a following load agree in their low 12 bits, the load waits on some processors.
constexpr std::size_t output_shift = (3u << 12) + (1u << 10);

// What repeats lies further apart than any branch predictor remembers.
constexpr std::size_t pattern_bytes = 4u << 20;

template <class T>
std::vector<std::byte> make_random_pattern() {
    std::vector<std::byte> pattern(pattern_bytes);
    std::mt19937_64 random(20240229);
    for (std::size_t i = 0; i < pattern_bytes; i += sizeof(T)) {
        const std::uint64_t bits = random();
        T element;
        if constexpr (sinter::integral_element<T>) element = static_cast<T>(bits);
        else element = static_cast<T>(static_cast<float>(static_cast<std::int64_t>(bits) >> 40) * 0x1p-23f);
        std::memcpy(pattern.data() + i, &element, sizeof(T));
    }
    return pattern;
}

const std::vector<std::byte>& random_pattern(sinter::element_type type) {
    return *with_element(type, []<class T>(std::type_identity<T>) {
        static const std::vector<std::byte> made = make_random_pattern<T>();
        return &made;
    });
}

}  // namespace

buffers::buffers(std::size_t bytes) {
    const std::size_t room = (bytes + output_shift + huge_page - 1) / huge_page * huge_page;
    mapped_bytes_ = 2 * room + huge_page;
    mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // Small pages would lie in the caches by chance. Where the system refuses, they do.
    static_cast<void>(madvise(mapping_, mapped_bytes_, MADV_HUGEPAGE));
#endif
    std::memset(mapping_, 1, mapped_bytes_);
    const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
    auto* const first = static_cast<std::byte*>(mapping_) + (huge_page - address % huge_page) % huge_page;
    input_ = first;
    output_ = first + room + output_shift;
}

buffers::~buffers() { munmap(mapping_, mapped_bytes_); }

void buffers::fill_input(sinter::element_type type, std::size_t bytes) const {
    const std::vector<std::byte>& pattern = random_pattern(type);
    for (std::size_t done = 0; done < bytes; done += pattern_bytes)
        std::memcpy(static_cast<std::byte*>(input_) + done, pattern.data(), std::min(pattern_bytes, bytes - done));
}

}  // namespace bench
