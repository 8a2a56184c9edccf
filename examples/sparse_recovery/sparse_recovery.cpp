// A sparse vector from few measurements, by iterative shrinkage (ISTA): Eigen multiplies matrices, and everything
// between two products is one fused expression over Eigen's own memory.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <sinter/sinter.hpp>

#include "common/command_line.hpp"
#include "common/png_file.hpp"

namespace {

constexpr const char* usage = R"(usage: sparse_recovery [OPTIONS]

Makes a vector of 1024 numbers of which few are not zero, measures it by a random matrix of fewer rows, and recovers it
from the measurements.

  --nonzero N     of the vector's numbers (default 40)
  --rows N        of the matrix, which is how many measurements there are (default 384)
  --iterations N  (default 1000)
  --seed N        of vector and matrix (default 1)
  --plot FILE     where a picture of the error goes: its logarithm over the iterations (default convergence.png)
  --help          this text
)";

constexpr Eigen::Index unknowns = 1024;
constexpr float weight_of_sparsity = 0.02f;

// A vector of Eigen's as an operand of sinter.
template <class Vector>
auto view(Vector& v) {
    return sinter::view(v.data(), {v.size()});
}

struct problem {
    Eigen::MatrixXf matrix;
    Eigen::VectorXf truth;
    Eigen::VectorXf measured;

    problem(Eigen::Index rows, std::size_t nonzero, unsigned seed) : matrix(rows, unknowns), truth(unknowns) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        for (Eigen::Index i = 0; i < matrix.size(); ++i)
            matrix.data()[i] = normal(random) / std::sqrt(static_cast<float>(rows));
        std::vector<Eigen::Index> places(unknowns);
        std::iota(places.begin(), places.end(), Eigen::Index{0});
        std::shuffle(places.begin(), places.end(), random);
        truth.setZero();
        for (std::size_t i = 0; i < nonzero; ++i) truth[places[i]] = normal(random) > 0 ? 1.f : -1.f;
        measured = matrix * truth;
    }

    // The largest eigenvalue of transpose(matrix) * matrix, which bounds the step.
    float curvature() const {
        Eigen::VectorXf v = Eigen::VectorXf::Ones(unknowns);
        float length = 0;
        for (int i = 0; i < 50; ++i) {
            v = matrix.transpose() * (matrix * v);
            length = v.norm();
            v /= length;
        }
        return length;
    }

    double relative_error(const Eigen::VectorXf& x) const {
        return static_cast<double>((x - truth).norm()) / static_cast<double>(truth.norm());
    }
};

struct recovered {
    Eigen::VectorXf x = Eigen::VectorXf::Zero(unknowns);
    std::vector<double> errors;  // relative, one for each iteration
};

recovered recover(const problem& of, int iterations) {
    recovered made;
    Eigen::VectorXf residual(of.measured.size()), gradient(unknowns);
    const float step = 0.95f / of.curvature();
    const float toward_zero = step * weight_of_sparsity;
    for (int i = 0; i < iterations; ++i) {
        residual.noalias() = of.matrix * made.x;
        sinter::evaluate(view(of.measured) - view(residual), view(residual));
        gradient.noalias() = of.matrix.transpose() * residual;
        // The step and the shrinkage: one pass, in place.
        const auto stepped = view(made.x) + view(gradient) * step;
        sinter::evaluate(stepped | sinter::shrink(toward_zero, toward_zero), view(made.x));
        made.errors.push_back(of.relative_error(made.x));
    }
    return made;
}

// A line from left to right; every decade of the error is a horizontal line, 1 at the top.
void plot(const std::vector<double>& errors, const std::string& path) {
    constexpr std::size_t width = 640, height = 360, decades = 3;
    pixels_8 picture({height, width, 1});
    std::fill_n(picture.data(), picture.size(), std::uint8_t{255});
    const auto row_of = [](double error) {
        const double down = -std::log10(error) / static_cast<double>(decades);
        return static_cast<std::size_t>(std::clamp(down, 0., 1.) * (height - 1));
    };
    for (std::size_t d = 0; d <= decades; ++d)
        std::fill_n(picture.data() + row_of(std::pow(10., -static_cast<double>(d))) * width, width, std::uint8_t{200});
    std::size_t before = row_of(errors.front());
    for (std::size_t column = 0; column < width; ++column) {
        const std::size_t row = row_of(errors[column * errors.size() / width]);
        const auto [top, bottom] = std::minmax(before, row);
        for (std::size_t r = top; r <= bottom; ++r) picture.data()[r * width + column] = 0;
        before = row;
    }
    write_png(path, {std::move(picture), {}});
}

void run(const command_line& chosen) {
    const auto nonzero = chosen.integer<std::size_t>("--nonzero", 1, unknowns);
    const problem made(chosen.integer<Eigen::Index>("--rows", 1, 4096), nonzero,
                       chosen.integer("--seed", 0u, 4294967295u));
    const recovered found = recover(made, chosen.integer("--iterations", 1, 1000000));
    plot(found.errors, chosen.text("--plot"));

    std::size_t right = 0, wrong = 0;
    for (Eigen::Index i = 0; i < unknowns; ++i) {
        if (std::abs(found.x[i]) < 0.5f) continue;
        ++(made.truth[i] != 0 ? right : wrong);
    }
    std::printf("%zu of %zu numbers found, %zu more that are none\n", right, nonzero, wrong);
    for (std::size_t i = 1; i <= found.errors.size(); i *= 4)
        std::printf("error after %4zu iterations: %.3f\n", i, found.errors[i - 1]);
    std::printf("error after %4zu iterations: %.3f\n", found.errors.size(), found.errors.back());
    if (right != nonzero || wrong != 0) throw std::runtime_error("too few measurements or iterations to recover it");
}

}  // namespace

int main(int count, char** arguments) {
    return run_example(count, arguments, usage,
                       {{"--nonzero", "40"},
                        {"--rows", "384"},
                        {"--iterations", "1000"},
                        {"--seed", "1"},
                        {"--plot", "convergence.png"}},
                       0, run);
}
