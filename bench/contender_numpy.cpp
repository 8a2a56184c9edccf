// NumPy in a child process: Debian's python3 with python3-numpy. The child has arrays of its own, filled with the job's
// input; it takes the time of its passes itself, without what it costs to talk to it.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>

#include "contenders.hpp"
#include "peers.hpp"

extern char** environ;

namespace bench {

namespace {

constexpr const char* python = "/usr/bin/python3";

constexpr const char* script = R"(
import ctypes, sys, time
import numpy as np
# M_MMAP_MAX and M_TRIM_THRESHOLD: memory that is freed stays, else most of the time goes to page faults.
mallopt = ctypes.CDLL(None).mallopt
mallopt(-4, 0)
mallopt(-1, 2**31 - 1)
given, answer = sys.stdin.buffer, sys.stdout.buffer
def reply(text):
    answer.write((text + '\n').encode())
    answer.flush()
def scale_bias(x, y):
    return x * scale + bias
def shrink(x, y):
    return np.where(x > shrink_threshold, x - shrink_bias, np.where(x < -shrink_threshold, x + shrink_bias, zero))
def threshold(x, y):
    return np.maximum(x, minimum, out=y)
def chain(x, y):
    for operator in operators[:-1]:
        x = operator(x, None)
    return operators[-1](x, y)
zero = np.float32(0)
reply(np.__version__)
while True:
    words = given.readline().split()
    if not words:
        break
    if words[0] == b'load':
        x = np.empty(int(words[1]), np.float32)
        y = x if words[2] == b'in_place' else np.empty_like(x)
        operators = [(scale_bias, shrink, threshold)[i % 3] for i in range(int(words[3]))]
        scale, bias, shrink_bias, shrink_threshold, minimum = (np.float32(float.fromhex(w.decode())) for w in words[4:])
        rest = memoryview(x).cast('B')
        while len(rest) > 0:
            rest = rest[given.readinto(rest):]
    elif words[0] == b'run':
        start = time.thread_time_ns()
        y = chain(x, y)
        reply(str(time.thread_time_ns() - start))
    else:
        answer.write(memoryview(y).cast('B'))
        answer.flush()
)";

class child {
public:
    child() {
        int to_child[2], from_child[2];
        if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        std::string words[] = {python, "-c", script};
        char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
        started_ = posix_spawn(&process_, python, &actions, nullptr, arguments, environ) == 0;
        posix_spawn_file_actions_destroy(&actions);
        close(to_child[0]);
        close(from_child[1]);
        to_ = to_child[1];
        from_ = from_child[0];
        std::signal(SIGPIPE, SIG_IGN);
        if (started_) version_ = line();
    }
    ~child() {
        if (to_ >= 0) close(to_);
        if (from_ >= 0) close(from_);
        if (started_) waitpid(process_, nullptr, 0);
    }
    child(const child&) = delete;
    child& operator=(const child&) = delete;

    bool has_numpy() const { return !version_.empty(); }

    void send(const void* bytes, std::size_t count) {
        for (const char* at = static_cast<const char*>(bytes); count > 0;) {
            const ssize_t done = write(to_, at, count);
            if (done <= 0) throw std::runtime_error("NumPy's process does not listen");
            at += done;
            count -= static_cast<std::size_t>(done);
        }
    }
    void send(const std::string& text) { send(text.data(), text.size()); }

    void receive(void* bytes, std::size_t count) {
        for (char* at = static_cast<char*>(bytes); count > 0;) {
            const ssize_t done = read(from_, at, count);
            if (done <= 0) throw std::runtime_error("NumPy's process does not answer");
            at += done;
            count -= static_cast<std::size_t>(done);
        }
    }

    // Empty where the process has ended.
    std::string line() {
        std::string text;
        for (char c = 0; read(from_, &c, 1) == 1 && c != '\n';) text += c;
        return text;
    }

private:
    bool started_ = false;
    pid_t process_ = 0;
    int to_ = -1;
    int from_ = -1;
    std::string version_;
};

child& numpy_process() {
    static child started;
    return started;
}

std::string hexadecimal(float value) {
    char text[40];
    std::snprintf(text, sizeof(text), " %a", static_cast<double>(value));
    return text;
}

double run_loaded(const job&) {
    numpy_process().send("run\n");
    return std::stod(numpy_process().line());
}

void run(const job& j) {
    child& process = numpy_process();
    std::string command = "load " + std::to_string(j.elements) + (j.input == j.output ? " in_place " : " apart ") +
                          std::to_string(j.operators);
    for (const float a : {j.a.scale, j.a.bias, j.a.shrink_bias, j.a.shrink_threshold, j.a.minimum})
        command += hexadecimal(a);
    process.send(command + '\n');
    process.send(j.input, j.elements * sizeof(float));
    run_loaded(j);
    process.send("fetch\n");
    process.receive(j.output, j.elements * sizeof(float));
}

const char* why_missing() {
    return numpy_process().has_numpy() ? nullptr : "no /usr/bin/python3 with the package python3-numpy";
}

pass find(kind k, sinter::element_type type) { return only_float32_chains(k, type, run); }

}  // namespace

const contender numpy{
    .name = "numpy",
    .description =
        "NumPy's array functions, in a process of Debian's python3 that keeps freed memory: float32, 1 thread",
    .what = computes::the_same,
    .find = find,
    .missing = why_missing,
    .run_elsewhere = run_loaded,
    .most_threads = 1,
    .most_bytes = most_bytes_of_slow_peers,
};

}  // namespace bench
