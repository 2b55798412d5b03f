// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

void expect_decomposes(const Matrix3& a) {
  const SymmetricEigen3 eigen = symmetric_eigen(a);
  const double size = std::max(a.norm(), 1e-300);
  EXPECT_LT((a * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), 1e-14 * size);
  EXPECT_LT((eigen.vectors.transpose() * eigen.vectors - Matrix3::Identity()).norm(), 1e-14);
  EXPECT_GT(eigen.vectors.determinant(), 0.0);
  EXPECT_LE(eigen.values[0], eigen.values[1]);
  EXPECT_LE(eigen.values[1], eigen.values[2]);
  const Eigen::SelfAdjointEigenSolver<Matrix3> oracle(a);
  EXPECT_LT((eigen.values - oracle.eigenvalues()).cwiseAbs().maxCoeff(), 1e-14 * size);
}

TEST(SymmetricEigen, AgreesWithEigenOnRandomMatrices) {
  RandomStream random(21);
  for (int k = 0; k < 1000; ++k) {
    Matrix3 a;
    for (int i = 0; i < 9; ++i) a(i / 3, i % 3) = random.normal();
    expect_decomposes(a + a.transpose());
  }
}

TEST(SymmetricEigen, KeepsOrthonormalVectorsForRepeatedAndNearlyRepeatedValues) {
  RandomStream random(22);
  for (const double gap : {0.0, 1e-16, 1e-12, 1e-8}) {
    const Matrix3 r = random.rotation();
    Matrix3 a = r * Vector3(1.0, 1.0 + gap, -2.0).asDiagonal() * r.transpose();
    a = 0.5 * (a + a.transpose()).eval();
    expect_decomposes(a);
  }
  expect_decomposes(Matrix3::Zero());
  expect_decomposes(Matrix3::Identity());
}

}  // namespace
}  // namespace deformbench::numerics
