// The HLSL of an operator of one's own: a constant of the program, printed without a GPU and without Direct3D.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sinter/hlsl.hpp>
#include <sinter/sinter.hpp>

namespace {

constexpr const char* usage = R"(usage: print_shader [--type NAME] [--layout NAME]

Prints the HLSL compute kernel that sinter makes of an operator: exposure with a soft shoulder.

  --type NAME    the tensors' element type: float32 float16 int32 int16 int8 uint32 uint16 uint8 (default uint8)
  --layout NAME  packed    whole 16-byte vectors (default)
                 in_place  the same, the output in place of the input
                 words     dense tensors at any element
                 gather    a matrix read with strides, written densely
                 strided   matrices read and written with strides
  --help         this text
)";

// An ordinary generic function; gain and black are scalars of the call, and constants of the kernel.
constexpr auto exposure = [](auto light, auto gain, auto black) {
    const auto lit = sinter::max(light - black, 0.f) * gain;
    return sinter::select(lit > 200.f, 200.f + (lit - 200.f) * 0.25f, lit);
};

template <class T>
constexpr auto expression(sinter::tensor_view<const T, 2> picture) {
    return sinter::cast_rne<T>(sinter::map(exposure, sinter::cast<float>(picture), 1.25f, 16.f));
}

template <class T>
using expression_of = decltype(expression(sinter::tensor_view<const T, 2>()));

static_assert(sinter::hlsl::text_v<expression_of<float>>.find("rounded(") != std::string_view::npos);

template <class T>
std::string_view text_in(std::string_view layout) {
    namespace hlsl = sinter::hlsl;
    if (layout == "packed") return hlsl::text_v<expression_of<T>>;
    if (layout == "in_place") return hlsl::text_v<expression_of<T>, hlsl::in_place<hlsl::packed>>;
    if (layout == "words") return hlsl::text_v<expression_of<T>, hlsl::words>;
    if (layout == "gather") return hlsl::text_v<expression_of<T>, hlsl::gather<2>>;
    if (layout == "strided") return hlsl::text_v<expression_of<T>, hlsl::strided<2>>;
    throw std::invalid_argument("no layout is called " + std::string(layout));
}

std::string_view text(std::string_view type, std::string_view layout) {
    if (type == "float32") return text_in<float>(layout);
    if (type == "float16") return text_in<sinter::float16>(layout);
    if (type == "int32") return text_in<std::int32_t>(layout);
    if (type == "int16") return text_in<std::int16_t>(layout);
    if (type == "int8") return text_in<std::int8_t>(layout);
    if (type == "uint32") return text_in<std::uint32_t>(layout);
    if (type == "uint16") return text_in<std::uint16_t>(layout);
    if (type == "uint8") return text_in<std::uint8_t>(layout);
    throw std::invalid_argument("no element type is called " + std::string(type));
}

}  // namespace

int main(int count, char** arguments) {
    std::string_view type = "uint8", layout = "packed";
    try {
        for (int i = 1; i < count; ++i) {
            const std::string_view option = arguments[i];
            if (option == "--help" || option == "-h") return std::fputs(usage, stdout), 0;
            if (option != "--type" && option != "--layout")
                throw std::invalid_argument("unknown option " + std::string(option));
            if (++i == count) throw std::invalid_argument(std::string(option) + " needs a name");
            (option == "--type" ? type : layout) = arguments[i];
        }
        const std::string_view kernel = text(type, layout);
        std::fwrite(kernel.data(), 1, kernel.size(), stdout);
        return 0;
    } catch (const std::invalid_argument& mistake) {
        std::fprintf(stderr, "print_shader: %s\n\n%s", mistake.what(), usage);
        return 2;
    }
}
