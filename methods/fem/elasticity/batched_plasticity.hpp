// SPDX-License-Identifier: BSD-3-Clause
// Plastic flow (plasticity.hpp) and stress screening of lane_count<T> elements at once. For .cpp files only
// (see lanes.hpp). Symmetric tensors are six batches, xx yy zz xy yz zx.
#pragma once

#include <cmath>

#include "methods/fem/elasticity/plasticity.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

/// sym(RᵀF)·scale − I: with F = root · (deformation gradient) and scale = 1/root the strain B (Rᵀx − x0).
template <class T>
DEFORMBENCH_INLINE void batched_strain(const numerics::Batch<T> r[9], const numerics::Batch<T> f[9],
                                       const numerics::Batch<T>& scale, numerics::Batch<T> strain[6]) {
  using P = numerics::Batch<T>;
  const auto entry = [&](int i, int j) { return r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j]; };
  const P half = T(0.5) * scale;
  for (int i = 0; i < 3; ++i) strain[i] = entry(i, i) * scale - P::all(T(1));
  for (int i = 0; i < 3; ++i) strain[3 + i] = half * (entry(i, (i + 1) % 3) + entry((i + 1) % 3, i));
}

template <class T>
DEFORMBENCH_INLINE numerics::Batch<T> squared_norm(const numerics::Batch<T> a[6], T shear_weight) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + shear_weight * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5]);
}

template <class T>
DEFORMBENCH_INLINE numerics::Batch<T> roots(const numerics::Batch<T>& squares) {
  constexpr int lanes = numerics::lane_count<T>;
  T numbers[lanes];
  squares.to(numbers);
  for (T& number : numbers) number = std::sqrt(number);
  return numerics::Batch<T>::from(numbers);
}

/// One step: p is the plastic strain, in and out; `fraction`: see flow_fraction. [MG04] §3
template <class T>
DEFORMBENCH_INLINE void batched_flow(const PlasticLaw& law, const numerics::Batch<T>& yield,
                                     const numerics::Batch<T>& fraction, const numerics::Batch<T>& max,
                                     const numerics::Batch<T> strain[6], numerics::Batch<T> p[6]) {
  using P = numerics::Batch<T>;
  const T weight = law.norm == StrainNorm::Engineering ? T(4) : T(2);
  P flowing[6];
  for (int k = 0; k < 6; ++k) flowing[k] = strain[k] - p[k];
  if (law.measure == YieldMeasure::Deviatoric) {
    const P mean = T(1) / T(3) * (flowing[0] + flowing[1] + flowing[2]);
    for (int k = 0; k < 3; ++k) flowing[k] = flowing[k] - mean;
  }
  const P square = squared_norm<T>(flowing, weight);
  const auto flows = numerics::is_less(yield * yield, square);
  if (!numerics::all_set(~flows)) {
    P share = fraction;
    if (law.rate == CreepRate::RadialReturn) share = T(1) - yield / roots<T>(square);
    for (int k = 0; k < 6; ++k) p[k] = numerics::select<T>(flows, p[k] + share * flowing[k], p[k]);
  }
  // The cap also applies without flow: a heat source can lower it. A lane's result must not depend on its
  // neighbours, so only lanes beyond the cap are scaled.
  const P stored = squared_norm<T>(p, weight);
  const auto beyond = numerics::is_less(max * max, stored);
  if (numerics::all_set(~beyond)) return;
  const P scale = numerics::select<T>(beyond, max / roots<T>(stored), P::all(T(1)));
  for (int k = 0; k < 6; ++k) p[k] = p[k] * scale;
}

/// Whether the largest principal value of σ/μ = (λ/μ) tr(e) I + 2 e may exceed `limit` = threshold/μ; no false
/// negatives. Tests the bound m + √(2/3)‖s‖ (m mean, s deviator), exact in uniaxial tension.
template <class T>
DEFORMBENCH_INLINE numerics::BatchMask<T> stress_may_exceed(const numerics::Batch<T> e[6],
                                                            const numerics::Batch<T>& ratio,
                                                            const numerics::Batch<T>& limit) {
  using P = numerics::Batch<T>;
  const P trace = e[0] + e[1] + e[2], third = T(1) / T(3) * trace;
  const P mean = ratio * trace + T(2) * third;
  P deviator[6] = {e[0] - third, e[1] - third, e[2] - third, e[3], e[4], e[5]};
  // Margin for the rounding of this estimate.
  const T margin = sizeof(T) == 8 ? T(1 - 1e-9) : T(1 - 1e-4);
  const P room = margin * limit - mean;
  return numerics::is_less(room, P::all(T(0))) |
         numerics::is_less(room * room, T(8.0 / 3.0) * squared_norm<T>(deviator, T(2)));
}

}  // namespace deformbench::fem
