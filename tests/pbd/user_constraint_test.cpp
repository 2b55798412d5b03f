// SPDX-License-Identifier: BSD-3-Clause
// A constraint of one's own, from beginning to end: a drawstring, the loop of vertices whose circumference cannot
// exceed L.
//   C(p) = L − Σ |p_{i+1} − p_i| ≥ 0, cardinality: all vertices of the loop, ∇_i C = (p_{i+1} − p_i)/|·| − (p_i −
//   p_{i−1})/|·|
#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "methods/pbd/projection.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

class Drawstring final : public Constraint {
 public:
  Drawstring(std::vector<int> loop, double length) : loop_(std::move(loop)), length_(length) { is_inequality = true; }

  std::span<const int> vertices() const override { return loop_; }

  double evaluate(const Points& positions, std::span<Vector3> gradients) const override {
    std::fill(gradients.begin(), gradients.end(), Vector3::Zero());
    double circumference = 0.0;
    for (std::size_t i = 0; i < loop_.size(); ++i) {
      const std::size_t next = (i + 1) % loop_.size();
      const Vector3 along = positions.row(loop_[next]) - positions.row(loop_[i]);
      const double length = along.norm();
      circumference += length;
      if (!(length > 0.0)) continue;  // a link of no length has no direction
      gradients[i] += along / length;
      gradients[next] -= along / length;
    }
    return length_ - circumference;
  }

 private:
  std::vector<int> loop_;
  double length_;  ///< m
};

constexpr int kCount = 12;

std::unique_ptr<Drawstring> drawstring(double length) {
  std::vector<int> loop(kCount);
  std::iota(loop.begin(), loop.end(), 0);
  return std::make_unique<Drawstring>(loop, length);
}

Points ring(double radius) {
  Points x(kCount, 3);
  for (int i = 0; i < kCount; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCount;
    x.row(i) << radius * std::cos(angle), 0.2 * std::sin(3 * angle), radius * std::sin(angle);
  }
  return x;
}

double circumference(const Points& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.rows(); ++i) sum += (x.row((i + 1) % x.rows()) - x.row(i)).norm();
  return sum;
}

TEST(UserConstraint, HasTheGradientThatItSays) {
  const auto constraint = drawstring(5.0);
  const Points x = ring(1.0);
  std::vector<Vector3> gradients(kCount), unused(kCount);
  constraint->evaluate(x, gradients);
  for (int i = 0; i < kCount; ++i)
    for (int c = 0; c < 3; ++c) {
      Points above = x, below = x;
      above(i, c) += 1e-6, below(i, c) -= 1e-6;
      const double numeric = (constraint->evaluate(above, unused) - constraint->evaluate(below, unused)) / 2e-6;
      EXPECT_NEAR(numeric, gradients[std::size_t(i)][c], 1e-8);  // rounding of C = 5 over 2e-6
    }
}

TEST(UserConstraint, KeepsTheMomentaInOneProjection) {
  numerics::RandomStream random(41);
  const Points x = ring(1.0);
  const Eigen::VectorXd masses = random_masses(kCount, random);
  Points p = x;
  EXPECT_LT(project(*drawstring(5.0), masses.cwiseInverse(), 1.0, MassWeighting::Corrected, nullptr, p), 0.0);
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  for (int i = 0; i < kCount; ++i) {
    const Vector3 impulse = masses[i] * (p.row(i) - x.row(i)).transpose();
    linear += impulse;
    angular += Vector3(x.row(i)).cross(impulse);
  }
  EXPECT_LT(linear.norm(), 1e-12 * masses.sum());
  EXPECT_LT(angular.norm(), 1e-12 * masses.sum());
}

TEST(UserConstraint, IsPartOfTheStepLikeAnyOther) {
  numerics::RandomStream random(42);
  Eigen::VectorXd masses(kCount);
  for (double& m : masses) m = random.uniform(1.0, 3.0);
  const Scene scene = particle_scene(ring(1.0), masses);
  const double rest = circumference(scene.particles.rest_positions);
  for (const char* id : {"pbd", "xpbd"}) {
    for (const double share : {0.8, 1.2}) {
      std::vector<std::unique_ptr<Constraint>> own;
      own.push_back(drawstring(share * rest));
      const auto simulation = make_pbd_simulation(scene, options_of(id, {{"iterations", 30LL}}), {}, std::move(own));
      simulation->step();
      // Too long a ring is drawn together, a loose one is left alone.
      EXPECT_NEAR(circumference(simulation->state().positions), std::min(share, 1.0) * rest, 1e-9 * rest) << id;
      EXPECT_LT(linear_momentum(*simulation).norm(), 1e-9) << id;
    }
  }
}

TEST(UserConstraint, MayChangeItsStiffnessWhileTheSimulationRuns) {
  Scene scene = particle_scene(ring(1.0), Eigen::VectorXd::Ones(kCount));
  const double length = 0.9 * circumference(ring(1.0));
  std::vector<std::unique_ptr<Constraint>> own;
  own.push_back(drawstring(length));
  Constraint& constraint = *own.front();
  constraint.stiffness = 0.0;
  const auto simulation =
      make_pbd_simulation(scene, options_of("pbd", {{"iterations", 50LL}}), {1, 1, false}, std::move(own));
  simulation->step();
  EXPECT_NEAR(circumference(simulation->state().positions), length / 0.9, 1e-12);
  constraint.stiffness = 1.0;
  simulation->step();
  EXPECT_NEAR(circumference(simulation->state().positions), length, 1e-6);
}

}  // namespace
}  // namespace deformbench::pbd
