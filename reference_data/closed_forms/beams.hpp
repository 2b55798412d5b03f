// SPDX-License-Identifier: BSD-3-Clause
// Bars and beams at small deflection: statics and natural frequencies, Euler–Bernoulli and Timoshenko.
#pragma once

#include "reference_data/closed_forms/isotropic.hpp"

namespace deformbench::references {

/// Prismatic bar of square cross section.
struct SquareBar {
  Isotropic material;
  double density;  ///< kg/m³
  double length;   ///< m
  double side;     ///< m

  double area() const { return side * side; }
  double second_moment() const { return side * side * side * side / 12; }
  double bending_stiffness() const { return material.young_modulus * second_moment(); }  ///< EI, N m²
  /// κGA (N) with the coefficient of Cowper for rectangles.
  double shear_stiffness() const;
};

/// Cowper's shear coefficient of a rectangle, 10(1+ν)/(12+11ν).
double cowper_shear_coefficient(double poisson_ratio);

/// Elongation (m) under an axial end force (N), and under its own weight when hung by one end.
double axial_elongation(const SquareBar& bar, double force);
double hanging_elongation(const SquareBar& bar, double gravity);

struct TipDeflection {
  double bending;  ///< m, Euler–Bernoulli
  double shear;    ///< m, Timoshenko's additional term
  double total() const { return bending + shear; }
};
/// Clamped at one end; transverse force (N) at the other, or self weight.
TipDeflection cantilever_tip_load(const SquareBar& bar, double force);
TipDeflection cantilever_self_weight(const SquareBar& bar, double gravity);

enum class BeamEnds { ClampedFree, FreeFree };

/// β of Euler–Bernoulli mode k ≥ 1: cosh β cos β = −1 (clamped–free) or +1 (free–free).
double euler_bernoulli_root(BeamEnds ends, int mode);
/// Angular frequency (rad/s) of the k-th bending mode.
double euler_bernoulli_frequency(const SquareBar& bar, BeamEnds ends, int mode);
/// The same with shear and rotatory inertia: root of the exact Timoshenko determinant. Throws std::domain_error
/// above the second spectrum's cutoff √(κGA/ρI).
double timoshenko_frequency(const SquareBar& bar, BeamEnds ends, int mode);

}  // namespace deformbench::references
