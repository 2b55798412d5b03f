// SPDX-License-Identifier: BSD-3-Clause
#include "methods/descent/register_descent.hpp"

#include "methods/descent/block_descent.hpp"
#include "methods/fem/fem_simulation.hpp"
#include "methods/fem/shared_parameters.hpp"

namespace deformbench::descent {
namespace {

ParameterSpec descent_parameters() {
  ParameterSpec spec;
  spec.push_back(
      choice_parameter("law", "stable_neo_hookean", descent_laws(),
                       "Energy density of the material, as of implicit_fem; with stable_neo_hookean_core, that of the "
                       "paper, the step of a vertex is the exact minimum of its objective"));
  fem::add_descent_parameters(spec, "Sweeps over all vertices", 100);
  spec.push_back(
      choice_parameter("order", "index", {"index", "random", "coloured"},
                       "Order of the vertices in a sweep: as in the scene, a random permutation by the seed, or by "
                       "greedy colours, which two threads share best; its result does not depend on the threads"));
  spec.push_back(choice_parameter(
      "initial_guess", "adaptive", {"previous", "inertia", "inertia_and_loads", "adaptive"},
      "Positions before the first sweep, [CLYY24] §3.7: those of the step before, moved on by inertia, "
      "by inertia and all loads, or by inertia and as much of gravity as the last step fell by"));
  spec.push_back(
      choice_parameter("scheme", "implicit_euler", {"implicit_euler", "static"},
                       "What sweeps minimise: implicit Euler, or the potential energy of a static equilibrium at the "
                       "loads and places of the step's end, without inertia, as in position-based nonlinear "
                       "Gauss–Seidel sweeps [CHCZMT24]"));
  spec.push_back({.name = "spectral_radius",
                  .unit = "1",
                  .default_value = 0.0,
                  .doc = "ρ of the Chebyshev acceleration, [CLYY24] §3.8; 0: none",
                  .minimum = 0.0,
                  .maximum = 1.0,
                  .maximum_is_exclusive = true});
  spec.push_back({.name = "relaxation",
                  .unit = "1",
                  .default_value = 1.0,
                  .doc = "ω: a vertex moves by ω times its step, as in position-based nonlinear Gauss–Seidel sweeps "
                         "[CHCZMT24]; block_line_search has none",
                  .minimum = 0.0,
                  .maximum = 2.0,
                  .maximum_is_exclusive = true});
  spec.push_back(
      non_negative_parameter("stiffness_damping_s", "s", 0.0, "k_d: damping in proportion to the stiffness"));
  spec.push_back(
      choice_parameter("damping_form", "corrected", {"corrected", "as_printed"},
                       "corrected: a potential of the change of strain; as_printed in [CLYY24] §3.3, by the block of "
                       "each vertex on its own move, which brakes a falling body too"));
  spec.push_back(choice_parameter("block_line_search", "none", {"none", "armijo"},
                                  "Whether a vertex halves its step until its objective falls"));
  spec.push_back(
      non_negative_parameter("singular_threshold", "1", 1e-30,
                             "ε: a vertex whose block has |det H| ≤ ε (tr H/3)³ stays where it is in the sweep"));
  spec.push_back(choice_parameter("singular_rule", "corrected", {"corrected", "as_printed"},
                                  "as_printed: |det H| ≤ ε in (N/m)³, which depends on the size of the scene"));
  fem::add_penalty_parameters(spec);
  spec.push_back(
      choice_parameter("execution", "lanes", {"lanes", "plain"},
                       "lanes: four tetrahedra of a vertex at a time; plain: one after the other, the reference of "
                       "tests and benchmarks, equal within rounding"));
  return spec;
}

DescentOptions descent_options(const Parameters& parameters) {
  DescentOptions options;
  options.law = parameters.text("law");
  const std::string &order = parameters.text("order"), &guess = parameters.text("initial_guess");
  options.order = order == "random"     ? SweepOrder::Random
                  : order == "coloured" ? SweepOrder::Coloured
                                        : SweepOrder::Index;
  options.initial_guess = guess == "previous"            ? InitialGuess::Previous
                          : guess == "inertia"           ? InitialGuess::Inertia
                          : guess == "inertia_and_loads" ? InitialGuess::InertiaAndLoads
                                                         : InitialGuess::Adaptive;
  options.is_plain = parameters.text("execution") == "plain";
  options.iterations = int(parameters.integer("iterations"));
  options.substeps = int(parameters.integer("substeps"));
  options.spectral_radius = parameters.real("spectral_radius");
  options.tolerance = parameters.real("tolerance");
  options.may_miss_tolerance = parameters.text("on_unconverged") == "continue";
  options.is_static = parameters.text("scheme") == "static";
  options.sweep = {parameters.real("stiffness_damping_s"),
                   parameters.text("damping_form") == "as_printed" ? DampingForm::AsPrinted : DampingForm::Strain,
                   parameters.real("singular_threshold"),
                   parameters.text("singular_rule") == "as_printed" ? SingularRule::AsPrinted : SingularRule::Relative,
                   parameters.text("block_line_search") == "armijo" ? BlockSearch::Armijo : BlockSearch::None,
                   parameters.real("relaxation")};
  options.potential = fem::penalty_options(parameters);
  return options;
}

Support supports(const Scene& scene, const Parameters& parameters) {
  if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
  if (const std::string refusal = fem::contact_refusal(scene); !refusal.empty()) return Support::no(refusal);
  if (!scene.constraints.empty()) return Support::no("vertex block descent supports no explicit constraints");
  if (!scene.cracks.empty()) return Support::no("vertex block descent supports no cracks");
  if (!scene.heat_sources.empty()) return Support::no("vertex block descent supports no heat sources");
  const DescentOptions options = descent_options(parameters);
  if (options.tolerance > 0.0 && options.sweep.damping > 0.0 && options.sweep.damping_form == DampingForm::AsPrinted)
    return Support::no("a tolerance needs an objective, and damping_form 'as_printed' has none");
  if (options.is_static && scene.prescribed.empty())
    return Support::no("scheme 'static' needs prescribed vertices: a body without any has no equilibrium of its own");
  if (options.sweep.relaxation != 1.0 && options.sweep.search == BlockSearch::Armijo)
    return Support::no("a relaxation other than 1 needs block_line_search none");
  return Support::yes();
}

std::unique_ptr<Simulation> create(const Scene& scene, const Parameters& parameters, const RunContext& context) {
  const DescentOptions options = descent_options(parameters);
  auto simulation = std::make_unique<fem::FemSimulation<double>>(scene, context);
  fem::Body<double>& body = simulation->body();
  body.state.contact_rule = fem::ContactRule::Penalty;
  auto elasticity = fem::make_hyperelasticity(options.law, body, std::nullopt);
  auto integrator = std::make_unique<BlockDescent>(body, *elasticity, options, context.seed);
  simulation->set_parts(std::move(elasticity), std::move(integrator), {});
  return simulation;
}

}  // namespace

void register_descent(Registry& registry) {
  MethodDescriptor vbd;
  vbd.id = "vbd";
  vbd.summary = "Vertex block descent: implicit Euler by Newton steps of one vertex after the other, on tetrahedra";
  vbd.paper = {"CLYY24", "A. H. Chen, Z. Liu, Y. Yang, C. Yuksel: Vertex Block Descent. ACM TOG 43(4), 2024"};
  vbd.parameters = descent_parameters();
  vbd.supports = supports;
  vbd.create = create;
  // Sizes as measured by tests/methods, which checks them within a factor of two.
  vbd.known_violations = {
      {"linear_momentum", "a vertex moves at a time: in a stiff body much is left after the sweeps", "CLYY24", 0.14},
      {"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step", "IVM-01", 0.18}};
  registry.add(std::move(vbd));
}

}  // namespace deformbench::descent
