// SPDX-License-Identifier: BSD-3-Clause
// Explicit constraints on the positions of a few vertices, as plain data: C(x) = 0, or C(x) ≥ 0. [MHHR07] §3.1
#pragma once

#include <Eigen/Geometry>
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

/// Signed dihedral angle (rad) of the triangles (a, c, b) and (a, b, d) across their edge (a, b), in (−π, π]:
/// atan2(ê·(n1 × n2), n1·n2) with n1 ∥ (c − a) × (b − a), n2 ∥ (b − a) × (d − a), ê ∥ b − a; 0 if flat.
double dihedral_angle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

/// A kind's properties in scene files, traces and probes; gradients are in methods/pbd/explicit_constraints.cpp.
struct ConstraintType {
  using Corners = std::array<Vector3, 4>;
  const char* name;                   ///< in scene files
  int cardinality;                    ///< vertices, 2 or 4
  const char *rest, *compliance;      ///< keys in scene files, with the unit
  double (*value)(const Corners& x);  ///< C(x) + rest value; angles in (−π, π]
};

/// In the order of ConstraintKind, which traces store.
inline constexpr std::array<ConstraintType, 5> kConstraintTypes{{
    {"distance", 2, "rest_m", "compliance_m2_j", [](const ConstraintType::Corners& x) { return (x[1] - x[0]).norm(); }},
    {"bend", 4, "rest_rad", "compliance_rad2_j",
     [](const ConstraintType::Corners& x) { return dihedral_angle(x[0], x[1], x[2], x[3]); }},
    {"tetra_volume", 4, "rest_m3", "compliance_m6_j",
     [](const ConstraintType::Corners& x) { return (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0; }},
    {"triangle_point", 4, "rest_m", "compliance_m2_j",
     [](const ConstraintType::Corners& x) { return (x[1] - x[0]).cross(x[2] - x[0]).normalized().dot(x[3] - x[0]); }},
    {"triangle_point_scaled", 4, "rest_m3", "compliance_m6_j",
     [](const ConstraintType::Corners& x) { return (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]); }},
}};

inline const ConstraintType& type_of(ConstraintKind kind) {
  return kConstraintTypes[std::size_t(kind)];
}

struct PositionConstraint {
  ConstraintKind kind = ConstraintKind::Distance;
  std::array<int, 4> vertices{0, 0, -1, -1};  ///< uses the first type_of(kind).cardinality
  double rest_value = 0.0;                    ///< unit of the kind
  double stiffness = 1.0;                     ///< k ∈ [0, 1] of position based dynamics
  double compliance = 0.0;                    ///< α ≥ 0, inverse stiffness of compliant methods (unit²/J)
  bool is_inequality = false;                 ///< C ≥ 0 instead of C = 0
};

/// C(x), in the unit of the kind.
double constraint_value(const PositionConstraint& constraint, const Eigen::Ref<const Points>& positions);

}  // namespace deformbench::model
