// SPDX-License-Identifier: BSD-3-Clause
// The split of ADMM [OBLN17]: each element has a deformation gradient Z of its own, which scaled multipliers U hold to
// that of the mesh, F. The local step is Z ← argmin Ψ(Z) + k'/2 ‖F − Z + U‖², then U ← U + F − Z; the global step
// minimises the inertia and Σ V k'/2 ‖F − Z + U‖² in the positions.
#pragma once

#include <vector>

#include "methods/projective/prefactored_system.hpp"

namespace deformbench::projective {

class ElementSplit {
 public:
  using Vector = PrefactoredSystem::Vector;
  /// k' = w² k, w = `weight`. For the law `corotational` alone, of which the local step has a closed form.
  ElementSplit(const fem::Body<double>& body, MatrixStiffness stiffness, double weight);

  /// U = 0.
  void begin();
  /// A local step at x, then gradient += Σ V k' (F − Z + U) ∇N, N: that of the split's energy in the positions.
  void add_gradient(const Vector& x, Vector& gradient);
  std::int64_t element_count() const { return std::int64_t(elements_.size()); }

 private:
  struct Element {
    const int* corners;
    Eigen::Matrix<double, 3, 4> gradients;  ///< ∇N, 1/m
    double volume, lambda, mu, stiffness;   ///< m³; λ, μ, k' in Pa
    Matrix3 multiplier;                     ///< U
  };
  std::vector<Element> elements_;
};

}  // namespace deformbench::projective
