// SPDX-License-Identifier: BSD-3-Clause
#include "methods/projective/element_split.hpp"

#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::projective {

ElementSplit::ElementSplit(const fem::Body<double>& body, MatrixStiffness stiffness, double weight) {
  const fem::MeshGraph& graph = body.graph;
  elements_.reserve(std::size_t(graph.element_count()));
  for (int slot = 0; slot < graph.element_count(); ++slot) {
    const int element = graph.element_of[std::size_t(slot)];
    const fem::RestElement rest = fem::rest_element(body.scene.tet_mesh, element);
    const model::Material& material = body.scene.material_of(element);
    elements_.push_back({graph.corners.data() + 4 * std::size_t(slot), rest.gradients, rest.volume,
                         material.lame_lambda(), material.lame_mu(),
                         weight * weight * stiffness_of(material, stiffness), Matrix3::Zero()});
  }
}

void ElementSplit::begin() {
  for (Element& element : elements_) element.multiplier.setZero();
}

void ElementSplit::add_gradient(const Vector& x, Vector& gradient) {
  for (Element& e : elements_) {
    Matrix3 f = Matrix3::Zero();
    for (int a = 0; a < 4; ++a)
      f += Eigen::Map<const Vector3>(x.data() + 4 * std::size_t(e.corners[a])) * e.gradients.col(a).transpose();
    // Z = R S has the rotation R of Q = F + U. Where Ψ = μ ‖S − I‖² + λ/2 tr²(S − I), 2μ (S − I) + λ tr(S − I) I +
    // k' (S − RᵀQ) = 0 is linear in S.
    const Matrix3 q = f + e.multiplier, rotation = numerics::polar_rotation(q);
    const double shear = 2.0 * e.mu + e.stiffness, before = rotation.cwiseProduct(q).sum();
    const double trace = (6.0 * e.mu + 9.0 * e.lambda + e.stiffness * before) / (shear + 3.0 * e.lambda);
    const Matrix3 own = ((2.0 * e.mu - e.lambda * (trace - 3.0)) * rotation + e.stiffness * q) / shear;
    e.multiplier = q - own;
    const Eigen::Matrix<double, 3, 4> forces = e.volume * e.stiffness * (f - own + e.multiplier) * e.gradients;
    for (int a = 0; a < 4; ++a) Eigen::Map<Vector3>(gradient.data() + 4 * std::size_t(e.corners[a])) += forces.col(a);
  }
}

}  // namespace deformbench::projective
