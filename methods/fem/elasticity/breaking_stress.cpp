// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/breaking_stress.hpp"

#include <algorithm>
#include <cmath>

namespace deformbench::fem {

double largest_principal(const Vector6& s) {
  const double mean = (s[0] + s[1] + s[2]) / 3.0;
  const double xx = s[0] - mean, yy = s[1] - mean, zz = s[2] - mean;
  const double square = (xx * xx + yy * yy + zz * zz + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6.0;
  const double p = std::sqrt(square);
  if (!(p > 0.0)) return mean;  // also for NaN
  const double half_determinant =
      0.5 * (xx * (yy * zz - s[4] * s[4]) - s[3] * (s[3] * zz - s[4] * s[5]) + s[5] * (s[3] * s[4] - yy * s[5]));
  const double angle = std::acos(std::clamp(half_determinant / (square * p), -1.0, 1.0)) / 3.0;
  return mean + 2.0 * p * std::cos(angle);
}

}  // namespace deformbench::fem
