// SPDX-License-Identifier: BSD-3-Clause
// Straight-sided 10-node tetrahedra with four integration points, for any law. Around each one is a small tetrahedron
// of the element's shape and a quarter of its volume, whose corners y = W x follow the element to first order:
//   y_c = Σ_a [N_a(ξ_q) + ∇N_a·(X_c − X_q)] x_a,
// so that its deformation gradient is that of the point, and E(x) = Ê(W x), f = Wᵀ f̂, H = Wᵀ Ĥ W with the energy Ê of
// these linear tetrahedra (hyperelasticity.hpp). W depends on barycentric coordinates only: all elements share it.
// Four points capture the 24 strain modes of ten nodes and integrate a product of two linear gradients exactly.
// Masses, loads and surfaces are those of the eight tetrahedra on the same nodes (model/subdivision.hpp).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/model/subdivision.hpp"

namespace deformbench::fem {

class QuadraticElasticity final : public NonlinearElasticity<double>, public DeformationGradientFacet {
 public:
  /// `body` must outlive the part; its graph needs the edges of `elements` (Body). InputError if there is no such law.
  QuadraticElasticity(const std::string& law, Body<double>& body, const model::QuadraticTetrahedra& elements);

  double energy(const double* x) override;
  double energy_scale() const override { return points_->energy_scale(); }
  double penalty_stiffness() const override { return points_->penalty_stiffness(); }
  double stable_time_step() const override;
  void forces(const double* x, double* f) override;
  bool has_direct_forces() const override { return points_->has_direct_forces(); }
  void assemble_hessian(const double* x, double c, const HessianForm& form, LinearSystem<double>& system,
                        double* f) override;
  int selected_elements(const std::vector<char>& nodes) const override;
  void follow(const GraphChange&) override {}  // supports() refuses fracture

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  /// At the centroid of each of the scene's tetrahedra.
  std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& positions) const override;
  Eigen::SparseMatrix<double> hessian(const Eigen::Ref<const Points>& positions,
                                      const HessianForm& form) const override;
  double stiffness_bound() const override;

 private:
  using Vector = numerics::AlignedVector<double>;

  bool is_selected(std::size_t slot, const std::vector<char>& nodes) const;
  /// y = W x (m) relative to each element's first node, 4 numbers per corner; valid until the next call.
  const Vector& placed(const double* x);
  /// f = Wᵀ f̂ for the nodes in [low, high).
  void gather_forces(int low, int high, double* f) const;
  /// The blocks of Wᵀ Ĥ W in the rows [low, high) of `a`.
  void gather_blocks(int low, int high, numerics::UpperBlockMatrix<double>& a) const;
  /// As `placed`, but with one row per corner.
  Points points_of(const Eigen::Ref<const Points>& positions) const;
  Eigen::Matrix<double, 10, 3> nodes_from_first(const Eigen::Ref<const Points>& positions, std::size_t slot) const;
  /// Largest eigenvalue of the linear stiffness of the tetrahedron about a point of this element, N/m.
  double point_stiffness(std::size_t slot) const;

  struct Pair {
    int edge;  ///< of the graph, from node a to node b of the element
    int a, b;
  };

  Body<double>& body_;
  std::vector<int> element_of_;             ///< quadratic element of each slot
  model::TetMesh corners_;                  ///< of the elements
  std::vector<std::array<int, 10>> nodes_;  ///< graph nodes of each slot
  std::vector<std::array<int, 2>> span_;    ///< their lowest and highest
  std::vector<Pair> pairs_;                 ///< 45 per slot
  Body<double> point_body_;                 ///< the tetrahedra about the points, four per slot, which share no vertices
  std::unique_ptr<Hyperelasticity> points_;
  numerics::UpperBlockMatrix<double> point_blocks_;  ///< Ĥ
  std::vector<char> filtered_;                       ///< of point_body_, while a Hessian is formed
  Vector y_, point_forces_;
};

}  // namespace deformbench::fem
