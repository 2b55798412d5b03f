// SPDX-License-Identifier: BSD-3-Clause
// What resists deformation, as the other parts see it. Virtual calls are made once per step or iteration; the loop over
// the elements behind them is compiled for each material. Vectors have four numbers per node, in the graph's order.
#pragma once

#include "methods/facets.hpp"
#include "methods/fem/body/body.hpp"
#include "methods/fem/integrators/linear_system.hpp"

namespace deformbench::fem {

/// What every elasticity part answers: its facets in double at any positions.
template <class T>
class Elasticity : public SimulationPart, public ElasticityFacet, public StressFacet {
 public:
  /// K' = −∂f/∂x, or what the method takes for it, at any positions (3n×3n, N/m), and a bound on its largest
  /// eigenvalue that holds at rest.
  virtual Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const = 0;
  virtual double stiffness_bound() const = 0;
  /// After the body has followed vertex splits.
  virtual void follow(const GraphChange& change) = 0;
};

/// Forces linear in x once the rotations are given: f = −(K'x + f0'). What LinearlyImplicitEuler advances.
template <class T>
class AffineElasticity : public Elasticity<T> {
 public:
  /// Whether K' is symmetric; where it is not, a LinearSystem keeps all of its blocks.
  virtual bool is_symmetric() const { return true; }
  /// At the positions of the body: rotations, plastic flow. Plastic strains that the step before prepared become
  /// current.
  virtual void prepare() = 0;
  /// K' does not depend on positions: whoever has assembled it keeps it, and calls `renew_forces` alone.
  virtual bool has_constant_matrix() const { return false; }
  /// False after a change of materials or of the mesh.
  virtual bool matrix_is_current() const { return false; }
  /// system = diag(w) + c K', and g = −c f0'.
  virtual void assemble(LinearSystem<T>& system, T* g) = 0;
  /// g alone, where `has_constant_matrix`; may leave it as it is when it has not changed.
  virtual void renew_forces(T* g) = 0;
  /// Nothing but the constant matrix is needed from now on.
  virtual void release() {}
};

/// Forces that are minus the gradient of an energy at any x. What Newton and the explicit integrators advance.
template <class T>
class NonlinearElasticity : public Elasticity<T> {
 public:
  /// J; not finite where the material allows no such state.
  virtual double energy(const T* x) = 0;
  /// Stiffness over that of linear elasticity with the same λ, μ: at rest, or where the law is continued with a penalty
  /// (invertible.hpp). What the substeps of explicit steps are chosen for.
  virtual double penalty_stiffness() const = 0;
  /// J: rounding of `energy` is that of numbers of this size, which cancel.
  virtual double energy_scale() const = 0;
  /// f = −∂E/∂x on every node, N.
  virtual void forces(const T* x, T* f) = 0;
  /// ∂²E/∂x² at any positions (3n×3n, N/m), with `projected` as assemble_hessian has it.
  virtual Eigen::SparseMatrix<double> hessian(const Eigen::Ref<const Points>& positions, bool projected) const = 0;
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const override {
    return hessian(positions, false);
  }
  /// system = diag(w) + c ∂²E/∂x², with `projected` each element's part made positive semidefinite; also f(x).
  virtual void assemble_hessian(const T* x, double c, bool projected, LinearSystem<T>& system, T* f) = 0;
};

}  // namespace deformbench::fem
