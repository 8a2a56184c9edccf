// A backend of our own: it hands every evaluation on to another backend, and counts the bytes that are read and
// written. Everything that takes a backend takes this one.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <sinter/sinter.hpp>

template <sinter::backend Inner>
class counting {
public:
    using input_location = typename Inner::input_location;
    using output_location = typename Inner::output_location;

    explicit counting(const Inner& inner) : inner_(inner) {}

    std::size_t bytes() const { return bytes_; }

    template <class Program, class Bindings>
    auto run(const sinter::plan& plan, const Bindings& data) {
        bytes_ += plan.bytes_moved();
        return inner_.template run<Program>(plan, data);
    }

    template <sinter::element T, std::size_t Rank>
    auto allocate(const std::array<std::size_t, Rank>& sizes) const {
        return inner_.template allocate<T>(sizes);
    }

    std::string describe(const sinter::program_view& program, const sinter::plan& plan) const {
        return inner_.describe(program, plan);
    }

private:
    Inner inner_;
    std::size_t bytes_ = 0;
};
