// One .npy file on several processes, by MPI: each maps its own part of the file, agrees with the others on a number
// that depends on the whole array, evaluates one fused expression over its part, and writes it to its place.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "common/npy_file.hpp"

namespace {

constexpr const char* usage = R"(usage: mpirun -n PROCESSES sharded_npy [OPTIONS] INPUT.npy OUTPUT.npy
       sharded_npy --make FILE.npy

Scales a float32 array so that its peak is 1, and shrinks it: what is smaller than the threshold becomes zero. The
result does not depend on the number of processes.

  --shrink X       threshold, as part of the peak (default 0.05)
  --make FILE.npy  write an array to try it with, and end
  --help           this text
)";

constexpr std::uint64_t slab_elements = std::uint64_t{1} << 24;

// MPI calls in C report errors only as numbers.
void check(int status, const char* what) {
    if (status != MPI_SUCCESS) throw std::runtime_error(std::string(what) + " failed");
}

class process_group {
public:
    process_group() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    process_group(const process_group&) = delete;
    process_group& operator=(const process_group&) = delete;
    ~process_group() { MPI_Finalize(); }

    int rank = 0;
    int size = 1;
};

// A file that all processes write, each its own bytes.
class shared_output {
public:
    shared_output(const std::string& path, std::uint64_t size) {
        check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file_),
              path.c_str());
        check(MPI_File_set_size(file_, static_cast<MPI_Offset>(size)), "MPI_File_set_size");
    }
    shared_output(const shared_output&) = delete;
    shared_output& operator=(const shared_output&) = delete;
    ~shared_output() { MPI_File_close(&file_); }

    void write(std::uint64_t offset, std::span<const std::byte> bytes) {
        check(MPI_File_write_at(file_, static_cast<MPI_Offset>(offset), bytes.data(), static_cast<int>(bytes.size()),
                                MPI_BYTE, MPI_STATUS_IGNORE),
              "MPI_File_write_at");
    }

private:
    MPI_File file_ = MPI_FILE_NULL;
};

// Calls visit(first, elements) for one window after the other of this process's part of the array.
template <class Visit>
void for_each_slab(array_file& array, const process_group& group, const Visit& visit) {
    const std::uint64_t count = array.header.elements();
    const auto share = static_cast<std::uint64_t>(group.size), rank = static_cast<std::uint64_t>(group.rank);
    const std::uint64_t first = count / share * rank + std::min(count % share, rank);
    const std::uint64_t last = first + count / share + (rank < count % share ? 1 : 0);
    for (std::uint64_t at = first; at < last; at += slab_elements) {
        const std::uint64_t elements = std::min(slab_elements, last - at);
        const auto bytes = array.file.window(array.header.data_offset + at * sizeof(float),
                                             static_cast<std::size_t>(elements * sizeof(float)));
        visit(at, std::span(reinterpret_cast<const float*>(bytes.data()), static_cast<std::size_t>(elements)));
    }
}

float peak_of_all(array_file& array, const process_group& group) {
    float peak = 0;
    for_each_slab(array, group, [&](std::uint64_t, std::span<const float> part) {
        for (const float x : part) peak = std::max(peak, std::abs(x));
    });
    MPI_Allreduce(MPI_IN_PLACE, &peak, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
    return peak;
}

void run_shards(const command_line& chosen, const process_group& group) {
    const auto threshold = static_cast<float>(chosen.number("--shrink", 0, 1));
    array_file array(chosen.plain[0]);
    if (array.header.type != sinter::element_type::float32 || array.header.data_offset % sizeof(float) != 0)
        fail_file(chosen.plain[0], "its elements are not aligned float32");
    npy_header header = array.header;
    const std::string start = npy_header_text(header);
    header.data_offset = start.size();

    const float peak = peak_of_all(array, group);
    const float gain = peak > 0 ? 1 / peak : 1.f;
    shared_output output(chosen.plain[1], header.file_size());
    if (group.rank == 0) output.write(0, std::as_bytes(std::span(start)));
    std::vector<float> result;
    for_each_slab(array, group, [&](std::uint64_t first, std::span<const float> part) {
        result.resize(part.size());
        sinter::evaluate(sinter::view(part) * gain | sinter::shrink(threshold, threshold), result);
        output.write(header.data_offset + first * sizeof(float), std::as_bytes(std::span(result)));
    });
    if (group.rank == 0)
        std::printf("%llu elements, peak %g, on %d process%s\n", static_cast<unsigned long long>(header.elements()),
                    static_cast<double>(peak), group.size, group.size == 1 ? "" : "es");
}

// A tone that fades out.
void make_array(const std::string& path) {
    npy_header header;
    header.type = sinter::element_type::float32;
    header.shape = {100003};
    std::vector<float> tone(header.shape[0]);
    for (std::size_t i = 0; i < tone.size(); ++i) {
        const auto time = static_cast<float>(i) * 1e-4f;
        tone[i] = 3 * std::exp(-0.4f * time) * std::sin(100 * time);
    }
    const std::string start = npy_header_text(header);
    std::ofstream file(path, std::ios::binary);
    file.write(start.data(), static_cast<std::streamsize>(start.size()));
    file.write(reinterpret_cast<const char*>(tone.data()), static_cast<std::streamsize>(tone.size() * sizeof(float)));
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

void run(const command_line& chosen) {
    if (!chosen.text("--make").empty()) return make_array(chosen.text("--make"));
    if (chosen.plain.size() != 2) throw usage_error("an input and an output are needed");
    const process_group group;
    try {
        run_shards(chosen, group);
    } catch (const std::exception& failure) {
        // The others may wait for this process: none goes on alone.
        std::fprintf(stderr, "sharded_npy: %s\n", failure.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

}  // namespace

int main(int count, char** arguments) {
    return run_example(count, arguments, usage, {{"--shrink", "0.05"}, {"--make", ""}}, 2, run);
}
