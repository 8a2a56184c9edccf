// An operator of one's own: an ordinary generic function with literals, a local that is used twice (and computed once),
// a loop, && and select in place of if. It runs on every backend from this one definition, with the same bits.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <sinter/sinter.hpp>

int main() {
    const auto soft_clip = [](auto sample, auto gain) {
        const auto driven = sample * gain;
        auto power = driven;
        auto sum = driven;
        for (const float weight : {-0.25f, 0.0625f, -0.0078125f}) {
            power *= driven * driven;
            sum += weight * power;
        }
        return sinter::select(driven > -1.5f && driven < 1.5f, sum, sinter::clamp(driven, -0.9f, 0.9f));
    };

    std::vector<float> wave(1000), reference(wave.size()), fast(wave.size());
    for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = static_cast<float>(i) * 0.004f - 2.f;

    const auto clipped = sinter::map(soft_clip, sinter::view(wave), 1.25f) | sinter::scale_bias(0.8f, 0.1f);
    sinter::evaluate(sinter::cpu::scalar{}, clipped, reference);
    sinter::evaluate(sinter::cpu::highway{}, clipped, fast);

    std::size_t different = 0;
    for (std::size_t i = 0; i < fast.size(); ++i)
        different += std::bit_cast<std::uint32_t>(fast[i]) != std::bit_cast<std::uint32_t>(reference[i]);
    std::printf("sample     scalar      %s\n", name(sinter::cpu::highway{}.target()));
    for (std::size_t i = 0; i < fast.size(); i += 125)
        std::printf("%6.2f %10.6f %10.6f\n", wave[i], reference[i], fast[i]);
    std::printf("%zu of %zu samples differ in their bits\n", different, fast.size());
    return different == 0 ? 0 : 1;
}
