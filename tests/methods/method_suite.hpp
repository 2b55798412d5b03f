// SPDX-License-Identifier: BSD-3-Clause
// Shared by the suites that run over every registered method: the next method gets them for free.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

/// A registered method with its defaults, or with parts switched on that change what it simulates.
struct Configuration {
  std::string name;    ///< as test names show it
  std::string method;  ///< id
  std::map<std::string, ParameterValue> parameters = {};
  bool returns_to_rest = true;                     ///< elastic: nothing stays of a deformation
  double rounding = 1.0;                           ///< of its arithmetic over that of doubles: tolerances grow with it
  std::vector<KnownViolation> known_violations{};  ///< of this configuration, before those of the method
  std::set<std::string> mends{};                   ///< invariants that the method breaks and this configuration keeps
  bool on_cloth = false;                           ///< tried on the cloth, though it knows tetrahedra too
  std::function<Registry(const Registry&)> add{};  ///< of a method from outside: the registry with it
};

/// Configurations of methods that are not built in; a test program that has any sets them before its tests
/// (outside_methods.cpp).
inline std::vector<Configuration>& outside_configurations() {
  static std::vector<Configuration> all;
  return all;
}

/// The unit roundoff of a float is 2²⁹ times that of a double; the tolerances below leave doubles 2⁴ more room than
/// floats.
constexpr double kFloatRounding = 33554432.0;

/// Parts of position based dynamics that change what it simulates, or in what order.
inline void add_position_based(std::vector<Configuration>& all) {
  using Set = std::map<std::string, ParameterValue>;
  const auto text = [](const char* value) { return ParameterValue(std::string(value)); };
  const std::vector<std::pair<const char*, Set>> parts{
      {"forward", {{"order", text("forward")}}},
      {"reverse", {{"order", text("reverse")}}},
      {"random", {{"order", text("random")}}},
      {"jacobi", {{"order", text("jacobi")}}},
      {"coloured", {{"order", text("coloured")}}},
      {"sequential", {{"execution", text("sequential")}}},
      {"printed_weights", {{"mass_weighting", text("as_printed")}}},
      {"printed_angles", {{"bend_angle", text("as_printed")}}},
      {"start_gradients", {{"gradients_at", text("start")}}},
      {"substeps", {{"substeps", 4LL}, {"iterations", 3LL}}},
      {"damping", {{"damping", 0.3}}},
      {"self_collision", {{"self_collision", true}}},
      {"tearing", {{"tear_stretch", 2.0}}},
      {"float", {{"precision", text("float")}}},
      {"coloured_float", {{"order", text("coloured")}, {"precision", text("float")}}},
  };
  const char* turning = "gradients at predicted positions have a torque about those of the start";
  for (const auto& [name, set] : parts) {
    Configuration part{std::string("pbd_") + name, "pbd", set};
    if (part.name == "pbd_start_gradients") part.mends = {"angular_momentum"};
    if (part.name == "pbd_substeps") part.known_violations = {{"angular_momentum", turning, "PBD-08", 0.05}};
    if (part.name == "pbd_jacobi")
      part.known_violations = {
          {"linear_momentum", "the mean of its corrections gives every vertex another share", "PBD-12", 0.13},
          {"angular_momentum", turning, "PBD-08", 0.045}};
    if (set.contains("precision")) part.rounding = kFloatRounding;
    all.push_back(std::move(part));
  }
  all.push_back({"xpbd_soft", "xpbd", {{"stretch_compliance_m_per_n", 1e-4}}});
  // Sweeps in a fixed order are no symmetric map: one iteration per step on stiff bends is unstable (tests/pbd).
  all.push_back(
      {"xpbd_small_steps", "xpbd", {{"substeps", 10LL}, {"iterations", 1LL}, {"bend_compliance_rad2_per_j", 1.0}}});
  all.back().known_violations = {{"angular_momentum", turning, "PBD-08", 0.02}};
}

/// Laws, schemes and fracture of nonlinear finite elements.
inline void add_nonlinear(std::vector<Configuration>& all) {
  const auto with = [&](const char* method, const char* key, const char* value) {
    all.push_back({std::string(method) + "_" + value, method, {{key, std::string(value)}}});
  };
  for (const char* law : {"st_venant_kirchhoff_as_printed", "corotational", "neo_hookean", "stable_neo_hookean"})
    with("explicit_fem", "law", law);
  for (const char* law : {"st_venant_kirchhoff", "st_venant_kirchhoff_as_printed", "corotational", "neo_hookean"})
    with("implicit_fem", "law", law);
  for (const char* law : {"invertible_corotational", "invertible_neo_hookean"}) with("invertible_fem", "law", law);
  with("explicit_fem", "scheme", "leap_frog");
  const KnownViolation swinging{"settles", "of second order: it keeps the energy of a swing", "IVM-06", 9.0};
  with("implicit_fem", "scheme", "implicit_midpoint");
  all.back().mends = {"angular_momentum"};
  all.back().known_violations = {swinging};
  with("implicit_fem", "scheme", "bdf2");
  all.back().mends = {"angular_momentum"};
  all.back().known_violations = {{"settles", "BDF2 hardly damps a slow swing", "IVM-06", 0.054},
                                 {"angular_momentum", "BDF2 damps a spin", "IVM-01", 3.2e-3}};
  with("invertible_fem", "scheme", "implicit_euler");
  all.back().mends = {"settles"};
  all.back().known_violations = {
      {"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step", "IVM-01", 0.18}};
  with("implicit_fem", "solver", "direct");
  with("implicit_fem", "cg_preconditioner", "automatic");
  with("implicit_fem", "hessian", "exact");
  for (const char* rule : {"absolute", "trust_region", "project_on_demand", "progressive"})
    with("implicit_fem", "hessian", rule);
  with("implicit_fem", "hessian_precision", "single");
  with("implicit_fem", "newton_forcing", "eisenstat_walker");
  with("implicit_fem", "elements", "quadratic");
  with("implicit_fem", "elements", "hexahedra");
  with("explicit_fem", "elements", "hexahedra");
  all.back().known_violations = {{"settles", "a scheme without damping keeps the energy of a swing", "IVM-06", 3.5}};
  for (const char* method : {"explicit_fem", "invertible_fem"}) {
    with(method, "elements", "quadratic");
    all.back().known_violations = {{"settles", "a scheme without damping keeps the energy of a swing", "IVM-06", 3.5}};
  }
  for (const char* method : {"explicit_fem", "implicit_fem"})
    for (const char* rule : {"vertex_split", "separation_tensor"})
      all.push_back({std::string(method) + "_" + rule,
                     method,
                     {{"fracture", std::string(rule)}, {"fracture_threshold_pa", 4e4}}});
}

/// Tetrahedra of position based dynamics: what holds them together, and how that is solved.
inline void add_position_based_solids(std::vector<Configuration>& all) {
  using Set = std::map<std::string, ParameterValue>;
  const auto text = [](const char* value) { return ParameterValue(std::string(value)); };
  const std::vector<std::pair<const char*, Set>> parts{
      {"neo_hookean", {}},
      {"neo_hookean_forward", {{"order", text("forward")}}},
      {"neo_hookean_reverse", {{"order", text("reverse")}}},
      {"neo_hookean_random", {{"order", text("random")}}},
      {"neo_hookean_coloured", {{"order", text("coloured")}}},
      {"neo_hookean_small_steps", {{"substeps", 10LL}, {"iterations", 1LL}}},
      {"neo_hookean_coupled", {{"solid_solve", text("coupled")}, {"substeps", 50LL}, {"iterations", 1LL}}},
      {"neo_hookean_one_by_one", {{"solid_solve", text("one_by_one")}, {"substeps", 50LL}, {"iterations", 1LL}}},
      {"neo_hookean_warm_start", {{"warm_start", true}}},
      {"distances", {{"solid_constraints", text("distances_and_volumes")}}},
  };
  for (const auto& [name, set] : parts) {
    all.push_back({std::string("xpbd_") + name, "xpbd", set});
    const bool is_chosen = set.empty() || set.contains("solid_constraints");
    if (!set.contains("substeps") && !is_chosen) continue;
    // Velocities are differences of positions over a substep, and so have their rounding over it.
    const double substeps = is_chosen ? 10.0 : double(std::get<long long>(set.at("substeps")));
    const bool is_linearised = set.contains("solid_solve");
    all.back().rounding = substeps;
    all.back().known_violations = {{"angular_momentum", "implicit Euler slows a spin, by the order of the substep",
                                    "PBD-08", is_linearised ? 5e-3 : 0.024}};
    if (std::string(name) != "distances")  // rigid
      all.back().known_violations.push_back(
          {"settles", "implicit Euler with small substeps damps little", "IVM-06", is_linearised ? 1.9 : 0.031});
    if (std::string(name) == "neo_hookean_one_by_one")
      all.back().known_violations.push_back(
          {"rest", "the first projection shrinks a tetrahedron, and the second has to undo it", "MM21", 8.3e-6});
  }
  all.push_back({"pbd_solid", "pbd"});
}

/// Vertex block descent: laws, orders, damping, and sweeps until the step is solved.
inline void add_descent(std::vector<Configuration>& all) {
  using Set = std::map<std::string, ParameterValue>;
  const auto text = [](const char* value) { return ParameterValue(std::string(value)); };
  const std::vector<std::pair<const char*, Set>> parts{
      {"core", {{"law", text("stable_neo_hookean_core")}}},
      {"st_venant_kirchhoff", {{"law", text("st_venant_kirchhoff")}}},
      {"plain", {{"execution", text("plain")}}},
      {"coloured", {{"order", text("coloured")}}},
      {"random", {{"order", text("random")}}},
      {"accelerated", {{"spectral_radius", 0.9}}},
      {"line_search", {{"block_line_search", text("armijo")}}},
      {"substeps", {{"substeps", 4LL}, {"iterations", 10LL}}},
      {"damped", {{"stiffness_damping_s", 0.01}}},
      {"solved", {{"tolerance", 1e-11}, {"iterations", 100000LL}}},
  };
  for (const auto& [name, set] : parts) {
    all.push_back({std::string("vbd_") + name, "vbd", set});
    if (set.contains("substeps"))
      all.back().known_violations = {
          {"angular_momentum", "implicit Euler slows a spin, by the order of the substep", "IVM-01", 0.057},
          {"settles", "implicit Euler with small substeps damps little", "IVM-06", 1.4e-5}};
    if (set.contains("tolerance"))
      all.back().known_violations = {{"linear_momentum", "as much as the tolerance leaves", "CLYY24", 4.8e-9}};
  }
}

/// One prefactored matrix: projective dynamics, accelerations, and iterations until the step is solved.
inline void add_projective(std::vector<Configuration>& all) {
  using Set = std::map<std::string, ParameterValue>;
  const auto text = [](const char* value) { return ParameterValue(std::string(value)); };
  const std::vector<std::pair<const char*, Set>> parts{
      {"local_global",
       {{"law", text("corotational")},
        {"acceleration", text("none")},
        {"line_search", text("none")},
        {"matrix_stiffness", text("bound")}}},
      {"chebyshev", {{"acceleration", text("chebyshev")}}},
      {"anderson", {{"acceleration", text("anderson")}}},
      {"admm", {{"law", text("corotational")}, {"acceleration", text("admm")}}},
      {"substeps", {{"substeps", 4LL}}},
      {"solved", {{"tolerance", 1e-11}, {"iterations", 100000LL}}},
  };
  for (const auto& [name, set] : parts) {
    all.push_back({std::string("quasi_newton_") + name, "quasi_newton", set});
    if (set.contains("substeps"))
      all.back().known_violations = {
          {"angular_momentum", "implicit Euler slows a spin, by the order of the substep", "IVM-01", 0.057},
          {"settles", "implicit Euler with small substeps damps little", "IVM-06", 1.4e-5}};
  }
}

/// Cloth by forces beside its springs: membrane triangles with hinges, and both damped.
inline void add_force_cloth(std::vector<Configuration>& all) {
  using Set = std::map<std::string, ParameterValue>;
  const Set membrane{
      {"stretch_stiffness_n_per_m", 0.0}, {"membrane_stiffness_n_per_m", 1000.0}, {"bend_stiffness_j", 1e-3}};
  all.push_back({"force_cloth_membrane_and_hinges", "force_cloth", membrane});
  Set damped = membrane;
  damped.insert({{"stretch_damping_s", 1e-3}, {"bend_damping_s", 1e-2}});
  damped["bend_stiffness_j"] = 0.3;
  all.push_back({"force_cloth_damped", "force_cloth", damped});
  all.back().mends = {"settles"};
  Set angles = membrane;
  angles.insert({{"bend_form", std::string("angle")}, {"bend_gradient", std::string("automatic")}});
  all.push_back({"force_cloth_angles", "force_cloth", angles});
  const auto text = [](const char* value) { return ParameterValue(std::string(value)); };
  all.push_back({"force_cloth_half_step", "force_cloth", {{"scheme", text("half_step")}, {"stretch_damping_s", 1e-3}}});
  all.push_back({"force_cloth_implicit", "force_cloth", {{"scheme", text("implicit")}}});
  all.back().known_violations = {{"angular_momentum", "implicit Euler takes from a spin", "IVM-01", 0.099}};
  all.push_back({"force_cloth_strain_limit", "force_cloth", {{"strain_limit", 0.05}}});
  all.back().known_violations = {
      {"angular_momentum", "ends of a turning spring are moved at velocities that stay", "LEC-09", 0.0017}};
  all.push_back({"force_cloth_plastic",
                 "force_cloth",
                 {{"yield_tension", 0.02}, {"yield_compression", 0.02}, {"hardening", 0.5}},
                 false});
  for (Configuration& one : all)
    if (one.method == "force_cloth") one.on_cloth = true;
}

/// Bullet's own constants, substeps, and its cloth in the order of the mesh. Its linear elasticity is in
/// bullet_test.cpp: how much of a spin it keeps changes with the rounding of a build, and has no size to declare.
inline void add_bullet(std::vector<Configuration>& all) {
  all.push_back({"bullet_fem_as_named", "bullet_fem", {{"constants", std::string("as_named")}}});
  all.push_back({"bullet_fem_substeps", "bullet_fem", {{"substeps", 4LL}}});
  all.back().known_violations = {
      {"linear_momentum", "conjugate gradients end at 1.5e-8 of a smaller residual", "B-IVM-15", 8e-11},
      {"angular_momentum", "as implicit Euler does with a spin, by the substep", "IVM-01", 0.057},
      {"settles", "implicit Euler by small steps damps as little as they are small", "IVM-06", 1.4e-5}};
  all.push_back({"bullet_cloth_iterations", "bullet_cloth", {{"iterations", 10LL}}});
  all.push_back({"bullet_cloth_in_order", "bullet_cloth", {{"randomized_order", false}}});
}

/// Every registered method with its defaults first, so that the next method gets the suite for free. Those that this
/// build lacks run nothing (tests/harness/cells has what is promised of them).
inline std::vector<Configuration> configurations() {
  std::vector<Configuration> all;
  const Registry registry = builtin_registry();
  std::set<std::string> built;
  for (const auto& method : registry.all()) {
    all.push_back({method.id, method.id});
    if (method.not_built.empty()) built.insert(method.id);
  }
  add_position_based(all);
  for (Configuration& one : all) one.on_cloth = one.method == "pbd" || one.method == "xpbd";
  add_position_based_solids(all);
  add_nonlinear(all);
  add_descent(all);
  add_projective(all);
  add_bullet(all);
  add_force_cloth(all);
  for (const char* method : {"linear_fem", "warped_fem"}) {
    // It flows from the smallest strain: nothing here is merely elastic.
    Configuration creep{std::string(method) + "_creep",
                        method,
                        {{"plasticity", std::string("creep")}, {"plastic_yield", 1e-4}, {"plastic_creep_per_s", 5.0}},
                        false};
    if (creep.method == "warped_fem")
      creep.known_violations = {
          {"angular_momentum", "plastic strain that is not coaxial with the stretch has a torque", "IVM-24", 7.2e-5}};
    all.push_back(std::move(creep));
    for (const char* rule : {"vertex_split", "separation_tensor"})
      all.push_back({std::string(method) + "_" + rule,
                     method,
                     {{"fracture", std::string(rule)}, {"fracture_threshold_pa", 4e4}}});
  }
  std::erase_if(all, [&](const Configuration& one) { return !built.contains(one.method); });
  all.insert(all.end(), outside_configurations().begin(), outside_configurations().end());
  return all;
}
inline Configuration configuration(const std::string& name) {
  for (Configuration& one : configurations())
    if (one.name == name) return one;
  throw std::invalid_argument(name);
}
/// The built-in methods, and that of the configuration where it is from outside: loaded once, when it is first asked
/// for.
inline const Registry& registry_of(const Configuration& chosen) {
  static std::map<std::string, Registry> known;
  const auto found = known.find(chosen.add ? chosen.method : "");
  if (found != known.end()) return found->second;
  const Registry built_in = builtin_registry();
  return known.emplace(chosen.add ? chosen.method : "", chosen.add ? chosen.add(built_in) : built_in).first->second;
}
inline std::vector<std::string> configuration_names() {
  std::vector<std::string> names;
  for (const Configuration& one : configurations()) names.push_back(one.name);
  return names;
}

constexpr double kBodyMass = 8.0;  ///< kg, of either body below

/// A free block of 2×2×2 cells of 0.1 m in alternating parity, in free space: its lumped masses differ by a
/// large factor, which is what breaks momentum in careless solvers.
inline Scene free_block(model::BlockSplit split = model::BlockSplit::AlternatingFive) {
  Scene scene;
  scene.name = "free_block";
  scene.tet_mesh = model::make_block({2, 2, 2}, Vector3::Constant(-0.1), Vector3::Constant(0.2), split);
  scene.materials = {model::Material{}};
  scene.time_step = 0.01;
  return scene;
}

/// A free pleated cloth of 4×4 cells of about 0.05 m, its folds at about 60°, that weighs as much as the block.
/// Diagonals alternate, so that its lumped masses differ by a factor of eight; the bumps leave no edge flatter than
/// 0.08 rad and no angle right.
inline Scene free_cloth() {
  const int cells = 4;
  const double cell = 0.05;
  Scene scene;
  scene.name = "free_cloth";
  scene.cloth.rest_positions.resize((cells + 1) * (cells + 1), 3);
  scene.cloth.triangles.resize(2 * cells * cells, 3);
  Eigen::Index t = 0;
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      const int a = i * (cells + 1) + j, b = a + cells + 1;
      const double bump = 0.016 * cell * ((3 * i * i + 7 * j * j + 5 * i * j + 2 * j) % 11);
      scene.cloth.rest_positions.row(a) << -0.1 + cell * std::cos(std::numbers::pi / 6) * i,
          cell * 0.5 * (i % 2) + bump, -0.1 + cell * j + 0.5 * bump;
      if (i == cells || j == cells) continue;
      if ((i + j) % 2 == 0) {
        scene.cloth.triangles.row(t++) << a, a + 1, b + 1;
        scene.cloth.triangles.row(t++) << a, b + 1, b;
      } else {
        scene.cloth.triangles.row(t++) << a, a + 1, b;
        scene.cloth.triangles.row(t++) << a + 1, b + 1, b;
      }
    }
  double doubled_area = 0.0;
  for (t = 0; t < scene.cloth.triangle_count(); ++t) {
    const auto x = [&](int k) -> Vector3 { return scene.cloth.rest_positions.row(scene.cloth.triangles(t, k)); };
    doubled_area += (x(1) - x(0)).cross(x(2) - x(0)).norm();
  }
  scene.cloth.area_density = 2.0 * kBodyMass / doubled_area;
  scene.time_step = 0.01;
  return scene;
}

inline Points random_field(Eigen::Index rows, double standard_deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0.0, standard_deviation);
  Points field(rows, 3);
  for (Eigen::Index i = 0; i < field.size(); ++i) field.data()[i] = normal(generator);
  return field;
}

struct Trajectory {
  std::unique_ptr<Simulation> simulation;
  std::vector<StepReport> reports;
  StateView state() const { return simulation->state(); }
  Points positions() const { return simulation->state().positions; }
};

inline Trajectory run(const std::string& name, const Scene& scene, int steps, const RunContext& context = {}) {
  const Configuration chosen = configuration(name);
  const MethodDescriptor& method = registry_of(chosen).at(chosen.method);
  const Parameters parameters(method.parameters, chosen.parameters, "method '" + name + "'");
  Trajectory result;
  result.simulation = method.create(scene, parameters, context);
  for (int k = 0; k < steps; ++k) {
    result.reports.push_back(result.simulation->step());
    if (result.reports.back().outcome == StepOutcome::Diverged) break;
  }
  return result;
}

inline Support support(const std::string& name, const Scene& scene) {
  const Configuration chosen = configuration(name);
  const MethodDescriptor& method = registry_of(chosen).at(chosen.method);
  return method.supports(scene, Parameters(method.parameters, chosen.parameters, name));
}

/// The first body that the configuration supports: what all laws are tried on. None of them lies flat, is symmetric in
/// its masses, or is larger than 0.2 m.
inline Scene free_body(const std::string& name) {
  const bool on_cloth = configuration(name).on_cloth;
  Scene subdivided = free_block();
  subdivided.tet_mesh = model::subdivide(subdivided.tet_mesh);
  for (Scene scene :
       {on_cloth ? free_cloth() : free_block(), free_cloth(), subdivided, free_block(model::BlockSplit::KuhnSix)})
    if (support(name, scene).supported) return scene;
  throw std::invalid_argument("configuration " + name + " supports none of the bodies of the suite");
}

/// The same body with its vertices below x = −0.05 m held: a face of the block, a strip of the cloth, which can then
/// turn about no line.
inline Scene clamped_body(const std::string& name) {
  Scene scene = free_body(name);
  scene.name.replace(0, 4, "clamped");
  model::PrescribedMotion hold;
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    if (scene.rest_positions()(i, 0) < -0.05) hold.vertices.push_back(int(i));
  scene.prescribed = {hold};
  return scene;
}

/// The rest positions of the deformable body, to change them.
inline Points& rest_of(Scene& scene) {
  if (scene.cloth.vertex_count() > 0) return scene.cloth.rest_positions;
  return scene.particles.vertex_count() > 0 ? scene.particles.rest_positions : scene.tet_mesh.rest_positions;
}

/// Stiff: where truncated solvers lose momentum.
inline void stiffen(Scene& scene) {
  for (auto& material : scene.materials) material.young_modulus = 1e7;
}

/// The declared violation of `invariant`, if there is one.
inline std::optional<KnownViolation> known_violation(const std::string& name, const std::string& invariant) {
  const Configuration chosen = configuration(name);
  std::vector<KnownViolation> declared = chosen.known_violations;
  for (const KnownViolation& violation : registry_of(chosen).at(chosen.method).known_violations)
    if (!chosen.mends.contains(violation.invariant)) declared.push_back(violation);
  for (const KnownViolation& violation : declared)
    if (violation.invariant == invariant) return violation;
  return std::nullopt;
}

/// An invariant holds to `tolerance`, or is a declared violation that is really there: of the declared size
/// within a factor of two.
inline void expect_invariant(const std::string& name, const std::string& invariant, double measured, double tolerance) {
  tolerance *= configuration(name).rounding;
  if (const auto violation = known_violation(name, invariant)) {
    EXPECT_GT(measured, tolerance) << name << " declares a violation of " << invariant << " that is not there";
    EXPECT_GT(measured, 0.5 * violation->measured_size) << name << ": " << invariant;
    EXPECT_LT(measured, 2.0 * violation->measured_size) << name << ": " << invariant;
  } else {
    EXPECT_LE(measured, tolerance) << name << ": " << invariant;
  }
}

class EveryMethod : public testing::TestWithParam<std::string> {};

}  // namespace deformbench::tests
