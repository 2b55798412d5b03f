// SPDX-License-Identifier: BSD-3-Clause
// ∂²Ψ/∂F² from its own axes: against differences of the stress, against the published eigenvalues, projected, and in
// batches. [TSIF05] [SGK18] [SGK19]
#include "methods/fem/nonlinear/principal_hessian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstring>

#include "methods/numerics/batched_svd.hpp"
#include "tests/fem/law_states.hpp"

namespace deformbench::fem {
namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;
using Eigen9 = Eigen::SelfAdjointEigenSolver<Matrix9>;

class HessianOf : public testing::TestWithParam<LawUnderTest> {};
INSTANTIATE_TEST_SUITE_P(Laws, HessianOf, testing::ValuesIn(all_laws()), name_of_law);

TEST_P(HessianOf, IsTheDerivativeOfTheStress) {
  const LawUnderTest& law = GetParam();
  const double step = 1e-5;
  numerics::RandomStream random(41);
  for (const State& state : law.states()) {
    const SignedSvd svd = turned(state, random);
    const Matrix9 hessian = assembled(svd, law.second_derivatives(state.s));
    Matrix9 slopes;
    for (int k = 0; k < 9; ++k) {
      Matrix3 change = Matrix3::Zero();
      change(k / 3, k % 3) = step;
      const RowMajor slope = (law.piola_at(svd.f() + change) - law.piola_at(svd.f() - change)) / (2 * step);
      slopes.col(k) = Eigen::Map<const Vector9>(slope.data());
    }
    EXPECT_LT((hessian - slopes).cwiseAbs().maxCoeff(), 1e-6 * std::max(1.0, hessian.norm())) << state.name;
    EXPECT_LT((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-14 * std::max(1.0, hessian.norm()));
  }
}

TEST_P(HessianOf, AtRestIsThatOfLinearElasticityWithTheGivenConstants) {
  const LawUnderTest& law = GetParam();
  // λ δ_ij δ_kl + μ (δ_ik δ_jl + δ_il δ_jk); twice that for the law as printed.
  numerics::RandomStream random(42);
  const SignedSvd svd = turned({"rest", {1, 1, 1}}, random);
  const Matrix3 r = svd.f();
  const Matrix9 hessian = assembled(svd, law.second_derivatives(svd.s));
  for (int row = 0; row < 9; ++row) {
    for (int column = 0; column < 9; ++column) {
      // The stress R (λ tr(e) I + 2μ e) of e = sym(RᵀE), E a unit matrix.
      Matrix3 change = Matrix3::Zero();
      change(column / 3, column % 3) = 1.0;
      const Matrix3 strain = 0.5 * (r.transpose() * change + change.transpose() * r);
      const Matrix3 stress = r * (kLambda * strain.trace() * Matrix3::Identity() + 2 * kMu * strain);
      EXPECT_NEAR(hessian(row, column), law.rest_stiffness * stress(row / 3, row % 3), 1e-14);
    }
  }
}

TEST_P(HessianOf, ProjectedIsTheNearestWithoutNegativeEigenvalues) {
  const LawUnderTest& law = GetParam();
  numerics::RandomStream random(43);
  int indefinite = 0, definite = 0;
  for (const State& state : law.states()) {
    const SignedSvd svd = turned(state, random);
    const PrincipalHessian<double> exact = law.second_derivatives(state.s), clamped = projected(exact);
    const Eigen9 eigen(assembled(svd, exact));
    const double size = eigen.eigenvalues().cwiseAbs().maxCoeff();
    const Matrix9 nearest =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    const Matrix9 found = assembled(svd, clamped);
    EXPECT_LE((found - nearest).cwiseAbs().maxCoeff(), 1e-13 * size) << state.name;
    EXPECT_GE(Eigen9(found).eigenvalues()[0], -1e-14 * size) << state.name;
    indefinite += eigen.eigenvalues()[0] < -1e-3 * size;
    if (eigen.eigenvalues()[0] > 1e-3 * size) {
      ++definite;
      EXPECT_EQ(std::memcmp(&exact, &clamped, sizeof exact), 0) << state.name;
    }
  }
  EXPECT_GT(indefinite, 2);
  EXPECT_GT(definite, 1);
}

TEST_P(HessianOf, AbsoluteHasTheMagnitudesOfItsEigenvaluesInItsAxes) {
  // [CLLZJ24]
  const LawUnderTest& law = GetParam();
  numerics::RandomStream random(49);
  int indefinite = 0, definite = 0;
  for (const State& state : law.states()) {
    const SignedSvd svd = turned(state, random);
    const PrincipalHessian<double> exact = law.second_derivatives(state.s), filter = filtered(exact, -1.0);
    const Eigen9 eigen(assembled(svd, exact));
    const double size = eigen.eigenvalues().cwiseAbs().maxCoeff();
    const Matrix9 expected =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LE((assembled(svd, filter) - expected).cwiseAbs().maxCoeff(), 1e-13 * size) << state.name;
    indefinite += eigen.eigenvalues()[0] < -1e-3 * size;
    if (eigen.eigenvalues()[0] > 1e-3 * size) {
      ++definite;
      EXPECT_EQ(std::memcmp(&exact, &filter, sizeof exact), 0) << state.name;
    }
  }
  EXPECT_GT(indefinite, 2);
  EXPECT_GT(definite, 1);
}

class InvertedHessianOf : public testing::TestWithParam<LawUnderTest> {};
INSTANTIATE_TEST_SUITE_P(Laws, InvertedHessianOf, testing::ValuesIn(laws_that(&LawUnderTest::is_defined_inverted)),
                         name_of_law);

TEST_P(InvertedHessianOf, HasNoNegativeEigenvalueWhereTwoValuesSumToZeroOnceItIsProjected) {
  const LawUnderTest& law = GetParam();
  ASSERT_TRUE(law.is_defined_inverted);
  numerics::RandomStream random(44);
  int ridges = 0;
  for (const State& state : all_states()) {
    if (state.s[1] + state.s[2] != 0.0) continue;
    ++ridges;
    const PrincipalHessian<double> exact = law.second_derivatives(state.s);
    if (!law.is_without_ridge) {
      EXPECT_LT(exact.twist[2], -1e3) << state.name;
    }
    const Matrix9 found = assembled(turned(state, random), projected(exact));
    ASSERT_TRUE(found.allFinite()) << state.name;
    EXPECT_GE(Eigen9(found).eigenvalues()[0], -1e-13 * found.norm()) << state.name;
  }
  EXPECT_EQ(ridges, 4);
}

TEST(ProjectionOfTheStretchBlock, IsThatOfASymmetricMatrixOfAnySignature) {
  numerics::RandomStream random(45);
  int kept = 0;
  for (int sample = 0; sample < 3000; ++sample) {
    Vector3 values(random.normal(), random.normal(), random.normal());
    if (sample % 3 == 0) values = values.cwiseAbs();
    if (sample % 5 == 0) values[1] = values[0];
    if (sample % 7 == 0) values[2] *= 1e-9;
    const Matrix3 axes = random.rotation();
    const Matrix3 matrix = axes * values.asDiagonal() * axes.transpose();
    const Matrix3 nearest = axes * values.cwiseMax(0.0).asDiagonal() * axes.transpose();
    double h[6] = {matrix(0, 0), matrix(1, 1), matrix(2, 2), matrix(0, 1), matrix(0, 2), matrix(1, 2)};
    double before[6];
    std::memcpy(before, h, sizeof h);
    filter_stretch<double>(h, 0.0);
    kept += std::memcmp(before, h, sizeof h) == 0;
    EXPECT_LT((symmetric(h) - nearest).cwiseAbs().maxCoeff(), 3e-15 * (1 + values.norm())) << values.transpose();
  }
  EXPECT_GT(kept, 800);
  EXPECT_LT(kept, 1800);
}

TEST(StableNeoHookeanHessian, HasThePublishedEigenvaluesAndIsTheSumOfItsThreeTerms) {
  numerics::RandomStream random(46);
  const double m = 4.0 / 3.0 * kMu, l = kLambda + 5.0 / 6.0 * kMu, alpha = 1.0 + 3.0 * m / (4.0 * l);
  for (const State& state : all_states()) {
    const SignedSvd svd = turned(state, random);
    const Matrix3 f = svd.f();
    const double squares = state.s.squaredNorm(), j = state.s.prod();
    const double shear = m * (1.0 - 1.0 / (squares + 1.0)), volume = l * (j - alpha);
    // ∂²Ψ/∂F² = shear 1 + 2m/(I_C + 1)² F⊗F + l ∂J⊗∂J + volume ∂²J/∂F²
    const auto flat = [](const Matrix3& matrix) {
      const RowMajor rows = matrix;
      return Vector9(Eigen::Map<const Vector9>(rows.data()));
    };
    Matrix3 area;  // ∂J/∂F
    for (int c = 0; c < 3; ++c) area.col(c) = f.col((c + 1) % 3).cross(f.col((c + 2) % 3));
    Matrix9 expected = shear * Matrix9::Identity() +
                       2.0 * m / ((squares + 1.0) * (squares + 1.0)) * flat(f) * flat(f).transpose() +
                       l * flat(area) * flat(area).transpose();
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 3; ++i) {  // of column c along e_i: the columns of ∂J/∂F beside it change
        Matrix3 change = Matrix3::Zero();
        change.col((c + 1) % 3) = f.col((c + 2) % 3).cross(Vector3::Unit(i));
        change.col((c + 2) % 3) = Vector3::Unit(i).cross(f.col((c + 1) % 3));
        expected.col(3 * i + c) += volume * flat(change);
      }
    }
    const Matrix9 found = assembled(svd, second_derivatives<StableNeoHookean>(state.s));
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13 * (1 + expected.norm())) << state.name;

    // Six of the eigenvalues are shear ± σ_k volume, the others those of a 3×3 matrix.
    Matrix3 block = 2.0 * m / ((squares + 1.0) * (squares + 1.0)) * state.s * state.s.transpose();
    const Vector3 areas(state.s[1] * state.s[2], state.s[0] * state.s[2], state.s[0] * state.s[1]);
    block += shear * Matrix3::Identity() + l * areas * areas.transpose();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (a != b) block(a, b) += volume * state.s[3 - a - b];
    Vector9 published;
    published.head<3>() = Eigen::SelfAdjointEigenSolver<Matrix3>(block).eigenvalues();
    for (int k = 0; k < 3; ++k) {
      published[3 + k] = shear + volume * state.s[k];
      published[6 + k] = shear - volume * state.s[k];
    }
    std::sort(published.data(), published.data() + 9);
    EXPECT_LT((Eigen9(found).eigenvalues() - published).cwiseAbs().maxCoeff(), 1e-13 * (1 + expected.norm()))
        << state.name;
  }
}

/// Everything that an element needs, from F in a batch: energy, stress and one projected block, and energy and stress
/// once more without singular values from laws that can.
template <class T>
struct Element {
  static constexpr int kNumbers = 1 + 9 + 9 + 1 + 9;
  T f[9], numbers[kNumbers];
};

/// Compiled once for all laws.
template <class T>
[[gnu::noinline]] void decompose_from_rest(const numerics::Batch<T> f[9], numerics::Batch<T> u[9],
                                           numerics::Batch<T> s[3], numerics::Batch<T> v[9]) {
  numerics::Batch<T> q[4];
  for (int k = 0; k < 4; ++k) q[k] = numerics::Batch<T>::all(T(k == 0));
  numerics::batched_svd<T>(f, q, u, s, v);
}

template <class Law, class T>
void evaluate(std::vector<Element<T>>& elements) {
  using P = numerics::Batch<T>;
  constexpr int lanes = numerics::lane_count<T>;
  ASSERT_EQ(int(elements.size()), lanes);
  T buffer[lanes];
  P f[9], u[9], s[3], v[9], g[3], a[3], b[3], out[Element<T>::kNumbers];
  for (int k = 0; k < 9; ++k) {
    for (int lane = 0; lane < lanes; ++lane) buffer[lane] = elements[std::size_t(lane)].f[k];
    f[k] = P::from(buffer);
  }
  decompose_from_rest<T>(f, u, s, v);
  const P lambda = P::all(T(kLambda)), mu = P::all(T(kMu));
  out[0] = Law::template energy<P>(s, lambda, mu);
  Law::template gradient<P>(s, lambda, mu, g);
  turn_diagonal<P>(u, g, v, out + 1);
  const P x[3] = {P::all(T(0.3)), P::all(T(-0.8)), P::all(T(0.5))},
          y[3] = {P::all(T(0.9)), P::all(T(0.2)), P::all(T(-0.4))};
  transposed_times<P>(v, x, a);
  transposed_times<P>(v, y, b);
  P m[9];
  const PrincipalHessian<P> hessian = projected(principal_hessian<Law, P>(s, lambda, mu));
  contract<P>(hessian.stretch, Shears<P>(hessian), a, b, m);
  turn_block<P>(u, m, out + 10);
  if constexpr (Law::kDirect) {
    out[19] = Law::template energy_of<P>(f, lambda, mu);
    Law::template piola_of<P>(f, lambda, mu, out + 20);
  } else {
    for (int k = 0; k < 10; ++k) out[19 + k] = out[k];
  }
  for (int k = 0; k < Element<T>::kNumbers; ++k) {
    out[k].to(buffer);
    for (int lane = 0; lane < lanes; ++lane) elements[std::size_t(lane)].numbers[k] = buffer[lane];
  }
}

/// The same in double, one element at a time, from the matrix as rounded to T.
template <class T>
Eigen::Matrix<double, Element<T>::kNumbers, 1> evaluated_alone(const LawUnderTest& law, const Element<T>& element) {
  Matrix3 f;
  for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = double(element.f[k]);
  const SignedSvd svd = signed_svd(f);
  const RowMajor u = svd.u, v = svd.v;
  Eigen::Matrix<double, Element<T>::kNumbers, 1> out;
  out[0] = law.energy(svd.s);
  turn_diagonal<double>(u.data(), law.gradient(svd.s).data(), v.data(), out.data() + 1);
  const Vector3 x(double(T(0.3)), double(T(-0.8)), double(T(0.5))), y(double(T(0.9)), double(T(0.2)), double(T(-0.4)));
  const Vector3 a = svd.v.transpose() * x, b = svd.v.transpose() * y;
  RowMajor m;
  const PrincipalHessian<double> hessian = projected(law.second_derivatives(svd.s));
  contract<double>(hessian.stretch, Shears<double>(hessian), a.data(), b.data(), m.data());
  turn_block<double>(u.data(), m.data(), out.data() + 10);
  out.template tail<10>() = out.template head<10>();
  return out;
}

template <class T>
void expect_batches_to_agree(const LawUnderTest& law, void (*evaluate)(std::vector<Element<T>>&), double tolerance) {
  numerics::RandomStream random(47);
  const std::vector<State> states = law.states();
  constexpr std::size_t lanes = std::size_t(numerics::lane_count<T>);
  for (std::size_t first = 0; first < states.size(); first += lanes) {
    std::vector<Element<T>> elements(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const RowMajor f = turned(states[(first + lane) % states.size()], random).f();
      for (int k = 0; k < 9; ++k) elements[lane].f[k] = T(f.data()[k]);
    }
    evaluate(elements);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const State& state = states[(first + lane) % states.size()];
      const auto expected = evaluated_alone(law, elements[lane]);
      const double size = 1.0 + expected.cwiseAbs().maxCoeff();
      for (int k = 0; k < Element<T>::kNumbers; ++k) {
        const double error = std::abs(double(elements[lane].numbers[k]) - expected[k]) / size;
        EXPECT_LT(error, tolerance) << state.name << ", number " << k;
      }
      // Beside itself only: the same bits.
      std::vector<Element<T>> alone(lanes, elements[lane]);
      evaluate(alone);
      EXPECT_EQ(std::memcmp(alone[0].numbers, elements[lane].numbers, sizeof alone[0].numbers), 0) << state.name;
    }
  }
}

template <class T>
void expect_infinite_energy_of_the_inverted_lanes_alone() {
  using P = numerics::Batch<T>;
  constexpr int lanes = numerics::lane_count<T>;
  T last[lanes], energies[lanes], direct[lanes];
  for (int lane = 0; lane < lanes; ++lane) last[lane] = T(lane % 3 == 0 ? 0.5 : lane % 3 == 1 ? 0.0 : -0.5);
  const P one = P::all(T(1)), zero = P::all(T(0)), lambda = P::all(T(kLambda)), mu = P::all(T(kMu));
  const P s[3] = {one, one, P::from(last)}, f[9] = {one, zero, zero, zero, one, zero, zero, zero, s[2]};
  NeoHookean::energy<P>(s, lambda, mu).to(energies);
  NeoHookean::energy_of<P>(f, lambda, mu).to(direct);
  for (int lane = 0; lane < lanes; ++lane) {
    const double expected = energy<NeoHookean>({1, 1, double(last[lane])});
    EXPECT_EQ(std::isinf(expected), lane % 3 != 0);
    for (const T found : {energies[lane], direct[lane]}) {
      if (std::isinf(expected)) {
        EXPECT_EQ(found, T(expected));
      } else {
        EXPECT_NEAR(double(found), expected, sizeof(T) == 8 ? 1e-15 : 1e-6);
      }
    }
  }
}

TEST(NeoHookeanBatch, HasAnInfiniteEnergyInTheFlatAndInvertedLanesAlone) {
  expect_infinite_energy_of_the_inverted_lanes_alone<double>();
  expect_infinite_energy_of_the_inverted_lanes_alone<float>();
}

template <class Law>
class BatchesOf : public testing::Test {};
TYPED_TEST_SUITE(BatchesOf, Laws, LawNames);

TYPED_TEST(BatchesOf, DoubleAgreeWithElementsAlone) {
  expect_batches_to_agree<double>(law_under_test<TypeParam>(), evaluate<TypeParam, double>, 3e-14);
}
TYPED_TEST(BatchesOf, FloatAgreeWithElementsAlone) {
  expect_batches_to_agree<float>(law_under_test<TypeParam>(), evaluate<TypeParam, float>, 1e-5);
}

}  // namespace
}  // namespace deformbench::fem
