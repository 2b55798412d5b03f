// SPDX-License-Identifier: BSD-3-Clause
// What truncated conjugate gradients do to the momentum (B-IVM-15), and invariants in time.
#include <gtest/gtest.h>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

Scene loose_block(double young) {
  Scene scene = block_scene({4, 4, 4}, 0.05);  // 320 tetrahedra, nodal masses differ by a factor of 40
  scene.materials[0].young_modulus = young;
  numerics::RandomStream random(71);
  scene.initial_velocities = shaken(Points::Zero(scene.tet_mesh.vertex_count(), 3), 1.0, random);
  return scene;
}

/// |ΔP − F t| / Σ m|v0| after ten steps of twenty iterations.
double momentum_error(const Scene& scene, const std::string& preconditioner, const std::string& start) {
  const auto simulation =
      make("warped_fem", scene, {{"cg_iterations", 20LL}, {"cg_preconditioner", preconditioner}, {"cg_start", start}});
  const Vector3 before = momentum(*simulation);
  const StateView state = simulation->state();
  const double scale = state.masses.dot(Eigen::VectorXd(state.velocities.rowwise().norm()));
  const Vector3 impulse = 10 * scene.time_step * state.masses.sum() * scene.gravity;
  for (int k = 0; k < 10; ++k) simulation->step();
  return (momentum(*simulation) - before - impulse).norm() / scale;
}

TEST(Momentum, IsExactWithTheMassPreconditionerAndTheForceInTheStart) {
  Scene scene = loose_block(1e7);
  EXPECT_LT(momentum_error(scene, "mass", "velocity_plus_force"), 1e-12);
  scene.gravity = {0, -9.81, 0};
  EXPECT_LT(momentum_error(scene, "mass", "velocity_plus_force"), 1e-12);
}

TEST(Momentum, IsLostByPlainConjugateGradientsAndByTheMassPreconditionerAlone) {
  Scene scene = loose_block(1e7);
  scene.gravity = {0, -9.81, 0};
  EXPECT_GT(momentum_error(scene, "none", "velocity"), 1e-3);
  EXPECT_GT(momentum_error(scene, "none", "velocity_plus_force"), 1e-3);
  EXPECT_GT(momentum_error(scene, "mass", "velocity"), 1e-3);
  EXPECT_GT(momentum_error(scene, "mass", "zero"), 1e-3);
}

TEST(Momentum, FreeFallIsThatOfImplicitEuler) {
  Scene scene = block_scene();
  scene.gravity = {0, -9.81, 0};
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const auto simulation = make(id, scene);
    for (int k = 0; k < 50; ++k) simulation->step();
    const double fall = -9.81 * scene.time_step * scene.time_step * 50 * 51 / 2;  // n(n + 1)/2
    const Points expected = scene.tet_mesh.rest_positions.rowwise() + Eigen::RowVector3d(0, fall, 0);
    EXPECT_LT((simulation->state().positions - expected).cwiseAbs().maxCoeff(), 1e-11) << id;
  }
}

TEST(Energy, OfAFreeBodyNeverGrowsWithAConvergedSolve) {
  Scene scene = block_scene({2, 2, 2});
  numerics::RandomStream random(72);
  scene.initial_positions = shaken(scene.tet_mesh.rest_positions, 0.01, random);
  const auto simulation = make("warped_fem", scene, {{"solver", std::string("direct")}});
  const auto& elasticity = facet_of<ElasticityFacet>(*simulation);
  const double start = elasticity.elastic_energy(scene.initial_positions);
  double last = start;
  for (int k = 0; k < 100; ++k) {
    simulation->step();
    const StateView state = simulation->state();
    last = elasticity.elastic_energy(state.positions) +
           0.5 * state.masses.dot(Eigen::VectorXd(state.velocities.rowwise().squaredNorm()));
    EXPECT_LE(last, start * (1 + 1e-6));
  }
  EXPECT_LT(last, 0.5 * start);  // implicit Euler damps
}

TEST(Damping, OfTheMassSlowsARigidTranslationByItsRate) {
  Scene scene = block_scene();
  scene.initial_velocities = Points::Zero(scene.tet_mesh.vertex_count(), 3);
  scene.initial_velocities.col(0).setConstant(2.0);
  const double alpha = 4.0;
  const auto simulation = make("warped_fem", scene, {{"mass_damping_1_s", alpha}, {"stiffness_damping_s", 0.01}});
  for (int k = 0; k < 20; ++k) simulation->step();
  const double expected = 2.0 * std::pow(1.0 + alpha * scene.time_step, -20);
  EXPECT_LT((simulation->state().velocities.col(0).array() - expected).abs().maxCoeff(), 1e-9);
}

TEST(Spin, OfLinearFemInflatesByTheSquareOfTheTurnAndOfWarpedFemDoesNot) {
  Scene scene = block_scene({2, 2, 2});
  const Points& rest = scene.tet_mesh.rest_positions;
  scene.initial_velocities.resize(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    scene.initial_velocities.row(i) << -5.0 * (rest(i, 1) - 0.1), 5.0 * (rest(i, 0) - 0.1), 0.0;
  const auto linear = make("linear_fem", scene), warped = make("warped_fem", scene);
  for (int k = 0; k < 100; ++k) linear->step(), warped->step();
  const double v0 = model::total_volume(scene.tet_mesh, rest);
  EXPECT_NEAR(model::total_volume(scene.tet_mesh, linear->state().positions) / v0, 26.0, 1e-6);  // 1 + (ωt)²
  EXPECT_NEAR(model::total_volume(scene.tet_mesh, warped->state().positions) / v0, 1.00333, 4e-4);
}

}  // namespace
}  // namespace deformbench::fem
