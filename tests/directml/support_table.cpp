// The table of operators in docs/porting_from_directml.md is what the library does.
#include <sinter/directml/operator_support.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

using namespace sinter::directml;

std::string table() {
    std::string text = "| DML_.._OPERATOR_DESC | inputs | ScaleBias | feature level: ranks of types |\n";
    text += "|---|---|---|---|\n";
    for (const operator_support& o : supported_operators) {
        text += std::string("| ") + o.name + " | " + std::to_string(o.inputs) + " | ";
        text += std::string(o.scale_bias ? "yes" : "") + " | ";
        for (std::size_t i = 0; i < o.support().size(); ++i) {
            const tensor_support& row = o.support()[i];
            const bool all = row.types == detail::all_types;
            text += (i == 0 ? "" : "<br>") + detail::level_name(row.level).substr(18) + ": " + detail::ranks_of(row);
            text += " of " + (all ? std::string("all 8 types") : detail::names_of(row.types));
        }
        text += " |\n";
    }
    return text;
}

}  // namespace

TEST_CASE("the table in the porting guide") {
    std::ifstream file(SINTER_TEST_DATA "/../../docs/porting_from_directml.md");
    REQUIRE(file);
    std::stringstream guide;
    guide << file.rdbuf();
    const std::string expected = table();
    CHECK_MESSAGE(guide.str().find(expected) != std::string::npos, "the guide should have this table:\n" << expected);
}
