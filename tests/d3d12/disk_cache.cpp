// The cache of compiled kernels on disk: on a device of the tests' own, whose compilations are counted, and on a real
// one.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "fake_runtime.hpp"
#include "support/d3d12_device.hpp"

namespace d3d12 = sinter::d3d12;
namespace files = std::filesystem;

namespace {

// A directory for one test.
struct scratch_directory {
    files::path path = [] {
        static std::atomic<int> made = 0;
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        const files::path unique =
            files::temp_directory_path() / ("sinter-test-" + std::to_string(now) + "-" + std::to_string(made++));
        REQUIRE(files::create_directory(unique));
        return unique;
    }();

    scratch_directory() = default;
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    ~scratch_directory() { files::remove_all(path); }

    std::vector<files::path> list() const { return {files::directory_iterator(path), files::directory_iterator()}; }
    files::path only_file() const {
        const std::vector<files::path> all = list();
        REQUIRE(all.size() == 1);
        return all.front();
    }
};

std::string content(const files::path& of) {
    std::ifstream file(of, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const files::path& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    REQUIRE(file.good());
}

// Bytecode that tells what it was made of, and a count of how often it was.
struct counted_compiler {
    std::atomic<int> calls = 0;

    d3d12::compiler named(const std::string& identity) {
        return {identity, [this, identity](std::string_view text) {
                    ++calls;
                    d3d12::compilation made;
                    made.succeeded = text.find("broken") == text.npos;
                    const auto bytes = std::as_bytes(std::span(text));
                    made.bytecode.assign(bytes.begin(), bytes.end());
                    made.bytecode.push_back(static_cast<std::byte>(identity.size()));
                    made.log = "1: broken";
                    return made;
                }};
    }
    d3d12::compiler in(const files::path& directory, const std::string& identity = "a compiler") {
        return d3d12::cached(named(identity), directory.string());
    }
};

// One dispatch of each text on a new device.
void run(fake::world& world, const d3d12::compiler& with, const files::path& directory,
         const std::vector<std::string>& texts) {
    d3d12::device_options options;
    options.on = fake::runtime(world);
    options.on->hlsl_compiler = with;
    options.cache_directory = directory.string();
    const d3d12::device device = d3d12::device::create(options);
    CHECK(device.compiler_used() == with.identity);
    const d3d12::bound_buffer buffers[] = {{device.allocate_bytes(256), 0}};
    for (const std::string& text : texts) {
        const d3d12::dispatch_part parts[] = {{d3d12::kernel(text), {}, {1, 1, 1}}};
        device.run({{}, buffers, parts});
    }
}

}  // namespace

TEST_CASE("the second device compiles nothing that the first one kept") {
    const scratch_directory directory;
    counted_compiler compiler;
    fake::world world;
    const std::vector<std::string> texts{"one", "two", "three", "one"};
    run(world, compiler.named("v1"), directory.path, texts);
    CHECK(compiler.calls == 3);
    CHECK(directory.list().size() == 3);
    run(world, compiler.named("v1"), directory.path, texts);
    CHECK(compiler.calls == 3);
    run(world, compiler.named("v1"), directory.path, {"four", "two"});
    CHECK(compiler.calls == 4);
    run(world, compiler.named("v1"), {}, texts);  // without a directory there is no cache
    CHECK(compiler.calls == 7);
    CHECK(world.alive == 0);
}

TEST_CASE("K1: what is found is of this text, this compiler, this version, these flags") {
    const scratch_directory directory;
    counted_compiler compiler;
    for (const std::string identity : {"FXC 10.0 cs_5_1 flags 1", "FXC 10.0 cs_5_1 flags 2", "FXC 10.1 cs_5_1 flags 1",
                                       "vkd3d 10.0 cs_5_1 flags 1"}) {
        for (const std::string_view text : {"a kernel", "a kerneL", "", " "}) {
            const d3d12::compilation expected = compiler.named(identity).compile(text);
            const int before = compiler.calls;
            for (int round = 0; round < 2; ++round) {
                const d3d12::compilation got = compiler.in(directory.path, identity).compile(text);
                CHECK(got.succeeded);
                CHECK(got.bytecode == expected.bytecode);
            }
            CHECK(compiler.calls == before + 1);
        }
    }
    // Where a text's characters end and a compiler's begin is part of the key.
    using d3d12::detail::compiled_key, d3d12::detail::decoded, d3d12::detail::encoded;
    const std::vector<std::byte> bytecode(4);
    CHECK(decoded({"ab", "c"}, encoded({"ab", "c"}, bytecode)) == bytecode);
    CHECK(!decoded({"a", "bc"}, encoded({"ab", "c"}, bytecode)));
}

TEST_CASE("K1: a file under the name of another key is not taken") {
    const scratch_directory directory;
    counted_compiler compiler;
    compiler.in(directory.path).compile("yesterday's kernel");
    const std::string yesterday = content(directory.only_file());
    files::remove(directory.only_file());
    compiler.in(directory.path).compile("today's kernel");
    const files::path file = directory.only_file();
    const std::string today = content(file);
    replace(file, yesterday);
    const d3d12::compilation got = compiler.in(directory.path).compile("today's kernel");
    CHECK(got.bytecode == compiler.named("a compiler").compile("today's kernel").bytecode);
    CHECK(content(file) == today);  // and it is replaced
}

TEST_CASE("K2: adapters and drivers share a cache, since bytecode depends on neither") {
    const scratch_directory directory;
    counted_compiler compiler;
    fake::world world;
    for (const char* const identity : {"one adapter", "another driver"}) {
        d3d12::device_options options;
        options.on = fake::runtime(world);
        options.on->adapters = [identity] { return std::vector<d3d12::adapter>{{identity, false, identity}}; };
        options.on->hlsl_compiler = compiler.named("a compiler");
        options.cache_directory = directory.path.string();
        const d3d12::device device = d3d12::device::create(options);
        const d3d12::bound_buffer buffers[] = {{device.allocate_bytes(256), 0}};
        const d3d12::dispatch_part parts[] = {{d3d12::kernel("a kernel"), {}, {1, 1, 1}}};
        device.run({{}, buffers, parts});
    }
    CHECK(compiler.calls == 1);
}

TEST_CASE("K3: a file that is cut short anywhere, longer or damaged anywhere is compiled anew and replaced") {
    const scratch_directory directory;
    counted_compiler compiler;
    const d3d12::compiler cached = compiler.in(directory.path);
    const std::vector<std::byte> expected = cached.compile("a kernel").bytecode;
    const files::path file = directory.only_file();
    const std::string whole = content(file);
    REQUIRE(whole.size() > 40);
    const auto expect_anew = [&](std::string_view damaged) {
        replace(file, damaged);
        const int before = compiler.calls;
        CHECK(cached.compile("a kernel").bytecode == expected);
        CHECK(compiler.calls == before + 1);
        CHECK(content(file) == whole);
        CHECK(cached.compile("a kernel").bytecode == expected);
        CHECK(compiler.calls == before + 1);
    };
    for (std::size_t length = 0; length < whole.size(); ++length) expect_anew(whole.substr(0, length));
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int bit : {0, 3, 7}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
            expect_anew(damaged);
        }
    expect_anew(whole + '\0');
    expect_anew(whole + whole);
    expect_anew(std::string(whole.size(), '\0'));
    expect_anew(std::string(100'000, 'x'));
    expect_anew("#!/bin/sh\nexit 1\n");
}

TEST_CASE("K3: a directory that is missing, is a file or has a directory in the file's place is no error") {
    const scratch_directory directory;
    counted_compiler compiler;
    fake::world world;
    replace(directory.path / "file", "");
    for (const char* const name : {"missing", "missing/too", "file"}) {
        run(world, compiler.named("v1"), directory.path / name, {"a kernel"});
        CHECK(directory.only_file() == directory.path / "file");
    }
    CHECK(compiler.calls == 3);
    files::remove(directory.path / "file");

    compiler.in(directory.path).compile("a kernel");
    const files::path file = directory.only_file();
    files::remove(file);
    REQUIRE(files::create_directory(file));
    for (int round = 0; round < 2; ++round) CHECK(compiler.in(directory.path).compile("a kernel").succeeded);
    CHECK(compiler.calls == 6);
    CHECK(directory.only_file() == file);  // no temporary file is left behind
}

TEST_CASE("what does not compile is not kept, and the error names no file") {
    const scratch_directory directory;
    counted_compiler compiler;
    fake::world world;
    for (int round = 0; round < 2; ++round) {
        try {
            run(world, compiler.named("v1"), directory.path, {"broken"});
            FAIL("no error");
        } catch (const sinter::error& failure) {
            const std::string message = failure.what();
            CHECK(failure.code() == sinter::errc::compile_failed);
            CHECK(message.find("1: broken") != message.npos);
            CHECK(message.find(directory.path.filename().string()) == message.npos);
        }
    }
    CHECK(compiler.calls == 2);
    CHECK(directory.list().empty());
}

TEST_CASE("a runtime without a compiler stays without one") { CHECK(!d3d12::cached({}, "a directory")); }

TEST_CASE("K3: threads, each with a device, share a directory") {
    const scratch_directory directory;
    counted_compiler compiler;
    const std::vector<std::string> texts{"one", "two", "three", "four", "five", "six", "seven", "eight"};
    for (int round = 0; round < 2; ++round) {
        const int before = compiler.calls;
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                const d3d12::compiler cached = compiler.in(directory.path);
                for (const std::string& text : texts) {
                    const auto got = cached.compile(text);
                    if (got.bytecode.size() != text.size() + 1) std::abort();
                }
            });
        for (std::thread& thread : threads) thread.join();
        if (round == 1) CHECK(compiler.calls == before);
    }
    CHECK(directory.list().size() == texts.size());
}

#if !defined(_WIN32)

TEST_CASE("files are their owner's alone") {
    const scratch_directory directory;
    counted_compiler compiler;
    compiler.in(directory.path).compile("a kernel");
    struct stat found{};
    REQUIRE(stat(directory.only_file().c_str(), &found) == 0);
    CHECK((found.st_mode & 07777) == 0600);
    CHECK(found.st_uid == geteuid());
}

TEST_CASE("a file that others may write, a link and a pipe are not read") {
    const scratch_directory directory, elsewhere;
    counted_compiler compiler;
    const d3d12::compiler cached = compiler.in(directory.path);
    cached.compile("a kernel");
    const files::path file = directory.only_file();
    const auto expect_anew = [&] {
        const int before = compiler.calls;
        CHECK(cached.compile("a kernel").succeeded);
        CHECK(compiler.calls == before + 1);
        cached.compile("a kernel");
        CHECK(compiler.calls == before + 1);
        struct stat found{};
        REQUIRE(lstat(file.c_str(), &found) == 0);
        CHECK(S_ISREG(found.st_mode));
        CHECK((found.st_mode & 07777) == 0600);
    };
    for (const mode_t mode : {0620u, 0602u}) {
        REQUIRE(chmod(file.c_str(), mode) == 0);
        expect_anew();
    }
    const std::string whole = content(file);
    files::rename(file, elsewhere.path / "target");
    files::create_symlink(elsewhere.path / "target", file);
    expect_anew();
    CHECK(content(elsewhere.path / "target") == whole);
    files::remove(file);
    REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    expect_anew();
}

TEST_CASE("K3: a directory that cannot be written is read all the same") {
    const scratch_directory directory;
    counted_compiler compiler;
    compiler.in(directory.path).compile("a kernel");
    REQUIRE(chmod(directory.path.c_str(), 0500) == 0);
    // Root may write everywhere, so that it is another user who tries; with the files readable for that user.
    const bool root = geteuid() == 0;
    if (root) REQUIRE(chmod(directory.path.c_str(), 0555) == 0);
    if (root) REQUIRE(chmod(directory.only_file().c_str(), 0644) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (root && setuid(65534) != 0) _exit(2);
        const int before = compiler.calls;
        compiler.in(directory.path).compile("a kernel");
        if (compiler.calls != before) _exit(3);
        for (int round = 0; round < 2; ++round)
            if (!compiler.in(directory.path).compile("another").succeeded) _exit(4);
        _exit(compiler.calls == before + 2 ? 0 : 5);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(directory.list().size() == 1);
    REQUIRE(chmod(directory.path.c_str(), 0700) == 0);
}

TEST_CASE("K3: several processes share a directory") {
    const scratch_directory directory;
    counted_compiler compiler;
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        children.push_back(fork());
        REQUIRE(children.back() >= 0);
        if (children.back() != 0) continue;
        const d3d12::compiler cached = compiler.in(directory.path);
        for (int round = 0; round < 100; ++round) {
            const std::string text = "kernel " + std::to_string(round % 5);
            const auto got = cached.compile(text);
            if (got.bytecode != compiler.named("a compiler").compile(text).bytecode) _exit(1);
            if (round % 10 == i) files::remove(directory.path / d3d12::detail::file_name({"a compiler", text}));
        }
        _exit(0);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    for (const files::path& left : directory.list()) CHECK(left.extension().empty());  // no temporary files
}

#endif

TEST_CASE("a real device: what one compiled, the next one finds, with the same results") {
    const scratch_directory directory;
    d3d12::device_options options;
    options.on = support::gpu().runtime_used();
    options.cache_directory = directory.path.string();
    std::atomic<int> calls = 0;
    options.on->hlsl_compiler.compile = [&calls, inner = options.on->hlsl_compiler.compile](std::string_view text) {
        ++calls;
        return inner(text);
    };
    std::vector<float> x(5003), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) - 40.f;
    const auto chain = [](const auto& of) { return of | sinter::scale_bias(2.f, 1.f) | sinter::shrink(0.5f, 1.f); };
    sinter::evaluate(sinter::cpu::scalar{}, chain(sinter::view(x)), expected);
    for (int round = 0; round < 3; ++round) {
        const int before = calls;
        const d3d12::device device = d3d12::device::create(options);
        std::vector<float> got(x.size());
        device.download(sinter::materialize(device, chain(device.upload(x))), got);
        CHECK(got == expected);
        CHECK(device.pipelines_kept() == directory.list().size());
        CHECK(calls == (round == 0 ? static_cast<int>(device.pipelines_kept()) : before));
    }
    CHECK(calls > 0);
}
