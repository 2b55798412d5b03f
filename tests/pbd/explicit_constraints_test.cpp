// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients of every kind of constraint, against model::constraint_value and central differences.
#include "methods/pbd/explicit_constraints.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

using model::ConstraintKind;

constexpr ConstraintKind kExplicitKinds[] = {ConstraintKind::Distance, ConstraintKind::Bend,
                                             ConstraintKind::TetraVolume, ConstraintKind::TrianglePoint,
                                             ConstraintKind::TrianglePointScaled};

model::PositionConstraint explicit_constraint(ConstraintKind kind, double rest = 0.0) {
  return {kind, {0, 1, 2, 3}, rest, 1.0, 0.0, false};
}

std::vector<Vector3> gradients_of(const Constraint& constraint, const Points& x) {
  std::vector<Vector3> gradients(constraint.vertices().size());
  constraint.evaluate(x, gradients);
  return gradients;
}

/// Largest difference to central differences with step 1e-6, relative to the largest gradient. Rounding of C over the
/// step is 1e-10, the cut-off term 1e-12 of the third derivative: PBD-32 allows 1e-7.
double gradient_error(const Constraint& constraint, const Points& x, double step = 1e-6) {
  const std::vector<Vector3> analytic = gradients_of(constraint, x);
  std::vector<Vector3> unused(analytic.size());
  double error = 0.0, scale = 0.0;
  for (std::size_t k = 0; k < analytic.size(); ++k) {
    for (int c = 0; c < 3; ++c) {
      Points above = x, below = x;
      above(constraint.vertices()[k], c) += step;
      below(constraint.vertices()[k], c) -= step;
      const double numeric = (constraint.evaluate(above, unused) - constraint.evaluate(below, unused)) / (2 * step);
      error = std::max(error, std::abs(numeric - analytic[k][c]));
      scale = std::max(scale, analytic[k].norm());
    }
  }
  return error / scale;
}

/// Edge along x from vertex 0 to 1; wings at ±`angle` half from the plane, so that the dihedral angle is `angle`.
Points pair(double angle) {
  Points x(4, 3);
  const double half = angle / 2;
  x << 0, 0, 0, 1.1, 0, 0, 0.3, 0.9 * std::cos(half), 0.9 * std::sin(half), 0.6, -0.7 * std::cos(half),
      0.7 * std::sin(half);
  return x;
}

TEST(ExplicitConstraint, HasTheValueThatTheSceneStates) {
  numerics::RandomStream random(11);
  for (int sample = 0; sample < 50; ++sample) {
    const Points x = random_points(4, random);
    for (const ConstraintKind kind : kExplicitKinds) {
      const auto data = explicit_constraint(kind, random.uniform(-0.5, 0.5));
      const auto constraint = make_constraint(data, BendAngle::Signed);
      std::vector<Vector3> gradients(constraint->vertices().size());
      EXPECT_NEAR(constraint->evaluate(x, gradients), model::constraint_value(data, x), 1e-14)
          << model::type_of(kind).name;
    }
  }
}

TEST(ExplicitConstraint, HasTheGradientOfItsValue) {
  numerics::RandomStream random(12);
  for (int sample = 0; sample < 50; ++sample) {
    Points x = random_points(4, random);
    // Random points alone may be almost degenerate, where the step of the difference is too coarse.
    x.row(1) += Eigen::RowVector3d(2, 0, 0), x.row(2) += Eigen::RowVector3d(0, 3, 0),
        x.row(3) += Eigen::RowVector3d(0, 0, 4);
    for (const ConstraintKind kind : kExplicitKinds)
      EXPECT_LT(gradient_error(*make_constraint(explicit_constraint(kind), BendAngle::Signed), x), 1e-7)
          << model::type_of(kind).name;
    EXPECT_LT(gradient_error(*make_constraint(explicit_constraint(ConstraintKind::Bend), BendAngle::AsPrinted), x),
              1e-7);
  }
}

TEST(ExplicitConstraint, BendGradientHoldsNearFlatAndNearFolded) {
  for (const double angle : {0.0, 1e-9, -1e-9, 1e-4, -1e-4, 1.0, -1.0, 3.0, -3.0, std::numbers::pi - 1e-3}) {
    const auto bend = make_constraint(explicit_constraint(ConstraintKind::Bend), BendAngle::Signed);
    const Points x = pair(angle);
    std::vector<Vector3> gradients(4);
    ASSERT_NEAR(std::abs(bend->evaluate(x, gradients)), std::abs(angle), 1e-12);
    EXPECT_LT(gradient_error(*bend, x), 1e-7) << angle;
  }
}

TEST(ExplicitConstraint, SignedBendIsSmoothWhereItPassesFlat) {
  const auto bend = make_constraint(explicit_constraint(ConstraintKind::Bend), BendAngle::Signed);
  const auto up = gradients_of(*bend, pair(1e-9)), down = gradients_of(*bend, pair(-1e-9));
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LT((up[k] - down[k]).norm(), 1e-8);
}

// B-PBD-3: arccos has no sign, so that the direction jumps, and none at all exactly at d = ±1.
TEST(ExplicitConstraint, PrintedBendTurnsItsDirectionWhereItPassesFlat) {
  const auto bend = make_constraint(explicit_constraint(ConstraintKind::Bend), BendAngle::AsPrinted);
  const auto up = gradients_of(*bend, pair(1e-4)), down = gradients_of(*bend, pair(-1e-4));
  EXPECT_LT((up[3] + down[3]).norm(), 1e-3 * up[3].norm());
  EXPECT_GT(up[3].norm(), 1.0);
  std::vector<Vector3> gradients(4, Vector3::Ones());
  EXPECT_NEAR(bend->evaluate(pair(0.0), gradients), 0.0, 1e-15);  // φ = π where flat, and so is its rest value
  for (const Vector3& gradient : gradients) EXPECT_EQ(gradient, Vector3::Zero());
  for (const double angle : {1e-2, 1.0, 3.0})
    EXPECT_NEAR(bend->evaluate(pair(angle), gradients), -angle, 1e-12) << angle;
}

TEST(ExplicitConstraint, HasNoGradientWhereNothingCanBeDone) {
  const Points coincident = Points::Zero(4, 3);
  for (const ConstraintKind kind : kExplicitKinds)
    for (const BendAngle angle : {BendAngle::Signed, BendAngle::AsPrinted}) {
      const auto constraint = make_constraint(explicit_constraint(kind, 0.1), angle);
      for (const Vector3& gradient : gradients_of(*constraint, coincident)) EXPECT_EQ(gradient, Vector3::Zero());
    }
  Points sliver = pair(0.5);
  sliver.row(2) << 0.4, 0, 0;  // on the edge: no area
  for (const BendAngle angle : {BendAngle::Signed, BendAngle::AsPrinted})
    for (const Vector3& gradient :
         gradients_of(*make_constraint(explicit_constraint(ConstraintKind::Bend), angle), sliver))
      EXPECT_EQ(gradient, Vector3::Zero());
}

/// Cube of edge 2 a with outward triangles.
VolumeConstraint cube(double a, Points& x) {
  x.resize(8, 3);
  for (int i = 0; i < 8; ++i) x.row(i) << (i & 1 ? a : -a), (i & 2 ? a : -a), (i & 4 ? a : -a);
  VolumeConstraint volume;
  volume.vertices = {0, 1, 2, 3, 4, 5, 6, 7};
  volume.triangles.resize(12, 3);
  volume.triangles << 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5,
      3, 7, 5;
  volume.rest_sum = 6 * 8 * a * a * a;
  return volume;
}

// [MHHR07] eq. 13, §4.4
TEST(VolumeConstraintOfACloth, IsSixTimesTheVolumeLessThePressure) {
  Points x;
  const VolumeConstraint data = cube(0.5, x);
  std::vector<Vector3> gradients(8);
  EXPECT_NEAR(make_volume_constraint(data, 0.0, PressureVolume::SameSum)->evaluate(x, gradients), 6.0, 1e-14);
  EXPECT_NEAR(make_volume_constraint(data, 1.5, PressureVolume::SameSum)->evaluate(x, gradients), -3.0, 1e-14);
  EXPECT_NEAR(make_volume_constraint(data, 1.0, PressureVolume::TrueVolume)->evaluate(x, gradients), 5.0,
              1e-14);  // B-PBD-4
  const Points far = x.rowwise() + Eigen::RowVector3d(1e4, -2e4, 3e4);
  EXPECT_NEAR(make_volume_constraint(data, 1.0, PressureVolume::SameSum)->evaluate(far, gradients), 0.0, 1e-10);
}

// [MHHR07] eq. 14, §4.4
TEST(VolumeConstraintOfACloth, HasTheGradientOfItsValueAndNoNetForce) {
  Points x;
  const VolumeConstraint data = cube(0.5, x);
  numerics::RandomStream random(13);
  x += random_points(8, random, 0.2);
  const auto constraint = make_volume_constraint(data, 1.0, PressureVolume::SameSum);
  EXPECT_LT(gradient_error(*constraint, x), 1e-7);
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  const auto gradients = gradients_of(*constraint, x);
  for (std::size_t k = 0; k < 8; ++k) {
    force += gradients[k];
    torque += Vector3(x.row(Eigen::Index(k))).cross(gradients[k]);
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(torque.norm(), 1e-14);
}

}  // namespace
}  // namespace deformbench::pbd
