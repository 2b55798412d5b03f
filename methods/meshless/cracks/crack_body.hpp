// SPDX-License-Identifier: BSD-3-Clause
// The material in which cracks propagate: the interior of all sheets of the body.
#pragma once

#include <memory>
#include <vector>

#include "methods/meshless/cracks/crack_types.hpp"
#include "methods/meshless/cracks/swept_area.hpp"
#include "methods/meshless/surface/sheet.hpp"

namespace deformbench::meshless {

/// Boundary of the body; a point is inside the body if it is inside all its sheets.
class CrackBody {
 public:
  explicit CrackBody(std::vector<std::shared_ptr<const Sheet>> sheets) : sheets_(std::move(sheets)) {}

  int sheet_count() const { return int(sheets_.size()); }
  const Sheet& sheet(int number) const { return *sheets_[std::size_t(number)]; }
  /// m, signed distance to the sheet with this number, negative inside; very far inside if undefined.
  double distance(int sheet, const Vector3& x) const;
  /// The sheet that x is farthest outside of, except `but`; −1 if inside all.
  int outside(const Vector3& x, int but = -1) const;
  bool contains(const Vector3& x) const { return outside(x) < 0; }
  /// m, maximum of the signed distances over all sheets: negative inside.
  double depth(const Vector3& x) const;

  struct Exit {
    Vector3 point;  ///< on the sheet
    int sheet;
  };
  /// An exit from the body on the segment from an inside to an outside point, by bisection to 1e-13 of it.
  /// Ignores `but`.
  Exit exit(const Vector3& inside, const Vector3& outside, int but = -1) const;

 private:
  std::vector<std::shared_ptr<const Sheet>> sheets_;
};

}  // namespace deformbench::meshless
