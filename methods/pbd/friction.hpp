// SPDX-License-Identifier: BSD-3-Clause
// Coulomb friction between a point and a surface, both movable, as a projection.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// Change of the accumulated friction impulse `held` (kg m, on the point) that removes the tangential `slip` (m, of the
/// point relative to the surface) along its own direction, limited to |held| ≤ `most`, μ times the normal impulse.
/// `inverse_mass` (1/kg): relative displacement per impulse pair on point and surface. Starting from held = 0, the slip
/// never reverses. Sliding friction opposes the slip even if unequal inverse masses would turn it.
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
