// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::fem {

/// Largest principal stress by the trigonometric formula: error about 1e-8 of the stress deviator's norm if the
/// largest two coincide, else rounding.
double largest_principal(const Vector6& stress);

/// An element that may break.
struct Suspect {
  int element;
  /// Pa, largest principal stress in the precision of the pass; NaN if not evaluated.
  double stress;
};

/// Interface of an elasticity part for fracture.
class BreakingStress {
 public:
  virtual ~BreakingStress() = default;
  /// Elements whose largest principal stress at the current positions may exceed the part's threshold: no false
  /// negatives. Also prepares the part at these positions.
  virtual std::vector<Suspect> suspects() = 0;
  /// After `suspects`: frame of an element, and its stress in that frame (Pa, xx yy zz xy yz zx).
  virtual Matrix3 breaking_rotation(int element) const = 0;
  virtual Vector6 breaking_stress(int element, const Matrix3& rotation) const = 0;
};

}  // namespace deformbench::fem
