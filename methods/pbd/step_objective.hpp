// SPDX-License-Identifier: BSD-3-Clause
// Objective that a compliant (sub)step minimises over free vertex positions, if all constraints have α > 0:
//    E(p) = ½ (p − ŷ)ᵀ M (p − ŷ)/Δt² + Σ ½ C(p)²/α,  ŷ the predicted positions. [MMC16] eq. 1–3
// Neo-Hookean tetrahedra add their energy, 0 at rest.
// Projections keep M (p − ŷ) = Σ λ ∇C with gradients at earlier iterates, not at p ([MMC16] §4 neglects this
// residual): if gradients rotate, p converges to a point near the minimum.
#pragma once

#include <string>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/pbd/constraint_set.hpp"
#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

class NeoHookeanSolid;

struct StepObjective {
  double value;          ///< J
  double gradient_norm;  ///< N, over free vertices
};

/// `free_masses`: n×3, kg, 0 for coordinates that are held. `mesh`: the constraints projected by the sweep; `solid`:
/// may be null.
StepObjective step_objective(const Points& positions, const Points& predicted, const Points& free_masses,
                             double time_step, const MeshConstraints& mesh, const ConstraintSet& others,
                             const NeoHookeanSolid* solid, const PbdOptions& options);

/// One line on why no objective exists; empty if it does.
std::string objective_refusal(const Scene& scene, const MeshConstraints& mesh, const ConstraintSet& others,
                              const PbdOptions& options);

/// Edge strain of a cloth, |length / rest length − 1|.
struct StretchViolation {
  double rms, max;
};
StretchViolation stretch_violation(const Points& positions, const std::vector<StretchConstraint>& edges);

}  // namespace deformbench::pbd
