// SPDX-License-Identifier: BSD-3-Clause
// A sheet of the boundary of a solid: of its outer surface or of a crack. [PKAGDG05] §3.1
#pragma once

#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// In material coordinates. Outside is where the normals point.
class Sheet {
 public:
  virtual ~Sheet() = default;
  /// m, negative inside; nothing farther from the sheet than it is defined.
  virtual std::optional<double> signed_distance(const Vector3& x) const = 0;
  /// The point of the sheet that x projects to; nothing where signed_distance has nothing.
  virtual std::optional<Vector3> project(const Vector3& x) const = 0;
  /// Outward unit normal at a point of the sheet.
  virtual Vector3 normal(const Vector3& on_sheet) const = 0;
  /// Share t in [0, 1] of the way from a to b at which the segment first meets the sheet; nothing where it does not.
  virtual std::optional<double> first_hit(const Vector3& a, const Vector3& b) const = 0;
};

}  // namespace deformbench::meshless
