// SPDX-License-Identifier: BSD-3-Clause
// The energy of the two constraints, [MM21]: against the constraints themselves, differences, and linear elasticity.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/pbd/solid/neo_hookean.hpp"
#include "tests/pbd/solid/random_matrix.hpp"

namespace deformbench::pbd {
namespace {

constexpr double kRatios[] = {-0.4, 0.0, 0.2, 0.33, 0.45, 0.499};

model::Material material_of(double poisson_ratio) {
  model::Material material;
  material.poisson_ratio = poisson_ratio;
  return material;
}

TEST(NeoHookean, EnergyIsHalfTheSquareOfEachConstraintOverItsCompliance) {
  numerics::RandomStream random(5);
  for (const double ratio : kRatios) {
    const model::Material material = material_of(ratio);
    const double mu = material.lame_mu(), l = material.lame_lambda() + mu, volume = 0.037;
    const double soft = 1.0 / (mu * volume), bulk = 1.0 / (l * volume);
    const auto of_constraints = [&](const Matrix3& f) {
      const double deviatoric = std::sqrt((f.transpose() * f).trace()), hydrostatic = f.determinant() - 1.0 - mu / l;
      return 0.5 * deviatoric * deviatoric / soft + 0.5 * hydrostatic * hydrostatic / bulk;
    };
    const double rest = of_constraints(Matrix3::Identity());
    for (int k = 0; k < 20; ++k) {
      const Matrix3 f = random_matrix(random, 2.0);  // half of them inverted
      const double expected = of_constraints(f) - rest;
      EXPECT_NEAR(volume * NeoHookean::of(material).energy(f), expected, 1e-12 * (std::abs(expected) + rest)) << ratio;
    }
  }
}

TEST(NeoHookean, StressIsTheSlopeOfTheEnergy) {
  numerics::RandomStream random(6);
  for (const double ratio : kRatios) {
    const NeoHookean law = NeoHookean::of(material_of(ratio));
    for (int n = 0; n < 10; ++n) {
      const Matrix3 f = n == 0 ? Matrix3(Matrix3::Zero()) : random_matrix(random, 1.5);
      const Matrix3 p = law.piola(f);
      for (int k = 0; k < 9; ++k) {
        Matrix3 more = f, less = f;
        more.data()[k] += 1e-5, less.data()[k] -= 1e-5;
        // Central differences: h² of third derivatives of the order l, and rounding over h.
        EXPECT_NEAR(p.data()[k], (law.energy(more) - law.energy(less)) / 2e-5, 1e-6 * (law.lambda + law.mu)) << ratio;
      }
    }
  }
}

TEST(NeoHookean, RestHasNoStressAndStaysThereWhenTurned) {
  numerics::RandomStream random(7);
  for (const double ratio : kRatios) {
    const NeoHookean law = NeoHookean::of(material_of(ratio));
    EXPECT_EQ(law.piola(Matrix3::Identity()).norm(), 0.0);
    EXPECT_EQ(law.energy(Matrix3::Identity()), 0.0);
    for (int k = 0; k < 10; ++k) {
      const Matrix3 turned = random.rotation();
      EXPECT_LT(law.piola(turned).norm(), 1e-14 * (law.mu + law.lambda)) << ratio;
      EXPECT_LT(std::abs(law.energy(turned)), 1e-14 * (law.mu + law.lambda)) << ratio;
    }
  }
}

/// δP at rest for δF = h, by central differences.
Matrix3 tangent(const NeoHookean& law, const Matrix3& h) {
  const double step = 1e-6;
  const Matrix3 rest = Matrix3::Identity();
  return (law.piola(rest + step * h) - law.piola(rest - step * h)) / (2 * step);
}

TEST(NeoHookean, SmallStrainsSeeTheLameConstantsOfTheMaterial) {
  numerics::RandomStream random(8);
  for (const double ratio : kRatios) {
    const model::Material material = material_of(ratio);
    const NeoHookean law = NeoHookean::of(material);
    EXPECT_GT(law.lambda, 0.0);
    EXPECT_NEAR(law.lambda, material.lame_mu() / (1 - 2 * ratio), 1e-9 * law.lambda);
    for (int k = 0; k < 10; ++k) {
      const Matrix3 h = random_matrix(random, 1.0), strain = 0.5 * (h + h.transpose());
      const Matrix3 stress =
          2 * material.lame_mu() * strain + material.lame_lambda() * strain.trace() * Matrix3::Identity();
      EXPECT_LT((tangent(law, h) - stress).norm(), 1e-8 * (law.lambda + law.mu)) << ratio;
    }
  }
}

TEST(NeoHookean, WithLambdaItselfInTheConstraintLambdaIsTooSmallByMu) {
  const model::Material material = material_of(0.33);
  const NeoHookean naive{material.lame_mu(), material.lame_lambda()};
  const double seen = tangent(naive, Matrix3::Identity())(0, 0) - 2 * material.lame_mu();  // 3λ of a dilation
  EXPECT_NEAR(seen / 3, material.lame_lambda() - material.lame_mu(), 1e-6 * material.young_modulus);
}

TEST(NeoHookean, AStretchedBarWithFreeSidesFollowsItsClosedForm) {
  // F = diag(s, t, t): no stress across is μ t + (l (s t² − 1) − μ) s t = 0, so that t² = (1 + (1 − 1/s) μ/l)/s.
  for (const double ratio : kRatios) {
    const model::Material material = material_of(ratio);
    const NeoHookean law = NeoHookean::of(material);
    for (const double s : {0.6, 0.9, 1.0 + 1e-6, 1.3, 2.0}) {
      const double square = (1.0 + (1.0 - 1.0 / s) * law.mu / law.lambda) / s;
      if (!(square > 0.0)) continue;
      const double t = std::sqrt(square);
      const Matrix3 p = law.piola(Vector3(s, t, t).asDiagonal());
      EXPECT_NEAR(p(1, 1), 0.0, 1e-12 * (law.mu + law.lambda)) << ratio << ' ' << s;
      const double closed = law.mu * s - law.mu * square / s;  // of l (J − 1) − μ = −μ/s
      EXPECT_NEAR(p(0, 0), closed, 1e-12 * (law.mu + law.lambda)) << ratio << ' ' << s;
      if (std::abs(s - 1.0) > 1e-3) continue;
      EXPECT_NEAR(p(0, 0) / (s - 1.0), material.young_modulus, 1e-5 * material.young_modulus) << ratio;
      EXPECT_NEAR((1.0 - t) / (s - 1.0), ratio, 1e-5) << ratio;
    }
  }
}

TEST(NeoHookean, ACollapsedTetrahedronStandsHalfALambdaAboveRest) {
  for (const double ratio : kRatios) {
    const model::Material material = material_of(ratio);
    const NeoHookean law = NeoHookean::of(material);
    EXPECT_NEAR(law.energy(Matrix3::Zero()), 0.5 * material.lame_lambda(), 1e-12 * law.lambda);
    EXPECT_EQ(law.piola(Matrix3::Zero()).norm(), 0.0);
    EXPECT_GT(law.energy(1e-3 * Matrix3::Identity()), law.energy(Matrix3::Zero()));  // a minimum
  }
}

}  // namespace
}  // namespace deformbench::pbd
