// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/spectrum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "methods/numerics/random.hpp"

namespace deformbench::harness {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Tridiagonal (−1, 2, −1): λ_k = 2 − 2 cos(kπ/(n+1)).
Sparse chain(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2.0);
    if (i > 0) {
      entries.emplace_back(i, i - 1, -1.0);
      entries.emplace_back(i - 1, i, -1.0);
    }
  }
  Sparse matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

double chain_value(int k, int n) {
  return 2.0 - 2.0 * std::cos(k * std::numbers::pi / (n + 1));
}

Sparse random_matrix(int n, bool symmetric) {
  numerics::RandomStream random(7);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 20.0 + 10.0 * random.uniform());
    for (int k = 0; k < 4; ++k) {
      const int j = int(random.below(std::uint64_t(n)));
      const double value = random.normal();
      entries.emplace_back(i, j, value);
      if (symmetric) entries.emplace_back(j, i, value);
    }
  }
  Sparse matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

TEST(Spectrum, ChainOfSpringsHasItsClosedFormEigenvaluesDenseAndByLanczos) {
  for (const int n : {50, 400}) {
    const Spectrum spectrum = extreme_values(chain(n));
    EXPECT_TRUE(spectrum.converged) << n;
    EXPECT_NEAR(spectrum.smallest, chain_value(1, n), 1e-9 * chain_value(1, n)) << n;
    EXPECT_NEAR(spectrum.largest, chain_value(n, n), 1e-9 * 4.0) << n;
  }
}

TEST(Spectrum, LanczosAgreesWithTheDenseSolver) {
  for (const bool symmetric : {true, false}) {
    const Sparse matrix = random_matrix(200, symmetric);
    const Spectrum dense = extreme_values(matrix, {.dense_below = 1000});
    const Spectrum sparse = extreme_values(matrix, {.dense_below = 0});
    EXPECT_TRUE(sparse.converged);
    EXPECT_NEAR(sparse.largest, dense.largest, 1e-8 * dense.largest) << symmetric;
    EXPECT_NEAR(sparse.smallest, dense.smallest, 1e-8 * dense.smallest) << symmetric;
  }
}

TEST(Spectrum, IndefiniteMatrixIsReportedAsNotConverged) {
  Sparse matrix = chain(400);
  matrix.coeffRef(0, 0) = -5.0;
  const Spectrum spectrum = extreme_values(matrix);
  EXPECT_FALSE(spectrum.converged);
  EXPECT_TRUE(std::isnan(spectrum.smallest));
}

TEST(Spectrum, AsymmetryIsRelativeToTheLargestEntry) {
  Sparse matrix = chain(5);
  EXPECT_EQ(asymmetry(matrix), 0.0);
  matrix.coeffRef(0, 1) = -0.5;
  EXPECT_DOUBLE_EQ(asymmetry(matrix), 0.25);
}

TEST(Spectrum, FrequenciesOfAFixedFreeBarAreThoseOfTheLumpedChain) {
  // Lumped bar, fixed at one end: ω_k = (2c/h) sin((2k − 1)π/4N), closed form `lumped_bar_frequency`, with c = h = 1.
  const int n = 40;
  Sparse stiffness = chain(n);
  stiffness.coeffRef(n - 1, n - 1) = 1.0;
  Eigen::VectorXd masses = Eigen::VectorXd::Ones(n);
  masses[n - 1] = 0.5;
  const Eigen::VectorXd squares = smallest_generalised(stiffness, masses, 3);
  for (int k = 1; k <= 3; ++k) {
    const double omega = 2.0 * std::sin((2 * k - 1) * std::numbers::pi / (4.0 * n));
    EXPECT_NEAR(std::sqrt(squares[k - 1]), omega, 1e-9 * omega) << k;
  }
}

TEST(Spectrum, AFreeVertexHasThreeFrequencies) {
  Sparse stiffness(3, 3);
  for (int k = 0; k < 3; ++k) stiffness.insert(k, k) = double((k + 1) * (k + 1));
  const Eigen::VectorXd squares = smallest_generalised(stiffness, Eigen::Vector3d::Constant(0.25), 4);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(squares[k], 4.0 * (k + 1) * (k + 1), 1e-12 * squares[k]) << k;
  EXPECT_TRUE(std::isnan(squares[3]));
}

}  // namespace
}  // namespace deformbench::harness
