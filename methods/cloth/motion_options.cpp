// SPDX-License-Identifier: BSD-3-Clause
#include "methods/cloth/motion_options.hpp"

namespace deformbench::cloth {
ParameterSpec motion_parameters() {
  const MotionOptions defaults;
  return {
      choice_parameter(
          "scheme", "symplectic", {"symplectic", "half_step", "half_step_constrained", "implicit"},
          "symplectic: v, contact, x. half_step: contact at the middle velocity, then an implicit velocity update, "
          "which half_step_constrained makes with the normal velocities of stopped vertices given. implicit: x and "
          "v in one linear system. [B05] §8, §9"),
      choice_parameter("first_half", "explicit", {"explicit", "implicit"}, "In damping, of the half-step schemes."),
      {"solver_tolerance", "1", defaults.solver_tolerance, "Residual over right side of implicit updates.", 0.0},
      {"solver_iterations", "1", (long long)defaults.solver_iterations, "Most iterations of one solve.", 1.0},
      {"yield_tension", "1", 0.0, "Tension over modulus above which a spring's rest length changes; 0: none. [B05] §16",
       0.0},
      {"yield_compression", "1", 0.0, "The same in compression; 0: none. [B05] §16", 0.0},
      {"hardening", "1", 0.0,
       "H/E: growth of both yield stresses over modulus with the plastic strain accumulated. [B05] §16", 0.0},
      {"creep_rate_1_s", "1/s", 0.0, "Rate at which rest lengths settle towards current lengths. [B05] §16", 0.0},
      {"fracture_tension", "1", 0.0, "Tension over modulus above which a spring breaks; 0: none. [B05] §16", 0.0},
      {"strain_limit", "1", 0.0, "Largest strain of a spring, enforced in sweeps after the forces; 0: none. [B05] §6",
       0.0},
      {"shortening_limit", "1", 0.0, "Largest shortening of a spring; 0: none. [B05] §6", 0.0, 1.0},
      {"strain_limit_sweeps", "1", (long long)defaults.strain_limits.sweeps, "Visits of every spring in a step.", 1.0},
      choice_parameter("strain_limit_order", "listed", {"listed", "reverse", "alternating"},
                       "In which a sweep visits springs."),
      choice_parameter(
          "strain_limit_form", "positions", {"positions", "positions_and_velocities"},
          "Whether what moves a vertex to a limit leaves no velocity (Provot 1995) or changes its velocity, too; "
          "strain rates go to zero with both.")};
}

MotionOptions motion_options(const Parameters& parameters) {
  MotionOptions options;
  const std::string& scheme = parameters.text("scheme");
  options.scheme = scheme == "half_step"               ? Scheme::HalfStep
                   : scheme == "half_step_constrained" ? Scheme::HalfStepConstrained
                   : scheme == "implicit"              ? Scheme::Implicit
                                                       : Scheme::Symplectic;
  options.first_half_is_implicit = parameters.text("first_half") == "implicit";
  options.solver_tolerance = parameters.real("solver_tolerance");
  options.solver_iterations = int(parameters.integer("solver_iterations"));
  const auto or_never = [&](const char* name) {
    return parameters.real(name) > 0.0 ? parameters.real(name) : PlasticLaw::kNever;
  };
  options.plasticity = {or_never("yield_tension"), or_never("yield_compression"), parameters.real("hardening"),
                        parameters.real("creep_rate_1_s"), or_never("fracture_tension")};
  const std::string& order = parameters.text("strain_limit_order");
  options.strain_limits.extension = parameters.real("strain_limit");
  options.strain_limits.compression = parameters.real("shortening_limit");
  options.strain_limits.sweeps = int(parameters.integer("strain_limit_sweeps"));
  options.strain_limits.order = order == "reverse"       ? SweepOrder::Reverse
                                : order == "alternating" ? SweepOrder::Alternating
                                                         : SweepOrder::Listed;
  options.strain_limits.form =
      parameters.text("strain_limit_form") == "positions" ? LimitForm::Positions : LimitForm::PositionsAndVelocities;
  return options;
}

}  // namespace deformbench::cloth
