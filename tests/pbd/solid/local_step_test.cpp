// SPDX-License-Identifier: BSD-3-Clause
// Corrections of one neo-Hookean tetrahedron, against its linear system and its energy written out here.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/solid/local_step.hpp"
#include "tests/pbd/solid/random_matrix.hpp"

namespace deformbench::pbd {
namespace {

Work work;  // counted and not looked at

/// Mobility of `vertices` free vertices with random masses and shape gradients.
Matrix3 random_mobility(numerics::RandomStream& random, int vertices) {
  Matrix3 g = Matrix3::Zero();
  for (int a = 0; a < vertices; ++a) {
    const Vector3 slope = random.uniform(1.0, 3.0) * random.direction();
    g += random.uniform(0.1, 2.0) * slope * slope.transpose();
  }
  return g;
}

/// The ratio of elastic to inertial stiffness is about `stiffness`.
LocalLaw law_of(double stiffness, double bulk_over_shear) {
  return {{1.0, bulk_over_shear}, stiffness};
}

std::array<double, 2> constraints(const NeoHookean& law, const Matrix3& f) {
  return {std::sqrt((f.transpose() * f).trace()), f.determinant() - 1.0 - law.mu / law.lambda};
}

std::array<Matrix3, 2> slopes(const NeoHookean& law, const Matrix3& f) {
  std::array<Matrix3, 2> result;
  for (int k = 0; k < 9; ++k) {
    Matrix3 more = f, less = f;
    more.data()[k] += 1e-6, less.data()[k] -= 1e-6;
    for (std::size_t c = 0; c < 2; ++c)
      result[c].data()[k] = (constraints(law, more)[c] - constraints(law, less)[c]) / 2e-6;
  }
  return result;
}

TEST(LocalStep, TheMobilityHasItsRootsAlsoWhereVerticesAreHeld) {
  numerics::RandomStream random(3);
  for (const double size : {1e-6, 1.0, 1e6}) {
    for (int vertices = 1; vertices <= 4; ++vertices) {
      const Matrix3 g = size * random_mobility(random, vertices);
      const LocalMobility mobility = local_mobility(g);
      EXPECT_LT((mobility.root * mobility.root - g).norm(), 1e-12 * g.norm());
      // A zero eigenvalue may come out as 1e-13 of the largest one (local_mobility): its root is 3e-7 of theirs.
      EXPECT_LT((mobility.root * mobility.root_inverse * mobility.root - mobility.root).norm(),
                1e-6 * mobility.root.norm());
      EXPECT_LT(mobility.root_inverse.norm() * mobility.root.norm(), 1e7) << "the inverse of a rounding error";
      EXPECT_LT((mobility.root * mobility.adjugate - mobility.root.determinant() * Matrix3::Identity()).norm(),
                1e-6 * std::pow(g.norm(), 1.5));
    }
  }
}

TEST(LocalStep, CoupledSolvesTheLinearisedSystemOfBoth) {
  numerics::RandomStream random(4);
  for (const double stiffness : {1e-3, 1.0, 1e3}) {
    for (int n = 0; n < 10; ++n) {
      const LocalLaw law = law_of(stiffness, std::pow(10.0, random.uniform(0.0, 3.0)));
      const LocalMobility mobility = local_mobility(random_mobility(random, 4));
      const Matrix3 f = Matrix3::Identity() + random_matrix(random, 0.7);
      Multipliers multipliers{random.uniform(-1, 1), random.uniform(-1, 1)};
      const Multipliers before = multipliers;
      const Matrix3 change = project_coupled(law, mobility, f, multipliers);
      // [MMC16] eq. 18 of a block: (∇C M⁻¹ ∇Cᵀ + α̃) Δλ = −C − α̃λ, α̃ = 1/(μVΔt²), 1/(lVΔt²).
      const auto c = constraints(law.material, f);
      const auto d = slopes(law.material, f);
      Eigen::Matrix2d system;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) system(i, j) = d[std::size_t(i)].cwiseProduct(d[std::size_t(j)] * mobility.g).sum();
      const double soft = 1 / (law.material.mu * law.weight), bulk = 1 / (law.material.lambda * law.weight);
      system(0, 0) += soft, system(1, 1) += bulk;
      const Eigen::Vector2d right(-c[0] - soft * before.deviatoric, -c[1] - bulk * before.hydrostatic);
      const Eigen::Vector2d expected = system.fullPivLu().solve(right);
      const double size = 1e-6 * (1 + expected.norm());  // differences of C
      EXPECT_NEAR(multipliers.deviatoric - before.deviatoric, expected[0], size);
      EXPECT_NEAR(multipliers.hydrostatic - before.hydrostatic, expected[1], size);
      EXPECT_LT((change - expected[0] * d[0] - expected[1] * d[1]).norm(), 10 * size);
    }
  }
}

TEST(LocalStep, OneByOneIsTwoProjectionsInARow) {
  numerics::RandomStream random(5);
  const LocalLaw law = law_of(2.0, 3.0);
  const LocalMobility mobility = local_mobility(random_mobility(random, 4));
  Matrix3 f = Matrix3::Identity() + random_matrix(random, 0.3);
  Multipliers multipliers{0.1, -0.2};
  Matrix3 here = f;
  double lambda[2] = {0.1, -0.2};
  for (std::size_t k = 0; k < 2; ++k) {
    const double soft = 1 / ((k == 0 ? law.material.mu : law.material.lambda) * law.weight);
    const Matrix3 slope = slopes(law.material, here)[k];
    const double change = (-constraints(law.material, here)[k] - soft * lambda[k]) /
                          (slope.cwiseProduct(slope * mobility.g).sum() + soft);
    lambda[k] += change;
    here += change * slope * mobility.g;
  }
  const Matrix3 start = f, change = project_one_by_one(law, mobility, f, multipliers);
  EXPECT_LT((f - here).norm(), 1e-8);
  EXPECT_LT((start + change * mobility.g - here).norm(), 1e-8);
  EXPECT_NEAR(multipliers.deviatoric, lambda[0], 1e-8);
  EXPECT_NEAR(multipliers.hydrostatic, lambda[1], 1e-8);
}

TEST(LocalStep, RestIsKeptAtAnyComplianceRatioByAllButOneByOne) {
  numerics::RandomStream random(6);
  for (const double stiffness : {1e-6, 1e-2, 1.0, 1e2, 1e6, 1e10})
    for (const double ratio : {0.5, 1.0, 3.0, 1e3, 1e6}) {  // l/μ = 1/(1 − 2ν)
      const LocalLaw law = law_of(stiffness, ratio);
      const LocalMobility mobility = local_mobility(random_mobility(random, 4));
      for (Matrix3 rest : {Matrix3(Matrix3::Identity()), random.rotation()}) {
        // A rotation is at rest to rounding, and the rounding of its forces turns it.
        const double rounding = 2e-14 * stiffness, turning = rest == Matrix3::Identity() ? 0.0 : rounding;
        Multipliers multipliers;
        EXPECT_LT((project_coupled(law, mobility, rest, multipliers) * mobility.g).norm(), 1e-14 + rounding)
            << stiffness;
        // Each multiplier is that of its own force, −C/α̃, and the forces are opposite.
        EXPECT_NEAR(multipliers.deviatoric, -std::sqrt(3.0) * stiffness, 1e-6 * stiffness);
        EXPECT_NEAR(multipliers.hydrostatic, stiffness, 1e-6 * stiffness);
        EXPECT_LT((newton_change(law, mobility, rest, Matrix3::Zero(), work) * mobility.g).norm(), 1e-15 + turning)
            << ratio;
        multipliers = {};
        const Matrix3 before = rest;
        project_one_by_one(law, mobility, rest, multipliers);
        if (stiffness < 1e-2) continue;
        EXPECT_GT((rest - before).norm(), 1e-4) << stiffness << ratio;
      }
    }
}

TEST(LocalStep, NewtonEndsAtTheMinimumOfTheLocalObjective) {
  numerics::RandomStream random(7);
  for (const double stiffness : {1e-3, 1.0, 1e2, 1e4})
    for (const double ratio : {1.0, 3.0, 100.0})
      for (int vertices = 1; vertices <= 4; ++vertices)
        for (int n = 0; n < 8; ++n) {
          const LocalLaw law = law_of(stiffness, ratio);
          const LocalMobility mobility = local_mobility(random_mobility(random, vertices));
          const Matrix3 start = n == 0 ? Matrix3(Matrix3::Zero())
                                       : Matrix3(Matrix3::Identity() + random_matrix(random, n % 2 == 0 ? 0.2 : 2.0));
          Matrix3 f = start, applied = Matrix3::Zero();
          const auto objective = [&] {
            return 0.5 * applied.cwiseProduct(applied * mobility.g).sum() + law.weight * law.material.energy(f);
          };
          double last = objective();
          for (int k = 0; k < 500; ++k) {
            const Matrix3 change = newton_change(law, mobility, f, applied, work);
            applied += change;
            f += change * mobility.g;
            const double now = objective();
            EXPECT_LE(now, last + 1e-11 * (std::abs(last) + stiffness * (1 + f.squaredNorm()))) << k;
            last = now;
          }
          if (stiffness > 1e3) continue;  // it has to follow the rotations, a curved valley, in short steps
          // S = −V Δt² P(F), in what can move.
          const Matrix3 wanted = -law.weight * law.material.piola(f);
          EXPECT_LT(((applied - wanted) * mobility.root).norm(), 1e-7 * (1 + law.weight * ratio * f.norm()))
              << stiffness << ' ' << ratio << ' ' << vertices << ' ' << n;
          EXPECT_LT((start + applied * mobility.g - f).norm(), 1e-9 * (1 + start.norm()));
        }
}

TEST(LocalStep, NewtonIsQuadraticNearItsEnd) {
  numerics::RandomStream random(8);
  for (int n = 0; n < 10; ++n) {
    const LocalLaw law = law_of(5.0, 3.0);
    const LocalMobility mobility = local_mobility(random_mobility(random, 4));
    Matrix3 f = Matrix3::Identity() + random_matrix(random, 0.05), applied = Matrix3::Zero();
    double last = 1.0;
    for (int k = 0; k < 12; ++k) {
      const Matrix3 change = newton_change(law, mobility, f, applied, work);
      applied += change;
      f += change * mobility.g;
      const double size = (change * mobility.g).norm();
      if (last < 1e-3) {
        EXPECT_LT(size, 50 * last * last + 1e-13) << k;
      }
      last = size;
    }
    EXPECT_LT(last, 1e-13);
  }
}

/// F of a tetrahedron that starts from `f`, after many visits.
Matrix3 visited(SolidSolve solve, const LocalLaw& law, const LocalMobility& mobility, Matrix3 f, int visits) {
  Multipliers multipliers;
  Matrix3 applied = Matrix3::Zero();
  for (int k = 0; k < visits; ++k) {
    if (solve == SolidSolve::OneByOne) {
      project_one_by_one(law, mobility, f, multipliers);
      continue;
    }
    const Matrix3 change = solve == SolidSolve::Coupled ? project_coupled(law, mobility, f, multipliers)
                                                        : newton_change(law, mobility, f, applied, work);
    applied += change;
    f += change * mobility.g;
  }
  return f;
}

TEST(LocalStep, WithoutComplianceATetrahedronIsRigidByNewtonAndLostByTheLinearisedProjections) {
  // E → ∞ at fixed ν sends both compliances to zero: C_D = 0 and C_H = 0 have no common solution, as det F = 1 + μ/l
  // and F = 0 exclude each other. What has a limit is the minimum of the energies: F a rotation.
  numerics::RandomStream random(9);
  for (int n = 0; n < 5; ++n) {
    const LocalMobility mobility = local_mobility(random_mobility(random, 4));
    const Matrix3 start = Matrix3::Identity() + random_matrix(random, 0.1);
    const auto strain = [](const Matrix3& f) { return (f.transpose() * f - Matrix3::Identity()).norm(); };
    const Matrix3 rigid = visited(SolidSolve::Newton, law_of(1e10, 3.0), mobility, start, 100);
    EXPECT_LT(strain(rigid), 1e-4 * strain(start));
    EXPECT_GT(rigid.determinant(), 0.0);
    for (const SolidSolve solve : {SolidSolve::Coupled, SolidSolve::OneByOne})
      EXPECT_GT(strain(visited(solve, law_of(1e10, 3.0), mobility, start, 100)), strain(start));
  }
}

TEST(LocalStep, TowardsPoissonsRatioOfAHalfItKeepsTheVolumeAlone) {
  // l → ∞ at fixed μ: C_H = J − 1 − μ/l without compliance is J = 1, C_D keeps its own.
  numerics::RandomStream random(10);
  for (const SolidSolve solve : {SolidSolve::Newton, SolidSolve::Coupled}) {
    const LocalMobility mobility = local_mobility(random_mobility(random, 4));
    const Matrix3 start = Matrix3::Identity() + random_matrix(random, 0.2);
    double last = std::abs(start.determinant() - 1);
    for (const double ratio : {1e2, 1e4, 1e6}) {
      const Matrix3 f = visited(solve, law_of(1e-2, ratio), mobility, start, 50);
      EXPECT_LT(std::abs(f.determinant() - 1), 0.1 * last);
      last = std::abs(f.determinant() - 1);
      EXPECT_GT((f.transpose() * f - Matrix3::Identity()).norm(), 0.01);
    }
  }
}

}  // namespace
}  // namespace deformbench::pbd
