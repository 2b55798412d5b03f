// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/plane_contact.hpp"

#include <algorithm>

namespace deformbench::meshless {

int add_plane_forces(std::span<const model::PlaneCollider> planes, std::span<const double> stiffnesses,
                     const Eigen::VectorXd& masses, const Points& positions, const Points& velocities, double step,
                     Points& forces) {
  int count = 0;
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    bool is_behind = false;
    for (const model::PlaneCollider& plane : planes) {
      const double depth = plane.offset - positions.row(i).dot(plane.normal);
      if (!(depth > 0.0)) continue;
      is_behind = true;
      const double push = stiffnesses[std::size_t(i)] * depth;
      const Vector3 velocity = velocities.row(i);
      const Vector3 sliding = velocity - velocity.dot(plane.normal) * plane.normal;
      const double speed = sliding.norm();
      Vector3 force = push * plane.normal;
      if (speed > 0.0) force -= std::min(plane.friction * push, masses[i] * speed / step) / speed * sliding;
      forces.row(i) += force;
    }
    count += is_behind;
  }
  return count;
}

}  // namespace deformbench::meshless
