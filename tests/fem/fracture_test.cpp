// SPDX-License-Identifier: BSD-3-Clause
// A body that breaks while it is simulated: what a split may not change, and that the body afterwards is the one that
// would have been built from its pieces.
#include "methods/fem/fracture/fracture.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

/// A block that flies apart: its ends move away from each other.
Scene flying_apart(std::array<int, 3> cells = {6, 3, 3}, double speed = 12.0) {
  Scene scene = block_scene(cells);
  scene.initial_velocities = Points::Zero(scene.tet_mesh.vertex_count(), 3);
  const double middle = 0.05 * cells[0];
  for (Eigen::Index i = 0; i < scene.initial_velocities.rows(); ++i)
    scene.initial_velocities(i, 0) = speed * (scene.tet_mesh.rest_positions(i, 0) - middle) / middle;
  return scene;
}

Settings breaking(Settings more = {}) {
  Settings settings = {{"fracture", std::string("vertex_split")}, {"fracture_threshold_pa", 2e4}};
  for (const auto& [name, value] : more) settings[name] = value;
  return settings;
}

struct Totals {
  double mass, kinetic, elastic, volume;
  Vector3 momentum, angular;
};

Totals totals(const Simulation& simulation) {
  const StateView state = simulation.state();
  const Scene& scene = facet_of<TopologyFacet>(simulation).current_scene();
  Totals t{state.masses.sum(),
           0.0,
           facet_of<ElasticityFacet>(simulation).elastic_energy(state.positions),
           model::total_volume(scene.tet_mesh, state.positions),
           state.velocities.transpose() * state.masses,
           Vector3::Zero()};
  for (Eigen::Index i = 0; i < state.masses.size(); ++i) {
    const Vector3 x = state.positions.row(i).transpose(), v = state.velocities.row(i).transpose();
    t.kinetic += 0.5 * state.masses[i] * v.squaredNorm();
    t.angular += state.masses[i] * x.cross(v);
  }
  return t;
}

TEST(BreakingBody, LosesNothingAcrossASplit) {
  // The same step with and without the splits at its end: the threshold is the only difference.
  const Scene scene = flying_apart();
  const auto broken = make("warped_fem", scene, breaking({{"fracture_splits_per_step", 2LL}}));
  int split_steps = 0;
  for (int k = 0; k < 30 && split_steps < 8; ++k) {
    Scene whole_scene = facet_of<TopologyFacet>(*broken).current_scene();
    whole_scene.initial_positions = broken->state().positions;
    whole_scene.initial_velocities = broken->state().velocities;
    const auto whole = make("warped_fem", whole_scene, breaking({{"fracture_threshold_pa", 1e12}}));
    const auto version = facet_of<TopologyFacet>(*broken).topology_version();
    broken->step(), whole->step();
    const Totals b = totals(*broken), w = totals(*whole);
    EXPECT_NEAR(b.mass, w.mass, 1e-14 * w.mass);
    EXPECT_LT((b.momentum - w.momentum).norm(), 1e-11 * b.mass);
    EXPECT_LT((b.angular - w.angular).norm(), 1e-11 * b.mass);
    EXPECT_NEAR(b.kinetic, w.kinetic, 1e-9 * w.kinetic);  // both solve to 1e-10
    EXPECT_NEAR(b.elastic, w.elastic, 1e-8 * w.kinetic);
    EXPECT_NEAR(b.volume, w.volume, 1e-9 * w.volume);
    split_steps += facet_of<TopologyFacet>(*broken).topology_version() > version;
  }
  // How many there are depends on which vertex breaks first, and that on rounding: 4 to 8, as the lanes of the machine
  // are.
  EXPECT_GE(split_steps, 3);
}

TEST(BreakingBody, KeepsItsMatrixInStepsInWhichNothingSplits) {
  // A pattern that is built anew costs most of a step, so only a split may ask for one.
  const auto body = make("warped_fem", flying_apart(), breaking({{"fracture_splits_per_step", 1LL}}));
  int split_steps = 0, quiet_after_a_split = 0;
  for (int k = 0; k < 60; ++k) {
    const auto version = facet_of<TopologyFacet>(*body).topology_version();
    ASSERT_EQ(body->step().outcome, StepOutcome::Advanced);
    const bool split = facet_of<TopologyFacet>(*body).topology_version() > version;
    EXPECT_EQ(facet_of<StepMatrixFacet>(*body).solved_matrix().rows() == 0, split) << "step " << k;
    split_steps += split, quiet_after_a_split += !split && split_steps > 0;
  }
  EXPECT_GT(split_steps, 0);
  EXPECT_GT(quiet_after_a_split, 0);
}

TEST(BreakingBody, IsAfterwardsTheBodyBuiltFromItsPieces) {
  for (const char* id : {"linear_fem", "warped_fem"}) {
    for (const char* solver : {"cg", "direct"}) {
      for (const int threads : {1, 2}) {
        Scene scene = flying_apart({10, 3, 3});
        scene.gravity = {0, -9.81, 0};
        model::PrescribedMotion end;
        end.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 1.0, 1e-9);
        end.translation = {0.3, 0, 0};
        end.ramp = {0.0, 0.3};
        scene.prescribed = {end};
        model::TractionLoad pull;
        pull.triangles = Triangles(1, 3);
        const auto& t = scene.tet_mesh.tetrahedra;
        pull.triangles << t(0, 0), t(0, 1), t(0, 2);
        pull.traction = {-2000, 100, 0};
        scene.traction_loads = {pull};
        const auto broken =
            make(id, scene, breaking({{"solver", std::string(solver)}, {"cg_tolerance", 1e-13}}), threads);
        for (int k = 0; k < 25; ++k) ASSERT_EQ(broken->step().outcome, StepOutcome::Advanced);
        EXPECT_GT(facet_of<TopologyFacet>(*broken).topology_version(), 10);
        Scene pieces = facet_of<TopologyFacet>(*broken).current_scene();
        ASSERT_NO_THROW(check_scene(pieces));
        pieces.initial_positions = broken->state().positions;
        pieces.initial_velocities = broken->state().velocities;
        // From here on time starts anew: hold the ramp where it is.
        pieces.prescribed[0].targets = Points(Eigen::Index(pieces.prescribed[0].vertices.size()), 3);
        for (std::size_t k = 0; k < pieces.prescribed[0].vertices.size(); ++k)
          pieces.prescribed[0].targets.row(Eigen::Index(k)) =
              scene.prescribed[0]
                  .position_at(0, pieces.tet_mesh.rest_positions.row(pieces.prescribed[0].vertices[k]).transpose(),
                               0.26)
                  .transpose();
        pieces.prescribed[0].translation.setZero();
        const auto fresh = make(id, pieces, {{"solver", std::string(solver)}, {"cg_tolerance", 1e-13}});
        EXPECT_EQ(Eigen::VectorXd(broken->state().masses), Eigen::VectorXd(fresh->state().masses));
        broken->step(), fresh->step();
        const Eigen::Index old = fresh->state().positions.rows();
        EXPECT_LT((broken->state().positions.topRows(old) - fresh->state().positions).cwiseAbs().maxCoeff(), 1e-11)
            << id << ' ' << solver << ' ' << threads;
      }
    }
  }
}

TEST(BreakingBody, TellsOfEverySplitAndKeepsToItsLimit) {
  const Scene scene = flying_apart();
  const auto simulation = make("warped_fem", scene, breaking({{"fracture_splits_per_step", 3LL}}));
  std::int64_t told = 0;
  bool limited = false;
  for (int k = 0; k < 20; ++k) {
    simulation->step();
    int now = 0;
    for (const SimulationEvent& event : facet_of<EventsFacet>(*simulation).step_events()) {
      now += event.kind == "vertex_split";
      limited |= event.kind == "splits_limited";
    }
    EXPECT_LE(now, 3);
    told += now;
  }
  EXPECT_EQ(told, facet_of<TopologyFacet>(*simulation).topology_version());
  EXPECT_TRUE(limited);
  const auto parents = facet_of<TopologyFacet>(*simulation).parents();
  EXPECT_EQ(Eigen::Index(parents.size()), simulation->state().positions.rows());
  EXPECT_GT(Eigen::Index(parents.size()), scene.tet_mesh.vertex_count());
}

TEST(BreakingBody, ThatBearsItsStressesIsTheBodyThatCannotBreak) {
  const Scene scene = flying_apart({4, 2, 2}, 2.0);
  for (const char* id : {"linear_fem", "warped_fem"}) {
    const auto brittle = make(id, scene, breaking({{"fracture_threshold_pa", 1e9}}));
    const auto solid = make(id, scene);
    for (int k = 0; k < 20; ++k) brittle->step(), solid->step();
    // Two loops over the elements, with and without the stress test, of which compilers fuse the products differently;
    // what each of the 20 solves leaves is 1e-10 of some 0.2 m/s, over 0.01 s.
    EXPECT_LT((brittle->state().positions - solid->state().positions).cwiseAbs().maxCoeff(), 4e-12) << id;
  }
}

TEST(BreakingBody, BreaksExactlyWhenTheLargestPrincipalStressPassesTheThreshold) {
  // The stress facet gives the stress as the criterion sees it: the first split comes with the first excess.
  const Scene scene = flying_apart({5, 2, 2}, 4.0);
  for (const char* rotation : {"stale", "fresh"}) {
    for (const char* rule : {"polar", "qr", "global"}) {
      const auto simulation = make(
          "warped_fem", scene, breaking({{"stress_rotation", std::string(rotation)}, {"rotation", std::string(rule)}}));
      bool exceeded = false, split = false;
      for (int k = 0; k < 40 && !split; ++k) {
        simulation->step();
        split = facet_of<TopologyFacet>(*simulation).topology_version() > 0;
        double peak = 0.0;
        for (const Vector6& s : facet_of<StressFacet>(*simulation).element_stresses(simulation->state().positions)) {
          Matrix3 m;
          m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
          peak = std::max(peak, Eigen::SelfAdjointEigenSolver<Matrix3>(m).eigenvalues()[2]);
        }
        exceeded = peak > 2e4;
        EXPECT_EQ(split, exceeded) << rotation << ' ' << rule << " step " << k;
      }
      EXPECT_TRUE(split) << rotation << ' ' << rule;
    }
  }
}

TEST(BreakingBody, OfTheSameSeedBreaksTheSameWay) {
  const Scene scene = flying_apart();
  for (const char* rule : {"vertex_split", "separation_tensor"}) {
    const auto one = make("warped_fem", scene, breaking({{"fracture", std::string(rule)}}));
    const auto two = make("warped_fem", scene, breaking({{"fracture", std::string(rule)}}));
    for (int k = 0; k < 20; ++k) one->step(), two->step();
    EXPECT_GT(facet_of<TopologyFacet>(*one).topology_version(), 0) << rule;
    EXPECT_EQ(one->state().positions, two->state().positions) << rule;
  }
}

}  // namespace
}  // namespace deformbench::fem
