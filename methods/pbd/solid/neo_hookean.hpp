// SPDX-License-Identifier: BSD-3-Clause
// Energy of the two constraints of a neo-Hookean tetrahedron, [MM21]. With I_C = F:F, J = det F and γ = 1 + μ/l:
//    C_D = √I_C with compliance 1/(μV),  C_H = J − γ with compliance 1/(lV):  Ψ = μ/2 I_C + l/2 (J − γ)² − Ψ_rest.
// P = μF + (l (J − 1) − μ) ∂J/∂F vanishes at F = I. There δ(∂J/∂F) = tr(δF) I − δFᵀ, hence
//    δP = μ (δF + δFᵀ) + (l − μ) tr(δF) I.
// This is linear elasticity with Lamé constants μ and λ if l = λ + μ = μ/(1 − 2ν), which is > 0 for every ν < ½.
// With the common choice l = λ, the effective λ is too small by μ.
// Limitation: F = 0 is a force-free local minimum with Ψ(0) − Ψ(I) = λ/2; for ν ≤ 0 a collapsed tetrahedron costs
// no energy. (The stable neo-Hookean law of methods/fem has a barrier there.)
#pragma once

#include <Eigen/Geometry>

#include "methods/model/material.hpp"
#include "methods/model/types.hpp"

namespace deformbench::pbd {

struct NeoHookean {
  double mu;      ///< μ, Pa
  double lambda;  ///< l = λ + μ, Pa

  static NeoHookean of(const model::Material& material) {
    return {material.lame_mu(), material.lame_lambda() + material.lame_mu()};
  }
  /// J/m³. In terms of H = F − I, without cancellation near rest: μ (½ H:H − i₂(H) − det H) + l/2 (J − 1)².
  double energy(const Matrix3& f) const {
    const Matrix3 h = f - Matrix3::Identity();
    const double trace = h.trace(), determinant = h.determinant();
    const double second = 0.5 * (trace * trace - h.cwiseProduct(h.transpose()).sum());
    const double growth = trace + second + determinant;
    return mu * (0.5 * h.squaredNorm() - second - determinant) + 0.5 * lambda * growth * growth;
  }
  /// P = ∂Ψ/∂F, Pa.
  Matrix3 piola(const Matrix3& f) const;
};

/// ∂J/∂F.
inline Matrix3 cofactors(const Matrix3& f) {
  const Vector3 a = f.row(0), b = f.row(1), c = f.row(2);
  Matrix3 result;
  result.row(0) = b.cross(c);
  result.row(1) = c.cross(a);
  result.row(2) = a.cross(b);
  return result;
}

inline Matrix3 NeoHookean::piola(const Matrix3& f) const {
  return mu * f + (lambda * (f.determinant() - 1.0) - mu) * cofactors(f);
}

}  // namespace deformbench::pbd
