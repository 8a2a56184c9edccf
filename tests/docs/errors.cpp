// docs/errors.md is whole: a heading for every code, and every message of the programs that must not compile.
#include <sinter/core/error.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

const std::filesystem::path tests = std::filesystem::path(SINTER_TEST_DATA).parent_path();
const std::string page = text_of(tests / "../docs/errors.md");

bool has(const std::string& part) { return page.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every code has its paragraph") {
    for (int code = 0; name(sinter::errc(code)) != std::string("unknown"); ++code) {
        const std::string heading = std::string("\n### `") + name(sinter::errc(code)) + "`\n";
        CHECK_MESSAGE(has(heading), "docs/errors.md lacks " << heading);
    }
    CHECK_FALSE(has("\n### `unknown`\n"));
}

TEST_CASE("every message of a program that must not compile is there") {
    for (const auto& source : std::filesystem::directory_iterator(tests / "compile_fail")) {
        const std::string text = text_of(source.path());
        const std::string start = "// expect: ";
        REQUIRE(text.starts_with(start));
        const std::string message = text.substr(start.size(), text.find('\n') - start.size());
        CHECK_MESSAGE(has(message), "docs/errors.md lacks what " << source.path().filename() << " expects");
    }
}
