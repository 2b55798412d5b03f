// SPDX-License-Identifier: BSD-3-Clause
// Laws of elasticity: every derivative against differences of what it is the derivative of, both forms of a law against
// each other, the same numbers from batches. [ITF04] [SGK18]
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>

#include "methods/numerics/random.hpp"
#include "tests/fem/law_states.hpp"

namespace deformbench::fem {
namespace {

constexpr double kStep = 1e-5;  // of central differences: their error is of the order 1e-10 times a third derivative

class LawOf : public testing::TestWithParam<LawUnderTest> {};
INSTANTIATE_TEST_SUITE_P(Laws, LawOf, testing::ValuesIn(all_laws()), name_of_law);

double size_of(const PrincipalHessian<double>& hessian) {
  double size = 1.0;
  for (const double h : hessian.stretch) size = std::max(size, std::abs(h));
  for (const double q : hessian.flip) size = std::max(size, std::abs(q));
  for (const double q : hessian.twist) size = std::max(size, std::abs(q));
  return size;
}

TEST_P(LawOf, HasTheGradientOfItsEnergyInTheSingularValues) {
  const LawUnderTest& law = GetParam();
  for (const State& state : law.states()) {
    const Vector3 g = law.gradient(state.s);
    const double size = size_of(law.second_derivatives(state.s));
    for (int i = 0; i < 3; ++i) {
      const Vector3 step = kStep * Vector3::Unit(i);
      const double slope = (law.energy(state.s + step) - law.energy(state.s - step)) / (2 * kStep);
      EXPECT_NEAR(g[i], slope, 1e-8 * size) << state.name << ", value " << i;
    }
  }
}

TEST_P(LawOf, HasTheSecondDerivativesOfItsEnergyInTheSingularValues) {
  const LawUnderTest& law = GetParam();
  for (const State& state : law.states()) {
    const PrincipalHessian<double> hessian = law.second_derivatives(state.s);
    const Matrix3 h = symmetric(hessian.stretch);
    for (int i = 0; i < 3; ++i) {
      const Vector3 step = kStep * Vector3::Unit(i);
      const Vector3 slope = (law.gradient(state.s + step) - law.gradient(state.s - step)) / (2 * kStep);
      EXPECT_LT((h.col(i) - slope).cwiseAbs().maxCoeff(), 1e-7 * size_of(hessian)) << state.name << ", value " << i;
    }
  }
}

TEST_P(LawOf, HasFlipsAndTwistsThatAreTheQuotientsOfItsGradient) {
  const LawUnderTest& law = GetParam();
  for (const State& state : law.states()) {
    const PrincipalHessian<double> hessian = law.second_derivatives(state.s);
    const Matrix3 h = symmetric(hessian.stretch);
    const Vector3 g = law.gradient(state.s);
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p].first, j = kPairs[p].second;
      const double gap = state.s[i] - state.s[j], sum = state.s[i] + state.s[j], near = 1e-6;
      // At equal values the quotient is the derivative along (e_i − e_j)/2.
      const double flip = gap > near ? (g[i] - g[j]) / gap : h(i, i) - h(i, j);
      EXPECT_NEAR(hessian.flip[p], flip, 1e-8 * size_of(hessian)) << state.name << ", pair " << p;
      if (sum > near) {
        EXPECT_NEAR(hessian.twist[p], (g[i] + g[j]) / sum, 1e-10 * size_of(hessian)) << state.name << ", pair " << p;
      } else {
        EXPECT_NEAR(hessian.twist[p], h(i, i) + h(i, j), 1e-10 * size_of(hessian)) << state.name << ", pair " << p;
      }
    }
  }
}

class DirectLaw : public testing::TestWithParam<LawUnderTest> {};
INSTANTIATE_TEST_SUITE_P(Laws, DirectLaw, testing::ValuesIn(laws_that(&LawUnderTest::is_direct)), name_of_law);

TEST_P(DirectLaw, GivesTheSameEnergyAndStressWithAndWithoutSingularValues) {
  const LawUnderTest& law = GetParam();
  ASSERT_TRUE(law.is_direct);
  numerics::RandomStream random(31);
  for (const State& state : law.states()) {
    const SignedSvd svd = turned(state, random);
    const Matrix3 expected = svd.u * law.gradient(svd.s).asDiagonal() * svd.v.transpose();
    EXPECT_NEAR(law.energy_at(svd.f()), law.energy(svd.s), 1e-13 * (1 + law.energy(svd.s)));
    EXPECT_LT((law.piola_at(svd.f()) - expected).cwiseAbs().maxCoeff(), 1e-12 * (1 + expected.norm())) << state.name;
  }
}

TEST_P(LawOf, HasTheStressThatIsTheGradientOfItsEnergyInF) {
  const LawUnderTest& law = GetParam();
  numerics::RandomStream random(32);
  for (const State& state : law.states()) {
    const Matrix3 f = turned(state, random).f(), p = law.piola_at(f);
    Matrix3 slope;
    for (int k = 0; k < 9; ++k) {
      Matrix3 step = Matrix3::Zero();
      step(k / 3, k % 3) = kStep;
      slope(k / 3, k % 3) = (law.energy_at(f + step) - law.energy_at(f - step)) / (2 * kStep);
    }
    EXPECT_LT((p - slope).cwiseAbs().maxCoeff(), 1e-8 * size_of(law.second_derivatives(state.s))) << state.name;
  }
}

TEST_P(LawOf, IsAtRestInTheRestStateOnly) {
  const LawUnderTest& law = GetParam();
  EXPECT_NEAR(law.energy({1, 1, 1}), 0.0, 1e-15);
  EXPECT_LT(law.gradient({1, 1, 1}).norm(), 1e-15);
  for (const State& state : law.states()) {
    const bool whole = (state.s.cwiseAbs() - Vector3(1, 1, 1)).norm() < 1e-12;  // mirrored too for St. Venant–Kirchhoff
    if (!whole) {
      EXPECT_GT(law.energy(state.s), 0.01) << state.name;
    }
  }
}

TEST_P(LawOf, HasTheLameConstantsOfLinearElasticityAtRest) {
  // Ψ = λ/2 tr²ε + μ ε:ε of small strains ε: along the axes, and in shear (flips: (g_i − g_j)/(s_i − s_j) = 2μ).
  const LawUnderTest& law = GetParam();
  const PrincipalHessian<double> hessian = law.second_derivatives({1, 1, 1});
  const double lambda = law.rest_stiffness * kLambda, mu = law.rest_stiffness * kMu;
  const Matrix3 expected = lambda * Matrix3::Ones() + 2.0 * mu * Matrix3::Identity();
  EXPECT_LT((symmetric(hessian.stretch) - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.norm());
  for (int p = 0; p < 3; ++p) EXPECT_NEAR(hessian.flip[p], 2.0 * mu, 1e-14 * expected.norm());
}

TEST_P(LawOf, FollowsATurnOfTheBodyAndIgnoresOneOfTheMaterial) {
  const LawUnderTest& law = GetParam();
  numerics::RandomStream random(33);
  for (const State& state : law.states()) {
    const Matrix3 f = turned(state, random).f(), q = random.rotation(), p = law.piola_at(f);
    const double small = 1e-11 * (1 + p.norm());
    EXPECT_NEAR(law.energy_at(q * f), law.energy_at(f), small) << state.name;
    EXPECT_NEAR(law.energy_at(f * q), law.energy_at(f), small) << state.name;
    EXPECT_LT((law.piola_at(q * f) - q * p).cwiseAbs().maxCoeff(), small) << state.name;
    EXPECT_LT((law.piola_at(f * q) - p * q).cwiseAbs().maxCoeff(), small) << state.name;
    // No moment: the Kirchhoff stress P Fᵀ is symmetric.
    const Matrix3 kirchhoff = p * f.transpose();
    EXPECT_LT((kirchhoff - kirchhoff.transpose()).cwiseAbs().maxCoeff(), small) << state.name;
  }
}

/// A law beside its invertible form.
template <class Law>
class InvertibleLaw : public testing::Test {};
using Continued = testing::Types<StVenantKirchhoff, CoRotational, NeoHookean>;
TYPED_TEST_SUITE(InvertibleLaw, Continued, LawNames);

TYPED_TEST(InvertibleLaw, IsContinuousWithItsGradientAcrossTheThresholdWhateverTheOthersAre) {
  using Law = Invertible<TypeParam>;
  const double a = Law::kThreshold, small = 1e-9;
  for (const Vector3& s : {Vector3(1.3, 0.8, a), Vector3(1.3, a, 0.1), Vector3(1.3, a, -0.2), Vector3(a, 0.2, 0.1),
                           Vector3(a, 0.2, -0.1), Vector3(a, a, a), Vector3(1.1, a, a)}) {
    Vector3 step = Vector3::Zero();
    for (int i = 0; i < 3; ++i) step[i] = s[i] == a ? small : 0.0;
    EXPECT_NEAR(energy<Law>(s + step), energy<Law>(s - step), 1e3 * small) << s.transpose();
    EXPECT_LT((gradient<Law>(s + step) - gradient<Law>(s - step)).norm(), 1e3 * small) << s.transpose();
  }
}

TYPED_TEST(InvertibleLaw, IsTheLawItselfAboveTheThreshold) {
  using Law = Invertible<TypeParam>;
  for (const State& state : all_states()) {
    if (state.s[2] < Law::kThreshold) continue;
    EXPECT_EQ(energy<Law>(state.s), energy<TypeParam>(state.s)) << state.name;
    EXPECT_EQ(gradient<Law>(state.s), gradient<TypeParam>(state.s)) << state.name;
    const PrincipalHessian<double> own = second_derivatives<Law>(state.s);
    const PrincipalHessian<double> inner = second_derivatives<TypeParam>(state.s);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(own.stretch[k], inner.stretch[k]) << state.name;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(own.flip[k], inner.flip[k]) << state.name;
  }
}

TYPED_TEST(InvertibleLaw, PushesBackEverHarderBelowTheThreshold) {
  using Law = Invertible<TypeParam>;
  const double stiffness = kLambda + 2 * kMu;
  double last = gradient<Law>({1, 1, 0.2499})[2];
  EXPECT_LT(last, 0.0);
  for (double s = 0.2; s > -1.0; s -= 0.05) {  // through zero and beyond
    const double force = gradient<Law>({1, 1, s})[2];
    EXPECT_LT(force, last - 0.049 * stiffness) << s;
    last = force;
  }
}

TEST(NeoHookeanLaw, HasNoFiniteEnergyOnceAnElementIsFlatOrInverted) {
  const double infinity = std::numeric_limits<double>::infinity();
  numerics::RandomStream random(34);
  int seen = 0;
  for (const State& state : all_states()) {
    if (state.s[2] > 0) continue;
    ++seen;
    EXPECT_EQ(energy<NeoHookean>(state.s), infinity) << state.name;
    if (state.s[2] < 0) {  // a vanishing J is a rounding error of either sign in other axes
      EXPECT_EQ(energy_at<NeoHookean>(turned(state, random).f()), infinity) << state.name;
    }
  }
  EXPECT_GT(seen, 5);
  const Matrix3 flat = Vector3(1, 1, 0).asDiagonal();
  EXPECT_EQ(energy_at<NeoHookean>(flat), infinity);
}

// [CS6967] §2.2
TEST(StVenantKirchhoffLaw, AsPrintedIsWhatThePrintedFormulaSays) {
  // ε = FᵀF − I, S = λ tr(ε) I + 2μ ε, P = F S: with the ½ of Green's strain left out, P is twice too large.
  numerics::RandomStream random(35);
  for (const State& state : all_states()) {
    const Matrix3 f = turned(state, random).f();
    const Matrix3 strain = f.transpose() * f - Matrix3::Identity();
    const Matrix3 printed = f * (kLambda * strain.trace() * Matrix3::Identity() + 2 * kMu * strain);
    EXPECT_LT((piola_at<StVenantKirchhoffAsPrinted>(f) - printed).norm(), 1e-13 * (1 + printed.norm())) << state.name;
    EXPECT_LT((piola_at<StVenantKirchhoff>(f) - 0.5 * printed).norm(), 1e-13 * (1 + printed.norm())) << state.name;
    // Its energy is half of λ/2 tr²ε + μ ε:ε, which would go with S as the derivative in E and not in ε.
    const double own = 0.5 * kLambda * strain.trace() * strain.trace() + kMu * strain.squaredNorm();
    EXPECT_NEAR(energy_at<StVenantKirchhoffAsPrinted>(f), 0.5 * own, 1e-13 * (1 + own)) << state.name;
  }
}

TEST(StVenantKirchhoffLaw, DoubledCubeHasTheStressComputedByHand) {
  // F = 2I: E = 3/2 I, P = 2 (4.5 λ + 3 μ) I = (9 λ + 6 μ) I; energy 27/4 μ + 81/8 λ.
  const Matrix3 twice = 2.0 * Matrix3::Identity();
  const Matrix3 expected = (9.0 * kLambda + 6.0 * kMu) * Matrix3::Identity();
  EXPECT_LT((piola_at<StVenantKirchhoff>(twice) - expected).norm(), 1e-14 * expected.norm());
  EXPECT_NEAR(energy_at<StVenantKirchhoff>(twice), 6.75 * kMu + 10.125 * kLambda, 1e-13);
}

TEST(StableNeoHookeanLaw, IsThePrintedEnergyLessItsValueAtRest) {
  const double m = 4.0 / 3.0 * kMu, l = kLambda + 5.0 / 6.0 * kMu, alpha = 1.0 + m / l - m / (4.0 * l);
  const auto printed = [&](const Vector3& s) {
    const double squares = s.squaredNorm(), j = s.prod();
    return 0.5 * m * (squares - 3.0) + 0.5 * l * (j - alpha) * (j - alpha) - 0.5 * m * std::log(squares + 1.0);
  };
  for (const State& state : all_states())
    EXPECT_NEAR(energy<StableNeoHookean>(state.s), printed(state.s) - printed({1, 1, 1}), 1e-13) << state.name;
}

}  // namespace
}  // namespace deformbench::fem
