// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/prescribed.hpp"

namespace deformbench {

HeldCoordinates prescribed_coordinates(const Scene& scene) {
  HeldCoordinates held(scene.vertex_count(), 3);
  held.setConstant(false);
  for (const model::PrescribedMotion& motion : scene.prescribed)
    for (const int v : motion.vertices)
      for (int c = 0; c < 3; ++c) held(v, c) = held(v, c) || motion.components[std::size_t(c)];
  return held;
}

void impose_prescribed(const Scene& scene, double time, Points& positions) {
  const Points& rest = scene.rest_positions();
  for (const model::PrescribedMotion& motion : scene.prescribed) {
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const int v = motion.vertices[k];
      const Vector3 target = motion.position_at(k, rest.row(v), time);
      for (int c = 0; c < 3; ++c)
        if (motion.components[std::size_t(c)]) positions(v, c) = target[c];
    }
  }
}

}  // namespace deformbench
