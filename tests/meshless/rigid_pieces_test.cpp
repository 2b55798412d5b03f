// SPDX-License-Identifier: BSD-3-Clause
// Small pieces as rigid bodies: what is kept when they become so, how they move, and a shattered block that goes on.
// [PKAGDG05] §6
#include "methods/meshless/contact/rigid_pieces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

struct RigidMomenta {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  double kinetic = 0.0;
};
RigidMomenta momenta_of(const Points& x, const Points& v, const Eigen::VectorXd& masses) {
  RigidMomenta sum;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Vector3 p = masses[i] * v.row(i);
    sum.linear += p;
    sum.angular += Vector3(x.row(i)).cross(p);
    sum.kinetic += 0.5 * p.dot(Vector3(v.row(i)));
  }
  return sum;
}

TEST(RigidPieces, KeepMomentaAndPlacesAndLoseMotionAgainstThemselvesAlone) {
  const int sizes[] = {1, 2, 3, 7, 12};  // a point, a line, a triangle; the last is not below the limit
  std::vector<int> pieces;
  for (int p = 0; p < 5; ++p) pieces.insert(pieces.end(), std::size_t(sizes[p]), p);
  const auto count = Eigen::Index(pieces.size());
  const Points x = random_points(count, 1.0, 3);
  Points v = random_points(count, 2.0, 4);
  const Points before = v;
  Eigen::VectorXd masses = Eigen::VectorXd::LinSpaced(count, 1.0, 3.0);
  RigidPieces rigid;
  const auto switched = rigid.update(pieces, 12, masses, Points::Zero(count, 3), x, v);
  ASSERT_EQ(switched.size(), 4u);
  EXPECT_EQ(v.bottomRows(12), before.bottomRows(12));
  const RigidMomenta was = momenta_of(x, before, masses), is = momenta_of(x, v, masses);
  EXPECT_LT((was.linear - is.linear).norm(), 1e-12);
  EXPECT_LT((was.angular - is.angular).norm(), 1e-12);
  double lost = 0.0;
  for (const auto& change : switched) {
    EXPECT_GE(change.internal, -1e-12);
    lost += change.internal;
  }
  EXPECT_NEAR(was.kinetic - is.kinetic, lost, 1e-11);
  EXPECT_GT(lost, 1.0);
  // Once more: nothing is new, and nothing changes.
  const Points once = v;
  EXPECT_TRUE(rigid.update(pieces, 12, masses, Points::Zero(count, 3), x, v).empty());
  EXPECT_LT((once - v).norm(), 1e-12);
}

TEST(RigidPieces, FlyFreelyWithBothMomentaAndTheirShape) {
  const std::vector<int> pieces(9, 0);
  Points x = random_points(9, 1.0, 5), v = random_points(9, 3.0, 6);
  const Eigen::VectorXd masses = Eigen::VectorXd::LinSpaced(9, 1.0, 2.0);
  RigidPieces rigid;
  rigid.update(pieces, 10, masses, Points::Zero(9, 3), x, v);
  const RigidMomenta start = momenta_of(x, v, masses);
  const double side = (x.row(0) - x.row(8)).norm();
  for (int k = 0; k < 2000; ++k) rigid.advance(1.0, 5e-4, 1e-3, Points::Zero(9, 3), x, v);
  const RigidMomenta end = momenta_of(x, v, masses);
  EXPECT_LT((end.linear - start.linear).norm(), 1e-10 * start.linear.norm());
  EXPECT_LT((end.angular - start.angular).norm(), 1e-10 * start.angular.norm());
  EXPECT_NEAR(end.kinetic, start.kinetic, 1e-2 * start.kinetic);
  EXPECT_NEAR((x.row(0) - x.row(8)).norm(), side, 1e-11);
}

TEST(RigidPieces, AForceOnOneNodeMovesAndTurnsAsAPush) {
  const std::vector<int> pieces(2, 0);
  Points x(2, 3), v = Points::Zero(2, 3), a = Points::Zero(2, 3);
  x << -1, 0, 0, 1, 0, 0;
  RigidPieces rigid;
  rigid.update(pieces, 3, Eigen::VectorXd::Constant(2, 2.0), Points::Zero(2, 3), x, v);
  a(1, 1) = 3.0;  // 6 N on 4 kg, 6 N m about 4 kg m²
  rigid.advance(1.0, 0.1, 0.0, a, x, v);
  EXPECT_NEAR((v - (Points(2, 3) << 0, 0.15 - 0.15, 0, 0, 0.3, 0).finished()).norm(), 0.0, 1e-14);
}

TEST(RigidPieces, AHeldPieceIsNotRigid) {
  Points held = Points::Zero(3, 3), v = random_points(3, 1.0, 1);
  held(1, 2) = 1.0;
  RigidPieces rigid;
  EXPECT_TRUE(
      rigid.update(std::vector<int>(3, 0), 4, Eigen::VectorXd::Ones(3), held, random_points(3, 1.0, 2), v).empty());
  EXPECT_TRUE(rigid.empty());
}

/// A block that random planes cut into fragments of a few nodes, which drift apart.
Scene shattered_block() {
  const auto& scenes = builtin_scenes();
  const auto& descriptor = scenes.at("chopped_block");
  return descriptor.build(Parameters(descriptor.parameters,
                                     {{"nodes_across", 8LL},
                                      {"planes", std::string("random")},
                                      {"pieces_across", 5LL},
                                      {"noise_m_s", 0.01},
                                      {"time_step_s", 3e-3},
                                      {"bounded", false}},
                                     "chopped_block"));
}

TEST(RigidPieces, AShatteredBlockThatDivergesGoesOnWithThem) {
  const Scene scene = shattered_block();
  const auto run = [&](long long below) {
    MeshlessSimulation simulation(scene, options_with({{"substeps", 1LL}, {"rigid_pieces_below", below}}));
    const auto& state = simulation.state();
    const RigidMomenta start = momenta_of(state.positions, state.velocities, state.masses);
    double kinetic = start.kinetic;
    for (int step = 0; step < 400; ++step) {
      if (simulation.step().outcome != StepOutcome::Advanced) return std::numeric_limits<double>::infinity();
      const RigidMomenta now =
          momenta_of(simulation.state().positions, simulation.state().velocities, simulation.state().masses);
      if (below > 0) {
        EXPECT_LT((now.linear - start.linear).norm(), 1e-10);
        EXPECT_LT((now.angular - start.angular).norm(), 1e-10);
      }
      kinetic = std::max(kinetic, now.kinetic);
    }
    return kinetic;
  };
  EXPECT_GT(run(0), 1e6);
  EXPECT_LT(run(40), 0.1);  // ½ · 1000 kg · (1 cm/s)² in three directions, and no more
}

TEST(RigidPieces, WithoutSmallPiecesNothingChangesByABit) {
  Scene scene = jittered_block(3);
  scene.time_step = 1e-3;
  scene.initial_velocities = random_points(scene.vertex_count(), 0.1, 2);
  MeshlessSimulation one(scene, options_with({})), other(scene, options_with({{"rigid_pieces_below", 20LL}}));
  for (int step = 0; step < 10; ++step) {
    one.step();
    other.step();
  }
  EXPECT_EQ(one.state().positions, other.state().positions);
}

}  // namespace
}  // namespace deformbench::meshless
