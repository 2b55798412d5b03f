// SPDX-License-Identifier: BSD-3-Clause
// The rotation of a 3×3 matrix against Eigen's singular value decomposition, and the batched form against both.
// [MG04] §2.4
#include "methods/numerics/polar_decomposition.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

#include "methods/numerics/batched_polar.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

constexpr double kRounding = 1e-13;  // a few hundred roundings of numbers of order one

Matrix3 random_matrix(RandomStream& random) {
  Matrix3 m;
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = random.normal();
  return m;
}

/// R = U diag(1, 1, det) Vᵀ, and how well it is determined: (σ2 + det σ3)/σ1.
Matrix3 rotation_by_svd(const Matrix3& f, double* margin = nullptr) {
  const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1.0 : 1.0;
  if (margin) *margin = (svd.singularValues()[1] + sign * svd.singularValues()[2]) / svd.singularValues()[0];
  return svd.matrixU() * Vector3(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
}

double distance_from_rotation(const Matrix3& r) {
  return std::max((r.transpose() * r - Matrix3::Identity()).cwiseAbs().maxCoeff(), std::abs(r.determinant() - 1.0));
}

TEST(PolarDecomposition, AgreesWithSvdOnRandomMatricesOfBothOrientations) {
  RandomStream random(11);
  int inverted = 0;
  for (int k = 0; k < 2000; ++k) {
    const Matrix3 f = random_matrix(random);
    double margin;
    const Matrix3 expected = rotation_by_svd(f, &margin);
    inverted += f.determinant() < 0;
    // The rotation changes by |δF|/(σ2 ± σ3) under a perturbation of F.
    EXPECT_LT((polar_rotation(f) - expected).cwiseAbs().maxCoeff(), kRounding / margin) << f;
  }
  EXPECT_GT(inverted, 800);
  EXPECT_LT(inverted, 1200);
}

TEST(PolarDecomposition, OfRankTwoMatrixIsTheNearestRotation) {
  RandomStream random(12);
  for (int k = 0; k < 500; ++k) {
    const Matrix3 f = random.rotation() * Vector3(2.0, 0.5 + random.uniform(), 0.0).asDiagonal() * random.rotation();
    EXPECT_LT((polar_rotation(f) - rotation_by_svd(f)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(PolarDecomposition, OfRankOneAndZeroMatricesIsSomeRotationThatMaximisesTheTrace) {
  RandomStream random(13);
  for (int k = 0; k < 500; ++k) {
    const Matrix3 f = 3.0 * random.direction() * random.direction().transpose();
    const Matrix3 r = polar_rotation(f);
    EXPECT_LT(distance_from_rotation(r), kRounding);
    EXPECT_NEAR((r.transpose() * f).trace(), 3.0, 1e-12);
  }
  EXPECT_EQ(polar_rotation(Matrix3::Zero()), Matrix3::Identity());
}

TEST(PolarDecomposition, IsARotationWhateverTheScale) {
  RandomStream random(14);
  for (const double scale : {1e-300, 1e-20, 1e20, 1e300}) {
    const Matrix3 f = random_matrix(random);
    EXPECT_LT((polar_rotation(scale * f) - polar_rotation(f)).cwiseAbs().maxCoeff(), 1e-12) << scale;
  }
}

TEST(PolarDecomposition, OfANearlyDegenerateMatrixIsStillARotation) {
  RandomStream random(15);
  for (int k = 0; k < 500; ++k) {
    const double tiny = std::pow(10.0, -random.uniform(6.0, 18.0));
    const Matrix3 f = random.rotation() * Vector3(1.0, tiny, -tiny * random.uniform()).asDiagonal() * random.rotation();
    EXPECT_LT(distance_from_rotation(polar_rotation(f)), kRounding);
  }
}

TEST(PolarDecomposition, AsPrintedIsAReflectionExactlyForInvertedMatrices) {
  RandomStream random(16);
  for (int k = 0; k < 500; ++k) {
    const Matrix3 f = random_matrix(random);
    const Matrix3 q = polar_orthogonal_factor(f);
    EXPECT_NEAR(q.determinant(), f.determinant() < 0 ? -1.0 : 1.0, kRounding);
    const Matrix3 stretch = q.transpose() * f;  // symmetric and positive definite, in both cases
    EXPECT_LT((stretch - stretch.transpose()).cwiseAbs().maxCoeff(), 1e-11 * f.norm());
    EXPECT_GT(stretch.determinant(), 0.0);
  }
}

TEST(PolarDecomposition, GramSchmidtGivesRotationsAndLeavesAnUpperTriangle) {
  RandomStream random(17);
  for (int k = 0; k < 500; ++k) {
    const Matrix3 f = random_matrix(random);
    const Matrix3 r = gram_schmidt_rotation(f);
    EXPECT_LT(distance_from_rotation(r), kRounding);
    const Matrix3 upper = r.transpose() * f;
    EXPECT_LT(std::abs(upper(1, 0)) + std::abs(upper(2, 0)) + std::abs(upper(2, 1)), 1e-11 * f.norm());
    EXPECT_NEAR(gram_schmidt_rotation(f, true).determinant(), f.determinant() < 0 ? -1.0 : 1.0, kRounding);
  }
  EXPECT_LT(distance_from_rotation(gram_schmidt_rotation(Vector3(1, 2, 3) * Vector3(1, 1, 1).transpose())), kRounding);
}

template <class T>
struct Batched {
  static constexpr int lanes = lane_count<T>;
  T f[9 * lanes], q[4 * lanes], r[9 * lanes];
  static Matrix3 lane_of(const T* numbers, int lane) {
    Matrix3 m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = double(numbers[k * lanes + lane]);
    return m;
  }
  Matrix3 matrix(int lane) const { return lane_of(f, lane); }  // as rounded to T
  Matrix3 rotation(int lane) const { return lane_of(r, lane); }
  void set(int lane, const Matrix3& m, const Eigen::Vector4d& start) {
    for (int k = 0; k < 9; ++k) f[k * lanes + lane] = T(m(k / 3, k % 3));
    for (int k = 0; k < 4; ++k) q[k * lanes + lane] = T(start[k]);
  }
  int decompose() {
    Batch<T> matrices[9], quaternions[4], rotations[9];
    for (int k = 0; k < 9; ++k) matrices[k] = Batch<T>::from(f + k * lanes);
    for (int k = 0; k < 4; ++k) quaternions[k] = Batch<T>::from(q + k * lanes);
    const int repaired = batched_polar<T>(matrices, quaternions, rotations);
    for (int k = 0; k < 9; ++k) rotations[k].to(r + k * lanes);
    for (int k = 0; k < 4; ++k) quaternions[k].to(q + k * lanes);  // the next call's warm start
    return repaired;
  }
};

template <class T>
double worst_warm_start_error(double turn, int& fallbacks, int& lanes_done) {
  RandomStream random(18);
  double worst = 0.0;
  fallbacks = lanes_done = 0;
  for (int k = 0; k < 500; ++k) {
    Batched<T> batch;
    Matrix3 matrices[Batched<T>::lanes];
    for (int lane = 0; lane < Batched<T>::lanes; ++lane) {
      const Matrix3 stretch_frame = random.rotation();
      const Matrix3 stretch =
          stretch_frame.transpose() *
          Vector3(random.uniform(0.5, 1.5), random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)).asDiagonal() *
          stretch_frame;
      const Matrix3 r = random.rotation();
      const Vector3 axis = random.direction();
      Eigen::Vector4d q = polar_quaternion(r);
      const Eigen::Vector4d dq(std::cos(turn / 2), axis[0] * std::sin(turn / 2), axis[1] * std::sin(turn / 2),
                               axis[2] * std::sin(turn / 2));
      matrices[lane] = r * stretch;
      batch.set(lane, matrices[lane], polar_quaternion(rotation_of_quaternion(q) * rotation_of_quaternion(dq)));
      matrices[lane] = batch.matrix(lane);
    }
    fallbacks += batch.decompose();
    for (int lane = 0; lane < Batched<T>::lanes; ++lane, ++lanes_done)
      worst = std::max(worst, (batch.rotation(lane) - rotation_by_svd(matrices[lane])).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(BatchedPolar, WarmStartedEqualsTheScalarResultWithoutFallback) {
  int fallbacks, lanes;
  EXPECT_LT(worst_warm_start_error<double>(0.1, fallbacks, lanes), 1e-13);
  EXPECT_EQ(fallbacks, 0);
  EXPECT_LT(worst_warm_start_error<float>(0.1, fallbacks, lanes), 3e-6);
  EXPECT_EQ(fallbacks, 0);
}

TEST(BatchedPolar, StaysRightFromAColdStartAndSeldomNeedsTheFallback) {
  int fallbacks, lanes;
  EXPECT_LT(worst_warm_start_error<double>(1.0, fallbacks, lanes), 1e-12);
  EXPECT_LT(fallbacks, lanes / 50);
  // Beyond a right angle Newton's matrix is indefinite: the guard sends the lanes to a start of their own.
  for (const double turn : {2.0, 3.1}) {
    EXPECT_LT(worst_warm_start_error<double>(turn, fallbacks, lanes), 1e-12);
    EXPECT_EQ(fallbacks, 0);
    EXPECT_LT(worst_warm_start_error<float>(turn, fallbacks, lanes), 3e-6);
    EXPECT_EQ(fallbacks, 0);
  }
}

/// Matrices of every shape, a half of them inverted, from starts that have nothing to do with them. Returns the worst
/// shortfall of tr(RᵀF) from its maximum, over ‖F‖: near s2 = −s3 the rotation is not unique, the maximum is.
template <class T>
double worst_shortfall(double scale, int& fallbacks, int& lanes_done) {
  RandomStream random(19);
  double worst = 0.0;
  fallbacks = lanes_done = 0;
  for (int k = 0; k < 2000; ++k) {
    Batched<T> batch;
    for (int lane = 0; lane < Batched<T>::lanes; ++lane)
      batch.set(lane, scale * random_matrix(random), polar_quaternion(random.rotation()));
    fallbacks += batch.decompose();
    for (int lane = 0; lane < Batched<T>::lanes; ++lane, ++lanes_done) {
      const Matrix3 f = batch.matrix(lane);
      const Vector3 s = Eigen::JacobiSVD<Matrix3>(f).singularValues();
      const double most = s[0] + s[1] + (f.determinant() < 0 ? -s[2] : s[2]);
      worst = std::max(worst, (most - (batch.rotation(lane).transpose() * f).trace()) / f.norm());
      EXPECT_LT(distance_from_rotation(batch.rotation(lane)), sizeof(T) == 8 ? kRounding : 1e-5);
    }
  }
  return worst;
}

TEST(BatchedPolar, FindsTheMaximumOfInvertedMatricesFromAnyStartWithHardlyAFallback) {
  int fallbacks, lanes;
  for (const double scale : {1.0, 1e-6, 1e6}) {
    EXPECT_LT(worst_shortfall<double>(scale, fallbacks, lanes), 1e-12);
    EXPECT_LT(fallbacks, lanes / 100);
    EXPECT_LT(worst_shortfall<float>(scale, fallbacks, lanes), 1e-5);
    EXPECT_LT(fallbacks, lanes / 20);
  }
}

TEST(BatchedPolar, LeavesMatricesWithoutAUniqueRotationToTheScalarMethod) {
  RandomStream random(21);
  Batched<double> batch;
  for (const Vector3& s : {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(1, 0.5, -0.5), Vector3(1, 1, -1)}) {
    for (int lane = 0; lane < Batched<double>::lanes; ++lane)
      batch.set(lane, random.rotation() * s.asDiagonal() * random.rotation(), polar_quaternion(random.rotation()));
    EXPECT_EQ(batch.decompose(), Batched<double>::lanes);
    for (int lane = 0; lane < Batched<double>::lanes; ++lane) {
      EXPECT_LT(distance_from_rotation(batch.rotation(lane)), kRounding);
      EXPECT_NEAR((batch.rotation(lane).transpose() * batch.matrix(lane)).trace(), s.sum(), 1e-9);
    }
  }
}

TEST(BatchedPolar, WarmStartsCarriedThroughUnrelatedMatricesStayRotations) {
  RandomStream random(20);
  Batched<double> batch;
  // A start of any length is a rotation; it must neither grow from call to call nor spoil the result.
  for (int lane = 0; lane < Batched<double>::lanes; ++lane)
    batch.set(lane, Matrix3::Identity(), 1e3 * polar_quaternion(random.rotation()));
  for (int call = 0; call < 2000; ++call) {
    for (int lane = 0; lane < Batched<double>::lanes; ++lane) {
      const Matrix3 f = random_matrix(random);
      for (int k = 0; k < 9; ++k) batch.f[k * Batched<double>::lanes + lane] = f(k / 3, k % 3);
    }
    batch.decompose();
    for (int lane = 0; lane < Batched<double>::lanes; ++lane)
      ASSERT_LT(distance_from_rotation(batch.rotation(lane)), kRounding) << "call " << call << ", lane " << lane;
  }
}

TEST(BatchedPolar, InvertedAndDegenerateLanesAreGuarded) {
  RandomStream random(19);
  int inverted = 0, fallbacks = 0;
  for (int k = 0; k < 500; ++k) {
    Batched<double> batch;
    Matrix3 matrices[Batched<double>::lanes];
    for (int lane = 0; lane < Batched<double>::lanes; ++lane) {
      matrices[lane] = random_matrix(random);
      if ((k + lane) % 7 == 0) matrices[lane].col(2) = matrices[lane].col(0);  // rank two
      if ((k + lane) % 50 == 0) matrices[lane].setZero();
      inverted += matrices[lane].determinant() < 0;
      batch.set(lane, matrices[lane], polar_quaternion(random.rotation()));
    }
    fallbacks += batch.decompose();
    for (int lane = 0; lane < Batched<double>::lanes; ++lane) {
      EXPECT_LT(distance_from_rotation(batch.rotation(lane)), kRounding);
      double margin;
      const Matrix3 expected = rotation_by_svd(matrices[lane], &margin);
      if (margin > 1e-6) {
        EXPECT_LT((batch.rotation(lane) - expected).cwiseAbs().maxCoeff(), 1e-11 / margin) << matrices[lane];
      }
    }
  }
  EXPECT_GT(inverted, 500);
  EXPECT_GT(fallbacks, 0);  // the guard was reached
}

}  // namespace
}  // namespace deformbench::numerics
