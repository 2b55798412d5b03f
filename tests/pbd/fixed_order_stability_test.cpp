// SPDX-License-Identifier: BSD-3-Clause
// Whether a body at rest stays there. One step of position based dynamics is x⁺ = S(2x − x⁻), S the sweep over the
// constraints; a mode Sφ = λφ grows by the roots of z² − 2λz + λ = 0. They lie in the unit circle for every λ of [0,
// 1], and a sweep that is a symmetric map has no others. A sweep in a fixed order is a product of projections, which is
// not symmetric: it may have complex λ near 1 with |z| > 1, whatever Δt is.
#include <Eigen/Eigenvalues>
#include <complex>

#include "tests/methods/method_suite.hpp"

namespace deformbench::tests {
namespace {

using Set = std::map<std::string, ParameterValue>;

const Set kStiffBends{{"iterations", 1LL}, {"bend_stiffness", 0.9}};

Points after(const std::string& method, const Set& set, const Scene& scene, int steps) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& descriptor = registry.at(method);
  Set settings = set;
  if (method != "naive_pbd" && !set.contains("order"))
    settings["order"] = std::string("forward");  // which the peer has alone
  const auto simulation = descriptor.create(scene, Parameters(descriptor.parameters, settings, method), {});
  for (int k = 0; k < steps; ++k) simulation->step();
  return simulation->state().positions;
}

/// Largest deviation from rest, less its mean, of a cloth that starts 1 nm from rest.
double deviation(const std::string& method, const Set& set, int steps, double time_step = 0.01) {
  Scene scene = free_cloth();
  scene.time_step = time_step;
  scene.initial_positions = scene.cloth.rest_positions + random_field(scene.vertex_count(), 1e-9, 3);
  const Points moved = after(method, set, scene, steps) - scene.cloth.rest_positions;
  return (moved.rowwise() - moved.colwise().mean()).cwiseAbs().maxCoeff();
}

/// Largest |z| of the step, from the Jacobian of one step that starts without velocity, which is S.
double predicted_growth(const std::string& method, const Set& set) {
  const Scene rest = free_cloth();
  const Eigen::Index size = rest.cloth.rest_positions.size();
  const double h = 1e-7;  // truncation h against rounding 1e-17 / h
  Eigen::MatrixXd sweep(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    Scene scene = rest;
    scene.initial_positions = rest.cloth.rest_positions;
    scene.initial_positions.data()[k] += h;
    const Points above = after(method, set, scene, 1);
    scene.initial_positions.data()[k] -= 2.0 * h;
    const Points below = after(method, set, scene, 1);
    const Points change = (above - below) / (2.0 * h);
    sweep.col(k) = Eigen::Map<const Eigen::VectorXd>(change.data(), size);
  }
  double largest = 0.0;
  const Eigen::VectorXcd eigenvalues = Eigen::EigenSolver<Eigen::MatrixXd>(sweep, false).eigenvalues();
  for (const std::complex<double> lambda : eigenvalues) {
    if (std::abs(lambda - 1.0) < 1e-5) continue;  // rigid motions
    const std::complex<double> root = std::sqrt(lambda * lambda - lambda);
    largest = std::max({largest, std::abs(lambda + root), std::abs(lambda - root)});
  }
  return largest;
}

double measured_growth(const std::string& method, const Set& set) {
  return std::pow(deviation(method, set, 300) / deviation(method, set, 150), 1.0 / 150.0);
}

TEST(FixedOrder, OneIterationOfStiffBendsIsUnstableAtRestAsItsEigenvaluesSay) {
  for (const char* method : {"naive_pbd", "pbd"}) {  // two programs that share no line
    const double predicted = predicted_growth(method, kStiffBends);
    EXPECT_GT(predicted, 1.01) << method;
    EXPECT_NEAR(measured_growth(method, kStiffBends), predicted, 0.002) << method;
    EXPECT_GT(deviation(method, kStiffBends, 1000), 1e-3) << method;
  }
}

TEST(FixedOrder, TheInstabilityDoesNotDependOnTheTimeStep) {
  const double coarse = deviation("pbd", kStiffBends, 200, 0.01), fine = deviation("pbd", kStiffBends, 200, 1e-4);
  EXPECT_NEAR(fine / coarse, 1.0, 1e-3);
}

TEST(FixedOrder, MoreIterationsOrAnotherOrderEveryTimeAreStable) {
  Set iterations = kStiffBends, random = kStiffBends;
  iterations["iterations"] = 10LL;
  random["order"] = std::string("random");
  EXPECT_LT(predicted_growth("pbd", iterations), 1.0);
  EXPECT_LT(deviation("pbd", iterations, 3000), 2e-9);
  EXPECT_LT(deviation("pbd", random, 3000), 2e-9);
}

TEST(TheDefaultOrder, IsStableAtRestWithStiffBendsAndOneIteration) {
  for (const char* method : {"pbd", "xpbd"}) {
    const Registry registry = builtin_registry();
    const std::string order = Parameters(registry.at(method).parameters, {}, method).text("order");
    Set set{{"iterations", 1LL}, {"order", order}};
    if (std::string(method) == "pbd") set["bend_stiffness"] = 0.9;
    EXPECT_LT(predicted_growth(method, set), 1.0 + 1e-4) << method;  // roots of rounding: those of rigid motions
    EXPECT_LT(deviation(method, set, 1000), 2e-9) << method;
  }
}

TEST(FixedOrder, SmallStepsOfOneIterationOfStiffBendsAreUnstableToo) {
  const Set small_steps{{"substeps", 10LL}, {"iterations", 1LL}};
  EXPECT_GT(deviation("xpbd", small_steps, 200), 1e-3);
  Set random = small_steps;
  random["order"] = std::string("random");
  EXPECT_LT(deviation("xpbd", random, 200), 2e-9);
}

}  // namespace
}  // namespace deformbench::tests
