// SPDX-License-Identifier: BSD-3-Clause
// ∂²Ψ/∂F² of isotropic laws in principal axes [TSIF05] [SGK19]. With F = U diag(s) Vᵀ and D = U E Vᵀ a change of F,
//   D:∂²Ψ/∂F²:D = Σ h_ij E_ii E_jj + Σ_{i<j} flip_ij ½(E_ij + E_ji)² + twist_ij ½(E_ij − E_ji)²
// (flip: E symmetric, eigenvalue (g_i − g_j)/(s_i − s_j); twist: E skew, (g_i + g_j)/(s_i + s_j)). Pa, or
// joule if λ and μ are multiplied by the rest volume. Pairs 01 02 12; matrices 3×3 are row-major, symmetric ones 00
// 11 22 01 02 12. V: float, double or numerics::Batch. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/separable_law.hpp"
#include "methods/numerics/batched_eigen.hpp"

namespace deformbench::fem {

template <class V>
struct PrincipalHessian {
  V stretch[6];  ///< h
  V flip[3];
  V twist[3];
};

/// s: signed singular values, s[0] ≥ s[1] ≥ |s[2]|.
template <class Law, class V>
DEFORMBENCH_INLINE PrincipalHessian<V> principal_hessian(const V s[3], const V& lambda, const V& mu) {
  PrincipalHessian<V> result;
  Law::template hessian<V>(s, lambda, mu, result.stretch);
  Law::template quotients<V>(s, lambda, mu, result.flip, result.twist);
  return result;
}

/// An eigenvalue of a Hessian, multiplied by `share` ≤ 1 if it is negative.
template <class V>
DEFORMBENCH_INLINE V filtered(const V& eigenvalue, double share) {
  return numerics::lane_max(eigenvalue, numerics::ScalarOf<V>(share) * eigenvalue);
}

/// Filters the eigenvalues of a symmetric matrix; clearly positive definite ones are unchanged.
template <class V>
DEFORMBENCH_INLINE void filter_stretch(V h[6], double share) {
  using T = numerics::ScalarOf<V>;
  constexpr T least = sizeof(T) == 8 ? T(1e-12) : T(1e-5);  // far above the rounding of the minors
  const V zero = numerics::constant<V>(0);
  const V trace = h[0] + h[1] + h[2], square = least * trace * trace;
  const V minor = h[0] * h[1] - h[3] * h[3];
  const V determinant = h[2] * minor - h[5] * (h[0] * h[5] - h[3] * h[4]) + h[4] * (h[3] * h[5] - h[1] * h[4]);
  const auto definite =
      numerics::is_less(zero, h[0]) & numerics::is_less(square, minor) & numerics::is_less(square * trace, determinant);
  if (numerics::all_set(definite)) return;  // also unchanged inside a mixed batch: lanes are independent
  V a[6], v[9], values[3], scaled[9];
  for (int k = 0; k < 6; ++k) a[k] = h[k];
  numerics::symmetric_eigen_lanes(a, v);
  for (int k = 0; k < 3; ++k) values[k] = filtered(a[k], share);
  for (int k = 0; k < 9; ++k) scaled[k] = v[k] * values[k % 3];
  const auto entry = [&](int i, int j) {
    return scaled[3 * i] * v[3 * j] + scaled[3 * i + 1] * v[3 * j + 1] + scaled[3 * i + 2] * v[3 * j + 2];
  };
  for (int i = 0; i < 3; ++i) h[i] = numerics::select(definite, h[i], entry(i, i));
  for (int p = 0; p < 3; ++p) h[3 + p] = numerics::select(definite, h[3 + p], entry(kPairs[p].first, kPairs[p].second));
}

/// Every negative eigenvalue multiplied by `share`: 0 projects to the nearest positive semidefinite matrix [TSIF05],
/// −1 takes the magnitude [CLLZJ24].
template <class V>
DEFORMBENCH_INLINE PrincipalHessian<V> filtered(PrincipalHessian<V> hessian, double share) {
  filter_stretch(hessian.stretch, share);
  for (int p = 0; p < 3; ++p) {
    hessian.flip[p] = filtered(hessian.flip[p], share);
    hessian.twist[p] = filtered(hessian.twist[p], share);
  }
  return hessian;
}
template <class V>
DEFORMBENCH_INLINE PrincipalHessian<V> projected(const PrincipalHessian<V>& hessian) {
  return filtered(hessian, 0.0);
}

/// Mᵀ x: a material gradient b in the axes V, b̂ = Vᵀ b.
template <class V>
DEFORMBENCH_INLINE void transposed_times(const V m[9], const V x[3], V out[3]) {
  for (int j = 0; j < 3; ++j) out[j] = m[j] * x[0] + m[3 + j] * x[1] + m[6 + j] * x[2];
}

/// ½(flip + twist) = ∂P̂_ik/∂E_ik and ½(flip − twist) = ∂P̂_ik/∂E_ki.
template <class V>
struct Shears {
  V same[3], cross[3];
  DEFORMBENCH_INLINE Shears() = default;
  DEFORMBENCH_INLINE explicit Shears(const PrincipalHessian<V>& hessian) {
    using T = numerics::ScalarOf<V>;
    for (int p = 0; p < 3; ++p) {
      same[p] = T(0.5) * (hessian.flip[p] + hessian.twist[p]);
      cross[p] = T(0.5) * (hessian.flip[p] - hessian.twist[p]);
    }
  }
};

/// m_ik = Σ_jl a_j Ĥ_{ij,kl} b_l in the axes U, for material gradients a, b in the axes V.
template <class V>
DEFORMBENCH_INLINE void contract(const V stretch[6], const Shears<V>& shears, const V a[3], const V b[3], V m[9]) {
  V product[9];
  for (int k = 0; k < 9; ++k) product[k] = a[k / 3] * b[k % 3];
  for (int i = 0; i < 3; ++i) m[4 * i] = stretch[i] * product[4 * i];
  for (int p = 0; p < 3; ++p) {
    const int i = kPairs[p].first, k = kPairs[p].second, ik = 3 * i + k, ki = 3 * k + i;
    m[4 * i] = m[4 * i] + shears.same[p] * product[4 * k];
    m[4 * k] = m[4 * k] + shears.same[p] * product[4 * i];
    m[ik] = stretch[3 + p] * product[ik] + shears.cross[p] * product[ki];
    m[ki] = stretch[3 + p] * product[ki] + shears.cross[p] * product[ik];
  }
}

/// U M Uᵀ: with m from `contract`, the block ∂²Ψ/∂x_a∂x_b.
template <class V>
DEFORMBENCH_INLINE void turn_block(const V u[9], const V m[9], V k[9]) {
  V um[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) um[3 * i + j] = u[3 * i] * m[j] + u[3 * i + 1] * m[3 + j] + u[3 * i + 2] * m[6 + j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      k[3 * i + j] = um[3 * i] * u[3 * j] + um[3 * i + 1] * u[3 * j + 1] + um[3 * i + 2] * u[3 * j + 2];
}

/// U diag(g) Vᵀ: the first Piola–Kirchhoff stress from the gradient of the energy.
template <class V>
DEFORMBENCH_INLINE void turn_diagonal(const V u[9], const V g[3], const V v[9], V p[9]) {
  V ug[9];
  for (int k = 0; k < 9; ++k) ug[k] = u[k] * g[k % 3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      p[3 * i + j] = ug[3 * i] * v[3 * j] + ug[3 * i + 1] * v[3 * j + 1] + ug[3 * i + 2] * v[3 * j + 2];
}

}  // namespace deformbench::fem
