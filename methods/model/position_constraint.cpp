// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/position_constraint.hpp"

#include <cmath>

namespace deformbench::model {

double dihedral_angle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 edge = b - a;
  const Vector3 n1 = (c - a).cross(edge);
  const Vector3 n2 = edge.cross(d - a);
  return std::atan2(edge.normalized().dot(n1.cross(n2)), n1.dot(n2));
}

double constraint_value(const PositionConstraint& constraint, const Eigen::Ref<const Points>& positions) {
  const ConstraintType& type = type_of(constraint.kind);
  ConstraintType::Corners x;
  for (std::size_t k = 0; k < std::size_t(type.cardinality); ++k) x[k] = positions.row(constraint.vertices[k]);
  return type.value(x) - constraint.rest_value;
}

}  // namespace deformbench::model
