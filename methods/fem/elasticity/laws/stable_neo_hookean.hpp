// SPDX-License-Identifier: BSD-3-Clause
// Stable neo-Hookean material [SGK18], with the barrier of the origin −ln(I_C + 1): I_C = F:F, J = det F,
//   Ψ = m/2 (I_C − 3) + l/2 (J − α)² − m/2 ln(I_C + 1), α = 1 + 3m/(4l), so that F = I is free of stress.
// At rest ∂²Ψ/∂s_i² = 7m/8 + l and ∂²Ψ/∂s_i∂s_j = l − 5m/8. Set equal to λ + 2μ and λ, they give m = 4μ/3 and l = λ +
// 5μ/6: small strains have the Lamé constants λ, μ (Pa). Written without α, which would divide by l, and minus its
// value at rest: Ψ = m/2 (I_C − 3) + l/2 (J − 1)² − 3m/4 (J − 1) − m/2 ln((I_C + 1)/4). Smooth for every F, inverted
// or zero. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/elasticity/laws/matrix_invariants.hpp"
#include "methods/fem/elasticity/laws/separable_law.hpp"

namespace deformbench::fem {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr bool kDirect = true, kDefinedInverted = true, kSeparable = false;
  static constexpr int kRestStiffness = 1;

  /// P = shear F + volume ∂J/∂F. `share`: 2 ∂shear/∂I_C = 2m/(I_C + 1)².
  template <class V>
  struct Terms {
    V l, shear, volume, share;
    DEFORMBENCH_INLINE Terms(const V& squares, const V& j, const V& lambda, const V& mu) {
      using T = numerics::ScalarOf<V>;
      const V m = T(4.0 / 3.0) * mu, inverse = T(1) / (T(1) + squares);
      l = lambda + T(5.0 / 6.0) * mu;
      shear = m - m * inverse;
      volume = l * (T(-1) + j) - mu;  // 3m/4 = μ
      share = T(2) * m * (inverse * inverse);
    }
  };
  template <class V>
  static DEFORMBENCH_INLINE V energy_of_invariants(const V& squares, const V& j, const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const V half_m = T(2.0 / 3.0) * mu, l = lambda + T(5.0 / 6.0) * mu, growth = T(-1) + j;
    const V barrier = numerics::lane_log(T(0.25) * (T(1) + squares));
    return half_m * ((T(-3) + squares) - barrier) + growth * (T(0.5) * l * growth - mu);
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
