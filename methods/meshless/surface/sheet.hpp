// SPDX-License-Identifier: BSD-3-Clause
// A sheet of a solid's boundary: of its outer surface or of a crack. [PKAGDG05] §3.1
#pragma once

#include <optional>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// In material coordinates. Normals point outside.
class Sheet {
 public:
  virtual ~Sheet() = default;
  /// m, negative inside; nothing beyond the sheet's domain of definition.
  virtual std::optional<double> signed_distance(const Vector3& x) const = 0;
  /// Projection of x onto the sheet; nothing where signed_distance is undefined.
  virtual std::optional<Vector3> project(const Vector3& x) const = 0;
  /// Outward unit normal at a point of the sheet.
  virtual Vector3 normal(const Vector3& on_sheet) const = 0;
  /// Parameter t in [0, 1] from a to b of the first intersection with the sheet, if any.
  virtual std::optional<double> first_hit(const Vector3& a, const Vector3& b) const = 0;
};

}  // namespace deformbench::meshless
