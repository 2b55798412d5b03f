// SPDX-License-Identifier: BSD-3-Clause
#include "methods/projective/register_projective.hpp"

#include "methods/fem/fem_simulation.hpp"
#include "methods/fem/shared_parameters.hpp"
#include "methods/projective/quasi_newton.hpp"

namespace deformbench::projective {
namespace {

ParameterSpec parameters() {
  ParameterSpec spec;
  spec.push_back(
      choice_parameter("law", "stable_neo_hookean", fem::law_names(),
                       "Energy density of the material, as of implicit_fem; projective dynamics: corotational, with "
                       "ν = 0 and matrix_stiffness shear"));
  spec.push_back(choice_parameter("matrix_stiffness", "bound", {"bound", "sum", "shear"},
                                  "k of the constant matrix wM + Σ V k ∇N ∇Nᵀ: 2μ + 3λ (bound), at which full steps "
                                  "converge near rest, 2μ + λ (sum), up to ν = 1/3, or 2μ (shear)"));
  spec.push_back(
      choice_parameter("acceleration", "l_bfgs", {"none", "l_bfgs", "chebyshev", "anderson", "admm"},
                       "Of the iteration with the constant matrix: l_bfgs [LBK17], chebyshev [W15], anderson "
                       "[PDZGQL18], none; admm: none, but each corotational element is split from the mesh [OBLN17]"));
  spec.push_back({.name = "history",
                  .unit = "1",
                  .default_value = 5LL,
                  .doc = "Iterations whose changes l_bfgs and anderson use",
                  .minimum = 1.0,
                  .maximum = 100.0});
  spec.push_back({.name = "spectral_radius",
                  .unit = "1",
                  .default_value = 0.9,
                  .doc = "ρ of acceleration chebyshev",
                  .minimum = 0.0,
                  .maximum = 1.0,
                  .maximum_is_exclusive = true});
  spec.push_back(
      count_parameter("chebyshev_delay", 10, 1, "Iterations of a (sub)step before acceleration chebyshev begins"));
  spec.push_back(real_parameter("admm_weight", "1", 1.0, 1e-3, 1e3,
                                "w of admm: an element's own deformation gradient is held to the mesh's with w² k"));
  spec.push_back(choice_parameter(
      "line_search", "armijo", {"armijo", "none"},
      "Whether a step is halved until the objective falls enough; accelerations chebyshev and admm have "
      "none"));
  fem::add_descent_parameters(spec, "Iterations", 50);
  fem::add_penalty_parameters(spec);
  return spec;
}

QuasiNewtonOptions options_of(const Parameters& parameters) {
  QuasiNewtonOptions options;
  options.law = parameters.text("law");
  const std::string &stiffness = parameters.text("matrix_stiffness"), &kind = parameters.text("acceleration");
  options.stiffness = stiffness == "shear"   ? MatrixStiffness::Shear
                      : stiffness == "bound" ? MatrixStiffness::Bound
                                             : MatrixStiffness::Sum;
  options.acceleration = kind == "l_bfgs"      ? Acceleration::LimitedBfgs
                         : kind == "chebyshev" ? Acceleration::Chebyshev
                         : kind == "anderson"  ? Acceleration::Anderson
                         : kind == "admm"      ? Acceleration::Admm
                                               : Acceleration::None;
  options.history = int(parameters.integer("history"));
  options.spectral_radius = parameters.real("spectral_radius");
  options.delay = int(parameters.integer("chebyshev_delay"));
  options.weight = parameters.real("admm_weight");
  options.searches = parameters.text("line_search") == "armijo" && options.acceleration != Acceleration::Chebyshev &&
                     options.acceleration != Acceleration::Admm;
  options.iterations = int(parameters.integer("iterations"));
  options.substeps = int(parameters.integer("substeps"));
  options.tolerance = parameters.real("tolerance");
  options.may_miss_tolerance = parameters.text("on_unconverged") == "continue";
  options.potential = fem::penalty_options(parameters);
  return options;
}

Support supports(const Scene& scene, const Parameters& parameters) {
  if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
  if (const std::string refusal = fem::contact_refusal(scene); !refusal.empty()) return Support::no(refusal);
  if (!scene.constraints.empty()) return Support::no("quasi-Newton steps support no explicit constraints");
  if (!scene.cracks.empty()) return Support::no("quasi-Newton steps support no cracks");
  if (!scene.heat_sources.empty()) return Support::no("quasi-Newton steps support no heat sources");
  if (options_of(parameters).acceleration == Acceleration::LimitedBfgs && parameters.text("line_search") == "none")
    return Support::no("acceleration 'l_bfgs' needs line_search armijo");
  if (options_of(parameters).acceleration == Acceleration::Admm) {
    if (parameters.text("law") != "corotational")
      return Support::no("acceleration 'admm' has a local step for the law 'corotational' alone");
    if (!scene.colliders.empty() || !scene.rigid_bodies.empty())
      return Support::no("acceleration 'admm' supports no obstacles");
  }
  return Support::yes();
}

std::unique_ptr<Simulation> create(const Scene& scene, const Parameters& parameters, const RunContext& context) {
  const QuasiNewtonOptions options = options_of(parameters);
  auto simulation = std::make_unique<fem::FemSimulation<double>>(scene, context);
  fem::Body<double>& body = simulation->body();
  body.state.contact_rule = fem::ContactRule::Penalty;
  auto elasticity = fem::make_hyperelasticity(options.law, body, std::nullopt);
  auto integrator = std::make_unique<QuasiNewton>(body, *elasticity, options);
  simulation->set_parts(std::move(elasticity), std::move(integrator), {});
  return simulation;
}

}  // namespace

void register_projective(Registry& registry) {
  MethodDescriptor method;
  method.id = "quasi_newton";
  method.summary = "Implicit Euler with one prefactored matrix: projective dynamics and its accelerations";
  method.paper = {"LBK17",
                  "T. Liu, S. Bouaziz, L. Kavan: Quasi-Newton Methods for Real-Time Simulation of Hyperelastic "
                  "Materials. ACM TOG 36(3), 2017"};
  method.parameters = parameters();
  method.supports = supports;
  method.create = create;
  // Sizes as measured by tests/methods, which checks them within a factor of two.
  method.known_violations = {
      {"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step", "IVM-01", 0.18}};
  registry.add(std::move(method));
}

}  // namespace deformbench::projective
