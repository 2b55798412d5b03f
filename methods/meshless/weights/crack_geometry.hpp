// SPDX-License-Identifier: BSD-3-Clause
// Crack geometry for the weights of pairs. [PKAGDG05] §2.1
#pragma once

#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// Crack surfaces and fronts, in material coordinates.
class CrackGeometry {
 public:
  virtual ~CrackGeometry() = default;
  /// d_s (m): depth behind its front at which the segment from a to b crosses a crack, maximum over all crossings.
  /// Infinite if the crack has no front (complete cut); nothing without crossings.
  virtual std::optional<double> crossing_depth(const Vector3& a, const Vector3& b) const = 0;
};

}  // namespace deformbench::meshless
