// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/geometry_error.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace deformbench::collision {

double geometry_error(const Points& positions, const Triangles& triangles) {
  const auto corner = [&](Eigen::Index t, int k) { return Vector3(positions.row(triangles(t, k % 3)).transpose()); };
  const auto area_vector = [&](Eigen::Index t) {
    return Vector3((corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)));
  };
  std::map<std::array<int, 2>, Eigen::Index> first_side;  // edge → the first triangle found with it
  double largest = 0.0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
      const auto [side, is_first] = first_side.insert({{std::min(a, b), std::max(a, b)}, t});
      if (is_first) continue;
      const Vector3 mine = area_vector(t), other = area_vector(side->second);
      const double length = (corner(t, k + 1) - corner(t, k)).norm();
      if (!(length > 0.0)) continue;
      const double angle = std::atan2(mine.cross(other).norm(), mine.dot(other));
      const double height = 0.5 * (mine.norm() + other.norm()) / length;
      largest = std::max(largest, angle * height / 8.0);  // [B05] §13: κ h²/8 with κ = θ/h
    }
  return largest;
}

}  // namespace deformbench::collision
