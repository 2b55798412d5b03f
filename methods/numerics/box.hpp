// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::numerics {

struct Box {
  Vector3 low, high;  ///< m, low ≤ high
};

/// Touching boxes overlap.
inline bool overlap(const Box& a, const Box& b) {
  return a.low[0] <= b.high[0] && b.low[0] <= a.high[0] && a.low[1] <= b.high[1] && b.low[1] <= a.high[1] &&
         a.low[2] <= b.high[2] && b.low[2] <= a.high[2];
}

/// Bounding box of the rows `corners` of `positions`.
template <class Corners>
Box box_around(const Points& positions, const Corners& corners) {
  Box box{positions.row(corners[0]).transpose(), positions.row(corners[0]).transpose()};
  for (Eigen::Index k = 1; k < corners.size(); ++k) {
    box.low = box.low.cwiseMin(positions.row(corners[k]).transpose());
    box.high = box.high.cwiseMax(positions.row(corners[k]).transpose());
  }
  return box;
}

/// Bounding box of each row of `elements`, triangles or tetrahedra.
template <class Elements>
std::vector<Box> boxes_of(const Points& positions, const Elements& elements) {
  std::vector<Box> boxes;
  boxes.reserve(std::size_t(elements.rows()));
  for (Eigen::Index e = 0; e < elements.rows(); ++e) boxes.push_back(box_around(positions, elements.row(e)));
  return boxes;
}

}  // namespace deformbench::numerics
