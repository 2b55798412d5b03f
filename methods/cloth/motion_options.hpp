// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the motion of cloth: scheme, solver, plasticity, strain limits. [B05] §6-9, §16
#pragma once

#include "methods/cloth/elements/plastic_springs.hpp"
#include "methods/cloth/strain_limiting/strain_limits.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

enum class Scheme {
  Symplectic,           ///< v⁺ = v + h a(x), contact, x⁺ = x + h v⁺
  HalfStep,             ///< velocity half step, contact, x⁺, implicit velocity half step: [B05] §9
  HalfStepConstrained,  ///< the same, with prescribed normal velocities of stopped vertices in the second half
  Implicit,             ///< linearised implicit Euler: one linear system with contact constraints
};

struct MotionOptions {
  Scheme scheme = Scheme::Symplectic;
  bool first_half_is_implicit = false;  ///< treats damping implicitly; half-step schemes only
  double solver_tolerance = 1e-12;      ///< of conjugate gradients: residual relative to the right-hand side
  int solver_iterations = 10000;
  PlasticLaw plasticity;             ///< of all springs
  StrainLimitOptions strain_limits;  ///< of all springs
};

ParameterSpec motion_parameters();
MotionOptions motion_options(const Parameters& parameters);

}  // namespace deformbench::cloth
