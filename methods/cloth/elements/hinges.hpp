// SPDX-License-Identifier: BSD-3-Clause
// Hinges: bending elements of two triangles with a common edge. [B05] §2-4
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

/// `sine`, `precision` and `gradient` affect only the evaluation of the force, not energy or damping.
struct HingeOptions {
  HingeForm form = HingeForm::HalfAngle;
  SineFormula sine = SineFormula::Robust;
  SinePrecision precision = SinePrecision::Double;
  AngleGradient gradient = AngleGradient::Modes;
  bool is_flat_at_rest = false;  ///< zero rest angles for any rest shape
};

struct Hinge {
  static constexpr int kVertices = 4, kSize = 1;
  std::array<int, 4> vertices;  ///< a, b of the edge, then c and d: triangles (a, c, b) and (a, b, d)
  double stiffness;             ///< B k, J: k = |e|²/(A1 + A2) of the rest shape
  double rest_angle;            ///< θ0, rad, in (−π, π]
  HingeOptions options = {};

  /// J
  double energy(const Corners<4>& x) const;
  /// −2 B k sin((θ − θ0)/2) ∂θ/∂x for HalfAngle, −B k (θ − θ0) ∂θ/∂x for Angle (N).
  CornerVector<4> force(const Corners<4>& x) const;
  /// C = 4 √(B k) sin((θ − θ0)/4), or √(B k) (θ − θ0).
  SquaredConstraint<1, 4> constraint(const Corners<4>& x) const;
  /// ∂²W/∂x² (N/m). If `semidefinite`, the term with ∂²θ/∂x² is omitted and the matrix is positive semidefinite.
  CornerMatrix<4> stiffness_matrix(const Corners<4>& x, bool semidefinite) const;
};

/// One hinge per interior edge, with rest angles of the rest shape or zero. `bend_stiffness` is B (J).
std::vector<Hinge> hinges_of(const Points& rest, const Triangles& triangles, double bend_stiffness,
                             const HingeOptions& options);

}  // namespace deformbench::cloth
