// SPDX-License-Identifier: BSD-3-Clause
// How far one tetrahedron of a neo-Hookean body moves its vertices, in terms of its deformation gradient F.
// A correction S (3×3, kg m² per unit of F) moves vertex a by w_a S ∇N_a, and so F by S g with the mobility
// g = Σ w_a ∇N_a ∇N_aᵀ. Constraints have S = Δλ ∂C/∂F.
#pragma once

#include "methods/pbd/solid/neo_hookean.hpp"

namespace deformbench::pbd {

/// What does not change in a step.
struct LocalMobility {
  Matrix3 g;             ///< 1/(kg m²)
  Matrix3 root;          ///< symmetric, root² = g
  Matrix3 root_inverse;  ///< of its regular part: held vertices make it singular
  Matrix3 adjugate;      ///< det(root) root⁻¹, also where root is singular
};
LocalMobility local_mobility(const Matrix3& g);

/// Multipliers of C_D and C_H: α̃λ = −C where they are solved, with α̃ = α/Δt².
struct Multipliers {
  double deviatoric = 0.0, hydrostatic = 0.0;
};

/// Law and weight V Δt² (m³ s²) of a tetrahedron in a step.
struct LocalLaw {
  NeoHookean material;
  double weight;
};

/// First C_D, then C_H at what C_D has left of F: [MMC16] eq. 18 for each. Changes F and the multipliers; returns S.
Matrix3 project_one_by_one(const LocalLaw& law, const LocalMobility& mobility, Matrix3& f, Multipliers& multipliers);

/// Both at once, the 2×2 system of [MMC16] eq. 18 for a block: keeps rest, where the two forces are opposite.
Matrix3 project_coupled(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, Multipliers& multipliers);

/// One Newton step on the tetrahedron's own part of the step, from F with the correction `applied` that it has in
/// place: of ½ ‖S‖²_g + V Δt² Ψ(F + (S − applied) g) over S, with all second derivatives; shortened where that does not
/// fall, and without the indefinite part of them where they have no minimum. Returns the change of S. Where it stays
/// zero, S = −V Δt² P(F): the force at the end of the step. [CPN25]
Matrix3 newton_change(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, const Matrix3& applied);

}  // namespace deformbench::pbd
