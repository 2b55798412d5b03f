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

/// With 0 substeps: the small steps that a scene needs. Time integration of a solid by few sweeps gains energy, above
/// all when it lands, where a pressure wave crosses a tetrahedron in less than a step; the `iterations` of a step, or
/// more, become steps of one sweep.
PbdOptions small_steps_for(const Scene& scene, PbdOptions options);

/// Simulates the (copied) scene: cloth or particles, rigid bodies and everything else. `own`: constraints of the
/// caller, projected after those of the scene. Has TopologyFacet and EventsFacet if cloth may tear, ContactFacet,
/// PhaseTimesFacet. Throws InputError if check_scene rejects the scene (non-manifold cloth, a triangle without area, a
/// mass ≤ 0, …) or sweep_refusal the options.
std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& options,
                                                const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own = {});

}  // namespace deformbench::pbd
