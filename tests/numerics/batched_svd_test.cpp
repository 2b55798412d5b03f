// SPDX-License-Identifier: BSD-3-Clause
// The signed singular value decomposition in batches against Eigen's, lane by lane, and that a lane knows nothing of
// its neighbours.
#include "methods/numerics/batched_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <cstring>
#include <vector>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

template <class T>
struct SvdLane {
  T f[9] = {}, q[4] = {1, 0, 0, 0}, u[9] = {}, s[3] = {}, v[9] = {};
  static Matrix3 matrix(const T* numbers) {
    Matrix3 m;
    for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = double(numbers[k]);
    return m;
  }
};

template <class T>
int decompose(std::vector<SvdLane<T>>& all) {
  constexpr int lanes = lane_count<T>;
  T buffer[lanes];
  const auto gather = [&](auto member, int count, Batch<T>* into) {
    for (int k = 0; k < count; ++k) {
      for (int lane = 0; lane < lanes; ++lane) buffer[lane] = (all[std::size_t(lane)].*member)[k];
      into[k] = Batch<T>::from(buffer);
    }
  };
  const auto scatter = [&](auto member, int count, const Batch<T>* from) {
    for (int k = 0; k < count; ++k) {
      from[k].to(buffer);
      for (int lane = 0; lane < lanes; ++lane) (all[std::size_t(lane)].*member)[k] = buffer[lane];
    }
  };
  Batch<T> f[9], q[4], u[9], s[3], v[9];
  gather(&SvdLane<T>::f, 9, f);
  gather(&SvdLane<T>::q, 4, q);
  const int repaired = batched_svd<T>(f, q, u, s, v);
  scatter(&SvdLane<T>::q, 4, q);
  scatter(&SvdLane<T>::u, 9, u);
  scatter(&SvdLane<T>::s, 3, s);
  scatter(&SvdLane<T>::v, 9, v);
  return repaired;
}

template <class T>
class BatchedSvd : public testing::Test {
 public:
  static constexpr double kSmall = sizeof(T) == 8 ? 1e-14 : 5e-6;  // some tens of roundings

  /// F = U diag(s) Vᵀ with rotations, ordered values, the sign of det F, values of Eigen's.
  static void expect_decomposed(const SvdLane<T>& lane) {
    const Matrix3 f = lane.matrix(lane.f), u = lane.matrix(lane.u), v = lane.matrix(lane.v);
    const Vector3 s(lane.s[0], lane.s[1], lane.s[2]);
    const double size = f.norm();
    EXPECT_LE((u * s.asDiagonal() * v.transpose() - f).cwiseAbs().maxCoeff(), kSmall * size) << f;
    for (const Matrix3& rotation : {u, v}) {
      EXPECT_LT((rotation.transpose() * rotation - Matrix3::Identity()).cwiseAbs().maxCoeff(), kSmall) << f;
      EXPECT_NEAR(rotation.determinant(), 1.0, kSmall) << f;
    }
    EXPECT_GE(s[0], s[1]) << f;
    EXPECT_GE(s[1], std::abs(s[2])) << f;
    Vector3 expected = Eigen::JacobiSVD<Matrix3>(f).singularValues();
    if (s[2] < 0) expected[2] *= -1.0;  // the sign is held by F = U diag(s) Vᵀ
    EXPECT_LE((s - expected).cwiseAbs().maxCoeff(), kSmall * size) << f;
  }

  /// Lanes in a row, any number of them; the last batch is filled up with copies of the last.
  static void expect_decomposed(std::vector<SvdLane<T>> all) {
    constexpr std::size_t lanes = std::size_t(lane_count<T>);
    while (all.size() % lanes != 0) all.push_back(all.back());
    for (std::size_t first = 0; first < all.size(); first += lanes) {
      const auto begin = all.begin() + std::ptrdiff_t(first);
      std::vector<SvdLane<T>> batch(begin, begin + std::ptrdiff_t(lanes));
      decompose(batch);
      for (const SvdLane<T>& lane : batch) expect_decomposed(lane);
    }
  }

  static SvdLane<T> lane_of(const Matrix3& f) {
    SvdLane<T> lane;
    for (int k = 0; k < 9; ++k) lane.f[k] = T(f(k / 3, k % 3));
    return lane;
  }
  static SvdLane<T> lane_of(const Vector3& s, RandomStream& random) {
    return lane_of(random.rotation() * s.asDiagonal() * random.rotation());
  }
};
using Arithmetics = testing::Types<float, double>;
TYPED_TEST_SUITE(BatchedSvd, Arithmetics);

TYPED_TEST(BatchedSvd, AgreesWithEigenOnRandomMatricesOfBothOrientations) {
  RandomStream random(51);
  std::vector<SvdLane<TypeParam>> all;
  int inverted = 0;
  for (int sample = 0; sample < 4000; ++sample) {
    Matrix3 f;
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = random.normal();
    inverted += f.determinant() < 0;
    all.push_back(this->lane_of(f));
  }
  EXPECT_GT(inverted, 1800);
  this->expect_decomposed(all);
}

TYPED_TEST(BatchedSvd, IsExactForEqualZeroAndNegativeValues) {
  RandomStream random(52);
  std::vector<SvdLane<TypeParam>> all;
  for (const Vector3& s :
       {Vector3(1, 1, 1), Vector3(2, 2, 2), Vector3(1, 1, 0.5), Vector3(1, 0.5, 0.5), Vector3(1, 1 - 1e-9, 0.5),
        Vector3(1, 1 - 1e-15, 1 - 2e-15), Vector3(1, 0.5, 0), Vector3(1, 1, 0), Vector3(1, 0, 0), Vector3(1, 1e-9, 0),
        Vector3(1, 1e-17, -1e-18), Vector3(1, 1e-4, -1e-4), Vector3(1, 1, -1), Vector3(1, 0.5, -0.5),
        Vector3(1, 1, -0.5), Vector3(1, 0.5, -0.1), Vector3(1, 1e-5, 1e-10), Vector3(1, 1, 1e-12)})
    for (int sample = 0; sample < 40; ++sample) all.push_back(this->lane_of(s, random));
  all.push_back(this->lane_of(Matrix3::Zero()));
  all.push_back(this->lane_of(Matrix3::Identity()));
  all.push_back(this->lane_of(-Matrix3::Identity()));
  all.push_back(this->lane_of(Matrix3::Ones()));
  all.push_back(this->lane_of(Vector3(0.5, 2.0, -3.0).asDiagonal()));
  all.push_back(this->lane_of(Vector3(0.0, 2.0, 0.0).asDiagonal()));
  Matrix3 shear = Matrix3::Identity();
  shear(0, 1) = 1.0;
  all.push_back(this->lane_of(shear));
  this->expect_decomposed(all);
}

TYPED_TEST(BatchedSvd, KeepsItsAccuracyOverScalesAndSpreadsOfTheValues) {
  RandomStream random(53);
  const double range = sizeof(TypeParam) == 8 ? 90.0 : 8.0;
  std::vector<SvdLane<TypeParam>> all;
  for (int sample = 0; sample < 400; ++sample) {
    const double scale = std::pow(10.0, random.uniform(-range, range)),
                 ratio = std::pow(10.0, -random.uniform(0.0, 8.0));
    const double last = (sample % 2 ? 1.0 : -1.0) * ratio * random.uniform();
    all.push_back(this->lane_of(scale * Vector3(1.0, ratio, last), random));
  }
  this->expect_decomposed(all);
}

TYPED_TEST(BatchedSvd, FromTheRotationOfTheLastCallNeedsNoRepair) {
  RandomStream random(54);
  constexpr std::size_t lanes = std::size_t(lane_count<TypeParam>);
  std::vector<SvdLane<TypeParam>> batch(lanes);
  std::vector<Matrix3> first(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    first[lane] = random.rotation() * Vector3(1.3, 0.9, 0.7).asDiagonal() * random.rotation();
    batch[lane] = this->lane_of(first[lane]);
  }
  decompose(batch);
  int repaired = 0;
  for (int call = 0; call < 50; ++call) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (int k = 0; k < 9; ++k) first[lane](k / 3, k % 3) += 0.01 * random.normal();
      const SvdLane<TypeParam> next = this->lane_of(first[lane]);
      std::memcpy(batch[lane].f, next.f, sizeof next.f);
    }
    repaired += decompose(batch);
    for (const auto& lane : batch) this->expect_decomposed(lane);
  }
  EXPECT_EQ(repaired, 0);
}

TYPED_TEST(BatchedSvd, ALaneIsTheSameBitsBesideAnyNeighbours) {
  RandomStream random(55);
  constexpr std::size_t lanes = std::size_t(lane_count<TypeParam>);
  const auto any = [&] {
    const double kind = random.uniform();
    Vector3 s(1.0 + random.uniform(), 1.0, random.uniform(-1.0, 1.0));
    if (kind < 0.2) s = Vector3(1, 1, 1);
    if (kind > 0.8) s = Vector3(1, 0, 0);
    return this->lane_of(s, random);
  };
  for (int sample = 0; sample < 60; ++sample) {
    const SvdLane<TypeParam> lane = any();
    std::vector<SvdLane<TypeParam>> alone(lanes, lane);
    decompose(alone);
    for (std::size_t place = 0; place < lanes; ++place) {
      std::vector<SvdLane<TypeParam>> batch;
      for (std::size_t k = 0; k < lanes; ++k) batch.push_back(k == place ? lane : any());
      decompose(batch);
      EXPECT_EQ(std::memcmp(&batch[place], &alone[0], sizeof lane), 0) << sample << ", place " << place;
    }
  }
}

TYPED_TEST(BatchedSvd, TheSweepsOfJacobiLeaveNothingBesideTheDiagonalOfTheHardestMatrix) {
  // Some entries small, some equal. With one sweep less the worst would be 3e-5.
  using T = TypeParam;
  RandomStream random(56);
  double worst = 0.0;
  for (int sample = 0; sample < 60000; ++sample) {
    T a[6], v[9];
    for (int k = 0; k < 6; ++k) a[k] = T(random.normal() * std::pow(10.0, -random.uniform(0.0, k < 3 ? 3.0 : 6.0)));
    if (sample % 3 == 0) a[1] = a[0];
    if (sample % 5 == 0) a[2] = a[1];
    double size = 0.0;
    for (int k = 0; k < 6; ++k) size = std::max(size, std::abs(double(a[k])));
    Matrix3 matrix;
    matrix << a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2];
    symmetric_eigen_lanes<T>(a, v);
    const Matrix3 axes = SvdLane<T>::matrix(v);
    const Matrix3 left = axes.transpose() * matrix * axes - Vector3(a[0], a[1], a[2]).asDiagonal().toDenseMatrix();
    worst = std::max(worst, left.cwiseAbs().maxCoeff() / size);
  }
  EXPECT_LT(worst, 0.5 * TestFixture::kSmall);
}

}  // namespace
}  // namespace deformbench::numerics
