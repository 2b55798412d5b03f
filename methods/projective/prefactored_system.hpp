// SPDX-License-Identifier: BSD-3-Clause
// A = wM + Σ V k ∇N ∇Nᵀ, the same for x, y and z except for the vertices held along each, factorised once. V k ∇N
// ∇Nᵀ is the Hessian of V k/2 ‖F − R‖² for a given rotation R, [BMLLP14].
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "methods/fem/body/body.hpp"
#include "methods/numerics/direct_solver.hpp"

namespace deformbench::projective {

/// k of an element with Lamé constants λ and μ.
enum class MatrixStiffness {
  Shear,  ///< 2μ: with ν = 0 and the law `corotational`, exactly projective dynamics
  Sum,    ///< 2μ + λ: exceeds Bound/2 if ν < 1/3, so full steps converge near rest
  Bound,  ///< 2μ + 3λ, largest eigenvalue of ∂²Ψ/∂F² in linear elasticity
};

double stiffness_of(const model::Material& material, MatrixStiffness stiffness);  ///< k, Pa

class PrefactoredSystem {
 public:
  using Vector = numerics::AlignedVector<double>;
  /// `inertia`: w, 1/s²; `scale` multiplies k. Vectors have four numbers per node, in the graph's order.
  PrefactoredSystem(const fem::Body<double>& body, double inertia, MatrixStiffness stiffness, double scale = 1.0);

  /// x = A⁻¹ b in free components, 0 in held ones.
  void solve(const Vector& b, Vector& x) const;
  /// The same for A + D, D the positive semidefinite diagonal `blocks`: conjugate gradients preconditioned by A⁻¹, to
  /// 1e-6 of the initial preconditioned residual, at most 200 iterations. Returns their number.
  int solve(const Vector& b, const std::vector<fem::NodeBlock>& blocks, Vector& x) const;
  bool is_regular() const { return is_regular_; }
  Eigen::Index nonzeros() const { return matrix_.nonZeros(); }

 private:
  struct Axis {
    std::vector<int> nodes;                           ///< free along it
    std::shared_ptr<numerics::DirectSolver> factors;  ///< shared by axes with the same nodes; null without any
  };
  void product(const Vector& x, Vector& y) const;

  const fem::Body<double>& body_;
  Eigen::SparseMatrix<double> matrix_;  ///< n×n, of all nodes
  std::array<Axis, 3> axes_;
  bool is_regular_ = true;
};

}  // namespace deformbench::projective
