// SPDX-License-Identifier: BSD-3-Clause
// The scenes of particles and explicit constraints: what their names and documentation promise.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

/// The largest |C| at the start.
double worst_violation(const Scene& scene) {
  double worst = 0.0;
  for (const auto& c : scene.constraints)
    worst = std::max(worst, std::abs(model::constraint_value(c, scene.start_positions())));
  return worst;
}

TEST(ParticleChainScene, HasLinksOfTheirRestLengthUnlessDisturbed) {
  const Scene scene = built("particle_chain", {{"links", 7LL}, {"link_m", 0.3}});
  EXPECT_EQ(scene.vertex_count(), 8);
  EXPECT_EQ(scene.constraints.size(), 7u);
  EXPECT_LT(worst_violation(scene), 1e-15);
  const Scene stretched =
      built("particle_chain", {{"disturbed", std::string("stretched")}, {"disturbance", 0.2}, {"link_m", 0.5}});
  for (const auto& c : stretched.constraints)
    EXPECT_NEAR(model::constraint_value(c, stretched.start_positions()), 0.1, 1e-15);
  const Scene first = built("particle_chain",
                            {{"held", std::string("none")}, {"disturbed", std::string("first")}, {"disturbance", 0.1}});
  EXPECT_NEAR(model::constraint_value(first.constraints[0], first.start_positions()), 0.1, 1e-15);
  EXPECT_LT(std::abs(model::constraint_value(first.constraints[1], first.start_positions())), 1e-15);
}

TEST(ParticleChainScene, TwoColoursListLinksThatShareNoParticleFirst) {
  const Scene scene = built("particle_chain", {{"links", 9LL}, {"listed", std::string("two_colours")}});
  ASSERT_EQ(scene.constraints.size(), 9u);
  std::set<int> seen;
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_TRUE(seen.insert(scene.constraints[k].vertices[0]).second);
    EXPECT_TRUE(seen.insert(scene.constraints[k].vertices[1]).second);
  }
  std::set<int> firsts;
  for (const auto& c : scene.constraints) firsts.insert(c.vertices[0]);
  EXPECT_EQ(firsts.size(), 9u);
}

TEST(SpinningRingScene, SpinsRigidlyAboutItsMovingCentre) {
  const Scene scene = built("spinning_ring", {{"particles", 12LL}, {"angular_velocity_rad_s", 3.0}});
  EXPECT_EQ(scene.constraints.size(), 12u);
  EXPECT_LT(worst_violation(scene), 1e-15);
  const Vector3 drift = scene.initial_velocities.colwise().mean();
  for (Eigen::Index i = 0; i < 12; ++i) {
    const Vector3 r = scene.particles.rest_positions.row(i), v = scene.initial_velocities.row(i);
    EXPECT_LT((v - drift - Vector3(0, 0, 3.0).cross(r)).norm(), 1e-14);
  }
  EXPECT_EQ(built("spinning_ring").constraints.size(), 1u);  // a dumbbell
}

TEST(ConstraintSamplesScene, EveryConstraintIsViolatedByWhatIsAskedForAndHasItsOwnParticles) {
  for (const std::string kind : {"distance", "bend", "tetra_volume", "triangle_point", "triangle_point_scaled"}) {
    const Scene scene = built("constraint_samples",
                              {{"kind", kind}, {"samples", 200LL}, {"violation", 0.01}, {"held", std::string("some")}});
    std::set<int> used;
    for (const auto& c : scene.constraints) {
      const double value = model::constraint_value(c, scene.start_positions());
      const double scale = kind == "bend" ? 1.0 : std::abs(value + c.rest_value);
      EXPECT_NEAR(std::abs(value) / scale, 0.01, 1e-9) << kind;
      for (int k = 0; k < model::type_of(c.kind).cardinality; ++k)
        EXPECT_TRUE(used.insert(c.vertices[std::size_t(k)]).second) << kind;
    }
    // Held particles: in about half of the constraints, never in all of one.
    std::set<int> held(scene.vertex_sets.at("held").begin(), scene.vertex_sets.at("held").end());
    int touched = 0;
    for (const auto& c : scene.constraints) {
      int count = 0;
      for (int k = 0; k < model::type_of(c.kind).cardinality; ++k) count += int(held.count(c.vertices[std::size_t(k)]));
      EXPECT_LT(count, model::type_of(c.kind).cardinality) << kind;
      touched += count > 0;
    }
    EXPECT_GT(touched, 60) << kind;
    EXPECT_LT(touched, 140) << kind;
    EXPECT_LT(scene.particles.masses.minCoeff(), 0.1);
    EXPECT_GT(scene.particles.masses.maxCoeff(), 10.0);
  }
}

TEST(ConstraintSamplesScene, PlacesPutThePointWhereTheySay) {
  for (const std::string place : {"centroid", "edge", "corner"}) {
    const Scene scene = built("constraint_samples", {{"kind", std::string("triangle_point")},
                                                     {"place", place},
                                                     {"samples", 20LL},
                                                     {"held", std::string("triangle")}});
    EXPECT_EQ(scene.vertex_sets.at("held").size(), 60u);
    for (const auto& c : scene.constraints) {
      const auto x = [&](std::size_t k) -> Vector3 { return scene.particles.rest_positions.row(c.vertices[k]); };
      const Vector3 foot = place == "centroid" ? Vector3((x(0) + x(1) + x(2)) / 3)
                           : place == "edge"   ? Vector3((x(0) + x(1)) / 2)
                                               : x(0);
      const Vector3 normal = (x(1) - x(0)).cross(x(2) - x(0)).normalized(), arm = x(3) - foot;
      EXPECT_LT((arm - arm.dot(normal) * normal).norm(), 1e-14) << place;
      EXPECT_GT(arm.norm(), 0.05) << place;
    }
  }
}

TEST(HungChainScene, HasItsLengthAndItsEndsAtTheSpanForEvenAndOddNumbersOfLinks) {
  for (const long long links : {2LL, 3LL, 20LL, 21LL}) {
    const Scene scene = built("hung_chain", {{"links", links}, {"length_m", 1.5}, {"span_m", 1.0}});
    EXPECT_LT(worst_violation(scene), 1e-14) << links;
    const Points& x = scene.particles.rest_positions;
    EXPECT_NEAR(x(links, 0) - x(0, 0), 1.0, 1e-14) << links;
    EXPECT_NEAR(x(0, 1), 0.0, 1e-14);
    EXPECT_NEAR(x(links, 1), 0.0, 1e-14) << links;
    EXPECT_NEAR(scene.constraints.size() * scene.constraints[0].rest_value, 1.5, 1e-14);
  }
  EXPECT_THROW(built("hung_chain", {{"length_m", 0.9}}), InputError);
}

TEST(PendulumScene, StartsAtItsAngle) {
  const Scene scene = built("pendulum", {{"amplitude_deg", 120.0}, {"length_m", 2.0}});
  EXPECT_LT(worst_violation(scene), 1e-15);
  EXPECT_NEAR(scene.particles.rest_positions(1, 1), 1.0, 1e-14);  // −2 cos 120°
  EXPECT_EQ(scene.prescribed.at(0).vertices, std::vector<int>{0});
}

TEST(IncompatibleTriangleScene, AsksForLengthsThatNoTriangleHas) {
  const Scene scene = built("incompatible_triangle");
  double longest = 0.0, sum = 0.0;
  for (const auto& c : scene.constraints) longest = std::max(longest, c.rest_value), sum += c.rest_value;
  EXPECT_GT(longest, sum - longest);
  const Points& x = scene.particles.rest_positions;
  const Vector3 a = x.row(1) - x.row(0), b = x.row(2) - x.row(0);
  EXPECT_LT(a.cross(b).norm(), 1e-14);
  const Points& y = built("incompatible_triangle", {{"collinear", false}}).particles.rest_positions;
  EXPECT_GT(Vector3(y.row(1) - y.row(0)).cross(Vector3(y.row(2) - y.row(0))).norm(), 1e-3);
}

TEST(ParticleCloudScene, LiesInWhatItIsSaidToFill) {
  int rank = 3;
  for (const std::string arrangement : {"volume", "plane", "line", "point"}) {
    const Points& x = built("particle_cloud", {{"arrangement", arrangement}}).particles.rest_positions;
    const Points centred = x.rowwise() - x.colwise().mean();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred);
    EXPECT_EQ((svd.singularValues().array() > 1e-12).count(), rank) << arrangement;
    --rank;
  }
}

TEST(TrianglePairScene, InPlaneStrainLeavesTheFoldAloneAndChangesTheEdges) {
  for (long long seed = 1; seed <= 10; ++seed) {
    const Scene scene = built("triangle_pair", {{"rest_fold_rad", 0.5}, {"in_plane_strain", 0.3}, {"seed", seed}});
    const auto fold = [](const Points& x) {
      return model::dihedral_angle(Vector3(x.row(0)), Vector3(x.row(1)), Vector3(x.row(2)), Vector3(x.row(3)));
    };
    EXPECT_NEAR(std::abs(fold(scene.cloth.rest_positions)), 0.5, 1e-14);
    EXPECT_NEAR(fold(scene.initial_positions), fold(scene.cloth.rest_positions), 1e-14);
    const auto edge = [](const Points& x) { return (x.row(1) - x.row(0)).norm(); };
    EXPECT_GT(std::abs(edge(scene.initial_positions) / edge(scene.cloth.rest_positions) - 1), 1e-4);
  }
}

TEST(ShotParticlesScene, EveryParticleStartsOutsideOfEveryTargetAndFliesTowardsIt) {
  for (const std::string target : {"sphere", "capsule", "box", "octahedron", "plane"})
    for (const bool paired : {false, true}) {
      const Scene scene = built("shot_particles", {{"target", target}, {"paired", paired}, {"particles", 100LL}});
      EXPECT_EQ(scene.vertex_count(), paired ? 200 : 100);
      EXPECT_EQ(scene.constraints.size(), paired ? 100u : 0u);
      EXPECT_EQ(scene.rigid_bodies.size() + scene.colliders.size(), 1u);
      Vector3 closest, normal;
      for (Eigen::Index i = 0; i < scene.vertex_count(); ++i) {
        const Vector3 x = scene.particles.rest_positions.row(i), v = scene.initial_velocities.row(i);
        const double distance =
            target == "plane" ? x.y() : model::signed_distance(scene.rigid_bodies[0].shape, x, closest, normal);
        EXPECT_GT(distance, 0.01) << target << " " << paired;
        if (!paired) {
          EXPECT_LT(v.dot(target == "plane" ? Vector3::UnitY().eval() : x), 0.0) << target;
        }
      }
    }
}

TEST(CrossedSheetsScene, TwoSheetsOfOneClothAndOnlyOneOfThemMoves) {
  const Scene crossed = built("crossed_sheets");
  EXPECT_EQ(crossed.initial_velocities.size(), 0);
  const Scene apart =
      built("crossed_sheets", {{"start", std::string("apart")}, {"vertices_across", 5LL}, {"speed_m_s", 2.0}});
  ASSERT_EQ(apart.cloth.vertex_count(), 50);
  EXPECT_EQ(apart.initial_velocities.topRows(25).norm(), 0.0);
  EXPECT_EQ(apart.initial_velocities.bottomRows(25).col(1).maxCoeff(), -2.0);
  EXPECT_GT(apart.cloth.rest_positions.bottomRows(25).col(1).minCoeff(),
            apart.cloth.rest_positions.topRows(25).col(1).maxCoeff());
}

TEST(InclinedPlaneScene, SpeedIsAlongThePlaneAndDownhill) {
  const Scene scene = built("inclined_plane", {{"slope_deg", 30.0}, {"speed_m_s", 2.0}});
  const Vector3 v = scene.initial_velocities.row(0);
  EXPECT_LT(std::abs(v.dot(scene.colliders.at(0).normal)), 1e-15);
  EXPECT_NEAR(v.y(), -1.0, 1e-14);
}

TEST(FallingNetScene, HoldsOrFallsAsToldAndItsMassesDiffer) {
  const Scene scene = built("falling_net", {{"particles_across", 3LL}, {"hung", true}, {"floor", false}});
  EXPECT_EQ(scene.constraints.size(), 16u);  // 6 + 6 edges, 4 diagonals
  EXPECT_TRUE(scene.colliders.empty());
  EXPECT_EQ(scene.prescribed.size(), 1u);
  EXPECT_GT(scene.particles.masses.maxCoeff() - scene.particles.masses.minCoeff(), 0.5);
}

}  // namespace
}  // namespace deformbench::tests
