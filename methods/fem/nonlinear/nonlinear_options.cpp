// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/nonlinear_options.hpp"

#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {
namespace {

bool is_invertible(const std::string& law) {
  return law.starts_with("invertible_");
}

bool is_explicit(const std::string& scheme) {
  return scheme == "symplectic_euler" || scheme == "forward_euler" || scheme == "leap_frog";
}

HessianRule hessian_rule(const std::string& name) {
  return name == "exact"               ? HessianRule::Exact
         : name == "absolute"          ? HessianRule::Absolute
         : name == "trust_region"      ? HessianRule::TrustRegion
         : name == "project_on_demand" ? HessianRule::ProjectOnDemand
         : name == "progressive"       ? HessianRule::Progressive
                                       : HessianRule::Projected;
}

void add_explicit_parameters(ParameterSpec& spec) {
  spec.push_back(
      count_parameter("substeps", 0, 0, "Explicit substeps per time step; 0 = as many as substep_safety asks for"));
  spec.push_back(
      {.name = "substep_safety",
       .unit = "1",
       .default_value = 0.5,
       .doc = "Substep over 2/ω_max of the stiffest element, at rest or pushed back from inversion; a stretched "
              "or pressed body may need less",
       .minimum = 0.0,
       .maximum = 10.0,
       .minimum_is_exclusive = true});
}

void add_newton_parameters(ParameterSpec& spec) {
  spec.push_back(
      count_parameter("newton_iterations", 0, 0,
                      "Exact number of Newton iterations, without line search; 1 from where the body is, as [BW98]. "
                      "0 = until newton_tolerance"));
  spec.push_back({.name = "newton_tolerance",
                  .unit = "1",
                  .default_value = 1e-10,
                  .doc = "Stop when the gradient of the step's objective is so small against its terms at the start",
                  .minimum = 0.0,
                  .maximum = 1.0,
                  .minimum_is_exclusive = true});
  spec.push_back(
      count_parameter("newton_max_iterations", 1000, 1, "Most Newton iterations when newton_iterations is 0"));
  spec.push_back(
      choice_parameter("newton_forcing", "fixed", {"fixed", "eisenstat_walker"},
                       "Relative tolerance of a Newton iteration's linear solve: cg_tolerance, or by the progress of "
                       "the last iteration [EW96], from cg_tolerance to 1e-2"));
  spec.push_back(choice_parameter(
      "hessian", "projected", {"projected", "exact", "absolute", "trust_region", "project_on_demand", "progressive"},
      "Negative eigenvalues of an element's Hessian: zero (projected) [TSIF05], kept (exact), their "
      "magnitude (absolute) [CLLZJ24]; zero or magnitude as the last iteration was predicted "
      "(trust_region) [CLJLZ24]; zero where the system is not positive definite in all elements "
      "(project_on_demand) [LLFLAB23], or where the gradient is large (progressive) [FLB26]"));
  spec.push_back(choice_parameter(
      "hessian_precision", "double", {"double", "single"},
      "Of the Hessians of elements; forces, energy, matrix and the test of convergence are in double"));
  spec.push_back(
      choice_parameter("self_contact", "off", {"off", "barrier"},
                       "The body's surface against itself and its parts against each other: off, they pass through; "
                       "barrier, a potential of the step [LFSLZPJK20] with contact_distance_m and "
                       "contact_stiffness_pa"));
  spec.push_back(non_negative_parameter("self_friction", "1", 0.0, "Coulomb's coefficient of self_contact barrier"));
  add_solver_parameters(spec, true);
}

}  // namespace

ParameterSpec nonlinear_parameters(NonlinearMethod method) {
  std::vector<std::string> laws, schemes;
  for (const std::string& law : law_names())
    if (is_invertible(law) == (method == NonlinearMethod::Invertible)) laws.push_back(law);
  if (method != NonlinearMethod::Implicit) schemes = {"symplectic_euler", "forward_euler", "leap_frog"};
  if (method != NonlinearMethod::Explicit)
    schemes.insert(schemes.end(), {"implicit_euler", "implicit_midpoint", "bdf2"});
  ParameterSpec spec;
  spec.push_back(choice_parameter("law",
                                  method == NonlinearMethod::Explicit   ? "st_venant_kirchhoff"
                                  : method == NonlinearMethod::Implicit ? "stable_neo_hookean"
                                                                        : "invertible_st_venant_kirchhoff",
                                  laws, "Energy density of the material"));
  ParameterInfo elements{.name = "elements",
                         .unit = "",
                         .default_value = std::string("linear"),
                         .doc =
                             "The mesh's own tetrahedra, or quadratic: those of 10 nodes that were subdivided into "
                             "eight each, which hardly lock as ν → ½; the same vertices, masses and surface",
                         .choices = {"linear", "quadratic"}};
  if (method != NonlinearMethod::Invertible) {  // their continuations have no term that an element could average
    elements.doc +=
        ". Or hexahedra of 8 nodes with mean dilatation, which do not lock: those that split kuhn_six has "
        "cut into six tetrahedra each";
    elements.choices.push_back("hexahedra");
  }
  spec.push_back(std::move(elements));
  spec.push_back(
      choice_parameter("scheme", schemes.front(), schemes, "Integrator of the step; implicit ones by Newton's method"));
  spec.push_back(non_negative_parameter("mass_damping_1_s", "1/s", 0.0, "α of the damping C = αM"));
  if (method != NonlinearMethod::Implicit) add_explicit_parameters(spec);
  if (method != NonlinearMethod::Explicit) add_newton_parameters(spec);
  add_contact_parameters(spec,
                         method == NonlinearMethod::Explicit ? ContactChoice::AfterSolve : ContactChoice::WithinSolve);
  add_fracture_parameters(spec);
  return spec;
}

NonlinearOptions nonlinear_options(const Parameters& parameters) {
  NonlinearOptions options;
  options.law = parameters.text("law");
  const std::string& elements = parameters.text("elements");
  options.elements = elements == "quadratic"   ? Elements::Quadratic
                     : elements == "hexahedra" ? Elements::Hexahedra
                                               : Elements::Linear;
  if (parameters.text("fracture") != "none") options.fracture = fracture_options(parameters);
  const std::string& scheme = parameters.text("scheme");
  const bool is_minimised = !is_explicit(scheme) && parameters.integer("newton_iterations") == 0;
  options.contact_rule = contact_rule(parameters, is_minimised ? ContactRule::Barrier : ContactRule::Nearest);
  options.has_self_contact =
      parameters.values().contains("self_contact") && parameters.text("self_contact") == "barrier";
  const double mass_damping = parameters.real("mass_damping_1_s");
  if (is_explicit(scheme)) {
    options.explicit_steps = {scheme == "forward_euler" ? ExplicitScheme::ForwardEuler
                              : scheme == "leap_frog"   ? ExplicitScheme::LeapFrog
                                                        : ExplicitScheme::SymplecticEuler,
                              int(parameters.integer("substeps")), parameters.real("substep_safety"), mass_damping};
    return options;
  }
  NewtonOptions& newton = options.newton;
  newton.scheme = scheme == "implicit_midpoint" ? ImplicitScheme::Midpoint
                  : scheme == "bdf2"            ? ImplicitScheme::Bdf2
                                                : ImplicitScheme::Euler;
  newton.mass_damping = mass_damping;
  newton.potential = potential_options(parameters, options.contact_rule);
  if (options.has_self_contact) newton.self_friction = parameters.real("self_friction");
  newton.fixed_iterations = int(parameters.integer("newton_iterations"));
  newton.tolerance = parameters.real("newton_tolerance");
  newton.max_iterations = int(parameters.integer("newton_max_iterations"));
  newton.adapts_forcing = parameters.text("newton_forcing") == "eisenstat_walker";
  newton.hessian = hessian_rule(parameters.text("hessian"));
  newton.single_precision = parameters.text("hessian_precision") == "single";
  // 1e-5 is enough for solves that further Newton iterations correct; a fixed number of iterations needs 1e-10.
  newton.solver = solver_options(parameters, newton.fixed_iterations == 0 ? 1e-5 : 1e-10);
  newton.solver.settings.needs_definite =
      newton.hessian == HessianRule::ProjectOnDemand || newton.hessian == HessianRule::Progressive;
  return options;
}

}  // namespace deformbench::fem
