// SPDX-License-Identifier: BSD-3-Clause
// Time integration of nodes: the stable step against a dense eigenvalue solve, order, reversal, what the scene asks
// for.
#include <gmock/gmock.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "methods/meshless/meshless_simulation.hpp"
#include "methods/model/error.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

/// The largest eigenvalue (1/s²) of M⁻¹K and its vector, from the matrix column by column.
std::pair<double, Points> stiffest_mode(const NodeCloud& cloud, const MlsElasticity& elasticity,
                                        const Points& is_held) {
  const Eigen::Index n = 3 * cloud.size();
  Eigen::MatrixXd matrix(n, n);
  const auto root = [&](Eigen::Index k) { return std::sqrt(cloud.masses[std::size_t(k / 3)]); };
  for (Eigen::Index k = 0; k < n; ++k) {
    Points unit = Points::Zero(cloud.size(), 3);
    unit.data()[k] = 1.0 - is_held.data()[k];
    const Points column = elasticity.stiffness_times(unit);
    for (Eigen::Index l = 0; l < n; ++l)
      matrix(l, k) = (1.0 - is_held.data()[l]) * column.data()[l] / (root(k) * root(l));
  }
  EXPECT_LT((matrix - matrix.transpose()).norm(), 1e-12 * matrix.norm());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  Points mode(cloud.size(), 3);
  for (Eigen::Index k = 0; k < n; ++k) mode.data()[k] = solver.eigenvectors()(k, n - 1) / root(k);
  return {solver.eigenvalues()[n - 1], mode / mode.cwiseAbs().maxCoeff()};
}

Scene held_block(int n) {
  Scene scene = jittered_block(n);
  model::PrescribedMotion hold;
  hold.vertices = {0, 1, 2, 3};
  hold.components = {true, true, false};
  scene.prescribed = {hold};
  return scene;
}

Points held_coordinates(const Scene& scene) {
  Points is_held = Points::Zero(scene.vertex_count(), 3);
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices)
      for (int c = 0; c < 3; ++c) is_held(v, c) = motion.components[std::size_t(c)];
  return is_held;
}

TEST(StableTimeStep, IsThatOfTheStiffestMode) {
  for (const Scene& scene : {jittered_block(2), held_block(3), flat_block(2)})
    for (const ElasticOptions& options : {ElasticOptions{}, ElasticOptions{Strain::TwiceGreen, 1e5}}) {
      const NodeCloud cloud = make_node_cloud(scene, {.masses = NodeMasses::AsPrinted});  // a flat body has no other
      const MlsElasticity elasticity(cloud, options);
      const Points is_held = held_coordinates(scene);
      const double exact = 2.0 / std::sqrt(stiffest_mode(cloud, elasticity, is_held).first);
      const double found = stable_time_step(elasticity, cloud, is_held);
      EXPECT_NEAR(found / exact, 1.0, 1e-4);
      EXPECT_GE(found, exact * (1 - 1e-12));  // ω_max from below
    }
}

TEST(LeapFrog, IsStableBelowTwoOverOmegaAndNotAbove) {
  Scene scene = jittered_block(2);
  const NodeCloud cloud = make_node_cloud(scene, {});
  const auto [squared, mode] = stiffest_mode(cloud, MlsElasticity(cloud, {}), Points::Zero(cloud.size(), 3));
  const double amplitude = 1e-8;
  scene.initial_positions = scene.rest_positions() + amplitude * mode;
  for (const double part : {0.99, 1.01}) {
    scene.time_step = part * 2.0 / std::sqrt(squared);
    MeshlessSimulation simulation(scene, options_with({{"substeps", 1LL}}));
    for (int k = 0; k < 60; ++k) simulation.step();
    const double size = (simulation.state().positions - scene.rest_positions()).cwiseAbs().maxCoeff() / amplitude;
    // At 1.01 the mode grows by 1.33 per step: z² + (ω²h² − 2) z + 1 = 0.
    if (part < 1.0)
      EXPECT_LT(size, 1.0 / std::sqrt(1.0 - part * part) + 0.1);
    else
      EXPECT_GT(size, 0.1 * std::pow(1.32, 60));
  }
}

Scene swinging_block(double time_step) {
  Scene scene = held_block(2);
  scene.initial_positions = scene.rest_positions();
  scene.initial_positions.col(0) *= 1.05;
  for (const int v : scene.prescribed[0].vertices) scene.initial_positions.row(v) = scene.rest_positions().row(v);
  scene.gravity = {0, 0, -9.81};
  scene.time_step = time_step;
  return scene;
}

Points after(double time, int steps, const std::map<std::string, ParameterValue>& settings) {
  auto all = settings;
  all["substeps"] = 1LL;
  MeshlessSimulation simulation(swinging_block(time / steps), options_with(all));
  for (int k = 0; k < steps; ++k) simulation.step();
  Points both(2 * simulation.state().positions.rows(), 3);
  both << simulation.state().positions, simulation.state().velocities;
  return both;
}

TEST(LeapFrog, IsOfSecondOrderInPositionsAndVelocitiesDampedOrNot) {
  for (const double damping : {0.0, 5.0}) {
    const std::map<std::string, ParameterValue> settings{{"mass_damping_1_s", damping}};
    const Points finest = after(0.04, 3200, settings);
    const Points coarse = after(0.04, 100, settings) - finest, fine = after(0.04, 200, settings) - finest;
    const Eigen::Index n = finest.rows() / 2;
    EXPECT_NEAR(std::log2(coarse.topRows(n).norm() / fine.topRows(n).norm()), 2.0, 0.05);
    EXPECT_NEAR(std::log2(coarse.bottomRows(n).norm() / fine.bottomRows(n).norm()), 2.0, 0.05);
  }
}

TEST(LeapFrog, RunsBackToWhereItStarted) {
  Scene scene = swinging_block(2e-4);
  const Points start = scene.initial_positions;
  for (int there_and_back = 0; there_and_back < 2; ++there_and_back) {
    MeshlessSimulation simulation(scene, options_with({{"substeps", 1LL}}));
    for (int k = 0; k < 500; ++k) simulation.step();
    scene.initial_positions = simulation.state().positions;
    scene.initial_velocities = -simulation.state().velocities;
    if (there_and_back == 0) {
      EXPECT_GT((scene.initial_positions - start).cwiseAbs().maxCoeff(), 0.01);
    }
  }
  EXPECT_LT((scene.initial_positions - start).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(LeapFrog, RunsBackByItselfWhereAsked) {
  const Scene scene = swinging_block(2e-4);
  MeshlessSimulation simulation(scene, options_with({{"substeps", 1LL}, {"reversed_after_steps", 300LL}}));
  double farthest = 0.0;
  for (int k = 0; k < 600; ++k) {
    simulation.step();
    farthest = std::max(farthest, (simulation.state().positions - scene.initial_positions).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(farthest, 0.01);
  EXPECT_LT((simulation.state().positions - scene.initial_positions).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(LeapFrog, KeepsTheEnergyOfAConservativeRunToSecondOrder) {
  const auto drift = [](double time_step) {
    const Scene scene = swinging_block(time_step);
    MeshlessSimulation simulation(scene, options_with({{"substeps", 1LL}}));
    const auto energy = [&] {
      const StateView s = simulation.state();
      return simulation.elastic_energy(s.positions) + 0.5 * s.velocities.rowwise().squaredNorm().dot(s.masses) -
             s.masses.dot(s.positions * scene.gravity);
    };
    const double start = energy(), size = simulation.elastic_energy(simulation.state().positions);
    double worst = 0.0;
    for (double t = 0.0; t < 0.2; t += time_step) {
      simulation.step();
      worst = std::max(worst, std::abs(energy() - start) / size);
    }
    return worst;
  };
  const double coarse = drift(4e-4), fine = drift(2e-4);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
}

TEST(LeapFrog, ChoosesItsSubstepsAndSaysSo) {
  Scene scene = jittered_block(2);
  scene.time_step = 0.05;
  MeshlessSimulation simulation(scene, options_with({{"safety", 0.25}}));
  ASSERT_EQ(simulation.step_events().size(), 1u);
  EXPECT_EQ(simulation.step_events()[0].kind, "stable_time_step");
  const NodeCloud cloud = make_node_cloud(scene, {});
  const double stable = stable_time_step(MlsElasticity(cloud, {}), cloud, Points::Zero(cloud.size(), 3));
  EXPECT_EQ(simulation.step().substeps, int(std::ceil(0.05 / (0.25 * stable))));
  EXPECT_EQ(simulation.step_events().size(), 1u);
  simulation.step();
  EXPECT_TRUE(simulation.step_events().empty());
  MeshlessSimulation given(scene, options_with({{"substeps", 3LL}}));
  EXPECT_TRUE(given.step_events().empty());  // nobody asked what is stable
  MeshlessSimulation flat(flat_block(2), options_with({{"node_masses", std::string("as_printed")}}));
  EXPECT_EQ(flat.step_events().size(), 28u);  // every node has rank 2
  scene.time_step = 1e6;
  EXPECT_THROW(MeshlessSimulation(scene, MeshlessOptions{}), InputError);
}

}  // namespace
}  // namespace deformbench::meshless
