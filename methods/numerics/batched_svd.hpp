// SPDX-License-Identifier: BSD-3-Clause
// Signed singular value decomposition of lane_count<T> matrices at once: F = U diag(s) Vᵀ with rotations U and V (det
// +1) and s[0] ≥ s[1] ≥ |s[2]|; s[2] has the sign of det F. With R the rotation of F (batched_polar.hpp) S = RᵀF is
// symmetric, for inverted F too; its eigenvectors are V, and U = R V. For .cpp files and private headers only (see
// lanes.hpp).
#pragma once

#include "methods/numerics/batched_eigen.hpp"
#include "methods/numerics/batched_polar.hpp"

namespace deformbench::numerics {

/// Swaps entries and columns I and J unless |s[I]| ≥ |s[J]|; one swapped column changes sign to keep det v = +1.
template <int I, int J, class V>
DEFORMBENCH_INLINE void order_by_size(V s[3], V v[9]) {
  const auto wrong = is_less(lane_abs(s[I]), lane_abs(s[J]));
  const V first = s[I];
  s[I] = select(wrong, s[J], first), s[J] = select(wrong, first, s[J]);
  for (int row = 0; row < 9; row += 3) {
    const V x = v[row + I], y = v[row + J];
    v[row + I] = select(wrong, y, x), v[row + J] = select(wrong, ScalarOf<V>(0) - x, y);
  }
}

/// f, u, v row-major; q: warm start in, rotation of this call out, as in batched_polar. The error f − u diag(s) vᵀ is
/// a few ulps of s[0], however small the others are. Returns the number of lanes that needed the
/// scalar polar decomposition.
template <class T>
DEFORMBENCH_INLINE int batched_svd(const Batch<T> f[9], Batch<T> q[4], Batch<T> u[9], Batch<T> s[3], Batch<T> v[9]) {
  using P = Batch<T>;
  P r[9], a[6];
  const int repaired = batched_polar<T>(f, q, r);
  const auto entry = [&](int i, int j) { return r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j]; };
  for (int i = 0; i < 3; ++i) a[i] = entry(i, i);
  a[3] = T(0.5) * (entry(0, 1) + entry(1, 0));
  a[4] = T(0.5) * (entry(0, 2) + entry(2, 0));
  a[5] = T(0.5) * (entry(1, 2) + entry(2, 1));
  symmetric_eigen_lanes(a, v);
  for (int i = 0; i < 3; ++i) s[i] = a[i];
  order_by_size<0, 1>(s, v);
  order_by_size<0, 2>(s, v);
  order_by_size<1, 2>(s, v);
  // Only the last value may be negative. If rounding made another one negative, a pair of columns of u changes sign.
  const P zero = P::all(T(0));
  P sign[3] = {where_less<T>(s[0], zero, T(-1), T(1)), where_less<T>(s[1], zero, T(-1), T(1)), zero};
  sign[2] = sign[0] * sign[1];
  for (int j = 0; j < 3; ++j) {
    s[j] = sign[j] * s[j];
    for (int i = 0; i < 3; ++i)
      u[3 * i + j] = sign[j] * (r[3 * i] * v[j] + r[3 * i + 1] * v[3 + j] + r[3 * i + 2] * v[6 + j]);
  }
  return repaired;
}

}  // namespace deformbench::numerics
