// SPDX-License-Identifier: BSD-3-Clause
// The parameters of how cloth moves, beside those of its forces: limits, plasticity, schemes, contact. [B05] §6-9, §16
#pragma once

#include "methods/cloth/elements/plastic_springs.hpp"
#include "methods/cloth/strain_limiting/strain_limits.hpp"
#include "methods/parameters.hpp"

namespace deformbench::cloth {

enum class Scheme {
  Symplectic,           ///< v⁺ = v + h a(x), contact, x⁺ = x + h v⁺
  HalfStep,             ///< half a step of velocity, contact, x⁺, half an implicit step of velocity: [B05] §9
  HalfStepConstrained,  ///< the same, with the normal velocities of stopped vertices given in the second half
  Implicit,             ///< positions and velocities in one linear system, contact as constraints of it
};

struct MotionOptions {
  Scheme scheme = Scheme::Symplectic;
  bool first_half_is_implicit = false;  ///< in damping; of the half-step schemes
  double solver_tolerance = 1e-12;      ///< of conjugate gradients, on the residual over the right side
  int solver_iterations = 10000;
  PlasticLaw plasticity;             ///< of all springs
  StrainLimitOptions strain_limits;  ///< of all springs
};

ParameterSpec motion_parameters();
MotionOptions motion_options(const Parameters& parameters);

}  // namespace deformbench::cloth
