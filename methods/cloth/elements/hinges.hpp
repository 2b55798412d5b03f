// SPDX-License-Identifier: BSD-3-Clause
// Hinges: two triangles with a common edge resist the angle between their normals. [B05] §2-4
#pragma once

#include <vector>

#include "methods/cloth/elements/hinge_angle.hpp"
#include "methods/cloth/elements/squared_constraint.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::cloth {

enum class HingeForm {
  HalfAngle,  ///< W = 4 B k (1 − cos((θ − θ0)/2)), whose force needs no inverse trigonometry. [B05] §2, §3
  Angle,      ///< W = ½ B k (θ − θ0)²
};

/// How the force is formed; the energy and the damping are the same whatever it says.
struct HingeOptions {
  HingeForm form = HingeForm::HalfAngle;
  SineFormula sine = SineFormula::Robust;
  SinePrecision precision = SinePrecision::Double;
  AngleGradient gradient = AngleGradient::Modes;
  bool is_flat_at_rest = false;  ///< rest angles of zero, whatever the rest shape
};

struct Hinge {
  static constexpr int kVertices = 4, kSize = 1;
  std::array<int, 4> vertices;  ///< a, b of the edge, then c and d: triangles (a, c, b) and (a, b, d)
  double stiffness;             ///< B k, J: k = |e|²/(A1 + A2) of the rest shape
  double rest_angle;            ///< θ0, rad, in (−π, π]
  HingeOptions options = {};

  /// J
  double energy(const Corners<4>& x) const;
  /// −B k 2 sin((θ − θ0)/2) ∂θ/∂x of the half angle form, −B k (θ − θ0) ∂θ/∂x of the other (N).
  CornerVector<4> force(const Corners<4>& x) const;
  /// C = 4 √(B k) sin((θ − θ0)/4), or √(B k) (θ − θ0).
  SquaredConstraint<1, 4> constraint(const Corners<4>& x) const;
  /// ∂²W/∂x² (N/m); without the part of ∂²θ/∂x² where `semidefinite`, and then of no negative eigenvalue.
  CornerMatrix<4> stiffness_matrix(const Corners<4>& x, bool semidefinite) const;
};

/// One for every edge of two triangles, with the rest angles of the rest shape or of none. `bend_stiffness` is B (J).
std::vector<Hinge> hinges_of(const Points& rest, const Triangles& triangles, double bend_stiffness,
                             const HingeOptions& options);

}  // namespace deformbench::cloth
