// SPDX-License-Identifier: BSD-3-Clause
// The general solver, [MHHR07] §3.1 and §3.3: predict, detect, project n_s times in a fixed order, velocities from
// positions. The same loop covers XPBD and small steps.
#pragma once

#include <memory>
#include <vector>

#include "methods/method.hpp"
#include "methods/pbd/constraint.hpp"
#include "methods/pbd/options/pbd_options.hpp"

namespace deformbench::pbd {

/// If `substeps` is 0: 1, but for solids (symmetric order, no warm start) at least `iterations` one-sweep substeps,
/// each at most half the median time of a pressure wave through a tetrahedron: few sweeps of long steps gain energy,
/// above all at impact.
PbdOptions small_steps_for(const Scene& scene, PbdOptions options);

/// Simulates a copy of the scene: cloth, solid or particles, and rigid bodies. `own`: the caller's constraints,
/// projected after the scene's. Has ContactFacet, PhaseTimesFacet, IterationFacet; if cloth can tear, TopologyFacet,
/// EventsFacet. Throws InputError if check_scene rejects the scene (non-manifold cloth, a triangle without area, a
/// mass ≤ 0, …) or sweep_refusal the options.
std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& options,
                                                const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own = {});

}  // namespace deformbench::pbd
