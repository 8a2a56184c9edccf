#include "compile_time.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace bench {

namespace {

class temporary_directory {
public:
    temporary_directory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "sinter_bench_XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory can be made");
        path_ = pattern;
    }
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_directory(const temporary_directory&) = delete;
    temporary_directory& operator=(const temporary_directory&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

struct child_result {
    int status;  // of the shell's kind: 127 where there is no such program
    double seconds;
};

// Processor time, not the clock's: others on the machine disturb it less, and one compiler is one thread.
child_result run_child(const std::vector<std::string>& arguments) {
    std::vector<char*> words;
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ) != 0) return {127, 0};
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child) throw std::runtime_error("the compiler's end was not seen");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

std::vector<std::string> include_options() {
    std::vector<std::string> options;
    std::istringstream directories(SINTER_BENCH_INCLUDE_DIRECTORIES);
    for (std::string directory; std::getline(directories, directory, ':');) {
        if (directory.empty()) continue;
        options.insert(options.end(), {"-isystem", directory});
    }
    return options;
}

// Where a header needs others than sinter's own, `needs` is one of them.
struct header {
    const char* name;
    const char* needs;
};

constexpr header headers[] = {{"sinter/sinter.hpp", "hwy/highway.h"},
                              {"sinter/hlsl.hpp", "sinter/hlsl.hpp"},
                              {"sinter/d3d12.hpp", "directx/d3d12.h"},
                              {"sinter/directml.hpp", "sinter/directml.hpp"},
                              {"sinter/cpu/xsimd.hpp", "xsimd/xsimd.hpp"}};

std::string include(const char* name) { return std::string("#include <") + name + ">\n"; }

const std::string umbrella = include("sinter/sinter.hpp");

const char* const operators[] = {"sinter::scale_bias(a[0], a[1])", "sinter::shrink(a[2], a[3])",
                                 "sinter::threshold(a[4])"};

std::string function(const std::string& name, const char* type, const std::string& chain) {
    return std::string("void ") + name + "(const " + type + "* in, " + type +
           "* out, std::size_t n, const float* a) {\n    sinter::evaluate(sinter::view(in, {n})" + chain +
           ", sinter::view(out, {n}));\n}\n";
}

// Chains of three operators, no two alike.
std::string expressions(const char* type, int count) {
    std::string source = umbrella;
    for (int i = 0; i < count; ++i) {
        std::string chain;
        for (const int op : {i % 3, i / 3 % 3, i / 9 % 3}) chain += std::string(" | ") + operators[op];
        source += function("expression_" + std::to_string(i), type, chain);
    }
    return source;
}

std::string long_chain(int nodes) {
    std::string chain;
    for (int i = 0; i < nodes; ++i) chain += std::string("\n        | ") + operators[i % 3];
    return umbrella + function("chain", "float", chain);
}

class compiler {
public:
    explicit compiler(std::string command) : command_(std::move(command)) {}

    const std::string& command() const { return command_; }

    bool is_installed() const { return compile(write("int main() {}\n")).status != 127; }

    bool has(const char* included) const {
        const std::string test = "#if !__has_include(<" + std::string(included) + ">)\n#error not here\n#endif\n";
        return compile(write(test)).status == 0;
    }

    // Seconds of each of several runs.
    std::vector<double> times(const std::string& text, int runs) const {
        const std::string source = write(text);
        std::vector<double> result;
        for (int i = 0; i < runs; ++i) {
            const child_result done = compile(source);
            if (done.status != 0) throw std::runtime_error(command_ + " does not compile a source of the benchmark");
            result.push_back(done.seconds);
        }
        return result;
    }

private:
    std::string write(const std::string& text) const {
        const std::string name = (directory_.path() / "source.cpp").string();
        std::ofstream(name) << text;
        return name;
    }

    child_result compile(const std::string& source) const {
        std::vector<std::string> arguments{command_, "-std=c++20", "-O2", "-DHWY_HEADER_ONLY", "-DNOMINMAX"};
        for (const std::string& option : include_options()) arguments.push_back(option);
        arguments.insert(arguments.end(), {"-c", source, "-o", (directory_.path() / "object.o").string()});
        return run_child(arguments);
    }

    std::string command_;
    temporary_directory directory_;
};

timing in_nanoseconds(std::vector<double> seconds) {
    for (double& s : seconds) s *= 1e9;
    return summarize(std::move(seconds));
}

row compile_row(const std::string& workload, const char* dtype, const std::string& command, std::vector<double> times) {
    return {workload, dtype, 0, 1, command, {}, in_nanoseconds(std::move(times)), unit::seconds};
}

constexpr int few = 5;

}  // namespace

void run_compile_time(const options& o, results& r) {
    const int runs = o.quick ? 1 : 3;
    const int many = o.quick ? 15 : 25;
    for (const char* const command : {"g++", "clang++-19"}) {
        const compiler c(command);
        if (!c.is_installed()) {
            std::printf("\ncompile: %s is not installed: no rows\n", command);
            continue;
        }
        if (wants(o, "compile_include"))
            for (const header& h : headers) {
                const std::string workload = std::string("compile_include<") + h.name + ">";
                if (c.has(h.needs)) r.add(compile_row(workload, "", command, c.times(include(h.name), runs)));
                else std::printf("\n%s: no <%s> here: no row\n", workload.c_str(), h.needs);
            }
        if (wants(o, "compile_expression")) {
            for (const auto& [dtype, type] : {std::pair{"float32", "float"}, std::pair{"uint8", "std::uint8_t"}}) {
                if (!wants_type(o, dtype)) continue;
                const std::vector<double> short_file = c.times(expressions(type, few), runs);
                std::vector<double> each = c.times(expressions(type, many), runs);
                for (std::size_t i = 0; i < each.size(); ++i) each[i] = (each[i] - short_file[i]) / (many - few);
                r.add(compile_row("compile_expression", dtype, command, each));
            }
        }
        if (wants(o, "compile_100_nodes"))
            r.add(compile_row("compile_100_nodes", "float32", command, c.times(long_chain(100), runs)));
    }
}

}  // namespace bench
