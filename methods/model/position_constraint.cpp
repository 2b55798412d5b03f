// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/position_constraint.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace deformbench::model {

int cardinality(ConstraintKind kind) {
  return kind == ConstraintKind::Distance ? 2 : 4;
}

const char* to_string(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::Distance:
      return "distance";
    case ConstraintKind::Bend:
      return "bend";
    case ConstraintKind::TetraVolume:
      return "tetra_volume";
    case ConstraintKind::TrianglePoint:
      return "triangle_point";
    case ConstraintKind::TrianglePointScaled:
      return "triangle_point_scaled";
  }
  return "unknown";
}

double dihedral_angle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 edge = b - a;
  const Vector3 n1 = (c - a).cross(edge);
  const Vector3 n2 = edge.cross(d - a);
  return std::atan2(edge.normalized().dot(n1.cross(n2)), n1.dot(n2));
}

double constraint_value(const PositionConstraint& constraint, const Eigen::Ref<const Points>& positions) {
  const auto x = [&](std::size_t k) -> Vector3 { return positions.row(constraint.vertices[k]); };
  const Vector3 a = x(0), b = x(1);
  if (constraint.kind == ConstraintKind::Distance) return (b - a).norm() - constraint.rest_value;
  const Vector3 c = x(2), d = x(3);
  const Vector3 area_vector = (b - a).cross(c - a);
  switch (constraint.kind) {
    case ConstraintKind::Bend:
      return dihedral_angle(a, b, c, d) - constraint.rest_value;
    case ConstraintKind::TetraVolume:
      return area_vector.dot(d - a) / 6.0 - constraint.rest_value;
    case ConstraintKind::TrianglePoint:
      return area_vector.normalized().dot(d - a) - constraint.rest_value;
    default:
      return area_vector.dot(d - a) - constraint.rest_value;
  }
}

}  // namespace deformbench::model
