// SPDX-License-Identifier: BSD-3-Clause
// Explicit constraints on the positions of a few vertices, as plain data: C(x) = 0, or C(x) ≥ 0. [MHHR07] §3.1
#pragma once

#include <array>

#include "methods/model/types.hpp"

namespace deformbench::model {

enum class ConstraintKind {
  Distance,       ///< |x1 − x0| − rest (m). [MHHR07] eq. 9, 10 project it
  Bend,           ///< signed dihedral angle across the edge (x0, x1) of triangles (0, 2, 1), (0, 1, 3), − rest (rad)
  TetraVolume,    ///< det[x1 − x0, x2 − x0, x3 − x0] / 6 − rest (m³)
  TrianglePoint,  ///< (x3 − x0)·n − rest (m), n the unit normal of the triangle (0, 1, 2). [MHHR07] eq. 11
  TrianglePointScaled,  ///< (x3 − x0)·[(x1 − x0) × (x2 − x0)] − rest (m³). [MHHR07] §3.4
};

/// Number of vertices of a constraint of this kind: 2 or 4.
int cardinality(ConstraintKind kind);
/// "distance", "bend", "tetra_volume", "triangle_point", "triangle_point_scaled".
const char* to_string(ConstraintKind kind);

struct PositionConstraint {
  ConstraintKind kind = ConstraintKind::Distance;
  std::array<int, 4> vertices{0, 0, -1, -1};  ///< the first cardinality(kind) count
  double rest_value = 0.0;                    ///< unit of the kind
  double stiffness = 1.0;                     ///< k ∈ [0, 1] of position based dynamics
  double compliance = 0.0;                    ///< α ≥ 0, inverse stiffness of compliant methods (unit²/J)
  bool is_inequality = false;                 ///< C ≥ 0 instead of C = 0
};

/// C(x): unit of the kind. Angles are in (−π, π], from atan2.
double constraint_value(const PositionConstraint& constraint, const Eigen::Ref<const Points>& positions);

/// Signed dihedral angle (rad) of the triangles (a, c, b) and (a, b, d) across their edge (a, b), in (−π, π]:
/// atan2(ê·(n1 × n2), n1·n2) with n1 ∥ (c − a) × (b − a), n2 ∥ (b − a) × (d − a), ê ∥ b − a; 0 if coplanar.
double dihedral_angle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

}  // namespace deformbench::model
