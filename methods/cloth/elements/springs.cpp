// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/elements/springs.hpp"

#include <algorithm>

namespace deformbench::cloth {

std::vector<Spring> springs_of(const Scene& scene, double edge_stiffness) {
  std::vector<std::array<int, 2>> edges;
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

double energy(const std::vector<Spring>& springs, const Eigen::Ref<const Points>& x) {
  double sum = 0.0;
  for (const Spring& spring : springs) {
    const double stretch = (x.row(spring.vertices[1]) - x.row(spring.vertices[0])).norm() - spring.rest_length;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

void add_forces(const std::vector<Spring>& springs, const Eigen::Ref<const Points>& x, Points& forces) {
  for (const Spring& spring : springs) {
    const Eigen::RowVector3d along = x.row(spring.vertices[1]) - x.row(spring.vertices[0]);
    const double length = along.norm();
    if (length == 0.0) continue;
    const Eigen::RowVector3d pull = spring.stiffness * (1.0 - spring.rest_length / length) * along;
    forces.row(spring.vertices[0]) += pull;
    forces.row(spring.vertices[1]) -= pull;
  }
}

}  // namespace deformbench::cloth
