// Compiles where DirectX-Headers were found, and links where dlopen was.
#include <sinter/d3d12/find_runtime.hpp>

#include <exception>

namespace {

// Before main, whose own result is the test's.
const bool refused = [] {
    try {
        sinter::d3d12::find_runtime("/no/library");
    } catch (const sinter::error& failure) {
        if (failure.code() == sinter::errc::d3d12_unavailable) return true;
    }
    std::terminate();
}();

}  // namespace
