// SPDX-License-Identifier: BSD-3-Clause
// Correction of one tetrahedron of a neo-Hookean body, in terms of its deformation gradient F. A correction S (3×3,
// kg m²) moves vertex a by w_a S ∇N_a, and thus F by S g with the mobility g = Σ w_a ∇N_a ∇N_aᵀ. Constraints have
// S = Δλ ∂C/∂F.
#pragma once

#include "methods/pbd/solid/neo_hookean.hpp"
#include "methods/work.hpp"

namespace deformbench::pbd {

/// Constant per tetrahedron.
struct LocalMobility {
  Matrix3 g;             ///< 1/(kg m²)
  Matrix3 root;          ///< symmetric, root² = g
  Matrix3 root_inverse;  ///< pseudo-inverse: held vertices make root singular
  Matrix3 adjugate;      ///< det(root) root⁻¹, defined also for singular root
};
LocalMobility local_mobility(const Matrix3& g);

/// g = directions diag(roots²) directionsᵀ.
struct MobilityAxes {
  Matrix3 directions;       ///< a rotation
  Vector3 roots, inverses;  ///< both 0 where an eigenvalue of g is rounding
};
MobilityAxes mobility_axes(const Matrix3& g);

/// Multipliers of C_D and C_H: solved means α̃λ = −C, with α̃ = α/Δt².
struct Multipliers {
  double deviatoric = 0.0, hydrostatic = 0.0;
};

/// Material law and weight V Δt² (m³ s²) of a tetrahedron in a step.
struct LocalLaw {
  NeoHookean material;
  double weight;
};

/// First C_D, then C_H at the updated F: [MMC16] eq. 18 for each. Changes F and the multipliers; returns S.
Matrix3 project_one_by_one(const LocalLaw& law, const LocalMobility& mobility, Matrix3& f, Multipliers& multipliers);

/// Both at once by the 2×2 block of [MMC16] eq. 18: keeps rest, where the two forces cancel.
Matrix3 project_coupled(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, Multipliers& multipliers);

/// One Newton step for the minimum over S of ½ ‖S‖²_g + V Δt² Ψ(F + (S − applied) g), the tetrahedron's own objective,
/// from F with `applied` already in place. Uses the full Hessian, shifted or bounded if indefinite, and a line
/// search. Returns the change of S. At a fixed point S = −V Δt² P(F), the force at the end of the step. [CPN25]
/// Adds its local solves, energies and trials to `work`.
Matrix3 newton_change(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, const Matrix3& applied,
                      Work& work);

}  // namespace deformbench::pbd
