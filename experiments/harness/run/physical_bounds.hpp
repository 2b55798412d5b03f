// SPDX-License-Identifier: BSD-3-Clause
// How far a run may go: bounds derived in one place from the scene's sizes, masses, forces and duration, or the scene's
// own where it states them. Internal to the run loop.
#pragma once

#include <Eigen/Geometry>

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/method.hpp"

namespace deformbench::harness {

/// The most extensible solids known, hydrogels, stretch some hundredfold; the bound is ten times that.
inline constexpr double kLargestStretch = 1000.0;
/// A motion that is right to a factor of three in speed is right to ten in energy.
inline constexpr double kEnergyFactor = 10.0;
/// Of the scene's size: what rounding and the tolerance of a solver may move a vertex in a step without any force.
inline constexpr double kRoundedMotion = 1e-6;

/// What can be turned into motion, J.
struct SuppliedEnergy {
  double start = 0.0;    ///< kinetic energy at the start
  double elastic = 0.0;  ///< elastic energy, by the method, of the start with the held vertices where they are moved
  double gravity = 0.0;  ///< Σ m g h, h the largest drop of each piece
  double loads = 0.0;    ///< Σ |F| s, s the farthest travel of each piece
  double driven =
      0.0;  ///< of prescribed vertices and kinematic bodies: masses at twice their speed, lifted as far as they move
  double rounding = 0.0;  ///< masses moved by kRoundedMotion of the size in a step
  /// Of a method without ElasticityFacet: masses moved in one (sub)step by all that the start is off its rest shape and
  /// constraints, closed cloths also by their radius, which is what overpressure can do. Times the substeps' square.
  double correction = 0.0;

  double total(int substeps) const {
    return start + elastic + gravity + loads + driven + rounding + correction * substeps * substeps;
  }
};

struct BoundsInForce {
  model::Bound distance, stretch, kinetic_energy;  ///< never without `because`
  Eigen::AlignedBox3d places;                      ///< where the scene puts anything: rest, start, given motions
  SuppliedEnergy supplied;
};

/// `simulation` as it was created, or null (then no elastic energy is known); `duration` in s. Throws InputError for a
/// bound of the scene that is no number > 0 or that has no reason.
BoundsInForce bounds_in_force(const Scene& scene, const Simulation* simulation, double duration);

/// /scene/bound_distance, bound_stretch, bound_kinetic_energy, bound_box, supplied_energy, correction_energy.
void write_bounds(TraceWriter& writer, const BoundsInForce& bounds);

}  // namespace deformbench::harness
