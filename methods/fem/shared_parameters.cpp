// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {

void add_solver_parameters(ParameterSpec& spec, bool is_symmetric) {
  std::vector<std::string> preconditioners{"none", "jacobi", "mass"};
  if (is_symmetric) preconditioners.insert(preconditioners.end(), {"multigrid", "automatic"});
  spec.push_back({.name = "solver",
                  .unit = "",
                  .default_value = std::string("cg"),
                  .doc = "Linear solver: conjugate gradients (BiCGSTAB where the matrix is not symmetric), or a sparse "
                         "factorisation",
                  .choices = {"cg", "direct"}});
  spec.push_back({.name = "cg_iterations",
                  .unit = "1",
                  .default_value = 0LL,
                  .doc = "Exact number of iterations, 0 = until cg_tolerance; [MG04] §7 uses 20",
                  .minimum = 0.0,
                  .maximum = 1e9});
  spec.push_back({.name = "cg_tolerance",
                  .unit = "1",
                  .default_value = 0.0,
                  .doc = "Stop when ‖b − A v‖₂ ≤ tolerance ‖b‖₂; 0 = 1e-10 in double, 1e-5 in "
                         "float and in Newton iterations",
                  .minimum = 0.0,
                  .maximum = 1.0});
  spec.push_back({.name = "cg_max_iterations",
                  .unit = "1",
                  .default_value = 10000LL,
                  .doc = "Most iterations when cg_iterations is 0",
                  .minimum = 1.0,
                  .maximum = 1e9});
  spec.push_back({.name = "on_unconverged",
                  .unit = "",
                  .default_value = std::string("fail"),
                  .doc = "When the solver stops before cg_tolerance is met: the run fails, or goes on and says so",
                  .choices = {"fail", "continue"}});
  spec.push_back({.name = "cg_preconditioner",
                  .unit = "",
                  .default_value = std::string("mass"),
                  .doc = "none as printed; mass keeps the momentum exact (B-IVM-15); multigrid, of symmetric matrices, "
                         "is a V-cycle over lattices, whose iterations to a tolerance hardly grow with the mesh; "
                         "automatic is mass, and of a held body multigrid after the first solve of more than 50 "
                         "iterations",
                  .choices = preconditioners});
}

LinearSolverOptions solver_options(const Parameters& parameters, double tolerance) {
  LinearSolverOptions solver;
  solver.direct = parameters.text("solver") == "direct";
  solver.settings.fixed_iterations = int(parameters.integer("cg_iterations"));
  solver.settings.tolerance = parameters.real("cg_tolerance");
  if (solver.settings.tolerance == 0.0) solver.settings.tolerance = tolerance;
  solver.settings.max_iterations = int(parameters.integer("cg_max_iterations"));
  solver.may_miss_tolerance = parameters.text("on_unconverged") == "continue";
  const std::string& preconditioner = parameters.text("cg_preconditioner");
  solver.preconditioner = preconditioner == "none"        ? Preconditioner::None
                          : preconditioner == "jacobi"    ? Preconditioner::Jacobi
                          : preconditioner == "multigrid" ? Preconditioner::Multigrid
                          : preconditioner == "automatic" ? Preconditioner::Automatic
                                                          : Preconditioner::Mass;
  return solver;
}

void add_contact_parameters(ParameterSpec& spec, ContactChoice choice) {
  const bool has_potential = choice != ContactChoice::AfterSolve;
  std::vector<std::string> rules{"default", "after_solve", "as_printed"};
  if (has_potential) rules.push_back("penalty");
  spec.push_back({.name = "contact_rule",
                  .unit = "",
                  .default_value = std::string("default"),
                  .doc = "Vertices against obstacles: a barrier potential of the step [LFSLZPJK20], the default where "
                         "Newton's method converges; penalty, a quadratic one, the default of one solve with a "
                         "symmetric matrix; after_solve, the nearest velocity that ends outside, the default "
                         "elsewhere; as_printed in [CS6967] §2.4: moved inside, put on the surface, normal velocity "
                         "that of the obstacle",
                  .choices = rules});
  if (!has_potential) return;
  spec.push_back({.name = "contact_distance_m",
                  .unit = "m",
                  .default_value = 0.0,
                  .doc =
                      "d̂: distance at which the barrier begins, depth of a penalty at the pressure κ; 0 = a thousandth "
                      "of the diagonal of the body's box",
                  .minimum = 0.0});
  spec.push_back({.name = "contact_stiffness_pa",
                  .unit = "Pa",
                  .default_value = 0.0,
                  .doc = "κ: the potential's energy per surface area is κ d̂ b(d/d̂); 0 = the largest Young's modulus",
                  .minimum = 0.0});
  spec.push_back({.name = "friction_speed_m_s",
                  .unit = "m/s",
                  .default_value = 0.0,
                  .doc = "ε_v: vertices below this speed stick; 0 = d̂ per second",
                  .minimum = 0.0});
  spec.push_back({.name = "friction_passes",
                  .unit = "1",
                  .default_value = 2LL,
                  .doc = "Most solves of a step, each with the normal forces of the one before, until these agree to "
                         "a thousandth; 1: with those of the step before, as with a fixed number of iterations",
                  .minimum = 1.0,
                  .maximum = 1e9});
}

ContactRule contact_rule(const Parameters& parameters, ContactRule by_default) {
  const std::string& rule = parameters.text("contact_rule");
  return rule == "as_printed"    ? ContactRule::AsPrinted
         : rule == "penalty"     ? ContactRule::Penalty
         : rule == "after_solve" ? ContactRule::Nearest
                                 : by_default;
}

PotentialOptions potential_options(const Parameters& parameters, ContactRule rule) {
  return {rule == ContactRule::Penalty, parameters.real("contact_distance_m"), parameters.real("contact_stiffness_pa"),
          parameters.real("friction_speed_m_s"), int(parameters.integer("friction_passes"))};
}

void add_penalty_parameters(ParameterSpec& spec) {
  spec.push_back({.name = "contact_distance_m",
                  .unit = "m",
                  .default_value = 0.0,
                  .doc = "d̂: by so much a vertex sinks into an obstacle at the pressure κ; 0 = a thousandth of the "
                         "diagonal of the body's box",
                  .minimum = 0.0});
  spec.push_back({.name = "contact_stiffness_pa",
                  .unit = "Pa",
                  .default_value = 0.0,
                  .doc = "κ: the penalty's energy per surface area is κ/(2 d̂) times the squared depth; 0 = the largest "
                         "Young's modulus",
                  .minimum = 0.0});
  spec.push_back({.name = "friction_speed_m_s",
                  .unit = "m/s",
                  .default_value = 0.0,
                  .doc = "ε_v: vertices below this speed stick; 0 = d̂ per second",
                  .minimum = 0.0});
}

PotentialOptions penalty_options(const Parameters& parameters) {
  return {true, parameters.real("contact_distance_m"), parameters.real("contact_stiffness_pa"),
          parameters.real("friction_speed_m_s"), 1};
}

void add_descent_parameters(ParameterSpec& spec, const std::string& iteration, long long iterations) {
  spec.push_back({.name = "iterations",
                  .unit = "1",
                  .default_value = iterations,
                  .doc = iteration + " in a (sub)step; with a tolerance the most",
                  .minimum = 1.0,
                  .maximum = 1e9});
  spec.push_back({.name = "substeps",
                  .unit = "1",
                  .default_value = 1LL,
                  .doc = "Implicit Euler steps per time step",
                  .minimum = 1.0,
                  .maximum = 1e9});
  spec.push_back({.name = "tolerance",
                  .unit = "1",
                  .default_value = 0.0,
                  .doc = "They end when the gradient of the step's objective is so small against its terms at the "
                         "start; 0: after `iterations`",
                  .minimum = 0.0,
                  .maximum = 1.0});
  spec.push_back({.name = "on_unconverged",
                  .unit = "",
                  .default_value = std::string("fail"),
                  .doc = "When `iterations` miss the tolerance: the run fails, or goes on and says so",
                  .choices = {"fail", "continue"}});
}

void add_fracture_parameters(ParameterSpec& spec) {
  spec.push_back({.name = "fracture",
                  .unit = "",
                  .default_value = std::string("none"),
                  .doc = "Splitting of vertices: by the stress of elements, [MG04] §4, or by the separation tensor of "
                         "vertices, O'Brien & Hodgins 1999",
                  .choices = {"none", "vertex_split", "separation_tensor"}});
  spec.push_back({.name = "fracture_threshold_pa",
                  .unit = "Pa",
                  .default_value = 6e4,
                  .doc = "Largest principal stress that the material can bear",
                  .minimum = 0.0,
                  .minimum_is_exclusive = true});
  spec.push_back(
      {.name = "fracture_frame",
       .unit = "",
       .default_value = std::string("world"),
       .doc = "Normal of the plane: turned with the element, or as_printed in the element's frame (B-IVM-18)",
       .choices = {"world", "as_printed"}});
  spec.push_back(
      {.name = "fracture_hinges",
       .unit = "",
       .default_value = std::string("separate"),
       .doc = "Elements that a split leaves joined by a vertex alone: separate, or keep as printed (B-IVM-17)",
       .choices = {"separate", "keep"}});
  spec.push_back({.name = "fracture_splits_per_step",
                  .unit = "1",
                  .default_value = 10LL,
                  .doc = "Largest number of vertices that split in one step",
                  .minimum = 1.0,
                  .maximum = 1e9});
}

FractureOptions fracture_options(const Parameters& parameters) {
  FractureOptions fracture;
  fracture.by_separation_tensor = parameters.text("fracture") == "separation_tensor";
  fracture.threshold = parameters.real("fracture_threshold_pa");
  fracture.frame = parameters.text("fracture_frame") == "world" ? FractureFrame::World : FractureFrame::AsPrinted;
  fracture.hinges = parameters.text("fracture_hinges") == "separate" ? HingeRule::Separate : HingeRule::Keep;
  fracture.splits_per_step = int(parameters.integer("fracture_splits_per_step"));
  return fracture;
}

}  // namespace deformbench::fem
