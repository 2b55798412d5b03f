// SPDX-License-Identifier: BSD-3-Clause
// Eigendecomposition of symmetric 3×3 matrices, one or lane_count<T> at once, without branches: cyclic Jacobi
// with a fixed number of sweeps. Symmetric matrices are stored as six V: 00 11 22 01 02 12. For .cpp files and
// private headers only (see lanes.hpp).
#pragma once

#include <limits>

#include "methods/numerics/lane_math.hpp"

namespace deformbench::numerics {

/// Leaves off-diagonal entries below rounding in double: at most 3e-20 of the largest eigenvalue in half a million
/// matrices (3e-5 with three sweeps). batched_svd_test.cpp searches for the worst case.
inline constexpr int kJacobiSweeps = 4;

/// Rotates in the plane of axes P and Q so that a(P, Q) = 0; applies the same rotation to columns P and Q of v.
template <int P, int Q, class V>
DEFORMBENCH_INLINE void jacobi_rotation(V a[6], V v[9]) {
  using T = ScalarOf<V>;
  constexpr int kRest = 3 - P - Q, kPq = P + Q + 2, kPr = P + kRest + 2, kQr = Q + kRest + 2;
  const V zero = constant<V>(0);
  const V d = a[Q] - a[P], h = a[kPq] + a[kPq];
  // tan of the smaller of the two angles; 0/tiny = 0 where both d and h vanish.
  const V size = T(std::numeric_limits<T>::min()) + (lane_abs(d) + lane_sqrt(d * d + h * h));
  const V t = select(is_less(d, zero), zero - h, h) / size;
  const V c = T(1) / lane_sqrt(T(1) + t * t), s = t * c;
  const V step = t * a[kPq];
  a[P] = a[P] - step, a[Q] = a[Q] + step, a[kPq] = zero;
  const V p = a[kPr], q = a[kQr];
  a[kPr] = c * p - s * q, a[kQr] = s * p + c * q;
  for (int row = 0; row < 3; ++row) {
    const V x = v[3 * row + P], y = v[3 * row + Q];
    v[3 * row + P] = c * x - s * y, v[3 * row + Q] = s * x + c * y;
  }
}

/// a = v diag(values) vᵀ: values in a[0…2], unordered; v (row-major) has determinant +1. The error is a few ulps of
/// the largest |value|, also for repeated values. No scaling: squares of entries must not over- or underflow.
template <class V>
DEFORMBENCH_INLINE void symmetric_eigen_lanes(V a[6], V v[9]) {
  for (int k = 0; k < 9; ++k) v[k] = constant<V>(k % 4 == 0 ? 1 : 0);
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    jacobi_rotation<0, 1>(a, v);
    jacobi_rotation<0, 2>(a, v);
    jacobi_rotation<1, 2>(a, v);
  }
}

}  // namespace deformbench::numerics
