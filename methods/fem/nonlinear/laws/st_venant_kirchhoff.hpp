// SPDX-License-Identifier: BSD-3-Clause
// St. Venant–Kirchhoff: E = ½(FᵀF − I), Ψ = μ E:E + λ/2 tr²E, second Piola–Kirchhoff stress S = λ tr(E) I + 2μ E, P =
// F S. Weak in compression: the force decreases below a stretch of 1/√3 (λ = 0), vanishes at zero and drives an
// inverted element to its mirror image. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/separable_law.hpp"

namespace deformbench::fem {

/// w = e², c = e with e = (s² − 1)/2.
struct GreenShape {
  template <class V>
  static DEFORMBENCH_INLINE V green(const V& s) {
    using T = numerics::ScalarOf<V>;
    return T(0.5) * ((T(-1) + s) * (T(1) + s));
  }
  template <class V>
  static DEFORMBENCH_INLINE V trace(const V s[3]) {
    return green(s[0]) + green(s[1]) + green(s[2]);
  }
  template <class V>
  static DEFORMBENCH_INLINE V separate(const V s[3], const V&) {
    const V e[3] = {green(s[0]), green(s[1]), green(s[2])};
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw(const V& s) {
    using T = numerics::ScalarOf<V>;
    return T(2) * s * green(s);
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddw(const V& s) {
    using T = numerics::ScalarOf<V>;
    return T(-1) + T(3) * s * s;
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc(const V& s) {
    return s;
  }
  template <class V>
  static DEFORMBENCH_INLINE V ddc(const V&) {
    return numerics::constant<V>(1);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw_minus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(-1) + (a * a + a * b + b * b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dw_plus(const V& a, const V& b) {
    using T = numerics::ScalarOf<V>;
    return T(-1) + (a * a - a * b + b * b);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_minus(const V&, const V&) {
    return numerics::constant<V>(1);
  }
  template <class V>
  static DEFORMBENCH_INLINE V dc_plus(const V&, const V&) {
    return numerics::constant<V>(1);
  }
};

struct StVenantKirchhoff : SeparableLaw<GreenShape> {
  static constexpr const char* kName = "st_venant_kirchhoff";
  static constexpr bool kDirect = true, kDefinedInverted = true;

  /// Green strain of f: 00 11 22 01 02 12.
  template <class V>
  static DEFORMBENCH_INLINE void green_strain(const V f[9], V e[6]) {
    using T = numerics::ScalarOf<V>;
    const auto product = [&](int i, int j) { return f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]; };
    for (int i = 0; i < 3; ++i) e[i] = T(0.5) * (T(-1) + product(i, i));
    for (int p = 0; p < 3; ++p) e[3 + p] = T(0.5) * product(kPairs[p].first, kPairs[p].second);
  }
  template <class V>
  static DEFORMBENCH_INLINE V energy_of(const V f[9], const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    V e[6];
    green_strain(f, e);
    const V trace = e[0] + e[1] + e[2], shears = e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    return mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + T(2) * shears) + T(0.5) * lambda * (trace * trace);
  }
  template <class V>
  static DEFORMBENCH_INLINE void piola_of(const V f[9], const V& lambda, const V& mu, V p[9]) {
    using T = numerics::ScalarOf<V>;
    V e[6];
    green_strain(f, e);
    const V pressure = lambda * (e[0] + e[1] + e[2]), twice = T(2) * mu;
    const V diagonal[3] = {twice * e[0] + pressure, twice * e[1] + pressure, twice * e[2] + pressure};
    const V s01 = twice * e[3], s02 = twice * e[4], s12 = twice * e[5];
    for (int i = 0; i < 9; i += 3) {
      p[i] = f[i] * diagonal[0] + f[i + 1] * s01 + f[i + 2] * s02;
      p[i + 1] = f[i] * s01 + f[i + 1] * diagonal[1] + f[i + 2] * s12;
      p[i + 2] = f[i] * s02 + f[i + 1] * s12 + f[i + 2] * diagonal[2];
    }
  }
};

/// The law as [CS6967] §2.2 prints it, without ½: ε = FᵀF − I, S = λ tr(ε) I + 2μ ε, P = F S. As ε = 2E this P
/// is that of St. Venant–Kirchhoff with 2λ and 2μ. The gradient of μ ε:ε + λ/2 tr²ε is 2P; P is the gradient of
/// half of it, Ψ = μ/2 ε:ε + λ/4 tr²ε = 2μ E:E + λ tr²E, the energy here.
struct StVenantKirchhoffAsPrinted {
  using Law = StVenantKirchhoff;
  static constexpr const char* kName = "st_venant_kirchhoff_as_printed";
  static constexpr bool kDirect = true, kDefinedInverted = true, kSeparable = true;
  static constexpr int kRestStiffness = 2;

  template <class V>
  static DEFORMBENCH_INLINE V energy(const V s[3], const V& lambda, const V& mu) {
    return Law::energy<V>(s, lambda + lambda, mu + mu);
  }
  template <class V>
  static DEFORMBENCH_INLINE void gradient(const V s[3], const V& lambda, const V& mu, V g[3]) {
    Law::gradient<V>(s, lambda + lambda, mu + mu, g);
  }
  template <class V>
  static DEFORMBENCH_INLINE void hessian(const V s[3], const V& lambda, const V& mu, V h[6]) {
    Law::hessian<V>(s, lambda + lambda, mu + mu, h);
  }
  template <class V>
  static DEFORMBENCH_INLINE void quotients(const V s[3], const V& lambda, const V& mu, V flip[3], V twist[3]) {
    Law::quotients<V>(s, lambda + lambda, mu + mu, flip, twist);
  }
  template <class V>
  static DEFORMBENCH_INLINE void coupling_slopes(const V s[3], const V& lambda, V slope[9]) {
    Law::coupling_slopes<V>(s, lambda + lambda, slope);
  }
  template <class V>
  static DEFORMBENCH_INLINE void coupling_quotients(const V s[3], const V& lambda, V quotient[3]) {
    Law::coupling_quotients<V>(s, lambda + lambda, quotient);
  }
  template <class V>
  static DEFORMBENCH_INLINE V energy_of(const V f[9], const V& lambda, const V& mu) {
    return Law::energy_of<V>(f, lambda + lambda, mu + mu);
  }
  template <class V>
  static DEFORMBENCH_INLINE void piola_of(const V f[9], const V& lambda, const V& mu, V p[9]) {
    Law::piola_of<V>(f, lambda + lambda, mu + mu, p);
  }
};

}  // namespace deformbench::fem
