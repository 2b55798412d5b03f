// SPDX-License-Identifier: BSD-3-Clause
// Plastic strain of nodes: a yield criterion on the deviatoric elastic strain, and a cap. [OBH02] §3, [PKAGDG05] §2
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

struct PlasticityOptions {
  bool is_on = false;
  double yield = 0.05;  ///< γ₁, 1: nothing flows below this elastic deviation
  double cap = 1.0;     ///< γ₂, 1: largest norm of the plastic strain
};

/// The plastic strain after a node was seen at the total strain ε, with ε_p stored before. With the deviator e of ε −
/// ε_p, ‖·‖ Frobenius' norm:
///   Δ = e (‖e‖ − γ₁) / ‖e‖ where ‖e‖ > γ₁, else 0;  ε_p ← (ε_p + Δ) min(1, γ₂ / ‖ε_p + Δ‖)
/// Plastic strain has no trace: volume does not flow.
Matrix3 flowed(const Matrix3& strain, const Matrix3& plastic, const PlasticityOptions& options);

}  // namespace deformbench::meshless
