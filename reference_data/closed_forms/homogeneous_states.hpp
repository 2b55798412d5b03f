// SPDX-License-Identifier: BSD-3-Clause
// Homogeneous deformations of one material point, for linear, corotational (warped) and St. Venant–Kirchhoff
// elasticity: stress, lateral stretch, energy per rest volume.
#pragma once

#include <array>

#include "reference_data/closed_forms/isotropic.hpp"

namespace deformbench::references {

struct UniaxialState {
  double nominal_stress;   ///< force per rest area, Pa
  double lateral_stretch;  ///< 1
  double energy_density;   ///< J per m³ of rest volume
};

/// Axial stretch > 0, lateral faces free. Linear and corotational elasticity agree: no rotation.
UniaxialState uniaxial_linear(const Isotropic& material, double stretch);
/// St. Venant–Kirchhoff: P = Eℓ(ℓ²−1)/2. Throws std::domain_error if the section has collapsed (ℓ² > 1+1/ν).
UniaxialState uniaxial_st_venant_kirchhoff(const Isotropic& material, double stretch);

struct ShearState {
  double polar_angle;                                                     ///< rad, clockwise, of the polar rotation
  double stretch_trace_excess;                                            ///< tr S − 3
  double linear_stress;                                                   ///< Pa
  double linear_energy, corotational_energy, st_venant_kirchhoff_energy;  ///< J/m³
};
/// Simple shear F = I + γ e_x⊗e_y.
ShearState simple_shear(const Isotropic& material, double shear);

struct HydrostaticState {
  double linear_stress;                              ///< 3K(s−1), Pa; also corotational
  double st_venant_kirchhoff_stress;                 ///< nominal, Pa
  double linear_energy, st_venant_kirchhoff_energy;  ///< J/m³
};
/// F = sI.
HydrostaticState hydrostatic_stretch(const Isotropic& material, double stretch);

/// Stress (Pa; xx yy zz xy yz zx) of the strain (same order, engineering shear): the patch test's constant state.
std::array<double, 6> stress_of_strain(const Isotropic& material, const std::array<double, 6>& strain);

struct TetrahedronModes {
  double dilation;    ///< angular frequency of the breathing mode, rad/s
  double deviatoric;  ///< of the other five modes
};
/// Free vibration of one regular tetrahedron with a quarter of its mass on each vertex, linear or warped.
TetrahedronModes regular_tetrahedron_modes(const Isotropic& material, double density, double edge);

}  // namespace deformbench::references
