// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients of one constraint, at states that enter each branch.
#include "methods/pbd/sweeps/scalar_constraints.hpp"

#include <gtest/gtest.h>

#include "methods/model/position_constraint.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::pbd {
namespace {

using Quad = std::array<Vector3, 4>;

/// A pair of triangles of about unit size, folded by `angle` about an edge in a random direction.
Quad folded_pair(double angle, numerics::RandomStream& random) {
  const double c = random.uniform(0.2, 0.8), d = random.uniform(0.2, 0.8);
  Quad x = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(c, -0.9, 0),
            Vector3(d, 0.8 * std::cos(angle), 0.8 * std::sin(angle))};
  const Matrix3 turn = random.rotation();
  for (Vector3& p : x) p = turn * p;
  return x;
}

/// Central differences of C against the gradients; worst absolute error (1/m).
double gradient_error(BendAngle angle, const Quad& x, double rest) {
  const double h = 1e-6;
  const Evaluated<4> at = evaluate_bend(angle, x, rest);
  double worst = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      Quad up = x, down = x;
      up[i][k] += h, down[i][k] -= h;
      const double difference =
          (evaluate_bend(angle, up, rest).value - evaluate_bend(angle, down, rest).value) / (2 * h);
      worst = std::max(worst, std::abs(difference - at.gradients[i][k]));
    }
  return worst;
}

// [MHHR07] §4.1
TEST(ScalarBend, SignedAngleIsThatOfTheModelAndItsGradientThatOfDifferences) {
  numerics::RandomStream random(5);
  for (const double angle : {-3.1, -2.0, -0.5, -1e-9, 0.0, 1e-9, 0.3, 1.6, 3.1}) {
    const Quad x = folded_pair(angle, random);
    EXPECT_NEAR(evaluate_signed_bend(x, 0.25).value, model::dihedral_angle(x[0], x[1], x[2], x[3]) - 0.25, 1e-14);
    // Rounding of the angle over h: 4e−16/1e−6, times a few; h² times third derivatives of size 10.
    EXPECT_LT(gradient_error(BendAngle::Signed, x, 0.25), 1e-8) << angle;
  }
}

// [MHHR07] §4.1, App. B
TEST(ScalarBend, PrintedAngleIsPiWhereFlatAndItsGradientThatOfDifferences) {
  numerics::RandomStream random(6);
  for (const double angle : {-2.5, -0.5, 0.3, 1.6, 2.9}) {
    const Quad x = folded_pair(angle, random);
    EXPECT_NEAR(evaluate_printed_bend(x, 0.0).value, -std::abs(angle), 1e-13);  // arccos − π
    EXPECT_LT(gradient_error(BendAngle::AsPrinted, x, 0.0), 1e-7) << angle;
  }
}

TEST(ScalarBend, PrintedAngleHasNoDirectionWhereFlat) {  // B-PBD-3
  const Quad flat = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.5, -1, 0), Vector3(0.5, 1, 0)};
  for (const Vector3& g : evaluate_printed_bend(flat, 0.5).gradients) EXPECT_EQ(g, Vector3::Zero());
  Vector3 sum = Vector3::Zero();
  for (const Vector3& g : evaluate_signed_bend(flat, 0.5).gradients) sum += g;
  EXPECT_GT(evaluate_signed_bend(flat, 0.5).gradients[2].norm(), 0.9);
  EXPECT_LT(sum.norm(), 1e-15);
}

TEST(ScalarBend, TrianglesWithoutAreaHaveNoGradient) {
  const Quad x = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.5, 0, 0), Vector3(0.5, 1, 0)};
  for (const BendAngle angle : {BendAngle::Signed, BendAngle::AsPrinted})
    for (const Vector3& g : evaluate_bend(angle, x, 0.0).gradients) EXPECT_EQ(g, Vector3::Zero());
}

// [MHHR07] eq. 9, 10
TEST(ScalarStretch, ValueAndGradients) {
  const Evaluated<2> at = evaluate_stretch({Vector3(1, 2, 3), Vector3(1, 2, 5)}, 1.5);
  EXPECT_EQ(at.value, 0.5);
  EXPECT_EQ(at.gradients[1], Vector3::UnitZ());
  EXPECT_EQ(at.gradients[0], -Vector3::UnitZ());
  EXPECT_EQ(evaluate_stretch({Vector3(1, 2, 3), Vector3(1, 2, 3)}, 1.5).gradients[1], Vector3::Zero());
}

}  // namespace
}  // namespace deformbench::pbd
