// SPDX-License-Identifier: BSD-3-Clause
// Angle θ between the normals of two triangles (a, c, b) and (a, b, d) with the common edge (a, b); sin(θ/2) and
// ∂θ/∂x in several formulas. The columns of `x` are a, b, c, d. [B05] §2-4
#pragma once

#include "methods/cloth/elements/squared_constraint.hpp"

namespace deformbench::cloth {

enum class SineFormula {
  Printed,  ///< sin(θ/2) = ±√(½ (1 − n1·n2)) [B05] §3, which loses all digits for θ < √ε
  Robust,   ///< ±½ |n1 − n2|, accurate for small θ
};
enum class SinePrecision { Double, Float };  ///< of normals and sine; edge vectors are always formed in double
enum class AngleGradient {
  Modes,      ///< closed form: heights and normals. [BMF03]
  Cosine,     ///< −∂(n1·n2)/∂x / sin θ: implicit differentiation, singular at θ = 0. [B05] §4
  Automatic,  ///< automatic differentiation of atan2(ê·(n1 × n2), n1·n2). [B05] §4
};

/// sin(θ/2) and cos(θ/2), the sine with the sign of ê·(n1 × n2). [B05] §3
struct HalfAngle {
  double sine, cosine;
};
HalfAngle half_angle(const Corners<4>& x, SineFormula formula, SinePrecision precision);

/// θ in (−π, π], from sin(θ/2) and cos(θ/2).
double hinge_angle(const Corners<4>& x);

/// ∂θ/∂x (rad/m). Not finite for triangles of zero area; AngleGradient::Cosine also not if sin θ = 0.
CornerVector<4> angle_gradient(const Corners<4>& x, AngleGradient how);

/// ∂²θ/∂x² (rad/m²), by automatic differentiation of the closed form.
CornerMatrix<4> angle_hessian(const Corners<4>& x);

}  // namespace deformbench::cloth
