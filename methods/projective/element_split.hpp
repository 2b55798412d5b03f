// SPDX-License-Identifier: BSD-3-Clause
// ADMM splitting [OBLN17]: each element has its own deformation gradient Z, which scaled multipliers U tie to the
// mesh's F. The local step is Z ← argmin Ψ(Z) + k'/2 ‖F − Z + U‖², then U ← U + F − Z; the global step
// minimises inertia plus Σ V k'/2 ‖F − Z + U‖² over positions.
#pragma once

#include <vector>

#include "methods/projective/prefactored_system.hpp"

namespace deformbench::projective {

class ElementSplit {
 public:
  using Vector = PrefactoredSystem::Vector;
  /// k' = w² k, w = `weight`. Only for the law `corotational`, whose local step has a closed form.
  ElementSplit(const fem::Body<double>& body, MatrixStiffness stiffness, double weight);

  /// U = 0.
  void begin();
  /// Local step at x, then gradient += Σ V k' (F − Z + U) ∇N (N), the x-gradient of Σ V k'/2 ‖F − Z + U‖².
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
