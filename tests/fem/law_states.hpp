// SPDX-License-Identifier: BSD-3-Clause
// The laws under test, and deformations that enter every branch of them.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "methods/fem/nonlinear/laws/corotational.hpp"
#include "methods/fem/nonlinear/laws/invertible.hpp"
#include "methods/fem/nonlinear/laws/neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/st_venant_kirchhoff.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean_core.hpp"
#include "methods/fem/nonlinear/principal_hessian.hpp"
#include "methods/model/types.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::fem {

using Laws = testing::Types<StVenantKirchhoff, StVenantKirchhoffAsPrinted, CoRotational, NeoHookean, StableNeoHookean,
                            StableNeoHookeanCore, Invertible<StVenantKirchhoff>, Invertible<CoRotational>,
                            Invertible<NeoHookean>>;
struct LawNames {
  template <class Law>
  static std::string GetName(int) {
    return Law::kName;
  }
};

/// Whether the gradient is continuous where two singular values sum to zero.
template <class Law>
inline constexpr bool kWithoutRidge =
    std::is_same_v<Law, StVenantKirchhoff> || std::is_same_v<Law, StVenantKirchhoffAsPrinted> ||
    std::is_same_v<Law, StableNeoHookean> || std::is_same_v<Law, StableNeoHookeanCore>;

inline constexpr double kLambda = 1.7, kMu = 0.9;  // Pa

struct State {
  const char* name;
  Vector3 s;
};

/// Signed singular values. The threshold of the invertible laws is 0.25: around it on both sides, with one, two and
/// three values below.
inline const std::vector<State>& all_states() {
  static const std::vector<State> states = {
      {"rest", {1, 1, 1}},
      {"stretched a little", {1.15, 1.1, 1.05}},
      {"stretched more", {1.2, 1.15, 1.1}},
      {"stretched", {2.0, 1.3, 1.1}},
      {"pulled", {1.6, 0.8, 0.8}},
      {"flattened", {1.3, 1.3, 0.5}},
      {"nearly equal", {1.3, 1.3 - 1e-9, 0.5}},
      {"blown up", {1.7, 1.7, 1.7}},
      {"compressed", {0.6, 0.5, 0.4}},
      {"compressed evenly", {0.5, 0.5, 0.5}},
      {"just above the threshold", {1.2, 0.9, 0.251}},
      {"just below the threshold", {1.2, 0.9, 0.249}},
      {"two just above the threshold", {1.2, 0.2511, 0.251}},
      {"around the threshold", {1.2, 0.26, 0.24}},
      {"one below the threshold", {1.2, 0.7, 0.1}},
      {"two below the threshold", {1.1, 0.2, 0.1}},
      {"two equal below the threshold", {1.1, 0.15, 0.15}},
      {"three below the threshold", {0.22, 0.2, 0.1}},
      {"three equal below the threshold", {0.2, 0.2, 0.2}},
      {"rank two", {1.3, 0.7, 0.0}},
      {"rank two, equal values", {0.9, 0.9, 0.0}},
      {"inverted", {1.2, 0.8, -0.5}},
      {"inverted and equal", {1.2, 1.2, -0.4}},
      {"inverted, two below the threshold", {1.1, 0.2, -0.12}},
      {"inverted, three below the threshold", {0.24, 0.2, -0.1}},
      {"rank one", {1.2, 0.0, 0.0}},
      {"zero", {0.0, 0.0, 0.0}},
      {"mirrored", {1.0, 1.0, -1.0}},
      {"mirrored in one plane", {1.2, 0.6, -0.6}},
  };
  return states;
}

struct SignedSvd {
  Matrix3 u, v;
  Vector3 s;
  Matrix3 f() const { return u * s.asDiagonal() * v.transpose(); }
};

inline SignedSvd signed_svd(const Matrix3& f) {
  const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  SignedSvd result{svd.matrixU(), svd.matrixV(), svd.singularValues()};
  if (result.u.determinant() < 0) result.u.col(2) *= -1.0, result.s[2] *= -1.0;
  if (result.v.determinant() < 0) result.v.col(2) *= -1.0, result.s[2] *= -1.0;
  return result;
}

/// A state in random axes.
inline SignedSvd turned(const State& state, numerics::RandomStream& random) {
  return {random.rotation(), random.rotation(), state.s};
}

template <class Law>
double energy(const Vector3& s) {
  return Law::template energy<double>(s.data(), kLambda, kMu);
}
template <class Law>
Vector3 gradient(const Vector3& s) {
  Vector3 g;
  Law::template gradient<double>(s.data(), kLambda, kMu, g.data());
  return g;
}
template <class Law>
PrincipalHessian<double> second_derivatives(const Vector3& s) {
  return principal_hessian<Law, double>(s.data(), kLambda, kMu);
}
inline Matrix3 symmetric(const double h[6]) {
  Matrix3 m;
  m << h[0], h[3], h[4], h[3], h[1], h[5], h[4], h[5], h[2];
  return m;
}

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Energy and stress of F by the form that needs no singular values, where there is one.
template <class Law>
double energy_at(const Matrix3& f) {
  if constexpr (Law::kDirect) {
    const RowMajor rows = f;
    return Law::template energy_of<double>(rows.data(), kLambda, kMu);
  } else {
    return energy<Law>(signed_svd(f).s);
  }
}
template <class Law>
Matrix3 piola_at(const Matrix3& f) {
  RowMajor p;
  if constexpr (Law::kDirect) {
    const RowMajor rows = f;
    Law::template piola_of<double>(rows.data(), kLambda, kMu, p.data());
  } else {
    const SignedSvd svd = signed_svd(f);
    const RowMajor u = svd.u, v = svd.v;
    turn_diagonal<double>(u.data(), gradient<Law>(svd.s).data(), v.data(), p.data());
  }
  return p;
}

/// ∂²Ψ/∂F² in row-major order of F, put together from blocks as a stiffness matrix is.
inline Eigen::Matrix<double, 9, 9> assembled(const SignedSvd& svd, const PrincipalHessian<double>& hessian) {
  const RowMajor u = svd.u, v = svd.v;
  Eigen::Matrix<double, 9, 9> full;
  for (int j = 0; j < 3; ++j) {
    for (int l = 0; l < 3; ++l) {
      const Vector3 a = Vector3::Unit(j), b = Vector3::Unit(l);
      Vector3 a_hat, b_hat;
      RowMajor m, block;
      transposed_times<double>(v.data(), a.data(), a_hat.data());
      transposed_times<double>(v.data(), b.data(), b_hat.data());
      contract<double>(hessian.stretch, Shears<double>(hessian), a_hat.data(), b_hat.data(), m.data());
      turn_block<double>(u.data(), m.data(), block.data());
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) full(3 * i + j, 3 * k + l) = block(i, k);
    }
  }
  return full;
}

/// A law behind functions of double, so that the tests of all laws are compiled once.
struct LawUnderTest {
  std::string name;
  double rest_stiffness;  ///< that of linear elasticity is 1
  bool is_direct;         ///< has a form that needs no singular values
  bool is_defined_inverted;
  bool is_without_ridge;
  double (*energy)(const Vector3& s);
  Vector3 (*gradient)(const Vector3& s);
  PrincipalHessian<double> (*second_derivatives)(const Vector3& s);
  double (*energy_at)(const Matrix3& f);
  Matrix3 (*piola_at)(const Matrix3& f);

  /// The states at which the law has second derivatives.
  std::vector<State> states() const {
    std::vector<State> found;
    for (const State& state : all_states()) {
      const bool positive = state.s[2] > 0.0, ridge = state.s[1] + state.s[2] == 0.0;
      if ((positive || is_defined_inverted) && (!ridge || is_without_ridge)) found.push_back(state);
    }
    return found;
  }
};

template <class Law>
LawUnderTest law_under_test() {
  return {Law::kName,         Law::kRestStiffness, Law::kDirect,  Law::kDefinedInverted,
          kWithoutRidge<Law>, energy<Law>,         gradient<Law>, second_derivatives<Law>,
          energy_at<Law>,     piola_at<Law>};
}

template <template <class...> class List, class... Law>
std::vector<LawUnderTest> listed(List<Law...>) {
  return {law_under_test<Law>()...};
}
inline std::vector<LawUnderTest> all_laws() {
  return listed(Laws{});
}

inline std::vector<LawUnderTest> laws_that(bool LawUnderTest::*property) {
  std::vector<LawUnderTest> found;
  for (const LawUnderTest& law : all_laws())
    if (law.*property) found.push_back(law);
  return found;
}

inline std::string name_of_law(const testing::TestParamInfo<LawUnderTest>& info) {
  return info.param.name;
}
inline void PrintTo(const LawUnderTest& law, std::ostream* out) {
  *out << law.name;
}

}  // namespace deformbench::fem
