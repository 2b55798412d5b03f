// SPDX-License-Identifier: BSD-3-Clause
// Isotropic laws of the form Ψ = μ Σ w(s_i) + λ/2 t², t = Σ c(s_i): an energy per rest volume (J/m³) of the signed
// singular values s[0] ≥ s[1] ≥ |s[2]| of F. λ, μ: Lamé constants (Pa); times a rest volume, Ψ is in J.
//   g_i = ∂Ψ/∂s_i           = μ w'_i + λ t c'_i
//   h_ij = ∂²Ψ/∂s_i∂s_j     = λ c'_i c'_j, and on the diagonal + μ w''_i + λ t c''_i
//   flip (g_i − g_j)/(s_i − s_j) and twist (g_i + g_j)/(s_i + s_j) of the pairs 01, 02, 12: the remaining eigenvalues
//   of ∂²Ψ/∂F² [SGK19]; a Shape has the quotients of w' and c' in closed form, so equal values are no special case.
// Symmetric 3×3 matrices are six numbers: 00 11 22 01 02 12. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/numerics/lane_math.hpp"

namespace deformbench::fem {

/// Indices of pair p = 01, 02, 12, and the third index.
struct PairOfAxes {
  int first, second, other;
};
inline constexpr PairOfAxes kPairs[3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};

/// s_i + s_j ≥ 0 by the order of the values. Where it vanishes (rank one, or s_j = −s_i) the rotation of F is
/// undefined, and so is the twist of laws that use it: the lower bound keeps it finite, large and of the right sign.
template <class V>
DEFORMBENCH_INLINE V sum_of_pair(const V& a, const V& b) {
  using T = numerics::ScalarOf<V>;
  return numerics::lane_max(a + b, numerics::constant<V>(sizeof(T) == 8 ? 1e-12 : 1e-6));
}

/// Shape: trace(s) = t and separate(s, t) = Σ w(s_i), dw, ddw, dc, ddc of one value, dw_minus, dw_plus, dc_minus and
/// dc_plus of two: (w'(a) ∓ w'(b))/(a ∓ b) and the same of c'.
template <class Shape>
struct SeparableLaw {
  static constexpr bool kSeparable = true;
  /// Stiffness at rest relative to linear elasticity with λ, μ.
  static constexpr int kRestStiffness = 1;

  template <class V>
  static DEFORMBENCH_INLINE V energy(const V s[3], const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const V t = Shape::trace(s);
    return mu * Shape::separate(s, t) + T(0.5) * lambda * (t * t);
  }

  template <class V>
  static DEFORMBENCH_INLINE void gradient(const V s[3], const V& lambda, const V& mu, V g[3]) {
    const V pressure = lambda * Shape::trace(s);
    for (int i = 0; i < 3; ++i) g[i] = mu * Shape::dw(s[i]) + pressure * Shape::dc(s[i]);
  }

  template <class V>
  static DEFORMBENCH_INLINE void hessian(const V s[3], const V& lambda, const V& mu, V h[6]) {
    const V pressure = lambda * Shape::trace(s);
    V slope[3];
    for (int i = 0; i < 3; ++i) {
      slope[i] = Shape::dc(s[i]);
      h[i] = mu * Shape::ddw(s[i]) + pressure * Shape::ddc(s[i]) + lambda * slope[i] * slope[i];
    }
    for (int p = 0; p < 3; ++p) h[3 + p] = lambda * slope[kPairs[p].first] * slope[kPairs[p].second];
  }

  template <class V>
  static DEFORMBENCH_INLINE void quotients(const V s[3], const V& lambda, const V& mu, V flip[3], V twist[3]) {
    const V pressure = lambda * Shape::trace(s);
    for (int p = 0; p < 3; ++p) {
      const V &a = s[kPairs[p].first], &b = s[kPairs[p].second];
      flip[p] = mu * Shape::dw_minus(a, b) + pressure * Shape::dc_minus(a, b);
      twist[p] = mu * Shape::dw_plus(a, b) + pressure * Shape::dc_plus(a, b);
    }
  }

  /// slope[3i+j] = ∂h_ij/∂s_j for i ≠ j (invertible.hpp); ∂h_ij/∂s_k of three different axes is zero.
  template <class V>
  static DEFORMBENCH_INLINE void coupling_slopes(const V s[3], const V& lambda, V slope[9]) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) slope[3 * i + j] = lambda * Shape::dc(s[i]) * Shape::ddc(s[j]);
  }

  /// (h_ik − h_jk)/(s_i − s_j) of each pair i, j with the third axis k.
  template <class V>
  static DEFORMBENCH_INLINE void coupling_quotients(const V s[3], const V& lambda, V quotient[3]) {
    for (int p = 0; p < 3; ++p)
      quotient[p] = lambda * Shape::dc(s[kPairs[p].other]) * Shape::dc_minus(s[kPairs[p].first], s[kPairs[p].second]);
  }
};

}  // namespace deformbench::fem
