// SPDX-License-Identifier: BSD-3-Clause
// Stable neo-Hookean material [SGK18] without its origin barrier: I_C = F:F, J = det F,
//   Ψ = μ/2 (I_C − 3) + (λ + μ)/2 (J − 1)² − μ (J − 1).
// At rest P = 0, ∂²Ψ/∂s_i² = λ + 2μ and ∂²Ψ/∂s_i∂s_j = λ: small strains have the Lamé constants λ, μ (Pa). The
// collapsed state F = 0 is a second minimum, with Ψ = λ/2. In the position of one vertex of a tetrahedron I_C is
// quadratic and J affine, and so Ψ is a convex quadratic. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/invariant_law.hpp"

namespace deformbench::fem {

struct StableNeoHookeanCoreShape {
  static constexpr bool kHasShare = false;
  template <class V>
  struct Terms {
    V l, shear, volume, share;
    DEFORMBENCH_INLINE Terms(const V&, const V& j, const V& lambda, const V& mu) {
      using T = numerics::ScalarOf<V>;
      l = lambda + mu;
      shear = mu;
      volume = l * (T(-1) + j) - mu;
      share = T(0) * mu;
    }
  };
  template <class V>
  static DEFORMBENCH_INLINE V energy_of_invariants(const V& squares, const V& j, const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const V growth = T(-1) + j;
    return T(0.5) * mu * (T(-3) + squares) + growth * (T(0.5) * (lambda + mu) * growth - mu);
  }
};

struct StableNeoHookeanCore : InvariantLaw<StableNeoHookeanCoreShape> {
  static constexpr const char* kName = "stable_neo_hookean_core";
};

}  // namespace deformbench::fem
