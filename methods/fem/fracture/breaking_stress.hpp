// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::fem {

/// An element that may break.
struct Suspect {
  int element;
  /// Pa, largest principal stress in the arithmetic of the pass; not a number when the pass cannot tell.
  double stress;
};

/// What fracture asks of an elasticity part.
class BreakingStress {
 public:
  virtual ~BreakingStress() = default;
  /// The elements of which the largest principal stress at the positions of now may exceed the threshold that the part
  /// was made with: never too few. The part has then been prepared at these positions.
  virtual std::vector<Suspect> suspects() = 0;
  /// Of an element after `suspects`: its frame, and its stress in that frame (Pa, xx yy zz xy yz zx).
  virtual Matrix3 breaking_rotation(int element) const = 0;
  virtual Vector6 breaking_stress(int element, const Matrix3& rotation) const = 0;
};

}  // namespace deformbench::fem
