// Where there is no libFuzzer: runs a program of tests/fuzz on random inputs for some seconds, or on files of inputs.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    char* end = nullptr;
    const double seconds = argc > 1 ? std::strtod(argv[1], &end) : 10.;
    if (end != nullptr && *end != '\0') {
        for (int i = 1; i < argc; ++i) {
            std::ifstream file(argv[i], std::ios::binary);
            const std::vector<char> input{std::istreambuf_iterator<char>(file), {}};
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
        }
        std::printf("%d files\n", argc - 1);
        return 0;
    }
    std::mt19937 random(1);
    const auto stop = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::size_t runs = 0;
    for (std::vector<std::uint8_t> input; std::chrono::steady_clock::now() < stop; ++runs) {
        input.resize(random() % 64);
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%zu random inputs\n", runs);
}
