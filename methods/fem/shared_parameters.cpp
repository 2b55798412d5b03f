// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/shared_parameters.hpp"

namespace deformbench::fem {

void add_solver_parameters(ParameterSpec& spec, bool is_symmetric) {
  std::vector<std::string> preconditioners{"none", "jacobi", "mass"};
  if (is_symmetric) preconditioners.insert(preconditioners.end(), {"multigrid", "automatic"});
  spec.push_back(
      choice_parameter("solver", "cg", {"cg", "direct"},
                       "Linear solver: conjugate gradients (BiCGSTAB where the matrix is not symmetric), or a sparse "
                       "factorisation"));
  spec.push_back(
      count_parameter("cg_iterations", 0, 0, "Exact number of iterations, 0 = until cg_tolerance; [MG04] §7 uses 20"));
  spec.push_back(real_parameter("cg_tolerance", "1", 0.0, 0.0, 1.0,
                                "Stop when ‖b − A v‖₂ ≤ tolerance ‖b‖₂; 0 = 1e-10 in double, 1e-5 in "
                                "float and in Newton iterations"));
  spec.push_back(count_parameter("cg_max_iterations", 10000, 1, "Most iterations when cg_iterations is 0"));
  spec.push_back(
      choice_parameter("on_unconverged", "fail", {"fail", "continue"},
                       "When the solver stops before cg_tolerance is met: the run fails, or goes on and says so"));
  spec.push_back(
      choice_parameter("cg_preconditioner", "mass", preconditioners,
                       "none as printed; mass keeps the momentum exact (B-IVM-15); multigrid, of symmetric matrices, "
                       "is a V-cycle over lattices, whose iterations to a tolerance hardly grow with the mesh; "
                       "automatic is mass, and of a held body multigrid after the first solve of more than 50 "
                       "iterations"));
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
  spec.push_back(
      choice_parameter("contact_rule", "default", rules,
                       "Vertices against obstacles: a barrier potential of the step [LFSLZPJK20], the default where "
                       "Newton's method converges; penalty, a quadratic one, the default of one solve; after_solve, "
                       "the nearest velocity that ends outside, the default elsewhere; as_printed in [CS6967] §2.4: "
                       "moved inside, put on the surface, normal velocity that of the obstacle"));
  if (!has_potential) return;
  spec.push_back(non_negative_parameter(
      "contact_distance_m", "m", 0.0,
      "d̂: distance at which the barrier begins, depth of a penalty at the pressure κ; 0 = a thousandth "
      "of the diagonal of the body's box"));
  spec.push_back(non_negative_parameter(
      "contact_stiffness_pa", "Pa", 0.0,
      "κ: the potential's energy per surface area is κ d̂ b(d/d̂); 0 = the largest Young's modulus"));
  spec.push_back(non_negative_parameter("friction_speed_m_s", "m/s", 0.0,
                                        "ε_v: vertices below this speed stick; 0 = d̂ per second"));
  spec.push_back(
      count_parameter("friction_passes", 2, 1,
                      "Most solves of a step, each with the normal forces of the one before, until these agree to "
                      "a thousandth; 1: with those of the step before, as with a fixed number of iterations"));
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
  spec.push_back(
      non_negative_parameter("contact_distance_m", "m", 0.0,
                             "d̂: by so much a vertex sinks into an obstacle at the pressure κ; 0 = a thousandth of the "
                             "diagonal of the body's box"));
  spec.push_back(non_negative_parameter(
      "contact_stiffness_pa", "Pa", 0.0,
      "κ: the penalty's energy per surface area is κ/(2 d̂) times the squared depth; 0 = the largest "
      "Young's modulus"));
  spec.push_back(non_negative_parameter("friction_speed_m_s", "m/s", 0.0,
                                        "ε_v: vertices below this speed stick; 0 = d̂ per second"));
}

PotentialOptions penalty_options(const Parameters& parameters) {
  return {true, parameters.real("contact_distance_m"), parameters.real("contact_stiffness_pa"),
          parameters.real("friction_speed_m_s"), 1};
}

void add_descent_parameters(ParameterSpec& spec, const std::string& iteration, long long iterations) {
  spec.push_back(
      count_parameter("iterations", iterations, 1, iteration + " in a (sub)step; with a tolerance the most"));
  spec.push_back(count_parameter("substeps", 1, 1, "Implicit Euler steps per time step"));
  spec.push_back(
      real_parameter("tolerance", "1", 0.0, 0.0, 1.0,
                     "They end when the gradient of the step's objective is so small against its terms at the "
                     "start; 0: after `iterations`"));
  spec.push_back(choice_parameter("on_unconverged", "fail", {"fail", "continue"},
                                  "When `iterations` miss the tolerance: the run fails, or goes on and says so"));
}

void add_fracture_parameters(ParameterSpec& spec) {
  spec.push_back(
      choice_parameter("fracture", "none", {"none", "vertex_split", "separation_tensor"},
                       "Splitting of vertices: by the stress of elements, [MG04] §4, or by the separation tensor of "
                       "vertices, O'Brien & Hodgins 1999"));
  spec.push_back(
      positive_parameter("fracture_threshold_pa", "Pa", 6e4, "Largest principal stress that the material can bear"));
  spec.push_back(choice_parameter(
      "fracture_frame", "world", {"world", "as_printed"},
      "Normal of the plane: turned with the element, or as_printed in the element's frame (B-IVM-18)"));
  spec.push_back(choice_parameter(
      "fracture_hinges", "separate", {"separate", "keep"},
      "Elements that a split leaves joined by a vertex alone: separate, or keep as printed (B-IVM-17)"));
  spec.push_back(
      count_parameter("fracture_splits_per_step", 10, 1, "Largest number of vertices that split in one step"));
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

Support fem_support(const Scene& scene, bool is_direct, bool takes_meshes) {
  constexpr Eigen::Index kDirectLimit = 150000;  // largest mesh whose factors fit a few gigabytes
  if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
  if (const std::string refusal = contact_refusal(scene, takes_meshes); !refusal.empty()) return Support::no(refusal);
  if (!scene.constraints.empty()) return Support::no("finite elements do not support explicit constraints");
  if (!scene.cracks.empty()) return Support::no("finite elements split along their faces, and take no initial cracks");
  if (is_direct && scene.tet_mesh.element_count() > kDirectLimit)
    return Support::no("solver 'direct' takes at most " + std::to_string(kDirectLimit) +
                       " elements (memory of the factors), the scene has " +
                       std::to_string(scene.tet_mesh.element_count()));
  return Support::yes();
}

}  // namespace deformbench::fem
