// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/tet_elements.hpp"

#include <Eigen/LU>

namespace deformbench {

std::vector<TetElement> tet_elements(const Scene& scene) {
  std::vector<TetElement> elements;
  const Points& rest = scene.rest_positions();
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    TetElement element;
    for (int a = 0; a < 4; ++a) element.vertices[std::size_t(a)] = scene.tet_mesh.tetrahedra(e, a);
    Matrix3 edges;
    for (int a = 1; a < 4; ++a)
      edges.col(a - 1) = (rest.row(element.vertices[std::size_t(a)]) - rest.row(element.vertices[0])).transpose();
    element.volume = edges.determinant() / 6.0;
    element.gradients.rightCols<3>() = edges.inverse().transpose();
    element.gradients.col(0) = -element.gradients.rightCols<3>().rowwise().sum();
    const model::Material& material = scene.material_of(e);
    element.mu = material.young_modulus / (2.0 * (1.0 + material.poisson_ratio));
    element.lambda = 2.0 * element.mu * material.poisson_ratio / (1.0 - 2.0 * material.poisson_ratio);
    elements.push_back(element);
  }
  return elements;
}

}  // namespace deformbench
