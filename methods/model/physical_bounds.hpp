// SPDX-License-Identifier: BSD-3-Clause
// Divergence bounds of a scene that override those the harness derives from its sizes, masses and forces. Plain data.
#pragma once

#include <limits>
#include <optional>
#include <string>

namespace deformbench::model {

struct Bound {
  double limit = std::numeric_limits<double>::infinity();  ///< > 0; infinite: the bound does not apply
  std::string because;                                     ///< source of the number, or why there is none; never empty
};

/// Unset: derived from the scene (experiments/harness/run/physical_bounds.hpp).
struct PhysicalBounds {
  std::optional<Bound> distance;  ///< m, of a vertex or rigid body from the bounding box of everything in the scene
  std::optional<Bound> stretch;   ///< length / rest length of an edge or of a distance constraint
  std::optional<Bound>
      kinetic_energy;  ///< relative to the energy that initial state, gravity, loads and motions can supply
};

}  // namespace deformbench::model
