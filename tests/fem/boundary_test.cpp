// SPDX-License-Identifier: BSD-3-Clause
// Prescribed vertices, loads, colliders.
#include <gtest/gtest.h>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

TEST(PrescribedVertices, FollowATurningRootExactly) {
  Scene scene = block_scene();
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  root.axis = Vector3::UnitX();
  root.origin = {0, 0.1, 0.1};
  root.angle = 2.0;
  root.translation = {0.1, 0, 0};
  root.ramp = {0.0, 0.3};
  scene.prescribed = {root};
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    for (const char* precision : {"double", "float"}) {
      const auto simulation = make(id, scene, {{"precision", std::string(precision)}, {"cg_tolerance", 1e-5}});
      for (int k = 0; k < 40; ++k) {
        simulation->step();
        const StateView state = simulation->state();
        for (std::size_t i = 0; i < root.vertices.size(); ++i) {
          const int v = root.vertices[i];
          const Vector3 target = root.position_at(i, scene.tet_mesh.rest_positions.row(v).transpose(), state.time);
          EXPECT_EQ(Vector3(state.positions.row(v).transpose()), target) << id << " step " << k;
        }
      }
    }
  }
}

TEST(PrescribedVertices, DragTheFreeOnesAsTheFullSystemSays) {
  // One step from rest with the root moving: (A v)_free = 0, with v_root prescribed.
  Scene scene = block_scene({3, 1, 1});
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  root.translation = {0.01, 0.02, 0};
  scene.prescribed = {root};
  for (const char* solver : {"cg", "direct"}) {
    const auto simulation = make("linear_fem", scene, {{"solver", std::string(solver)}, {"cg_tolerance", 1e-14}});
    const Eigen::MatrixXd k(facet_of<SystemOperatorFacet>(*simulation).stiffness_matrix(scene.tet_mesh.rest_positions));
    simulation->step();
    const StateView state = simulation->state();
    const double dt = scene.time_step;
    Eigen::VectorXd residual = dt * dt * (k * flat(state.velocities));
    for (Eigen::Index i = 0; i < state.masses.size(); ++i)
      residual.segment<3>(3 * i) += state.masses[i] * state.velocities.row(i).transpose();
    const double scale = residual.norm();
    for (const int v : root.vertices) residual.segment<3>(3 * v).setZero();
    EXPECT_LT(residual.norm(), 1e-12 * scale) << solver;
    EXPECT_GT(scale, 0.0);
  }
}

TEST(PrescribedVertices, DragTheFreeOnesAlsoThroughTheStiffnessDamping) {
  // The same with C = αM + βK: ((1 + αΔt) M + Δt (Δt + β) K) v = 0 at the free vertices. β = 3Δt outweighs Δt.
  Scene scene = block_scene({3, 1, 1});
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  root.translation = {0.01, 0.02, 0};
  scene.prescribed = {root};
  const double dt = scene.time_step, alpha = 0.7, beta = 0.03;
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    for (const char* solver : {"cg", "direct"}) {
      const auto simulation = make(id, scene,
                                   {{"solver", std::string(solver)},
                                    {"cg_tolerance", 1e-14},
                                    {"mass_damping_1_s", alpha},
                                    {"stiffness_damping_s", beta}});
      const Eigen::MatrixXd k(
          facet_of<SystemOperatorFacet>(*simulation).stiffness_matrix(scene.tet_mesh.rest_positions));
      simulation->step();
      const StateView state = simulation->state();
      Eigen::VectorXd residual = dt * (dt + beta) * (k * flat(state.velocities));
      for (Eigen::Index i = 0; i < state.masses.size(); ++i)
        residual.segment<3>(3 * i) += (1.0 + alpha * dt) * state.masses[i] * state.velocities.row(i).transpose();
      const double scale = residual.norm();
      for (const int v : root.vertices) residual.segment<3>(3 * v).setZero();
      EXPECT_LT(residual.norm(), 1e-12 * scale) << id << ' ' << solver;
      EXPECT_GT(scale, 0.0);
    }
  }
}

TEST(PrescribedVertices, MayBeAllOfThem) {
  Scene scene = block_scene({2, 1, 1});
  model::PrescribedMotion all;
  for (int i = 0; i < int(scene.tet_mesh.vertex_count()); ++i) all.vertices.push_back(i);
  all.angle = 1.0;
  scene.prescribed = {all};
  for (const char* solver : {"cg", "direct"}) {
    const auto simulation = make("warped_fem", scene, {{"solver", std::string(solver)}});
    const StepReport report = simulation->step();
    EXPECT_EQ(report.outcome, StepOutcome::Advanced);
    EXPECT_EQ(report.iterations, 0);
  }
}

TEST(Loads, AStaticBarCarriesItsTractionWithUniformStress) {
  Scene scene = block_scene({4, 1, 1});
  scene.materials[0].poisson_ratio = 0.0;
  scene.time_step = 1000.0;
  model::PrescribedMotion root;
  root.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {root};
  // Traction of 100 Pa on the end face, shared by its vertices: equal on this mesh only as a whole, so judge the mean.
  const std::vector<int> end = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.4, 1e-9);
  ASSERT_EQ(end.size(), 4u);
  for (const int v : end) scene.point_loads.push_back({v, Vector3(100.0 * 0.01 / 4, 0, 0), {}});
  const auto simulation = make("warped_fem", scene, {{"solver", std::string("direct")}});
  for (int k = 0; k < 10; ++k) simulation->step();
  double mean = 0;
  for (const int v : end) mean += (simulation->state().positions(v, 0) - 0.4) / 4;
  EXPECT_NEAR(mean, 0.4 * 100.0 / 1e5, 0.02 * 4e-4);  // PL/EA, with the coarse mesh's stiffness
}

TEST(Loads, AreThoseOfTheEndOfTheStep) {
  // Ramps rise from 0 at t = 0 to 1 at their ends. The load of a step is that of its end, and a free body gains Δt F,
  // whatever it does inside. The two kinds end at different times, and each is the last one once.
  for (const auto& [point_end, face_end] : {std::pair(0.02, 0.06), std::pair(0.06, 0.02)}) {
    Scene scene = block_scene({2, 1, 1});
    const Vector3 force(3.0, -2.0, 1.0), traction(50.0, 40.0, -30.0);
    scene.point_loads = {{5, force, {0.0, point_end}}};
    model::TractionLoad face;
    face.triangles.resize(1, 3);
    face.triangles << scene.tet_mesh.tetrahedra(0, 0), scene.tet_mesh.tetrahedra(0, 1), scene.tet_mesh.tetrahedra(0, 2);
    const auto corner = [&](int k) {
      return Vector3(scene.tet_mesh.rest_positions.row(face.triangles(0, k)).transpose());
    };
    const double area = 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
    face.traction = traction;
    face.ramp = {0.0, face_end};
    scene.traction_loads = {face};
    for (const char* id : {"linear_fem", "warped_fem"}) {
      const auto simulation = make(id, scene);
      Vector3 gained = Vector3::Zero();
      for (int k = 1; k <= 8; ++k) {
        simulation->step();
        const double time = 0.01 * k;
        gained += 0.01 * (std::min(time / point_end, 1.0) * force + std::min(time / face_end, 1.0) * area * traction);
        EXPECT_LT((momentum(*simulation) - gained).norm(), 1e-12 * gained.norm()) << id << ", step " << k;
      }
    }
  }
}

Scene sliding_block(double friction) {
  Scene scene = block_scene({1, 1, 1}, 0.1);
  scene.materials[0].young_modulus = 1e6;
  scene.gravity = {0, -9.81, 0};
  scene.initial_velocities = Points::Zero(8, 3);
  scene.initial_velocities.col(0).setConstant(1.0);
  scene.colliders = {{Vector3::UnitY(), 0.0, friction}};
  return scene;
}

TEST(PlaneCollider, KeepsVerticesOnItsSide) {
  Scene scene = sliding_block(0.3);
  scene.initial_positions = scene.tet_mesh.rest_positions.rowwise() + Eigen::RowVector3d(0, 0.2, 0);
  const auto simulation = make("warped_fem", scene, after_solve);
  double lowest = 1.0;
  for (int k = 0; k < 100; ++k) {
    simulation->step();
    lowest = std::min(lowest, simulation->state().positions.col(1).minCoeff());
    EXPECT_GE(simulation->state().positions.col(1).minCoeff(), -1e-12);
  }
  EXPECT_LT(lowest, 1e-6);  // it did arrive
}

TEST(PlaneCollider, WithoutFrictionLetsABodySlideForEver) {
  const auto simulation = make("warped_fem", sliding_block(0.0));
  const double before = momentum(*simulation)[0];
  for (int k = 0; k < 100; ++k) simulation->step();
  EXPECT_NEAR(momentum(*simulation)[0], before, 1e-9 * before);
}

TEST(PlaneCollider, FrictionStopsASlidingBodyAfterCoulombsDistance) {
  const double friction = 0.5;
  const auto simulation = make("warped_fem", sliding_block(friction));
  const double start = simulation->state().positions.col(0).mean();
  for (int k = 0; k < 400; ++k) simulation->step();
  EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-3);
  const double distance = simulation->state().positions.col(0).mean() - start;
  // v²/(2μg) = 0.102 m; the block is soft and the step 0.01 s of a slide of 0.2 s.
  EXPECT_NEAR(distance, 1.0 / (2 * friction * 9.81), 0.015);
}

TEST(Divergence, IsReportedWhenAVelocityIsNotFinite) {
  Scene scene = block_scene({2, 1, 1});
  scene.gravity = {0, -1e308, 0};
  for (const char* id : {"linear_fem", "warped_fem", "vertex_warped_fem"}) {
    const auto simulation = make(id, scene, as_the_paper);
    StepReport report;
    for (int k = 0; k < 30 && report.outcome == StepOutcome::Advanced; ++k) report = simulation->step();
    EXPECT_EQ(report.outcome, StepOutcome::Diverged) << id;
  }
}

}  // namespace
}  // namespace deformbench::fem
