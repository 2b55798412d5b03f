// SPDX-License-Identifier: BSD-3-Clause
// Value and gradients of one stretch or bend constraint. [MHHR07] §4.1, App. B
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/model/types.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

template <int n>
struct Evaluated {
  double value = 0.0;                ///< C
  std::array<Vector3, n> gradients;  ///< ∇_iC, all zero if undefined
};

/// C = |x1 − x0| − d, projected by [MHHR07] eq. 9, 10.
inline Evaluated<2> evaluate_stretch(const std::array<Vector3, 2>& x, double rest_length) {
  const Vector3 d = x[1] - x[0];
  const double length = d.norm();
  const Vector3 direction = length > 0.0 ? Vector3(d / length) : Vector3(Vector3::Zero());
  return {length - rest_length, {-direction, direction}};
}

/// C = θ − θ0 with θ of model::dihedral_angle. With the edge e = x1 − x0 and N1 = (x2 − x0) × e, N2 = e × (x3 − x0): θ
/// = atan2(|e| N2·(x2 − x0), N1·N2), ∇2θ = |e| N1/|N1|², ∇3θ = |e| N2/|N2|²; the others follow from invariance under
/// rigid motion. DEVIATION [MHHR07] §4.1: the angle is signed and smooth at flat pairs, where the printed arccos has no
/// gradient (B-PBD-3).
inline Evaluated<4> evaluate_signed_bend(const std::array<Vector3, 4>& x, double rest_angle) {
  const Vector3 e = x[1] - x[0], c = x[2] - x[0], d = x[3] - x[0];
  const Vector3 n1 = c.cross(e), n2 = e.cross(d);
  const double square = e.squaredNorm(), length = std::sqrt(square);
  const double square1 = n1.squaredNorm(), square2 = n2.squaredNorm();
  Evaluated<4> result;
  result.value = std::atan2(length * n2.dot(c), n1.dot(n2)) - rest_angle;
  result.gradients.fill(Vector3::Zero());
  if (!(square1 > 0.0) || !(square2 > 0.0)) return result;
  const Vector3 g1 = (length / square1) * n1, g2 = (length / square2) * n2;
  const double s1 = c.dot(e) / square, s2 = d.dot(e) / square;
  result.gradients = {(s1 - 1.0) * g1 + (s2 - 1.0) * g2, -s1 * g1 - s2 * g2, g1, g2};
  return result;
}

/// C = arccos(n1·n2) − φ0 with n1 ∥ p2 × p3, n2 ∥ p2 × p4 relative to p1, so that flat is π; the paper's p1 … p4 are x0
/// … x3. φ0 = π − |rest angle|. No gradient if n1·n2 = ±1. [MHHR07] §4.1, App. B
inline Evaluated<4> evaluate_printed_bend(const std::array<Vector3, 4>& x, double rest_angle) {
  const Vector3 p2 = x[1] - x[0], p3 = x[2] - x[0], p4 = x[3] - x[0];
  const Vector3 cross3 = p2.cross(p3), cross4 = p2.cross(p4);
  const double length3 = cross3.norm(), length4 = cross4.norm();
  Evaluated<4> result;
  result.gradients.fill(Vector3::Zero());
  if (!(length3 > 0.0) || !(length4 > 0.0)) return result;
  const Vector3 n1 = cross3 / length3, n2 = cross4 / length4;
  const double d = std::clamp(n1.dot(n2), -1.0, 1.0);
  result.value = std::acos(d) - (M_PI - std::abs(rest_angle));
  const double sine = std::sqrt(1.0 - d * d);
  if (!(sine > 0.0)) return result;
  const Vector3 q3 = (p2.cross(n2) + d * n1.cross(p2)) / length3;
  const Vector3 q4 = (p2.cross(n1) + d * n2.cross(p2)) / length4;
  const Vector3 q2 = -(p3.cross(n2) + d * n1.cross(p3)) / length3 - (p4.cross(n1) + d * n2.cross(p4)) / length4;
  result.gradients = {-(q2 + q3 + q4) / sine, q2 / sine, q3 / sine, q4 / sine};
  return result;
}

inline Evaluated<4> evaluate_bend(BendAngle angle, const std::array<Vector3, 4>& x, double rest_angle) {
  return angle == BendAngle::Signed ? evaluate_signed_bend(x, rest_angle) : evaluate_printed_bend(x, rest_angle);
}

}  // namespace deformbench::pbd
