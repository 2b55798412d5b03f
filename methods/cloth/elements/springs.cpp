// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/springs.hpp"

#include <algorithm>

namespace deformbench::cloth {

double Spring::energy(const Corners<2>& x) const {
  const double stretch = (x.col(1) - x.col(0)).norm() - rest_length;
  return 0.5 * stiffness * stretch * stretch;
}

CornerVector<2> Spring::force(const Corners<2>& x) const {
  CornerVector<2> force = CornerVector<2>::Zero();
  const Vector3 along = x.col(1) - x.col(0);
  const double length = along.norm();
  if (length == 0.0) return force;
  const Vector3 pull = stiffness * (1.0 - rest_length / length) * along;
  force << pull, -pull;
  return force;
}

SquaredConstraint<1, 2> Spring::constraint(const Corners<2>& x) const {
  SquaredConstraint<1, 2> c;
  const Vector3 along = x.col(1) - x.col(0);
  const double length = along.norm(), root = std::sqrt(stiffness);
  c.value[0] = root * (length - rest_length);
  c.slope.setZero();
  if (length > 0.0) c.slope << -root / length * along.transpose(), root / length * along.transpose();
  return c;
}

CornerMatrix<2> Spring::stiffness_matrix(const Corners<2>& x, bool semidefinite) const {
  const Vector3 along = x.col(1) - x.col(0);
  const double length = along.norm();
  Matrix3 block = Matrix3::Zero();
  if (length > 0.0) {
    const Vector3 direction = along / length;
    const Matrix3 axial = direction * direction.transpose();
    double across = stiffness * (1.0 - rest_length / length);
    if (semidefinite) across = std::max(across, 0.0);
    block = stiffness * axial + across * (Matrix3::Identity() - axial);
  }
  CornerMatrix<2> matrix;
  matrix << block, -block, -block, block;
  return matrix;
}

std::vector<Spring> springs_of(const Scene& scene, double edge_stiffness) {
  std::vector<std::array<int, 2>> edges;
  if (edge_stiffness > 0.0)
    for (const auto& triangle : scene.cloth.triangles.rowwise())
      for (int k = 0; k < 3; ++k)
        edges.push_back({std::min(triangle[k], triangle[(k + 1) % 3]), std::max(triangle[k], triangle[(k + 1) % 3])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<Spring> springs;
  const Points& rest = scene.rest_positions();
  for (const auto& edge : edges)
    springs.push_back({edge, (rest.row(edge[1]) - rest.row(edge[0])).norm(), edge_stiffness});
  for (const model::PositionConstraint& constraint : scene.constraints)
    springs.push_back(
        {{constraint.vertices[0], constraint.vertices[1]}, constraint.rest_value, 1.0 / constraint.compliance});
  return springs;
}

}  // namespace deformbench::cloth
