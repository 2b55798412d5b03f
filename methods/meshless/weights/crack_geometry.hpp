// SPDX-License-Identifier: BSD-3-Clause
// Cracks as the weights of pairs see them. [PKAGDG05] §2.1
#pragma once

#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// Surfaces of cracks and their fronts, in material coordinates.
class CrackGeometry {
 public:
  virtual ~CrackGeometry() = default;
  /// d_s (m): how far behind the front of its crack the segment from a to b crosses it, the largest of all crossings.
  /// Infinite where a crack has no front left, as one that cuts the body through; nothing where no crack is crossed.
  virtual std::optional<double> crossing_depth(const Vector3& a, const Vector3& b) const = 0;
};

}  // namespace deformbench::meshless
