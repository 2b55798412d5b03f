// SPDX-License-Identifier: BSD-3-Clause
// The material that cracks run in: what is inside all sheets of the body, and the area that fronts have swept.
#pragma once

#include <memory>
#include <vector>

#include "methods/meshless/cracks/crack_types.hpp"
#include "methods/meshless/cracks/swept_area.hpp"
#include "methods/meshless/surface/sheet.hpp"

namespace deformbench::meshless {

/// Sheets of the boundary; a point is inside the body where it is inside each of them.
class CrackBody {
 public:
  explicit CrackBody(std::vector<std::shared_ptr<const Sheet>> sheets) : sheets_(std::move(sheets)) {}

  int sheet_count() const { return int(sheets_.size()); }
  const Sheet& sheet(int number) const { return *sheets_[std::size_t(number)]; }
  /// m, to the sheet with this number, negative inside; very far inside where it is not defined.
  double distance(int sheet, const Vector3& x) const;
  /// The sheet that x is farthest outside of, without `but`; −1 where it is inside all.
  int outside(const Vector3& x, int but = -1) const;
  bool contains(const Vector3& x) const { return outside(x) < 0; }
  /// m, the largest distance over all sheets: negative inside.
  double depth(const Vector3& x) const;

  struct Exit {
    Vector3 point;  ///< on the sheet
    int sheet;
  };
  /// Where the segment from a point inside to one outside leaves the body first, to a relative 1e-12. `but` does not
  /// count.
  Exit exit(const Vector3& inside, const Vector3& outside, int but = -1) const;

 private:
  std::vector<std::shared_ptr<const Sheet>> sheets_;
};

}  // namespace deformbench::meshless
