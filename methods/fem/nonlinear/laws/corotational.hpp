// SPDX-License-Identifier: BSD-3-Clause
// Co-rotational linear elasticity, F = R S: Ψ = μ ‖S − I‖² + λ/2 tr²(S − I) with F's signed singular values in S, so
// that an inverted element is pushed back through its smallest stretch. Has no rotation-free form (always uses the
// SVD). Where two values sum to zero (rank one; s[2] = −s[1]) R and the energy's gradient jump. For .cpp files and
// private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/separable_law.hpp"

namespace deformbench::fem {

/// w = (s − 1)², c = s − 1.
struct CoRotationalShape {
  template <class V>
  static DEFORMBENCH_INLINE V trace(const V s[3]) {
    return numerics::ScalarOf<V>(-3) + (s[0] + s[1] + s[2]);
  }
  template <class V>
  static DEFORMBENCH_INLINE V separate(const V s[3], const V&) {
    using T = numerics::ScalarOf<V>;
    const V e[3] = {T(-1) + s[0], T(-1) + s[1], T(-1) + s[2]};
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw(const V& s) {
    using T = numerics::ScalarOf<V>;
    return T(2) * (T(-1) + s);
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddw(const V&) {
    return numerics::constant<V>(2);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc(const V&) {
    return numerics::constant<V>(1);
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddc(const V&) {
    return numerics::constant<V>(0);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw_minus(const V&, const V&) {
    return numerics::constant<V>(2);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw_plus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(2) - T(4) / sum_of_pair(a, b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_minus(const V&, const V&) {
    return numerics::constant<V>(0);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_plus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(2) / sum_of_pair(a, b);
  }
};

struct CoRotational : SeparableLaw<CoRotationalShape> {
  static constexpr const char* kName = "corotational";
  static constexpr bool kDirect = false, kDefinedInverted = true;
};

}  // namespace deformbench::fem
