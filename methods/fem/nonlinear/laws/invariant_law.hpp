// SPDX-License-Identifier: BSD-3-Clause
// Laws Ψ = f(I_C) + g(J) with I_C = F:F, J = det F: P = shear F + volume ∂J/∂F. For .cpp files and private
// headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/matrix_invariants.hpp"
#include "methods/fem/nonlinear/laws/separable_law.hpp"

namespace deformbench::fem {

/// Shape: Terms<V>(I_C, J, λ, μ) with shear, volume, l = ∂volume/∂J and share = 2 ∂shear/∂I_C; kHasShare: share ≠ 0;
/// energy_of_invariants.
template <class Shape>
struct InvariantLaw {
  static constexpr bool kDirect = true, kDefinedInverted = true, kSeparable = false, kHasShare = Shape::kHasShare;
  static constexpr int kRestStiffness = 1;
  template <class V>
  using Terms = typename Shape::template Terms<V>;
  template <class V>
  static DEFORMBENCH_INLINE V energy_of_invariants(const V& squares, const V& j, const V& lambda, const V& mu) {
    return Shape::template energy_of_invariants<V>(squares, j, lambda, mu);
  }

  template <class V>
  static DEFORMBENCH_INLINE V energy(const V s[3], const V& lambda, const V& mu) {
    return energy_of_invariants<V>(s[0] * s[0] + s[1] * s[1] + s[2] * s[2], s[0] * s[1] * s[2], lambda, mu);
  }
  template <class V>
  static DEFORMBENCH_INLINE Terms<V> terms_of(const V s[3], const V& lambda, const V& mu) {
    return Terms<V>(s[0] * s[0] + s[1] * s[1] + s[2] * s[2], s[0] * s[1] * s[2], lambda, mu);
  }
  template <class V>
  static DEFORMBENCH_INLINE void gradient(const V s[3], const V& lambda, const V& mu, V g[3]) {
    const Terms<V> terms = terms_of(s, lambda, mu);
    for (int i = 0; i < 3; ++i) g[i] = terms.shear * s[i] + terms.volume * (s[(i + 1) % 3] * s[(i + 2) % 3]);
  }
  template <class V>
  static DEFORMBENCH_INLINE void hessian(const V s[3], const V& lambda, const V& mu, V h[6]) {
    const Terms<V> terms = terms_of(s, lambda, mu);
    const V area[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};  // ∂J/∂s_i
    for (int i = 0; i < 3; ++i) h[i] = terms.shear + terms.share * (s[i] * s[i]) + terms.l * (area[i] * area[i]);
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p].first, j = kPairs[p].second, k = kPairs[p].other;
      h[3 + p] = terms.share * area[k] + terms.l * (area[i] * area[j]) + terms.volume * s[k];
    }
  }
  template <class V>
  static DEFORMBENCH_INLINE void quotients(const V s[3], const V& lambda, const V& mu, V flip[3], V twist[3]) {
    const Terms<V> terms = terms_of(s, lambda, mu);
    for (int p = 0; p < 3; ++p) {
      const V other = terms.volume * s[kPairs[p].other];
      flip[p] = terms.shear - other, twist[p] = terms.shear + other;
    }
  }
  template <class V>
  static DEFORMBENCH_INLINE V energy_of(const V f[9], const V& lambda, const V& mu) {
    return energy_of_invariants<V>(sum_of_squares(f), determinant(f), lambda, mu);
  }
  template <class V>
  static DEFORMBENCH_INLINE void piola_of(const V f[9], const V& lambda, const V& mu, V p[9]) {
    V c[9];
    const V j = cofactors(f, c);
    const Terms<V> terms(sum_of_squares(f), j, lambda, mu);
    for (int k = 0; k < 9; ++k) p[k] = terms.shear * f[k] + terms.volume * c[k];
  }
};

}  // namespace deformbench::fem
