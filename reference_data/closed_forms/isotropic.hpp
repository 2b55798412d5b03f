// SPDX-License-Identifier: BSD-3-Clause
// Elastic constants of an isotropic solid, separate from the methods' own, so that errors in either show.
#pragma once

#include <numbers>

namespace deformbench::references {

struct Isotropic {
  double young_modulus;  ///< E, Pa
  double poisson_ratio;  ///< ν

  double mu() const { return young_modulus / (2 * (1 + poisson_ratio)); }
  double bulk() const { return young_modulus / (3 * (1 - 2 * poisson_ratio)); }
  double lambda() const { return bulk() - 2 * mu() / 3; }
};

inline double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}
inline double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

}  // namespace deformbench::references
