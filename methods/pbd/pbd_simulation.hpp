// SPDX-License-Identifier: BSD-3-Clause
// The general solver, [MHHR07] §3.1 and §3.3: predict, detect, project n_s times in a fixed order, velocities from
// positions. The same loop carries the compliant variant and small steps.
#pragma once

#include <memory>
#include <vector>

#include "methods/method.hpp"
#include "methods/pbd/constraint.hpp"
#include "methods/pbd/pbd_options.hpp"

namespace deformbench::pbd {

/// Cloth or particles, rigid bodies and everything else of the scene, which is copied. `own`: constraints of the
/// caller, projected after those of the scene. Has TopologyFacet and EventsFacet when cloth may tear, ContactFacet,
/// PhaseTimesFacet. Throws InputError for a scene that check_scene refuses (cloth that is not manifold, a triangle
/// without area, a mass ≤ 0, …), and for options that sweep_refusal names.
std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& options,
                                                const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own = {});

}  // namespace deformbench::pbd
