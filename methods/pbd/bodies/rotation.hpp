// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "methods/model/types.hpp"

namespace deformbench::pbd {

/// exp of the rotation vector (rad), by Rodrigues' formula.
inline Matrix3 rotation_by(const Vector3& vector) {
  const double angle = vector.norm();
  if (angle == 0) return Matrix3::Identity();
  return Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
}

/// Product of a symmetric body-frame matrix with a world-frame vector.
inline Vector3 world_times(const Matrix3& body_matrix, const Matrix3& orientation, const Vector3& vector) {
  return orientation * (body_matrix * (orientation.transpose() * vector));
}

/// Re-orthonormalised rotation, without accumulated rounding.
inline Matrix3 without_drift(const Matrix3& rotation) {
  return Eigen::Quaterniond(rotation).normalized().toRotationMatrix();
}

}  // namespace deformbench::pbd
