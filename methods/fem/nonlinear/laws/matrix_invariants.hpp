// SPDX-License-Identifier: BSD-3-Clause
// Polynomials of a deformation gradient F (row-major f[9]) for laws that need no singular values. V: float, double or
// numerics::Batch. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include "methods/numerics/lane_math.hpp"

namespace deformbench::fem {

/// I_C = F:F, the sum of the squares of the singular values.
template <class V>
DEFORMBENCH_INLINE V sum_of_squares(const V f[9]) {
  V sum = f[0] * f[0];
  for (int k = 1; k < 9; ++k) sum = sum + f[k] * f[k];
  return sum;
}

/// ∂J/∂F, row-major. Returns J = det F.
template <class V>
DEFORMBENCH_INLINE V cofactors(const V f[9], V c[9]) {
  for (int i = 0; i < 3; ++i) {
    const int below = 3 * ((i + 1) % 3), last = 3 * ((i + 2) % 3);
    for (int j = 0; j < 3; ++j) {
      const int right = (j + 1) % 3, far = (j + 2) % 3;
      c[3 * i + j] = f[below + right] * f[last + far] - f[below + far] * f[last + right];
    }
  }
  return f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
}

template <class V>
DEFORMBENCH_INLINE V determinant(const V f[9]) {
  return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
}

}  // namespace deformbench::fem
