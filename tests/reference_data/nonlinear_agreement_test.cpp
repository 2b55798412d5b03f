// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear finite elements against the total Lagrangian program and CalculiX: static shapes under large strain, and
// single steps of the implicit schemes.
#include <gtest/gtest.h>

#include "methods/facets.hpp"
#include "methods/fem/nonlinear/register_nonlinear.hpp"
#include "tests/reference_data/calculix_case.hpp"

namespace deformbench {
namespace {

/// Laws of ours and what the total Lagrangian program calls them.
const std::map<std::string, std::string> kLaws = {{"st_venant_kirchhoff", "st_venant_kirchhoff"},
                                                  {"neo_hookean", "log_neo_hookean"},
                                                  {"stable_neo_hookean", "stable_neo_hookean"}};

std::unique_ptr<Simulation> implicit_simulation(const Scene& scene, std::map<std::string, ParameterValue> settings) {
  Registry registry;
  nonlinear::register_nonlinear(registry);
  const MethodDescriptor& method = registry.at("implicit_fem");
  settings["solver"] = std::string("direct");
  if (!settings.count("newton_iterations")) settings["newton_tolerance"] = 1e-12;
  return method.create(scene, Parameters(method.parameters, settings, method.id), {});
}

double largest_difference(const PointsView& ours, const Points& theirs) {
  return (ours - theirs).cwiseAbs().maxCoeff();
}

Scene static_scene(const calculix::Case& c, bool is_bar) {
  Scene scene;
  scene.tet_mesh = c.mesh();
  scene.materials = {{c.young_modulus(), c.definition.at("material").at("poisson_ratio"), 1000.0}};
  scene.time_step = 100.0;  // of inertia nothing is left: the next step corrects what is
  const double length = c.definition.at("size_m").at(0);
  const auto end = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, length, 0.0);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 0.0);
  const double ramp = 10.0 * scene.time_step;
  if (is_bar) {
    Vector3 force = Vector3::Zero();
    force[c.definition.at("tip_force_axis").get<int>()] = c.definition.at("force_per_tip_vertex_n");
    for (const int v : end) scene.point_loads.push_back({v, force, {0.0, ramp}});
  } else {
    model::PrescribedMotion pressed;
    pressed.vertices = end;
    pressed.translation = {-c.definition.at("shortening_m").get<double>(), 0, 0};
    pressed.ramp = {0.0, ramp};
    scene.prescribed.push_back(pressed);
  }
  return scene;
}

Points static_displacements(const Scene& scene, const std::string& law) {
  const auto simulation = implicit_simulation(scene, {{"law", law}});
  for (int k = 0; k < 14; ++k) {
    const StepReport report = simulation->step();
    if (report.outcome != StepOutcome::Advanced || !report.converged.value_or(false))
      throw std::runtime_error(law + ": step " + std::to_string(k) + " stopped at " +
                               std::to_string(1e12 * report.residual) + "e-12 after " + std::to_string(report.solves) +
                               " iterations, expected " + std::to_string(1e12 * report.tolerance) + "e-12");
  }
  return simulation->state().positions - scene.tet_mesh.rest_positions;
}

class StaticShape : public testing::TestWithParam<std::string> {};

TEST_P(StaticShape, UnderLargeStrainIsThatOfTheTotalLagrangianProgram) {
  const calculix::Case c = calculix::cases(GetParam() + "_st_venant_kirchhoff").front();
  const Scene scene = static_scene(c, GetParam() == "bent_bar");
  for (const auto& [law, name] : kLaws) {
    const Points ours = static_displacements(scene, law);
    const Points theirs =
        calculix::points_of(calculix::total_lagrangian_result(GetParam() + "_" + name), "displacements_m");
    EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), 1e-8 * theirs.cwiseAbs().maxCoeff()) << law;
    if (law == "st_venant_kirchhoff") {
      EXPECT_LT((ours - c.displacements()).cwiseAbs().maxCoeff(), 1e-6 * theirs.cwiseAbs().maxCoeff());
    } else {  // the laws differ by more than the bound: the comparison can tell them apart
      EXPECT_GT((ours - c.displacements()).cwiseAbs().maxCoeff(), 1e-4 * theirs.cwiseAbs().maxCoeff()) << law;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, StaticShape, testing::Values("bent_bar", "compressed_block"));

Scene moving_scene(const calculix::Json& result) {
  Scene scene;
  scene.tet_mesh.rest_positions = calculix::points_of(result, "rest_positions_m");
  const auto& elements = result.at("tetrahedra");
  scene.tet_mesh.tetrahedra.resize(Eigen::Index(elements.size()), 4);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t a = 0; a < 4; ++a)
      scene.tet_mesh.tetrahedra(Eigen::Index(e), Eigen::Index(a)) = elements[e][a].get<int>();
  scene.materials = {{result.at("constants").at(0), result.at("constants").at(1), result.at("density_kg_m3")}};
  for (int c = 0; c < 3; ++c) scene.gravity[c] = result.at("gravity_m_s2").at(std::size_t(c));
  scene.time_step = result.at("time_step_s");
  scene.initial_positions = calculix::points_of(result, "start_positions_m");
  scene.initial_velocities = calculix::points_of(result, "start_velocities_m_s");
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = result.at("held_vertices").get<std::vector<int>>();
  return scene;
}

TEST(ImplicitStep, OfEverySchemeIsThatOfTheTotalLagrangianProgram) {
  struct Row {
    const char* name;
    const char* scheme;
    long long iterations;
    int steps;
  };
  const Row rows[] = {{"linearised_euler", "implicit_euler", 1, 1},
                      {"implicit_euler", "implicit_euler", 0, 1},
                      {"implicit_midpoint", "implicit_midpoint", 0, 1},
                      {"bdf2_after_implicit_euler", "bdf2", 0, 2}};
  for (const auto& [law, name] : kLaws) {
    const calculix::Json result = calculix::total_lagrangian_result("steps_" + name);
    const Scene scene = moving_scene(result);
    for (const Row& row : rows) {
      std::map<std::string, ParameterValue> settings = {{"law", law}, {"scheme", std::string(row.scheme)}};
      settings["newton_iterations"] = row.iterations;
      settings["newton_tolerance"] = 1e-13;
      settings["hessian"] = std::string("exact");
      settings["on_unconverged"] = std::string("continue");  // of a tolerance at the level of rounding
      const auto simulation = implicit_simulation(scene, settings);
      for (int k = 0; k < row.steps; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
      const StateView state = simulation->state();
      const Points x = calculix::points_of(result, std::string(row.name) + "_positions_m");
      const Points v = calculix::points_of(result, std::string(row.name) + "_velocities_m_s");
      EXPECT_LT(largest_difference(state.positions, x), 1e-11) << law << ", " << row.name;
      EXPECT_LT(largest_difference(state.velocities, v), 1e-8) << law << ", " << row.name;
    }
  }
}

}  // namespace
}  // namespace deformbench
