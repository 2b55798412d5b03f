// SPDX-License-Identifier: BSD-3-Clause
// St. Venant torsion of rectangular bars, by the series of Timoshenko & Goodier.
#pragma once

namespace deformbench::references {

/// J (m⁴) of a rectangle with full sides a and b (m).
double torsion_constant(double a, double b);
/// Largest shear stress (Pa) per torque (N m): at the middle of the longer side.
double torsion_stress_per_torque(double a, double b);
/// ΔL/L of a square bar twisted by `twist` (rad) with axially free ends (Wagner effect): −(a²/12)(Θ/L)². Assumes
/// independent axial fibres with Green strain: St. Venant–Kirchhoff with ν = 0. Other second-order stresses of a
/// solid section are as large: the factor depends on ν and the law, and the bar may even lengthen.
double torsion_shortening(double side, double length, double twist);

}  // namespace deformbench::references
