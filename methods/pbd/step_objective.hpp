// SPDX-License-Identifier: BSD-3-Clause
// What a compliant (sub)step minimises over the positions of free vertices, where each of its constraints has a
// compliance:
//   E(p) = ½ (p − ŷ)ᵀ M (p − ŷ)/Δt² + Σ ½ C(p)²/α,  ŷ the predicted positions. [MMC16] eq. 1–3
// The energies of neo-Hookean tetrahedra count from rest.
// The projections keep M (p − ŷ) = Σ λ ∇C with gradients of the iterates they were made at, not of p ([MMC16] §4 takes
// this residual for zero): where gradients turn, what they converge to is near the minimum and not at it.
#pragma once

#include <string>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/pbd/constraint_set.hpp"
#include "methods/pbd/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

class NeoHookeanSolid;

struct StepObjective {
  double value;          ///< J
  double gradient_norm;  ///< N, over free vertices
};

/// `free_masses`: n×3, kg, 0 of a component that is not free. `mesh`: the constraints that the sweep projects; `solid`:
/// null where there is none.
StepObjective step_objective(const Points& positions, const Points& predicted, const Points& free_masses,
                             double time_step, const MeshConstraints& mesh, const ConstraintSet& others,
                             const NeoHookeanSolid* solid, const PbdOptions& options);

/// Why there is no objective, one line; empty where there is one.
std::string objective_refusal(const Scene& scene, const MeshConstraints& mesh, const ConstraintSet& others,
                              const PbdOptions& options);

/// Of the edges of a cloth, length over rest length − 1.
struct StretchViolation {
  double rms, max;
};
StretchViolation stretch_violation(const Points& positions, const std::vector<StretchConstraint>& edges);

}  // namespace deformbench::pbd
