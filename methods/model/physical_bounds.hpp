// SPDX-License-Identifier: BSD-3-Clause
// How far a run of a scene may go before it is no motion of this scene any more: what a scene says itself where the
// bound that the harness derives from its sizes, masses and forces would be wrong. Plain data.
#pragma once

#include <limits>
#include <optional>
#include <string>

namespace deformbench::model {

struct Bound {
  double limit = std::numeric_limits<double>::infinity();  ///< > 0; infinite: the bound does not apply
  std::string because;  ///< where the number is from, or why there is none; never empty
};

/// Unset: derived from the scene (experiments/harness/run/physical_bounds.hpp).
struct PhysicalBounds {
  std::optional<Bound>
      distance;  ///< m, of a vertex or rigid body from the box of all places where the scene puts anything
  std::optional<Bound> stretch;  ///< length over rest length of an edge or of a distance constraint
  std::optional<Bound>
      kinetic_energy;  ///< over the energy that start, gravity, loads and prescribed motions can supply
};

}  // namespace deformbench::model
