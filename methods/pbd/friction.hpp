// SPDX-License-Identifier: BSD-3-Clause
// Coulomb friction between a point and a surface that can both move, as a projection.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// By how much the friction `held` (kg m, on the point, so far in the iterations) changes so that what has slipped is
/// gone along its own direction, or that |held| is `most`, μ times the impulse along the normal. `inverse_mass` (1/kg):
/// displacement of the point relative to the surface by an impulse on the point and its opposite on the surface. `slip`
/// (m): how far the point has gone relative to the surface, of which the part along it counts. From held = 0 on the
/// slip never changes its sign. Sliding friction is against the slip, whatever way the masses would turn it.
inline Vector3 change_friction(const Matrix3& inverse_mass, const Vector3& normal, const Vector3& slip, double most,
                               Vector3& held) {
  const Vector3 along = slip - normal * normal.dot(slip);
  Vector3 wanted = held - normal * normal.dot(held);
  if (const double mobility = along.dot(inverse_mass * along); mobility > 0.0)
    wanted -= along.squaredNorm() / mobility * along;
  if (const double length = wanted.norm(); length > most) wanted *= most / length;  // Coulomb's cone
  const Vector3 change = wanted - held;
  held = wanted;
  return change;
}

}  // namespace deformbench::pbd
