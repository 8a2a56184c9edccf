// The program behind sinter_add_shaders, together with the file that defines sinter::aot::add_shaders(): writes the
// kernels that were added as HLSL, and compiled into a header.
//
//   PROGRAM DIRECTORY NAME [COMPILER]     DIRECTORY/*.hlsl and DIRECTORY/NAME.hpp, whose namespace is NAME
//
// Without COMPILER, a part of a compiler's name, it is no failure that there is none.
#include <sinter/aot.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(_WIN32) || (__has_include(<directx/d3d12.h>) && __has_include(<wsl/winadapter.h>))
#include <sinter/d3d12/find_runtime.hpp>
#define SINTER_HAS_D3D12
#endif

namespace {

void write_file(const std::string& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

#if defined(SINTER_HAS_D3D12)

namespace d3d12 = sinter::d3d12;

d3d12::compiler find_compiler(const std::string& name) {
    try {
        const d3d12::runtime on = d3d12::detail::with_compiler(d3d12::find_runtime(), name);
        if (!on.hlsl_compiler) std::fprintf(stderr, "sinter: %s has no HLSL compiler\n", on.name.c_str());
        return on.hlsl_compiler;
    } catch (const sinter::error& failure) {
        if (!name.empty() || failure.code() != sinter::errc::d3d12_unavailable) throw;
        std::fprintf(stderr, "%s\n", failure.what());
        return {};
    }
}

// One literal for each line.
void write_literal(std::ostream& to, std::string_view text) {
    for (std::string_view start = "    {"; !text.empty(); start = "\n     ") {
        const std::size_t end = text.find('\n');
        to << start << '"';
        for (const char c : text.substr(0, end)) to << (c == '"' || c == '\\' ? "\\" : "") << c;
        to << (end == text.npos ? "\"" : "\\n\"");
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
}

void write_bytes(std::ostream& to, std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        to << (i % 24 == 0 ? "\n    " : "") << std::to_integer<unsigned>(bytes[i]) << ",";
}

std::string header_of(const std::vector<sinter::aot::written_kernel>& kernels, const d3d12::compiler& by,
                      const std::string& name) {
    std::ostringstream arrays, list;
    std::set<std::string_view> seen;
    for (const sinter::aot::written_kernel& kernel : kernels) {
        if (!seen.insert(kernel.text).second) continue;  // the kernel of another name
        const std::vector<std::byte> bytecode = d3d12::detail::compiled(by, kernel.text);
        arrays << "inline constexpr unsigned char " << kernel.name << "[] = {";
        write_bytes(arrays, bytecode);
        arrays << "\n};\n";
        write_literal(list, kernel.text);
        list << ",\n     bytecode::" << kernel.name << ", static_cast<D3D_SHADER_MODEL>(" << int{by.shader_model}
             << ")},\n";
    }
    return "// Made by sinter_add_shaders. Compiler: " + by.identity +
           "\n#pragma once\n\n#include <span>\n\n#include <sinter/d3d12/shader.hpp>\n\nnamespace " + name +
           " {\n\nnamespace bytecode {\n" + arrays.str() +
           "}  // namespace bytecode\n\ninline constexpr sinter::d3d12::shader list[] = {\n" + list.str() +
           "};\n\n// For sinter::d3d12::device::add.\n"
           "inline constexpr std::span<const sinter::d3d12::shader> all = list;\n\n}  // namespace " +
           name + "\n";
}

#endif

std::string header_without_kernels(const std::string& name) {
    return "// Made by sinter_add_shaders, without a compiler.\n"
           "#pragma once\n\n#include <span>\n\n#include <sinter/d3d12/shader.hpp>\n\nnamespace " +
           name + " {\n\ninline constexpr std::span<const sinter::d3d12::shader> all;\n\n}  // namespace " + name +
           "\n";
}

void run(const std::string& directory, const std::string& name, const std::string& compiler_name) {
    sinter::aot::add_shaders();
    const std::vector<sinter::aot::written_kernel>& kernels = sinter::aot::written_kernels();
    if (kernels.empty()) throw std::runtime_error("sinter::aot::add_shaders() adds nothing");
    for (const sinter::aot::written_kernel& kernel : kernels)
        write_file(directory + "/" + kernel.name + ".hlsl", kernel.text);
    std::string header = header_without_kernels(name);
#if defined(SINTER_HAS_D3D12)
    const d3d12::compiler by = find_compiler(compiler_name);
    if (by) header = header_of(kernels, by, name);
    const bool compiled = static_cast<bool>(by);
#else
    const bool compiled = false;
#endif
    if (!compiled) {
        if (!compiler_name.empty()) throw std::runtime_error("no HLSL compiler for '" + compiler_name + "'");
        std::fprintf(stderr, "sinter: warning: no compiler is at hand, so that %s.hpp has no kernels\n", name.c_str());
    }
    write_file(directory + "/" + name + ".hpp", header);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3 && count != 4) {
        std::fprintf(stderr, "usage: %s DIRECTORY NAME [COMPILER]\n", arguments[0]);
        return 2;
    }
    try {
        run(arguments[1], arguments[2], count == 4 ? arguments[3] : "");
        return 0;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
}
