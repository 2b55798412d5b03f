// SPDX-License-Identifier: BSD-3-Clause
// 8-node trilinear hexahedra with eight Gauss points and mean dilatation (Q1P0), for laws of the form
//   Ψ(F) = μ A(F) + λ/2 t²,   t = J − 1, ln J, tr E or tr S − 3.
// With the weights w_q of the points, their sum V₀ and the mean dilatation J̄ = Σ w_q J_q / V₀ = V(x)/V₀ of an element,
//   E(x) = Σ_q w_q μ A(F_q) + V₀ λ/2 t̄²,   t̄ = J̄ − 1, ln J̄, or the mean of the trace:
// one pressure per element, and an energy of the positions alone. Terms in J with factor μ stay at the points, so a
// neo-Hookean element resists inversion at each point and no mode is softer than shear.
// Masses, loads and surfaces are those of the six tetrahedra on the same nodes (model/hexahedra.hpp). In scalar
// double, one element at a time: an alternative to the 10-node tetrahedron, but slow.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "methods/fem/elasticity/elasticity.hpp"
#include "methods/model/hexahedra.hpp"

namespace deformbench::fem {

struct AveragedLaw;

class HexahedralElasticity final : public NonlinearElasticity<double>, public DeformationGradientFacet {
 public:
  /// `body` must outlive the part; its graph needs the edges of `elements` (Body). InputError if the law is not of the
  /// form above.
  HexahedralElasticity(const std::string& law, Body<double>& body, const model::Hexahedra& elements);

  double energy(const double* x) override;
  double energy_scale() const override;
  double penalty_stiffness() const override;
  double stable_time_step() const override;
  void forces(const double* x, double* f) override;
  bool has_direct_forces() const override { return true; }
  /// Filters the Hessian of each element as a whole, 24×24.
  void assemble_hessian(const double* x, double c, const HessianForm& form, LinearSystem<double>& system,
                        double* f) override;
  int selected_elements(const std::vector<char>& nodes) const override;
  void follow(const GraphChange&) override {}  // supports() refuses fracture

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  /// At the mean ξ of the corners of each of the scene's tetrahedra: its centroid in an undistorted element.
  std::vector<Matrix3> deformation_gradients(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& positions) const override;
  Eigen::SparseMatrix<double> hessian(const Eigen::Ref<const Points>& positions,
                                      const HessianForm& form) const override;
  double stiffness_bound() const override;

 private:
  static constexpr int kNodes = 8, kPoints = 8, kEdges = 28;
  using Nodes = Eigen::Matrix<double, kNodes, 3>;  ///< a row per node; positions relative to the first
  using Hessian = Eigen::Matrix<double, 3 * kNodes, 3 * kNodes>;
  struct Point {
    Nodes gradients;  ///< ∇N_a, 1/m
    double weight;    ///< m³
  };
  struct Element {
    std::array<int, kNodes> nodes;  ///< of the graph
    std::array<int, kEdges> edges;  ///< of the graph, of nodes 01 02 … 67
    std::array<Point, kPoints> points;
    double lambda, mu, volume;  ///< Pa, Pa, m³
  };
  struct State;

  Point point_at(std::size_t element, const Vector3& xi) const;
  Nodes rest_of(std::size_t element) const;
  /// Node positions of all elements (m), from a vector in the graph's order or rows in mesh order.
  std::vector<Nodes> places(const double* x) const;
  std::vector<Nodes> places(const Eigen::Ref<const Points>& positions) const;

  double energy_of(const Element& element, const Nodes& x) const;
  Nodes forces_of(const Element& element, const Nodes& x) const;
  Hessian hessian_of(const Element& element, const Nodes& x) const;
  Hessian stiffness_at_rest(std::size_t element) const;
  bool is_selected(const Element& element, const std::vector<char>& nodes) const;

  /// Calls work(element index) for all elements, on the body's threads.
  template <class Work>
  void each_element(Work&& work) const;
  double sum_energies(const std::vector<Nodes>& x) const;
  std::vector<Nodes> all_forces(const std::vector<Nodes>& x) const;
  /// `a` = c ∂²E/∂x², its weights untouched.
  void write_hessian(const std::vector<Nodes>& x, double c, const HessianForm& form,
                     numerics::UpperBlockMatrix<double>& a) const;

  Body<double>& body_;
  const AveragedLaw& law_;
  std::vector<Element> elements_;
};

}  // namespace deformbench::fem
