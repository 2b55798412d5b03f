// SPDX-License-Identifier: BSD-3-Clause
// Stable neo-Hookean material [SGK18], with the origin barrier, −m/2 ln(I_C + 1): I_C = F:F, J = det F,
//   Ψ = m/2 (I_C − 3) + l/2 (J − α)² − m/2 ln(I_C + 1), α = 1 + 3m/(4l), so that F = I is free of stress.
// At rest ∂²Ψ/∂s_i² = 7m/8 + l and ∂²Ψ/∂s_i∂s_j = l − 5m/8. Set equal to λ + 2μ and λ, they give m = 4μ/3 and l = λ +
// 5μ/6: small strains have the Lamé constants λ, μ (Pa). Written without α, which would divide by l, and minus its
// value at rest: Ψ = m/2 (I_C − 3) + l/2 (J − 1)² − 3m/4 (J − 1) − m/2 ln((I_C + 1)/4). Smooth for every F, inverted
// or zero. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/invariant_law.hpp"

namespace deformbench::fem {

struct StableNeoHookeanShape {
  static constexpr bool kHasShare = true;
  /// share = 2m/(I_C + 1)².
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
};

struct StableNeoHookean : InvariantLaw<StableNeoHookeanShape> {
  static constexpr const char* kName = "stable_neo_hookean";
};

}  // namespace deformbench::fem
