// SPDX-License-Identifier: BSD-3-Clause
// External work and dissipated energy against closed forms of implicit Euler.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"
#include "tests/experiments/splitting_springs.hpp"

namespace deformbench::tests {
namespace {

struct Energies {
  double work, dissipated, kinetic, elastic;
};

/// The channels after `steps` steps. The probes see every state, as in a run.
Energies after(const Scene& scene, Simulation& simulation, int steps) {
  const std::vector<std::string> names{"external_work", "dissipated", "kinetic_energy", "elastic_energy"};
  std::vector<std::unique_ptr<harness::Probe>> probes;
  for (const auto& name : names) probes.push_back(harness::make_probe(name, scene, simulation));
  std::vector<double> row(names.size());
  const auto* topology = find_facet<TopologyFacet>(simulation);
  for (int step = 0; step <= steps; ++step) {
    if (step > 0) simulation.step();
    const StateView state = simulation.state();
    const Points positions = state.positions, velocities = state.velocities;
    const Eigen::VectorXd masses = state.masses;
    const harness::ProbeInput input{topology ? topology->current_scene() : scene,
                                    simulation,
                                    state.time,
                                    positions,
                                    velocities,
                                    masses,
                                    StepReport{},
                                    0.0,
                                    nullptr,
                                    state.rigid_bodies};
    for (std::size_t k = 0; k < probes.size(); ++k) {
      probes[k]->follow(input);
      probes[k]->measure(input, std::span(row).subspan(k, 1));
    }
  }
  return {row[0], row[1], row[2], row[3]};
}

std::unique_ptr<Simulation> created(const std::string& id, const Scene& scene,
                                    const std::map<std::string, ParameterValue>& set = {}) {
  static const Registry methods = builtin_registry();
  const MethodDescriptor& method = methods.at(id);
  std::map<std::string, ParameterValue> values = set;
  if (id.find("fem") != std::string::npos) values["solver"] = std::string("direct");
  return method.create(scene, Parameters(method.parameters, values, id), RunContext{});
}

Scene free_tetrahedron() {
  Scene scene = built("single_tetrahedron");
  scene.prescribed.clear();
  scene.point_loads.clear();
  scene.traction_loads.clear();
  scene.initial_positions.resize(0, 3);
  scene.initial_velocities.resize(0, 3);
  scene.gravity.setZero();
  scene.time_step = 0.01;
  return scene;
}

TEST(WorkOnRollers, IsThatOfTheLoadAlongWhatIsFreeAndOfTheReactionAlongWhatIsPrescribed) {
  // Vertex 0 moves with (0.5, 0.25, 0) m/s for 0.4 s against its spring; its load is (1, 2, 0) N, its x is prescribed.
  Scene scene = free_tetrahedron();
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.row(0) << 0.5, 0.25, 0.0;
  scene.point_loads = {{0, Vector3(1, 2, 0), {}}};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0};
  scene.prescribed[0].components = {true, false, false};
  AnchoredSprings still(scene, spring_parameters(1000.0));
  EXPECT_NEAR(after(scene, still, 40).work, 2.0 * 0.1, 1e-12);
  scene.prescribed[0].translation = {0.2, 0, 0};
  scene.gravity = {-10, -5, 0};  // what moves a vertex lifts it; gravity along what is free is no work from outside
  AnchoredSprings driven(scene, spring_parameters(1000.0));
  const double lifting = 10.0 * lumped_masses(scene)[0] * 0.2;
  EXPECT_NEAR(after(scene, driven, 40).work, 2.0 * 0.1 + 0.5 * 1000.0 * 0.2 * 0.2 + lifting, 1e-9);
  EXPECT_GT(lifting, 1e-3);
}

TEST(WorkOfLoads, OfOneThatGrowsIsItsMeanTimesTheDistance) {
  Scene scene = free_tetrahedron();
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.row(0) << 0.0, 0.25, 0.0;
  scene.point_loads = {{0, Vector3(1, 2, 0), {0.0, 0.4}}};
  AnchoredSprings springs(scene, spring_parameters(1000.0));
  EXPECT_NEAR(after(scene, springs, 40).work, 0.5 * 2.0 * 0.1, 1e-12);
}

class WorkOfFem : public testing::TestWithParam<const char*> {};

TEST_P(WorkOfFem, AConstantLoadDoesForceTimesDistanceAndImplicitEulerLosesHalfAStep) {
  Scene scene = free_tetrahedron();
  const double mass = lumped_masses(scene).sum(), force = 0.2 * mass, a = force / mass, dt = scene.time_step;
  for (int v = 0; v < 4; ++v) scene.point_loads.push_back({v, Vector3(0, 0, 0.25 * force), {}});
  const auto simulation = created(GetParam(), scene);
  const int n = 40;
  const Energies e = after(scene, *simulation, n);
  // v_n = n a Δt, x_n = a Δt² n (n + 1)/2.
  EXPECT_NEAR(e.work, force * a * dt * dt * n * (n + 1) / 2, 1e-9 * e.work);
  EXPECT_NEAR(e.dissipated, 0.5 * mass * a * a * dt * (n * dt), 1e-7 * e.dissipated);
}

TEST_P(WorkOfFem, AFreeFallLosesHalfAStepOfGravityAndNoWorkComesIn) {
  Scene scene = free_tetrahedron();
  scene.gravity = Vector3(0, -9.81, 0);
  const auto simulation = created(GetParam(), scene);
  const Energies e = after(scene, *simulation, 100);
  const double expected = 0.5 * lumped_masses(scene).sum() * 9.81 * 9.81 * 0.01 * 1.0;  // m g² Δt t / 2
  EXPECT_EQ(e.work, 0.0);
  EXPECT_NEAR(e.dissipated, expected, 1e-7 * expected);
}

TEST_P(WorkOfFem, DampingOfMassTakesOutWhatTheMotionHad) {
  Scene scene = free_tetrahedron();
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.col(0).setConstant(2.0);
  const auto simulation = created(GetParam(), scene, {{"mass_damping_1_s", 3.0}});
  const Energies e = after(scene, *simulation, 50);
  const double start = 0.5 * lumped_masses(scene).sum() * 4.0;
  EXPECT_EQ(e.work, 0.0);
  EXPECT_NEAR(e.dissipated, start - start * std::pow(1.0 + 3.0 * 0.01, -100.0), 1e-7 * start);  // v / (1 + α Δt) a step
}

INSTANTIATE_TEST_SUITE_P(All, WorkOfFem, testing::Values("linear_fem", "warped_fem"));

TEST(WorkOfMotion, ASlowPullIsStoredAsElasticEnergyButForTheStartAndStopOfTheMasses) {
  Scene scene = free_tetrahedron();
  model::PrescribedMotion base, pull;
  base.vertices = {0, 1, 2};
  pull.vertices = {3};
  const double ramp = 1.0;
  pull.translation = Vector3(0.0, 0.0, 1e-3);
  pull.ramp = {0.0, ramp};
  scene.prescribed = {base, pull};
  const auto simulation = created("linear_fem", scene);
  const Energies e = after(scene, *simulation, 120);
  ASSERT_GT(e.elastic, 0.0);
  EXPECT_NEAR(e.kinetic, 0.0, 1e-12 * e.elastic);
  // Δv = v in the first step, over its displacement v Δt: m v², of which the stop, in a step without displacement,
  // gives none back.
  const double inertia = lumped_masses(scene)[3] * 1e-6 / (ramp * ramp);
  EXPECT_NEAR(e.work, e.elastic + inertia, 1e-6 * e.work);
  EXPECT_NEAR(e.dissipated, inertia, 1e-6 * e.work);
}

TEST(WorkOfMotion, NeedsTheForcesOfTheMethod) {
  Scene scene = free_tetrahedron();
  model::PrescribedMotion pull;
  pull.vertices = {3};
  pull.translation = Vector3(0, 0, 1e-3);
  scene.prescribed = {pull};
  const FreeFlight flight(scene);
  EXPECT_THROW(harness::make_probe("external_work", scene, flight), InputError);
  scene.prescribed[0].translation.setZero();
  EXPECT_NO_THROW(harness::make_probe("external_work", scene, flight));  // held where it is: no work
}

TEST(WorkOfLoads, OfAPositionBasedParticleIsForceTimesDistanceToo) {
  Scene scene = built("dropped_particles", {{"particles", 1LL}});
  scene.colliders.clear();
  scene.gravity.setZero();
  scene.point_loads.assign(1, {0, Vector3(3, 0, 4), {}});
  const auto simulation = created("pbd", scene);
  const auto probe = harness::make_probe("external_work", scene, *simulation);
  const Eigen::VectorXd masses = lumped_masses(scene);
  double work = 0.0;
  for (int step = 0; step <= 20; ++step) {
    if (step > 0) simulation->step();
    const Points positions = simulation->state().positions, velocities = simulation->state().velocities;
    const harness::ProbeInput input{scene,  *simulation, simulation->state().time, positions, velocities,
                                    masses, StepReport{}};
    probe->follow(input);
    probe->measure(input, std::span(&work, 1));
  }
  EXPECT_NEAR(work, 25.0 / masses[0] * 0.01 * 0.01 * 20 * 21 / 2, 1e-12 * work);
  EXPECT_THROW(harness::make_probe("dissipated", scene, *simulation), InputError);  // there is no total energy either
}

TEST(WorkOfLoads, GoesOnWhenVerticesSplit) {
  Scene scene = built("spinning_block", {{"angular_velocity_rad_s", std::vector<double>{0, 0, 0}}});
  scene.initial_velocities = Points::Zero(scene.vertex_count(), 3);
  scene.initial_velocities.col(1).setConstant(2.0);
  scene.point_loads.assign(1, {0, Vector3(0, 5, 0), {}});
  const MethodDescriptor method = splitting_method();
  const auto simulation = method.create(scene, Parameters(method.parameters, {}, method.id), RunContext{});
  const Energies e = after(scene, *simulation, 8);
  ASSERT_GT(simulation->state().positions.rows(), scene.vertex_count());
  EXPECT_NEAR(e.work, 5.0 * 2.0 * 8 * scene.time_step, 1e-12);
}

TEST(WorkOfPoses, IsNoNumber) {
  const Scene scene = free_tetrahedron();
  const AnchoredSprings springs(scene, spring_parameters(1000.0));
  const Points positions = scene.start_positions(), velocities = scene.start_velocities();
  const Eigen::VectorXd masses = lumped_masses(scene);
  double work = 0.0;  // imposed poses are measured without being followed
  harness::make_probe("external_work", scene, springs)
      ->measure({scene, springs, 0.0, positions, velocities, masses, StepReport{}}, std::span(&work, 1));
  EXPECT_TRUE(std::isnan(work));
}

}  // namespace
}  // namespace deformbench::tests
