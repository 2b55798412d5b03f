// SPDX-License-Identifier: BSD-3-Clause
// Interfaces of elasticity for the other parts. Virtual calls are made once per step or iteration; the element loops
// behind them are compiled for each material. Vectors have four numbers per node, in the graph's order.
#pragma once

#include "methods/facets.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/fem/body/linear_system.hpp"

namespace deformbench::fem {

/// Options for the element Hessians.
struct HessianForm {
  /// Factor of their negative eigenvalues: 1 leaves them, 0 makes the Hessian positive semidefinite [TSIF05], −1 takes
  /// their magnitudes [CLLZJ24].
  double negative_share = 0.0;
  /// If given, only elements with a corner whose entry is nonzero are filtered; in the graph's order.
  const std::vector<char>* filtered_nodes = nullptr;
  bool single_precision = false;  ///< their blocks; forces and the sums of blocks are in double
};

/// Common to all elasticity parts: facets in double precision at any positions.
template <class T>
class Elasticity : public SimulationPart, public ElasticityFacet, public StressFacet {
 public:
  /// K' = −∂f/∂x, or the method's approximation of it, at any positions (3n×3n, N/m), and a bound on its largest
  /// eigenvalue that holds at rest.
  virtual Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const = 0;
  virtual double stiffness_bound() const = 0;
  /// Call after Body::follow.
  virtual void follow(const GraphChange& change) = 0;
};

/// Forces affine in x for given rotations: f = −(K'x + f0'). Used by LinearlyImplicitEuler.
template <class T>
class AffineElasticity : public Elasticity<T> {
 public:
  /// Whether K' is symmetric; if not, a LinearSystem stores all of its blocks.
  virtual bool is_symmetric() const { return true; }
  /// Computes rotations and plastic flow at the body's positions. The resulting plastic strains
  /// become current.
  virtual void prepare() = 0;
  /// True if K' does not depend on positions: the caller keeps the assembled matrix and only calls `renew_forces`.
  virtual bool has_constant_matrix() const { return false; }
  /// False after a change of materials or of the mesh.
  virtual bool matrix_is_current() const { return false; }
  /// system = diag(w) + c K', and g = −c f0'.
  virtual void assemble(LinearSystem<T>& system, T* g) = 0;
  /// Only g, if `has_constant_matrix`; may leave an unchanged g untouched.
  virtual void renew_forces(T* g) = 0;
  /// Called as soon as only the constant matrix is needed.
  virtual void release() {}
};

/// Forces that are minus the gradient of an energy at any x. Used by Newton and the explicit integrators.
template <class T>
class NonlinearElasticity : public Elasticity<T> {
 public:
  /// J; not finite for states that the material does not allow.
  virtual double energy(const T* x) = 0;
  /// Stiffness relative to linear elasticity with the same λ, μ: at rest or in a penalty continuation
  /// (invertible.hpp), the larger of both. Determines the substeps of explicit steps.
  virtual double penalty_stiffness() const = 0;
  /// A lower bound of 2/ω_max at that stiffness, s.
  virtual double stable_time_step() const = 0;
  /// J: magnitude of the cancelling terms of `energy`, which sets its rounding error.
  virtual double energy_scale() const = 0;
  /// f = −∂E/∂x on every node, N.
  virtual void forces(const T* x, T* f) = 0;
  /// Whether `forces` costs far less than a Hessian.
  virtual bool has_direct_forces() const = 0;
  /// ∂²E/∂x² at any positions (3n×3n, N/m).
  virtual Eigen::SparseMatrix<double> hessian(const Eigen::Ref<const Points>& positions,
                                              const HessianForm& form) const = 0;
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const override {
    return hessian(positions, {1.0});
  }
  /// system = diag(w) + c ∂²E/∂x²; also f(x), unless null.
  virtual void assemble_hessian(const T* x, double c, const HessianForm& form, LinearSystem<T>& system, T* f) = 0;
  /// Number of tetrahedra that HessianForm::filtered_nodes selects.
  virtual int selected_elements(const std::vector<char>& nodes) const = 0;
};

}  // namespace deformbench::fem
