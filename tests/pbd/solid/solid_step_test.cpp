// SPDX-License-Identifier: BSD-3-Clause
// Steps of tetrahedral bodies: against energies assembled here, the implicit Euler step, and nonlinear finite elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "methods/facets.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/registry.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

/// With all iterations in one step, unless `settings` have substeps.
std::unique_ptr<Simulation> make_in_one_step(const std::string& id, const Scene& scene, Settings settings = {}) {
  settings.insert({"substeps", 1LL});
  return make(id, scene, settings);
}

/// A bar along x of `cells` cubes of 0.1 m, held at x = 0.
Scene bar(int cells, double time_step) {
  Scene scene;
  scene.name = "bar";
  scene.tet_mesh = model::make_block({cells, 1, 1}, Vector3(0, -0.05, -0.05), Vector3(0.1 * cells, 0.1, 0.1),
                                     model::BlockSplit::AlternatingFive);
  scene.materials = {model::Material{}};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.time_step = time_step;
  return scene;
}

/// Two materials, every free vertex displaced and moving.
Scene shaken_bar(double time_step) {
  numerics::RandomStream random(17);
  Scene scene = bar(3, time_step);
  scene.materials.push_back({3e5, 0.45, 500.0});
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(e % 3 == 0);
  const Eigen::Index n = scene.vertex_count();
  scene.initial_positions = scene.tet_mesh.rest_positions + random_points(n, random, 0.02);
  scene.initial_velocities = random_points(n, random, 0.5);
  for (const int v : scene.prescribed[0].vertices) {
    scene.initial_positions.row(v) = scene.tet_mesh.rest_positions.row(v);
    scene.initial_velocities.row(v).setZero();
  }
  scene.gravity = {0, -9.81, 0};
  return scene;
}

std::unique_ptr<Simulation> finite_elements(const Scene& scene, const Settings& settings) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at("implicit_fem");
  return method.create(scene, Parameters(method.parameters, settings, "implicit_fem"), {});
}

const Settings kStableNeoHookean{{"law", std::string("stable_neo_hookean")}, {"solver", std::string("direct")}};

/// Σ V (μ/2 C_D² + l/2 C_H²) from the mesh and the Lamé constants alone.
double energy_by_hand(const Scene& scene, const Points& x) {
  double sum = 0.0;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const double young = scene.material_of(e).young_modulus, ratio = scene.material_of(e).poisson_ratio;
    const double mu = young / (2 * (1 + ratio)), l = mu / (1 - 2 * ratio);
    const Matrix3 f = model::deformation_gradient(scene.tet_mesh, x, e);
    const double volume = model::tetrahedron_volume(scene.tet_mesh, scene.tet_mesh.rest_positions, e);
    const double hydrostatic = f.determinant() - 1 - mu / l;
    sum += volume * (0.5 * mu * (f.transpose() * f).trace() + 0.5 * l * hydrostatic * hydrostatic);
  }
  return sum;
}

TEST(SolidStep, ForcesAreTheSlopeOfAnEnergyThatIsAssembledHere) {
  const Scene scene = shaken_bar(0.01);
  const auto simulation = make_in_one_step("xpbd", scene);
  const auto& elasticity = facet_of<ElasticityFacet>(*simulation);
  const Points x = scene.initial_positions, forces = elasticity.elastic_forces(x);
  EXPECT_NEAR(elasticity.elastic_energy(x),
              energy_by_hand(scene, x) - energy_by_hand(scene, scene.tet_mesh.rest_positions), 1e-9);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Points more = x, less = x;
    more.data()[i] += 1e-6, less.data()[i] -= 1e-6;
    const double slope = (energy_by_hand(scene, more) - energy_by_hand(scene, less)) / 2e-6;
    EXPECT_NEAR(forces.data()[i], -slope, 1e-5 * forces.cwiseAbs().maxCoeff());
  }
}

/// M (x₁ − x₀ − Δt v₀)/Δt² − M g − f(x₁) of free vertices, over Δt-independent forces: 0 of an implicit Euler step.
double euler_residual(const Scene& scene, const Simulation& after) {
  const StateView state = after.state();
  const double square = scene.time_step * scene.time_step;
  Points inertia = (state.positions - scene.initial_positions - scene.time_step * scene.initial_velocities) / square;
  inertia.rowwise() -= scene.gravity.transpose();
  Points residual = Eigen::VectorXd(state.masses).asDiagonal() * inertia;
  const Points forces = facet_of<ElasticityFacet>(after).elastic_forces(state.positions);
  residual -= forces;
  for (const int v : scene.prescribed[0].vertices) residual.row(v).setZero();
  return residual.norm() / forces.norm();
}

TEST(SolidStep, AConvergedStepIsThatOfImplicitEuler) {
  for (const char* order : {"symmetric", "forward", "reverse", "random", "coloured"})
    for (const double time_step : {1e-3, 5e-3, 2e-2}) {
      const Scene scene = shaken_bar(time_step);
      const auto simulation = make_in_one_step("xpbd", scene, {{"iterations", 3000LL}, {"order", std::string(order)}});
      const auto rows = watched_step(*simulation);
      EXPECT_LT(euler_residual(scene, *simulation), 1e-8) << order << ' ' << time_step;
      EXPECT_LT(rows.back()[IterationQuantity::GradientNorm], 1e-8 * rows.front()[IterationQuantity::GradientNorm]);
      EXPECT_LT(rows.back()[IterationQuantity::Objective], rows.front()[IterationQuantity::Objective]);
    }
}

TEST(SolidStep, TheObjectiveOfItsIterationsIsInertiaAndTheEnergyByHand) {
  const Scene scene = shaken_bar(0.01);
  const auto simulation = make_in_one_step("xpbd", scene, {{"iterations", 3LL}});
  const auto rows = watched_step(*simulation);
  const StateView state = simulation->state();
  Points target = scene.initial_positions + 0.01 * scene.initial_velocities;
  target.rowwise() += 1e-4 * scene.gravity.transpose();
  double expected = energy_by_hand(scene, state.positions) - energy_by_hand(scene, scene.tet_mesh.rest_positions);
  const std::set<int> held(scene.prescribed[0].vertices.begin(), scene.prescribed[0].vertices.end());
  for (int v = 0; v < target.rows(); ++v)
    if (!held.contains(v))
      expected += 0.5 * state.masses[v] / 1e-4 * (state.positions.row(v) - target.row(v)).squaredNorm();
  EXPECT_NEAR(rows.back()[IterationQuantity::Objective], expected, 1e-9 * expected);
}

TEST(SolidStep, LinearisedProjectionsApproachImplicitEulerWithTheStepOnly) {
  // Multipliers that are already there keep the direction of the gradients they were made with: an error that falls
  // with Δt², and that no number of iterations takes away.
  for (const char* solve : {"coupled", "one_by_one"}) {
    double last = 1.0;
    for (const double time_step : {1e-3, 5e-4, 2.5e-4}) {
      const Scene scene = shaken_bar(time_step);
      const auto some = make_in_one_step("xpbd", scene, {{"iterations", 500LL}, {"solid_solve", std::string(solve)}});
      const auto many = make_in_one_step("xpbd", scene, {{"iterations", 1000LL}, {"solid_solve", std::string(solve)}});
      some->step(), many->step();
      const double error = euler_residual(scene, *many);
      EXPECT_NEAR(error, euler_residual(scene, *some), 1e-3 * error) << solve;
      EXPECT_GT(error, 1e-6) << solve << ' ' << time_step;
      EXPECT_LT(error, last) << solve << ' ' << time_step;
      last = 0.7 * error;
    }
  }
}

/// Mean of y over the end of the bar, less that at rest.
double tip(const Scene& scene, const Simulation& simulation) {
  const auto end =
      model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, scene.tet_mesh.rest_positions.col(0).maxCoeff(), 1e-9);
  double sum = 0.0;
  for (const int v : end) sum += simulation.state().positions(v, 1) - scene.tet_mesh.rest_positions(v, 1);
  return sum / double(end.size());
}

TEST(SolidStep, ACantileverBendsAsFarAsNonlinearFiniteElementsDo) {
  // Laws of the same Lamé constants differ in second order of the strains, which are 1e-4 here.
  Scene scene = bar(5, 0.02);
  const model::TractionLoad load{
      model::boundary_triangles_on_plane(scene.tet_mesh, 0, 0.5, 1e-9), Vector3(0, -1, 0), {}};
  for (const bool is_traction : {true, false}) {
    scene.traction_loads = {load}, scene.point_loads.clear();
    if (!is_traction) {
      const Points forces = external_forces(scene, lumped_masses(scene), 0.0);
      scene.traction_loads.clear();
      for (int v = 0; v < forces.rows(); ++v) scene.point_loads.push_back({v, forces.row(v), {}});
    }
    Scene in_one_step = scene;
    in_one_step.time_step = 1e3;
    const auto elements = finite_elements(in_one_step, kStableNeoHookean);
    for (int k = 0; k < 3; ++k) elements->step();
    const auto positions =
        make_in_one_step("xpbd", scene, {{"iterations", 10LL}, {"warm_start", true}, {"mass_damping_1_s", 5.0}});
    for (int k = 0; k < 400; ++k) positions->step();
    const double expected = tip(scene, *elements);
    EXPECT_LT(expected, -1e-4);
    EXPECT_NEAR(tip(scene, *positions), expected, 1e-3 * std::abs(expected)) << is_traction;
  }
}

/// Period (s) of the first bending mode, between upward crossings of zero of Σ m X² (y − Y), which higher modes hardly
/// enter.
double period(const Scene& scene, Simulation& simulation, double seconds) {
  const auto& rest = scene.tet_mesh.rest_positions;
  const auto swing = [&] {
    const StateView state = simulation.state();
    return (state.masses.array() * rest.col(0).array().square() * (state.positions - rest).col(1).array()).sum();
  };
  std::vector<double> crossings;
  double last = swing();
  for (double t = 0; t < seconds; t += scene.time_step) {
    simulation.step();
    const double now = swing();
    if (last < 0 && now >= 0) crossings.push_back(t + scene.time_step * last / (last - now));
    last = now;
  }
  EXPECT_GE(crossings.size(), 3u);
  return (crossings.back() - crossings.front()) / double(crossings.size() - 1);
}

TEST(SolidStep, ABarSwingsAsFastAsThatOfNonlinearFiniteElements) {
  Scene scene = bar(3, 2e-3);
  scene.initial_positions = scene.tet_mesh.rest_positions;
  for (Eigen::Index v = 0; v < scene.vertex_count(); ++v)
    scene.initial_positions(v, 1) -= 1e-2 * std::pow(scene.tet_mesh.rest_positions(v, 0), 2);
  const double expected = period(scene, *finite_elements(scene, kStableNeoHookean), 1.5);
  EXPECT_NEAR(period(scene, *make_in_one_step("xpbd", scene, {{"iterations", 20LL}}), 1.5), expected, 1e-6 * expected);
  // As published, by small steps, which damp so little that the explicit solution is the yardstick. Higher modes, which
  // ring on, move single crossings by some 1e-3 of the period: the mean of ten has a tenth of it.
  const Registry registry = builtin_registry();
  const MethodDescriptor& explicit_fem = registry.at("explicit_fem");
  const Parameters parameters(explicit_fem.parameters, {{"law", std::string("stable_neo_hookean")}}, "explicit_fem");
  const double undamped = period(scene, *explicit_fem.create(scene, parameters, {}), 4.0);
  for (const char* solve : {"newton", "coupled", "one_by_one"}) {
    const Settings settings{{"solid_solve", std::string(solve)}, {"substeps", 40LL}, {"iterations", 1LL}};
    EXPECT_NEAR(period(scene, *make_in_one_step("xpbd", scene, settings), 4.0), undamped, 1e-3 * undamped) << solve;
  }
}

TEST(SolidStep, DistancesAndVolumesComeBackToTheirRestValues) {
  const std::vector<std::pair<const char*, Settings>> cases{
      {"pbd", {}},
      {"pbd", {{"order", std::string("coloured")}}},
      {"pbd", {{"precision", std::string("float")}}},
      {"xpbd", {{"solid_constraints", std::string("distances_and_volumes")}}}};
  for (auto [id, settings] : cases) {
    Scene scene = shaken_bar(0.01);
    scene.gravity.setZero();
    settings["iterations"] = 300LL;
    settings["damping"] = 0.5;
    const auto simulation = make(id, scene, settings);
    for (int k = 0; k < 100; ++k) ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced);
    const Points x = simulation->state().positions;
    for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
      const Matrix3 f = model::deformation_gradient(scene.tet_mesh, x, e);
      EXPECT_LT((f.transpose() * f - Matrix3::Identity()).norm(), 1e-3) << id;
      EXPECT_NEAR(f.determinant(), 1.0, 1e-3) << id;
    }
  }
}

TEST(SolidStep, AnInvertedTetrahedronTurnsBackByItsVolume) {
  Scene scene = bar(1, 0.01);
  scene.tet_mesh.rest_positions = Points(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1;
  scene.tet_mesh.tetrahedra = Tetrahedra(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.prescribed.clear();
  scene.initial_positions = scene.tet_mesh.rest_positions;
  scene.initial_positions(3, 2) = -0.05;
  for (const char* id : {"pbd", "xpbd"}) {
    const auto simulation = make(id, scene, {{"damping", 0.2}});
    for (int k = 0; k < 300; ++k) simulation->step();
    EXPECT_NEAR(model::total_volume(scene.tet_mesh, simulation->state().positions), 1e-3 / 6, 1e-6) << id;
  }
}

TEST(SolidStep, WithoutDistancesOnlyTheVolumeIsHeld) {
  Scene scene = shaken_bar(0.01);
  scene.gravity.setZero();
  const auto simulation = make("pbd", scene, {{"stretch_stiffness", 0.0}, {"iterations", 200LL}});
  for (int k = 0; k < 5; ++k) simulation->step();
  double distance = 0.0;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const Matrix3 f = model::deformation_gradient(scene.tet_mesh, simulation->state().positions, e);
    EXPECT_NEAR(f.determinant(), 1.0, 1e-3);
    distance = std::max(distance, (f.transpose() * f - Matrix3::Identity()).norm());
  }
  EXPECT_GT(distance, 0.1);
}

TEST(SolidStep, RollersHoldWhatTheyPrescribeAndLetTheRestBe) {
  // A bar between planes that slides: pulled by its ends along x, free across. Its sides come in by ν.
  Scene scene = bar(3, 0.02);
  scene.prescribed[0].components = {true, false, false};
  model::PrescribedMotion pull = scene.prescribed[0];
  pull.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.3, 1e-9);
  pull.translation = {3e-5, 0, 0};
  model::PrescribedMotion corner;  // against drift and spin
  corner.vertices = {scene.prescribed[0].vertices[0]};
  scene.prescribed = {scene.prescribed[0], pull, corner};
  model::PrescribedMotion edge = corner;
  for (const int v : scene.prescribed[0].vertices)
    if (v != corner.vertices[0] &&
        scene.tet_mesh.rest_positions(v, 1) == scene.tet_mesh.rest_positions(corner.vertices[0], 1))
      edge.vertices = {v};
  edge.components = {false, true, false};
  scene.prescribed.push_back(edge);
  const auto simulation = make_in_one_step("xpbd", scene, {{"iterations", 10LL}, {"warm_start", true}});
  for (int k = 0; k < 3000; ++k) simulation->step();
  for (const Matrix3& f :
       facet_of<DeformationGradientFacet>(*simulation).deformation_gradients(simulation->state().positions)) {
    EXPECT_NEAR(f(0, 0), 1 + 1e-4, 1e-7);
    EXPECT_NEAR(f(1, 1), 1 - 0.33e-4, 1e-7);
    EXPECT_NEAR(f(2, 2), 1 - 0.33e-4, 1e-7);
  }
}

TEST(SolidStep, WhatItCannotSolveIsRefused) {
  const auto refusal = [](const char* id, const Settings& settings) {
    const Registry registry = builtin_registry();
    const MethodDescriptor& method = registry.at(id);
    return method.supports(bar(1, 0.01), Parameters(method.parameters, settings, id)).reason;
  };
  EXPECT_EQ(refusal("xpbd", {}), "");
  EXPECT_EQ(refusal("pbd", {{"precision", std::string("float")}}), "");
  EXPECT_THAT(refusal("xpbd", {{"precision", std::string("float")}}), testing::HasSubstr("expected double"));
  EXPECT_THAT(refusal("xpbd", {{"warm_start", true}, {"solid_solve", std::string("coupled")}}),
              testing::HasSubstr("expected false unless"));
  EXPECT_THAT(refusal("xpbd", {{"gradients_at", std::string("start")}}), testing::HasSubstr("expected predicted"));
}

TEST(SolidStep, JacobiWithASmallFactorReachesTheSameStep) {
  const Scene scene = shaken_bar(1e-2);
  const auto jacobi = make(
      "xpbd", scene,
      {{"iterations", 20000LL}, {"order", std::string("jacobi")}, {"jacobi_average", false}, {"jacobi_omega", 0.05}});
  jacobi->step();
  EXPECT_LT(euler_residual(scene, *jacobi), 1e-8);
}

TEST(SmallSteps, TakeHalfTheTimeOfAPressureWaveThroughTheMedianTetrahedron) {
  Scene scene = bar(1, 0.01);  // five tetrahedra: four corners of height 0.1/√3, and one within, of 0.2/√3 (m)
  scene.materials[0] = {1e5, 0.25, 1000.0};  // λ + 2μ = 1.2 E
  const double crossing = 0.1 / std::sqrt(3.0) / std::sqrt(1.2e5 / 1000.0);
  const PbdOptions chosen = small_steps_for(scene, options_of("xpbd", {{"iterations", 2LL}}));
  EXPECT_EQ(chosen.substeps, int(std::ceil(0.02 / crossing)));
  EXPECT_EQ(chosen.iterations, 1);
  EXPECT_EQ(small_steps_for(scene, options_of("xpbd", {{"iterations", 50LL}})).substeps, 50);
  for (const Settings& given : {Settings{{"substeps", 3LL}}, Settings{{"order", std::string("forward")}}}) {
    const PbdOptions kept = small_steps_for(scene, options_of("xpbd", given));
    EXPECT_EQ(kept.substeps, given.contains("substeps") ? 3 : 1);
    EXPECT_EQ(kept.iterations, 10);
  }
}

TEST(SmallSteps, LandABodyWithHardlyMoreEnergyThanItHad) {
  for (const double time_step : {0.005, 0.016}) {
    Scene scene;
    scene.tet_mesh = model::jitter(
        model::make_block({4, 4, 4}, Vector3(0, 0.1, 0), Vector3(0.2, 0.2, 0.2), model::BlockSplit::AlternatingFive));
    scene.materials = {{1e5, 0.4, 1000.0}};
    scene.colliders = {{Vector3::UnitY(), 0.0, 0.5}};
    scene.gravity = {0, -9.81, 0};
    scene.time_step = time_step;
    const auto simulation = make("xpbd", scene);
    const auto energy = [&] {
      const StateView state = simulation->state();
      const Vector3 moment = state.positions.transpose() * state.masses;
      return 0.5 * (state.masses.asDiagonal() * state.velocities).cwiseProduct(state.velocities).sum() +
             facet_of<ElasticityFacet>(*simulation).elastic_energy(state.positions) - scene.gravity.dot(moment);
    };
    const double supplied = energy(), fall = 0.1 * 9.81 * simulation->state().masses.sum();
    double lowest = 1.0;
    for (int k = 0; k * time_step < 0.8; ++k) {
      ASSERT_EQ(simulation->step().outcome, StepOutcome::Advanced) << time_step << " step " << k;
      EXPECT_LT(energy(), supplied + 0.02 * fall) << time_step << " step " << k;
      lowest = std::min(lowest, simulation->state().positions.col(1).minCoeff());
    }
    EXPECT_LT(lowest, 1e-3) << time_step;  // it did land
  }
}

}  // namespace
}  // namespace deformbench::pbd
