// SPDX-License-Identifier: BSD-3-Clause
// Driving stress of cracks. [PKAGDG05] §3.2
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// Stress and strength of the material, in material coordinates.
class StressField {
 public:
  virtual ~StressField() = default;
  /// σ at x (Pa), symmetric.
  virtual Matrix3 stress(const Vector3& x) const = 0;
  /// Tensile stress at x (Pa) below which a front stands still; infinite: no crack propagates there.
  virtual double threshold(const Vector3& x) const = 0;
};

/// Largest eigenvalue of σ and its unit eigenvector, of either sign.
struct PrincipalStress {
  double value;       ///< λ, Pa
  Vector3 direction;  ///< v
};
PrincipalStress largest_principal_stress(const Matrix3& stress);

}  // namespace deformbench::meshless
