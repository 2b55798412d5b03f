// SPDX-License-Identifier: BSD-3-Clause
// Linear elasticity in the frame of each vertex, [MDMJC02]: forces without an energy, and a nonsymmetric matrix.
#pragma once

#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/fem/elasticity/vertex_warping.hpp"

namespace deformbench::fem {

template <class T>
class VertexWarpedElasticity final : public AffineElasticity<T>, public RotationFacet {
 public:
  /// `scale`: c of the integrator's matrix, s². `body` must outlive the part.
  VertexWarpedElasticity(Body<T>& body, double scale)
      : body_(body), model_(body.scene), vertices_(body.scene, body.graph, scale) {}

  bool is_symmetric() const override { return false; }
  void prepare() override { vertices_.rotate(body_.state.positions.data()); }
  void assemble(LinearSystem<T>& system, T* g) override {
    vertices_.assemble(system.weights().data(), system.full(), g);
  }
  void renew_forces(T*) override {}
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& x) const override {
    return model_.stiffness(x);
  }
  double stiffness_bound() const override { return model_.stiffness_bound(); }
  /// Bodies of these elements do not break.
  void follow(const GraphChange&) override {}

  double elastic_energy(const Eigen::Ref<const Points>& x) const override { return model_.energy(x); }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override { return model_.forces(x); }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& x) const override { return model_.rotations(x); }
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& x) const override {
    const std::vector<Matrix3> rotations = model_.element_rotations(x);
    std::vector<Vector6> stresses;
    for (std::size_t e = 0; e < rotations.size(); ++e)
      stresses.push_back(model_.stress(Eigen::Index(e), x, rotations[e]));
    return stresses;
  }

 private:
  Body<T>& body_;
  VertexModel model_;
  VertexWarping<T> vertices_;
};

}  // namespace deformbench::fem
