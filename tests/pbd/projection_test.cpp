// SPDX-License-Identifier: BSD-3-Clause
// What one projection does: momenta, Newton step, overshoot of the printed weights, inequality, stiffness, multiplier.
#include "methods/pbd/projection.hpp"

#include <gtest/gtest.h>

#include "methods/pbd/explicit_constraints.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

using model::ConstraintKind;

constexpr ConstraintKind kKinds[] = {ConstraintKind::Distance, ConstraintKind::Bend, ConstraintKind::TetraVolume,
                                     ConstraintKind::TrianglePoint, ConstraintKind::TrianglePointScaled};

std::unique_ptr<Constraint> constraint_of(ConstraintKind kind, double rest, bool is_inequality = false,
                                          BendAngle angle = BendAngle::Signed) {
  return make_constraint({kind, {0, 1, 2, 3}, rest, 1.0, 0.0, is_inequality}, angle);
}

double value(const Constraint& constraint, const Points& x) {
  std::vector<Vector3> gradients(constraint.vertices().size());
  return constraint.evaluate(x, gradients);
}

// PBD-07, PBD-16. Rounding of a sum of four terms, relative to their sizes. [MHHR07] eq. 1, 2
TEST(Projection, KeepsLinearAndAngularMomentumOfEveryKind) {
  numerics::RandomStream random(21);
  for (int sample = 0; sample < 100; ++sample) {
    const Points x = random_points(4, random);
    const Eigen::VectorXd masses = random_masses(4, random);
    for (const ConstraintKind kind : kKinds)
      for (const MassWeighting weighting : {MassWeighting::Corrected, MassWeighting::AsPrinted})
        for (const BendAngle angle : {BendAngle::Signed, BendAngle::AsPrinted}) {
          Points p = x;
          project(*constraint_of(kind, 0.3, false, angle), masses.cwiseInverse(), 0.01, weighting, nullptr, p);
          Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
          double linear_scale = 0.0, angular_scale = 0.0;
          for (Eigen::Index i = 0; i < 4; ++i) {
            const Vector3 impulse = masses[i] * (p.row(i) - x.row(i)).transpose(), r = x.row(i);
            linear += impulse;
            angular += r.cross(impulse);
            linear_scale += masses[i] * p.row(i).norm();  // Δp is known to the rounding of p
            angular_scale += masses[i] * r.norm() * p.row(i).norm();
          }
          EXPECT_LT(linear.norm(), 1e-12 * linear_scale) << model::type_of(kind).name;
          EXPECT_LT(angular.norm(), 1e-12 * angular_scale) << model::type_of(kind).name;
        }
  }
}

// PBD-09, [MHHR07] eq. 9, 10.
TEST(Projection, SolvesADistanceExactlyAndSharesItByTheInverseMasses) {
  Points p(2, 3);
  p << 0, 0, 0, 3, 4, 0;
  const Eigen::Vector2d w(1.0, 3.0);
  const auto constraint = make_constraint(distance_constraint(0, 1, 2.0), BendAngle::Signed);
  for (const MassWeighting weighting : {MassWeighting::Corrected, MassWeighting::AsPrinted}) {
    Points q = p;
    EXPECT_DOUBLE_EQ(project(*constraint, w, 1.0, weighting, nullptr, q), 3.0);
    EXPECT_LT(std::abs(value(*constraint, q)), 1e-15);
    EXPECT_LT((q.row(0) - 0.75 * Eigen::RowVector3d(0.6, 0.8, 0)).norm(), 1e-15);
    EXPECT_LT((q.row(1) - Eigen::RowVector3d(3, 4, 0) + 2.25 * Eigen::RowVector3d(0.6, 0.8, 0)).norm(), 1e-15);
  }
}

// PBD-10: what is left is of second order in C with the corrected weights, of first order with the printed ones.
// [MHHR07] eq. 3–6
TEST(Projection, IsANewtonStepWithTheCorrectedWeightsOnly) {
  numerics::RandomStream random(22);
  for (const ConstraintKind kind : {ConstraintKind::Bend, ConstraintKind::TetraVolume, ConstraintKind::TrianglePoint}) {
    double printed = 0.0;
    for (int sample = 0; sample < 20; ++sample) {
      Points x = random_points(4, random);
      x.row(1) += Eigen::RowVector3d(2, 0, 0), x.row(2) += Eigen::RowVector3d(0, 3, 0),
          x.row(3) += Eigen::RowVector3d(0, 0, 4);
      const Eigen::VectorXd w = random_masses(4, random).cwiseInverse();
      const double here = value(*constraint_of(kind, 0.0), x);
      double ratios[2];
      for (int k = 0; k < 2; ++k) {
        const double off = k == 0 ? 1e-3 : 1e-4;
        const auto constraint = constraint_of(kind, here - off);
        Points p = x;
        project(*constraint, w, 1.0, MassWeighting::Corrected, nullptr, p);
        ratios[k] = std::abs(value(*constraint, p)) / off;
        p = x;
        project(*constraint, w, 1.0, MassWeighting::AsPrinted, nullptr, p);
        printed = std::max(printed, std::abs(value(*constraint, p)) / off);
      }
      EXPECT_LT(ratios[0], 0.05) << model::type_of(kind).name;
      EXPECT_LT(ratios[1], 0.12 * ratios[0] + 1e-9) << model::type_of(kind).name;  // ∝ C, within a fifth
    }
    EXPECT_GT(printed, 0.2) << model::type_of(kind).name;
  }
}

// B-PBD-1: the residual is C(1 − β); a static triangle below a free vertex has β = 4/(1 + Σb²). [MHHR07] eq. 7, 8
TEST(Projection, OvershootsWithThePrintedWeights) {
  const auto beta = [](const Vector3& weights, bool triangle_moves) {
    Points p(4, 3);
    p << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0;
    p.row(3) = weights.transpose() * p.topRows(3);
    p(3, 2) = -0.01;
    const Eigen::Vector4d w = triangle_moves ? Eigen::Vector4d(1, 1, 1, 0) : Eigen::Vector4d(0, 0, 0, 1);
    const auto constraint = constraint_of(ConstraintKind::TrianglePoint, 0.0);
    project(*constraint, w, 1.0, MassWeighting::AsPrinted, nullptr, p);
    return 1.0 + value(*constraint, p) / 0.01;
  };
  const Vector3 centroid = Vector3::Constant(1.0 / 3.0);
  EXPECT_NEAR(beta(centroid, false), 3.0, 1e-12);
  EXPECT_NEAR(beta({0.5, 0.5, 0}, false), 8.0 / 3.0, 1e-12);
  EXPECT_NEAR(beta({1, 0, 0}, false), 2.0, 1e-12);
  EXPECT_NEAR(beta(centroid, true), 1.0 / 3.0, 1e-12);
}

TEST(Projection, OfAnInequalityActsOnOneSideOnly) {
  Points p(4, 3);
  p << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 0.2;
  const Points above = p;
  const auto constraint = constraint_of(ConstraintKind::TrianglePoint, 0.0, true);
  const Eigen::Vector4d w = Eigen::Vector4d::Ones();
  project(*constraint, w, 1.0, MassWeighting::Corrected, nullptr, p);
  EXPECT_EQ(p, above);
  p(3, 2) = -0.2;
  project(*constraint, w, 1.0, MassWeighting::Corrected, nullptr, p);
  EXPECT_NEAR(value(*constraint, p), 0.0, 1e-2);
}

// PBD-18.
TEST(Projection, LeavesVerticesWithoutInverseMassBitForBit) {
  numerics::RandomStream random(23);
  for (const ConstraintKind kind : kKinds) {
    const Points x = random_points(4, random);
    Points p = x;
    Eigen::Vector4d w(0.0, 2.0, 0.0, 1.0);
    project(*constraint_of(kind, 0.4), w, 1.0, MassWeighting::Corrected, nullptr, p);
    EXPECT_EQ(Vector3(p.row(0)), Vector3(x.row(0)));
    EXPECT_EQ(Vector3(p.row(2)), Vector3(x.row(2)));
    EXPECT_NE(Vector3(p.row(1)), Vector3(x.row(1)));
    p = x;
    project(*constraint_of(kind, 0.4), Eigen::Vector4d::Zero(), 1.0, MassWeighting::AsPrinted, nullptr, p);
    EXPECT_EQ(p, x);
  }
}

// [MMC16] eq. 18, [MSL19] eq. 4, 5: at the fixed point C = −α̃λ, reached in one projection as C is linear along the
// line.
TEST(Projection, WithAComplianceLeavesWhatTheMultiplierSays) {
  Points p(2, 3);
  p << 0, 0, 0, 3, 0, 0;
  const Eigen::Vector2d w(1.0, 3.0);
  const auto constraint = make_constraint(distance_constraint(0, 1, 2.0), BendAngle::Signed);
  double multiplier = 0.0;
  project(*constraint, w, 4.0, MassWeighting::Corrected, &multiplier, p);
  EXPECT_NEAR(multiplier, -1.0 / 8.0, 1e-15);
  EXPECT_NEAR(value(*constraint, p), 0.5, 1e-15);
  const Points once = p;
  project(*constraint, w, 4.0, MassWeighting::Corrected, &multiplier, p);
  EXPECT_LT((p - once).norm(), 1e-15);
}

TEST(Projection, MultiplierOfAnInequalityNeverPulls) {
  Points p(2, 3);
  p << 0, 0, 0, 1.5, 0, 0;
  model::PositionConstraint data = distance_constraint(0, 1, 2.0);
  data.is_inequality = true;  // at least 2 apart
  const auto constraint = make_constraint(data, BendAngle::Signed);
  const Eigen::Vector2d w(1.0, 1.0);
  double multiplier = 0.0;
  project(*constraint, w, 0.0, MassWeighting::Corrected, &multiplier, p);
  EXPECT_NEAR(multiplier, 0.25, 1e-15);
  p(1, 0) += 0.1;  // something else has pushed them apart a little, then far
  project(*constraint, w, 0.0, MassWeighting::Corrected, &multiplier, p);
  EXPECT_NEAR(multiplier, 0.2, 1e-15);
  p(1, 0) += 3.0;
  project(*constraint, w, 0.0, MassWeighting::Corrected, &multiplier, p);
  EXPECT_EQ(multiplier, 0.0);
  EXPECT_NEAR(p(1, 0) - p(0, 0), 2.0 + 3.0 - 2 * 0.2, 1e-14);
}

}  // namespace
}  // namespace deformbench::pbd
