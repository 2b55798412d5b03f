// SPDX-License-Identifier: BSD-3-Clause
// Plastic strain of nodes: yield criterion on the deviatoric elastic strain, and a cap. [OBH02] §3, [PKAGDG05] §2
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

enum class PlasticFlow {
  Additive,        ///< ε_p is subtracted from Green's strain, [OBH02] §3, as in the paper
  Multiplicative,  ///< F = F_e F_p, for large flow
};

struct PlasticityOptions {
  bool is_on = false;
  double yield = 0.05;  ///< γ₁, 1: elastic deviator norm above which flow starts
  double cap = 1.0;     ///< γ₂, 1: largest norm of the plastic strain; for multiplicative flow, largest Σ ‖Δ‖
  PlasticFlow flow = PlasticFlow::Additive;
};

/// New plastic strain of a node at total strain ε, from the previous ε_p. With the deviator e of ε − ε_p and the
/// Frobenius norm ‖·‖:
///    Δ = e (‖e‖ − γ₁) / ‖e‖ if ‖e‖ > γ₁, else 0;  ε_p ← (ε_p + Δ) min(1, γ₂ / ‖ε_p + Δ‖)
/// Plastic strain has no trace: no volumetric flow.
Matrix3 flowed(const Matrix3& strain, const Matrix3& plastic, const PlasticityOptions& options);

/// Plastic deformation of a node: stress-free lengths are those of the metric G = F_pᵀ F_p in the reference.
struct PlasticStretch {
  Matrix3 metric = Matrix3::Identity();
  double flowed = 0.0;      ///< 1: Σ ‖Δ‖ in total
  double since_base = 0.0;  ///< 1: Σ ‖Δ‖ since the last change of the reference
};

/// New state of a node at deformation gradient F. With b_e = F G⁻¹ Fᵀ and e the deviator of ½ ln b_e:
///    Δ = e (‖e‖ − γ₁) / ‖e‖ if ‖e‖ > γ₁, else 0; limited by the cap;  b_e ← exp(ln b_e − 2Δ),  G ← Fᵀ b_e⁻¹ F
/// det G is constant: flow preserves volume exactly. Nodes with (nearly) singular F do not flow.
/// DEVIATION [PKAGDG05] §2: the text takes its plasticity from [OBH02], whose plastic strain has no trace but loses
/// volume, all of it at a stretch of 1.73 along one axis.
PlasticStretch flowed(const Matrix3& gradient, const PlasticStretch& plastic, const PlasticityOptions& options);

/// G^`power` of a symmetric positive definite matrix G.
Matrix3 metric_power(const Matrix3& metric, double power);

}  // namespace deformbench::meshless
