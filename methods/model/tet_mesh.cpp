// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/tet_mesh.hpp"

#include <Eigen/LU>

namespace deformbench::model {

namespace {

/// Columns x1−x0, x2−x0, x3−x0.
Matrix3 edge_matrix(const TetMesh& mesh, const Eigen::Ref<const Points>& positions, Eigen::Index element) {
  const auto vertices = mesh.tetrahedra.row(element);
  Matrix3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = (positions.row(vertices[k + 1]) - positions.row(vertices[0])).transpose();
  return edges;
}

}  // namespace

double tetrahedron_volume(const TetMesh& mesh, const Eigen::Ref<const Points>& positions, Eigen::Index element) {
  return edge_matrix(mesh, positions, element).determinant() / 6.0;
}

double total_volume(const TetMesh& mesh, const Eigen::Ref<const Points>& positions) {
  double volume = 0.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) volume += tetrahedron_volume(mesh, positions, e);
  return volume;
}

Matrix3 deformation_gradient(const TetMesh& mesh, const Eigen::Ref<const Points>& positions, Eigen::Index element) {
  return edge_matrix(mesh, positions, element) * edge_matrix(mesh, mesh.rest_positions, element).inverse();
}

}  // namespace deformbench::model
