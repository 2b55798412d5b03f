// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/solid/tetrahedral_edges.hpp"

#include <algorithm>
#include <tuple>

namespace deformbench::pbd {

std::vector<StretchConstraint> edge_distances(const model::TetMesh& mesh) {
  std::vector<StretchConstraint> edges;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const auto [a, b] = std::minmax({mesh.tetrahedra(e, i), mesh.tetrahedra(e, j)});
        edges.push_back({a, b, 0.0});
      }
  const auto key = [](const StretchConstraint& c) { return std::tuple(c.b - c.a, c.a); };
  std::sort(edges.begin(), edges.end(), [&](const auto& one, const auto& other) { return key(one) < key(other); });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [&](const auto& one, const auto& other) { return key(one) == key(other); }),
              edges.end());
  for (StretchConstraint& edge : edges)
    edge.rest_length = (mesh.rest_positions.row(edge.b) - mesh.rest_positions.row(edge.a)).norm();
  return edges;
}

std::vector<model::PositionConstraint> tetrahedron_volumes(const model::TetMesh& mesh, double stiffness,
                                                           double compliance) {
  std::vector<model::PositionConstraint> volumes;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const auto v = mesh.tetrahedra.row(e);
    volumes.push_back({model::ConstraintKind::TetraVolume,
                       {v[0], v[1], v[2], v[3]},
                       model::tetrahedron_volume(mesh, mesh.rest_positions, e),
                       stiffness,
                       compliance,
                       false});
  }
  return volumes;
}

Triangles joining_triangles(const Tetrahedra& tetrahedra) {
  Triangles triangles(2 * tetrahedra.rows(), 3);
  for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e) {
    triangles.row(2 * e) = tetrahedra.row(e).head<3>();
    triangles.row(2 * e + 1) = tetrahedra.row(e).tail<3>();
  }
  return triangles;
}

}  // namespace deformbench::pbd
