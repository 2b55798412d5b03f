// SPDX-License-Identifier: BSD-3-Clause
// Plastic strain of nodes: a yield criterion on the deviatoric elastic strain, and a cap. [OBH02] §3, [PKAGDG05] §2
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

enum class PlasticFlow {
  Additive,        ///< ε_p is subtracted from Green's strain, [OBH02] §3: as the paper has it
  Multiplicative,  ///< F = F_e F_p, for solids that flow far
};

struct PlasticityOptions {
  bool is_on = false;
  double yield = 0.05;  ///< γ₁, 1: nothing flows below this elastic deviation
  double cap = 1.0;     ///< γ₂, 1: largest norm of the plastic strain; of multiplicative flow, most of it in all
  PlasticFlow flow = PlasticFlow::Additive;
};

/// The plastic strain after a node was seen at the total strain ε, with ε_p stored before. With the deviator e of ε −
/// ε_p, ‖·‖ Frobenius' norm:
///   Δ = e (‖e‖ − γ₁) / ‖e‖ where ‖e‖ > γ₁, else 0;  ε_p ← (ε_p + Δ) min(1, γ₂ / ‖ε_p + Δ‖)
/// Plastic strain has no trace: volume does not flow.
Matrix3 flowed(const Matrix3& strain, const Matrix3& plastic, const PlasticityOptions& options);

/// What of a node has flowed: lengths without stress are those of the metric G = F_pᵀ F_p in the reference.
struct PlasticStretch {
  Matrix3 metric = Matrix3::Identity();
  double flowed = 0.0;      ///< 1: Σ ‖Δ‖ of all flow so far
  double since_base = 0.0;  ///< 1: the same since the reference was last changed
};

/// The state after a node was seen at the deformation gradient F. With b_e = F G⁻¹ Fᵀ and e the deviator of ½ ln b_e:
///   Δ = e (‖e‖ − γ₁) / ‖e‖ where ‖e‖ > γ₁, else 0; no more than is left to the cap;  b_e ← exp(ln b_e − 2Δ),  G ← Fᵀ
///   b_e⁻¹ F
/// det G stays: no volume flows, however far. A node whose F is (nearly) singular does not flow.
/// DEVIATION [PKAGDG05] §2: the text takes its plasticity from [OBH02], whose plastic strain has no trace but loses
/// volume, all of it at a stretch of 1.73 along one axis.
PlasticStretch flowed(const Matrix3& gradient, const PlasticStretch& plastic, const PlasticityOptions& options);

/// G^½, or G^(−½) with `power` −0.5, of a symmetric matrix with positive eigenvalues.
Matrix3 metric_power(const Matrix3& metric, double power);

}  // namespace deformbench::meshless
