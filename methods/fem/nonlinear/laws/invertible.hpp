// SPDX-License-Identifier: BSD-3-Clause
// Invertible elements [ITF04] [TSIF05]: below a threshold a of a singular value, a law is continued with constant
// stiffness, so that flat and inverted elements are pushed back. With c_i = max(s_i, a) and d_i = s_i − c_i ≤ 0
//   Ψ(s) = Ψ(c) + Σ g_i(c) d_i + Σ_{i<j} h_ij(c) d_i d_j + ½ k Σ d_i²,   k = max(h_00(a, 1, 1), r (λ + 2μ)),
// r (λ + 2μ) the law's stiffness at rest (`kRestStiffness`).
// The terms d_i d_j make the gradient continuous: the part without k is linear in each clamped value, with the law's
// slope at the threshold. (For one clamped value, the others at rest, the force continues with the law's own
// stiffness there, or that at rest if larger.) Where two values sum to zero the gradient jumps, as in the co-rotational
// law.
// DEVIATION [ITF04]: that paper continues the curves of the principal stresses, which need not have an energy; here the
// energy is continued and the stress is its gradient.
// For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include <array>
#include <string_view>

#include "methods/fem/nonlinear/laws/separable_law.hpp"

namespace deformbench::fem {

namespace detail {
/// "invertible_" and the name of a law, null-terminated.
template <class Law>
constexpr auto invertible_name() {
  constexpr std::string_view prefix = "invertible_", name = Law::kName;
  std::array<char, prefix.size() + name.size() + 1> joined{};
  for (std::size_t k = 0; k < prefix.size(); ++k) joined[k] = prefix[k];
  for (std::size_t k = 0; k < name.size(); ++k) joined[prefix.size() + k] = name[k];
  return joined;
}
template <class Law>
inline constexpr auto kInvertibleName = invertible_name<Law>();
}  // namespace detail

/// `ThresholdPercent`: a in per cent of the rest length. The default is below the stretch of elements that are
/// compressed but not crushed, and makes k = 17 μ + 38 λ for neo-Hookean material.
template <class Law, int ThresholdPercent = 25>
struct Invertible {
  static_assert(Law::kSeparable, "∂³Ψ/∂s_0∂s_1∂s_2 of the law must vanish");
  static constexpr const char* kName = detail::kInvertibleName<Law>.data();
  static constexpr bool kDirect = false, kDefinedInverted = true, kSeparable = false;
  static constexpr int kRestStiffness = Law::kRestStiffness;
  static constexpr double kThreshold = ThresholdPercent / 100.0;

  /// k; every law is linear in λ and μ.
  template <class V>
  static DEFORMBENCH_INLINE V penalty(const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const T of_lambda = T(stiffness_at_threshold(1.0, 0.0)), of_mu = T(stiffness_at_threshold(0.0, 1.0));
    return numerics::lane_max(of_lambda * lambda + of_mu * mu, T(Law::kRestStiffness) * (lambda + T(2) * mu));
  }

  template <class V>
  static DEFORMBENCH_INLINE V energy(const V s[3], const V& lambda, const V& mu) {
    using T = numerics::ScalarOf<V>;
    const Continued<V> at(s, lambda, mu);
    V sum = Law::template energy<V>(at.c, lambda, mu);
    for (int i = 0; i < 3; ++i) sum = sum + at.d[i] * (at.g[i] + T(0.5) * at.k * at.d[i]);
    for (int p = 0; p < 3; ++p) sum = sum + at.h[3 + p] * (at.d[kPairs[p].first] * at.d[kPairs[p].second]);
    return sum;
  }

  template <class V>
  static DEFORMBENCH_INLINE void gradient(const V s[3], const V& lambda, const V& mu, V g[3]) {
    Continued<V>(s, lambda, mu).gradient(g);
  }

  template <class V>
  static DEFORMBENCH_INLINE void hessian(const V s[3], const V& lambda, const V& mu, V h[6]) {
    const Continued<V> at(s, lambda, mu);
    V slope[9];
    Law::template coupling_slopes<V>(at.c, lambda, slope);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      h[i] =
          numerics::select(at.is_clamped(i), at.k, at.h[i] + slope[3 * j + i] * at.d[j] + slope[3 * l + i] * at.d[l]);
    }
    for (int p = 0; p < 3; ++p) h[3 + p] = at.h[3 + p];
  }

  template <class V>
  static DEFORMBENCH_INLINE void quotients(const V s[3], const V& lambda, const V& mu, V flip[3], V twist[3]) {
    using T = numerics::ScalarOf<V>;
    const Continued<V> at(s, lambda, mu);
    V g[3], law_flip[3], law_twist[3], coupling[3];
    at.gradient(g);
    Law::template quotients<V>(at.c, lambda, mu, law_flip, law_twist);
    Law::template coupling_quotients<V>(at.c, lambda, coupling);
    const V zero = numerics::constant<V>(0), one = numerics::constant<V>(1);
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p].first, j = kPairs[p].second;
      // (c_i − c_j)/(s_i − s_j): 1 where neither is clamped and 0 where both are, for equal values too.
      const auto differ = numerics::is_less(zero, numerics::lane_abs(at.d[i] - at.d[j]));
      const V apart = numerics::select(differ, s[i] - s[j], one);
      const V mixed = numerics::select(differ, (at.c[i] - at.c[j]) / apart, one);
      const V free = numerics::select(at.is_clamped(i), numerics::select(at.is_clamped(j), zero, mixed), mixed);
      flip[p] = free * (law_flip[p] + coupling[p] * at.d[kPairs[p].other]) + (T(1) - free) * (at.k - at.h[3 + p]);
      twist[p] = (g[i] + g[j]) / sum_of_pair(s[i], s[j]);
    }
  }

 private:
  static double stiffness_at_threshold(double lambda, double mu) {
    const double corner[3] = {kThreshold, 1.0, 1.0};
    double h[6];
    Law::template hessian<double>(corner, lambda, mu, h);
    return h[0];
  }

  /// The law at the clamped values c, and how far s is below them.
  template <class V>
  struct Continued {
    V c[3], d[3], g[3], h[6], k;
    DEFORMBENCH_INLINE Continued(const V s[3], const V& lambda, const V& mu) : k(penalty<V>(lambda, mu)) {
      const V threshold = numerics::constant<V>(kThreshold);
      for (int i = 0; i < 3; ++i) c[i] = numerics::lane_max(s[i], threshold), d[i] = s[i] - c[i];
      Law::template gradient<V>(c, lambda, mu, g);
      Law::template hessian<V>(c, lambda, mu, h);
    }
    DEFORMBENCH_INLINE auto is_clamped(int i) const { return numerics::is_less(d[i], numerics::constant<V>(0)); }
    DEFORMBENCH_INLINE void gradient(V out[3]) const {
      for (int i = 0; i < 3; ++i) out[i] = g[i] + k * d[i];
      for (int p = 0; p < 3; ++p) {
        const int i = kPairs[p].first, j = kPairs[p].second;
        out[i] = out[i] + h[3 + p] * d[j], out[j] = out[j] + h[3 + p] * d[i];
      }
    }
  };
};

}  // namespace deformbench::fem
