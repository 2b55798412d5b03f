// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel.hpp"

#include <Eigen/Geometry>

namespace deformbench::meshless {

Surfel round_surfel(const Vector3& position, const Vector3& normal, double radius) {
  // The coordinate axis least aligned with the normal: never parallel to it.
  Eigen::Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vector3 u = normal.cross(Vector3::Unit(least)).normalized();
  return {position, normal, radius * u, radius * normal.cross(u)};
}

}  // namespace deformbench::meshless
