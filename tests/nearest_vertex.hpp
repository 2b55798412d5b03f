// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/model/types.hpp"

namespace deformbench {

/// The vertex nearest to `point` (m), the first of equals.
inline int nearest_vertex(const Points& positions, const Vector3& point) {
  Eigen::Index nearest = 0;
  (positions.rowwise() - point.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return int(nearest);
}

}  // namespace deformbench
