// SPDX-License-Identifier: BSD-3-Clause
// Elastic waves: speeds, the bar under a step load, impact on a rigid wall, the lumped one-dimensional bar.
#pragma once

#include "reference_data/closed_forms/isotropic.hpp"

namespace deformbench::references {

struct WaveSpeeds {
  double bar;         ///< √(E/ρ), m/s
  double dilatation;  ///< √((λ+2μ)/ρ)
  double shear;       ///< √(μ/ρ)
};
WaveSpeeds wave_speeds(const Isotropic& material, double density);

struct StepLoad {
  double wall_stress;       ///< Pa
  double tip_displacement;  ///< m
};
/// d'Alembert solution of a bar fixed at x = 0 whose free end gets the traction `stress` (Pa) at t = 0.
/// At the jumps of the wall stress (t = L/c, 3L/c, …) the value is that after the jump.
StepLoad step_load_on_bar(double young_modulus, double density, double length, double stress, double time);

/// Angular frequency (rad/s) of mode k of a fixed–free bar of `elements` equal linear elements with lumped masses.
double lumped_bar_frequency(double young_modulus, double density, double length, int elements, int mode);

}  // namespace deformbench::references
