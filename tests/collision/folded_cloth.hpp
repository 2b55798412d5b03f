// SPDX-License-Identifier: BSD-3-Clause
// Cloth whose layers are about to meet, of a few hundred vertices.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "methods/model/types.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::collision {

struct MovingCloth {
  Points x, v;
  Triangles triangles;
};

/// `layers` sheets of n×n vertices 0.1 m apart, stacked `gap` (m) apart and lying askew; velocities of size `speed`
/// (m/s), those of odd layers against those of even ones.
inline MovingCloth stacked_sheets(int layers, int n, double gap, double speed, std::uint64_t seed) {
  const int each = n * n;
  MovingCloth cloth{Points(layers * each, 3), Points(layers * each, 3), Triangles(layers * 2 * (n - 1) * (n - 1), 3)};
  numerics::RandomStream random(seed);
  const Matrix3 turn =
      (Eigen::AngleAxisd(0.5, Vector3::UnitX()) * Eigen::AngleAxisd(0.4, Vector3::UnitY())).toRotationMatrix();
  Eigen::Index t = 0;
  for (int l = 0; l < layers; ++l)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int at = l * each + j * n + i;
        const Vector3 place(0.1 * i + 0.037 * l, 0.1 * j + 0.021 * l, gap * (l + 0.3 * random.uniform()));
        const Vector3 velocity = 0.3 * random.direction() + Vector3(0.0, 0.0, l % 2 == 0 ? 0.7 : -0.7);
        cloth.x.row(at) = (turn * place).transpose();
        cloth.v.row(at) = speed * (turn * velocity).transpose();
        if (i + 1 == n || j + 1 == n) continue;
        cloth.triangles.row(t++) << at, at + 1, at + n;
        cloth.triangles.row(t++) << at + 1, at + n + 1, at + n;
      }
  return cloth;
}

}  // namespace deformbench::collision
