// SPDX-License-Identifier: BSD-3-Clause
// Divergence bounds of a run, derived from the scene's sizes, masses, forces and duration unless the scene states its
// own. Internal to the run loop.
#pragma once

#include <Eigen/Geometry>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/method.hpp"

namespace deformbench::harness {

/// Ten times the stretch of the most extensible known solids (hydrogels, about 100).
inline constexpr double kLargestStretch = 1000.0;
/// Bound on energy / supplied energy; √10 ≈ 3 in speed.
inline constexpr double kEnergyFactor = 10.0;
/// Vertex motion per step by rounding and solver tolerance alone, relative to the scene's size.
inline constexpr double kRoundedMotion = 1e-6;

/// Energy available for motion, J.
struct SuppliedEnergy {
  double start = 0.0;    ///< kinetic energy at the start
  double elastic = 0.0;  ///< largest (from the method) over the held vertices' motion, others at start
  double gravity = 0.0;  ///< Σ m g h, h the largest drop of each piece
  double loads = 0.0;    ///< Σ |F| s, s the farthest travel of each piece
  double driven =
      0.0;  ///< by prescribed vertices and kinematic bodies: all mass at twice their speed, lifted by their reach
  double rounding = 0.0;  ///< all mass moved by kRoundedMotion × size in one step
  /// Without ElasticityFacet: masses moved in one (sub)step by the start's deviation from rest shape and constraints,
  /// closed cloths also by their radius (overpressure). Multiplied by the squared number of substeps.
  double correction = 0.0;

  double total(int substeps) const {
    return start + elastic + gravity + loads + driven + rounding + correction * substeps * substeps;
  }
};

struct BoundsInForce {
  model::Bound distance, stretch, kinetic_energy;  ///< always with `because`
  Eigen::AlignedBox3d places;                      ///< bounding box of all rest, start and prescribed positions
  SuppliedEnergy supplied;
};

/// `simulation` in its initial state, or null (elastic energy unknown); `duration` in s. Throws InputError for a
/// bound of the scene that is not > 0 or has no reason.
BoundsInForce bounds_in_force(const Scene& scene, const Simulation* simulation, double duration);

/// /scene/bound_distance, bound_stretch, bound_kinetic_energy, bound_box, supplied_energy, correction_energy.
void write_bounds(TraceWriter& writer, const BoundsInForce& bounds);

}  // namespace deformbench::harness
