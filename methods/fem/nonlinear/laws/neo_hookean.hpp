// SPDX-License-Identifier: BSD-3-Clause
// Neo-Hookean: Ψ = μ/2 (I_C − 3) − μ ln J + λ/2 ln²J, P = μ F + (λ ln J − μ)/J ∂J/∂F; I_C = F:F, J = det F. The
// energy is infinite for J ≤ 0, where its derivatives are not defined (NaN here). For .cpp files and private headers
// only (see lanes.hpp).
#pragma once

#include <limits>

#include "methods/fem/nonlinear/laws/matrix_invariants.hpp"
#include "methods/fem/nonlinear/laws/separable_law.hpp"

namespace deformbench::fem {

/// w = (s² − 1)/2 − ln s, c = ln s.
struct LogarithmicShape {
  template <class V>
  static DEFORMBENCH_INLINE V trace(const V s[3]) {
    return numerics::lane_log(s[0] * s[1] * s[2]);
  }
  template <class V>
  static DEFORMBENCH_INLINE V separate(const V s[3], const V& t) {
    using T = numerics::ScalarOf<V>;
    return T(0.5) * (T(-3) + (s[0] * s[0] + s[1] * s[1] + s[2] * s[2])) - t;
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw(const V& s) {
    return s - numerics::ScalarOf<V>(1) / s;
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddw(const V& s) {
    using T = numerics::ScalarOf<V>;
    const V inverse = T(1) / s;
    return T(1) + inverse * inverse;
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc(const V& s) {
    return numerics::ScalarOf<V>(1) / s;
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddc(const V& s) {
    using T = numerics::ScalarOf<V>;
    const V inverse = T(1) / s;
    return T(0) - inverse * inverse;
  }
  // Products of inverses: the compiler divides once for each value.
  template <class V>
  static DEFORMBENCH_INLINE V dw_minus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(1) + (T(1) / a) * (T(1) / b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw_plus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(1) - (T(1) / a) * (T(1) / b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_minus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(0) - (T(1) / a) * (T(1) / b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_plus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return (T(1) / a) * (T(1) / b);
  }
};

struct NeoHookean : SeparableLaw<LogarithmicShape> {
  static constexpr const char* kName = "neo_hookean";
  static constexpr bool kDirect = true, kDefinedInverted = false;

  template <class V>
  static DEFORMBENCH_INLINE V infinite_unless_positive(const V& j, const V& value) {
    using T = numerics::ScalarOf<V>;
    const V infinity = numerics::constant<V>(double(std::numeric_limits<T>::infinity()));
    return numerics::select(numerics::is_less(numerics::constant<V>(0), j), value, infinity);
  }
  template <class V>
  static DEFORMBENCH_INLINE V energy(const V s[3], const V& lambda, const V& mu) {
    return infinite_unless_positive<V>(s[0] * s[1] * s[2], SeparableLaw::energy<V>(s, lambda, mu));
  }
  template <class V>
  static DEFORMBENCH_INLINE V energy_of(const V f[9], const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const V j = determinant(f), t = numerics::lane_log(j);
    const V value = mu * (T(0.5) * (T(-3) + sum_of_squares(f)) - t) + T(0.5) * lambda * (t * t);
    return infinite_unless_positive<V>(j, value);
  }
  template <class V>
  static DEFORMBENCH_INLINE void piola_of(const V f[9], const V& lambda, const V& mu, V p[9]) {
    V c[9];
    const V j = cofactors(f, c);
    const V factor = (lambda * numerics::lane_log(j) - mu) / j;
    for (int k = 0; k < 9; ++k) p[k] = mu * f[k] + factor * c[k];
  }
};

}  // namespace deformbench::fem
