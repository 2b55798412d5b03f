// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <set>

#include "methods/model/error.hpp"
#include "methods/model/triangle_distance.hpp"
#include "methods/surface/self_intersection.hpp"
#include "tests/harness/probes/puppet.hpp"

namespace deformbench::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kRounding = 1e-14;  // a few operations on numbers near 1

TEST(ClothProbes, StrainOfAStretchedSquareIsThatOfItsFiveEdges) {
  const Scene scene = unit_square();
  for (const char* channel : {"edge_strain_rms", "edge_strain_mean", "edge_strain_max", "edge_strain_min"})
    EXPECT_EQ(number(channel, scene), 0.0) << channel;
  Points stretched = scene.cloth.rest_positions;
  stretched.col(0) *= 3.0;  // two edges by 2, two by 0, the diagonal from √2 to √10
  const double diagonal = std::sqrt(5.0) - 1.0;
  EXPECT_NEAR(number("edge_strain_max", scene, stretched), 2.0, kRounding);
  EXPECT_NEAR(number("edge_strain_min", scene, stretched), 0.0, kRounding);
  EXPECT_NEAR(number("edge_strain_mean", scene, stretched), (4.0 + diagonal) / 5.0, kRounding);
  EXPECT_NEAR(number("edge_strain_rms", scene, stretched), std::sqrt((8.0 + diagonal * diagonal) / 5.0), kRounding);
  stretched.col(0) *= 0.25 / 3.0;
  EXPECT_NEAR(number("edge_strain_min", scene, stretched), -0.75, kRounding);
  EXPECT_NEAR(number("edge_strain_max", scene, stretched), 0.0, kRounding);  // elongation, whatever is compressed
}

TEST(ClothProbes, AngleErrorOfAFoldIsTheFoldWhateverItsSide) {
  Scene scene = unit_square();
  const Vector3 axis = Vector3(1, 1, 0).normalized();
  for (const double fold : {0.3, -0.3, 3.0, -3.0}) {
    Points folded = scene.cloth.rest_positions;
    const Vector3 moved = Eigen::AngleAxisd(fold, axis) * Vector3(folded.row(3));
    folded.row(3) = moved.transpose();
    EXPECT_NEAR(number("bend_angle_error_mean", scene, folded), std::abs(fold), 1e-13) << fold;
    EXPECT_NEAR(number("bend_angle_error_rms", scene, folded), std::abs(fold), 1e-13) << fold;
  }
}

TEST(ClothProbes, AngleErrorGoesTheShortWayRound) {
  Scene scene = unit_square();
  const Vector3 axis = Vector3(1, 1, 0).normalized();
  const Vector3 corner = scene.cloth.rest_positions.row(3);
  scene.cloth.rest_positions.row(3) = (Eigen::AngleAxisd(3.0, axis) * corner).transpose();
  Points folded = scene.cloth.rest_positions;
  folded.row(3) = (Eigen::AngleAxisd(-3.0, axis) * corner).transpose();
  EXPECT_NEAR(number("bend_angle_error_mean", scene, folded), 2.0 * std::numbers::pi - 6.0, 1e-13);
}

TEST(ClothProbes, AreaAndBoundaryOfASquare) {
  const Scene scene = unit_square();
  Points stretched = scene.cloth.rest_positions;
  stretched.col(1) *= 2.5;
  EXPECT_NEAR(number("surface_area", scene, stretched), 2.5, kRounding);
  EXPECT_NEAR(number("boundary_length", scene, stretched), 4.0, kRounding);  // at rest
  EXPECT_EQ(number("component_count", scene), 1.0);
  EXPECT_EQ(number("vertex_count", scene), 4.0);
  EXPECT_NEAR(number("mass", scene), 2.0, kRounding);
}

TEST(ClothProbes, VolumesOfBoxesHaveASignAndDoNotDependOnThePlace) {
  Scene scene = boxes({{{1e3, 0, 0}, {0.5, 1.0, 2.0}}, {{0, 7, 0}, {0.5, 0.5, 0.5}}});
  EXPECT_NEAR(number("closed_volume", scene), 9.0, 1e-10);  // coordinates of 1e3 m carry 1e-13 m
  Points turned = scene.cloth.rest_positions;
  turned.bottomRows(8).col(1) = 14.0 - turned.bottomRows(8).col(1).array();
  EXPECT_NEAR(number("closed_volume", scene, turned), 7.0, 1e-10);
  Puppet puppet(scene);
  puppet.positions = turned;
  const auto volumes = measured_by("component_volumes", scene, puppet);
  ASSERT_EQ(volumes.size(), 2u);
  EXPECT_NEAR(volumes[0], 8.0, 1e-10);
  EXPECT_NEAR(volumes[1], -1.0, kRounding);
  EXPECT_EQ(number("component_count", scene), 2.0);
  EXPECT_EQ(number("boundary_length", scene), 0.0);
}

TEST(ClothProbes, OpenPieceHasNoVolume) {
  Scene scene = boxes({{{0, 0, 0}, {0.5, 0.5, 0.5}}, {{3, 0, 0}, {0.5, 0.5, 0.5}}});
  scene.cloth.triangles.conservativeResize(23, 3);
  EXPECT_NEAR(number("closed_volume", scene), 1.0, kRounding);
  const auto volumes = measured_by("component_volumes", scene, Puppet(scene));
  ASSERT_EQ(volumes.size(), 2u);
  EXPECT_NEAR(volumes[0], 1.0, kRounding);
  EXPECT_TRUE(std::isnan(volumes[1]));
}

TEST(ClothProbes, TwoTrianglesOnOneSideOfAnEdgeAreCounted) {
  Scene scene = unit_square();
  EXPECT_EQ(number("non_manifold_edges", scene), 0.0);
  scene.cloth.triangles.row(1) << 0, 3, 2;  // wound the other way: both run 2 → 0
  EXPECT_EQ(number("non_manifold_edges", scene), 1.0);
}

TEST(ConstraintProbes, ValuesAreThoseOfTheConstraints) {
  Scene scene = unit_square();
  using model::ConstraintKind;
  scene.constraints = {{ConstraintKind::Distance, {0, 2, -1, -1}, 1.0}, {ConstraintKind::Bend, {0, 2, 1, 3}, 0.25}};
  Puppet puppet(scene);
  puppet.positions.row(2) << 3, 4, 0;
  EXPECT_THAT(measured_by("constraint_values", scene, puppet), ElementsAre(4.0, testing::DoubleNear(-0.25, kRounding)));
}

TEST(SelfContactProbes, DistanceOfParallelBoxesIsTheirGap) {
  const Scene scene = boxes({{{0, 0, 0}, {1, 1, 1}}, {{2.25, 0.1, 0.2}, {1, 0.5, 0.5}}});
  EXPECT_NEAR(number("self_distance", scene), 0.25, kRounding);
  EXPECT_EQ(number("self_intersections", scene), 0.0);
}

TEST(SelfContactProbes, DistanceOfASquareIsThatOfItsCornerFromTheOtherTriangle) {
  EXPECT_NEAR(number("self_distance", unit_square()), std::sqrt(0.5), kRounding);
}

TEST(SelfContactProbes, BoxThroughABoxIntersectsIt) {
  const Scene scene = boxes({{{0, 0, 0}, {1, 1, 1}}, {{1, 0.1, 0.2}, {0.5, 0.3, 0.3}}});
  EXPECT_GT(number("self_intersections", scene), 0.0);
}

/// A crumpled sheet of n × n vertices.
Scene crumpled(int n, unsigned seed) {
  Scene scene;
  scene.name = "crumpled";
  scene.cloth.rest_positions.resize(n * n, 3);
  scene.cloth.triangles.resize(2 * (n - 1) * (n - 1), 3);
  Eigen::Index t = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      scene.cloth.rest_positions.row(i * n + j) << i, j, 0;
      if (i + 1 == n || j + 1 == n) continue;
      const int a = i * n + j;
      scene.cloth.triangles.row(t++) << a, a + n, a + n + 1;
      scene.cloth.triangles.row(t++) << a, a + n + 1, a + 1;
    }
  scene.initial_positions = scene.cloth.rest_positions;
  srand(seed);
  scene.initial_positions += 0.8 * Points::Random(n * n, 3);
  return scene;
}

TEST(SelfContactProbes, GridFindsWhatEveryPairAgainstEveryPairFinds) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Scene scene = crumpled(9, seed);
    scene.initial_positions.row(3) *= 30.0;  // one triangle far larger than the others
    const Points& x = scene.initial_positions;
    const model::TriangleMesh mesh{x, scene.cloth.triangles};
    int pairs = 0;
    double nearest = 1e9;
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      for (Eigen::Index s = t + 1; s < mesh.triangle_count(); ++s) pairs += surface::triangles_intersect(mesh, t, s);
      for (Eigen::Index i = 0; i < x.rows(); ++i) {
        if ((mesh.triangles.row(t).array() == int(i)).any()) continue;
        const Vector3 p = x.row(i), a = x.row(mesh.triangles(t, 0)), b = x.row(mesh.triangles(t, 1)),
                      c = x.row(mesh.triangles(t, 2));
        const Vector3 w = model::closest_on_triangle(p, a, b, c).weights;
        nearest = std::min(nearest, (w[0] * a + w[1] * b + w[2] * c - p).norm());
      }
    }
    EXPECT_GT(pairs, 10);
    EXPECT_EQ(number("self_intersections", scene, x), pairs) << seed;
    EXPECT_NEAR(number("self_distance", scene, x), nearest, 1e-15) << seed;
  }
}

TEST(Needs, ChannelOfWhatTheSceneLacksIsRefusedInOneLine) {
  const Scene cloth = unit_square(), block = built("spinning_block");
  const auto refusal = [](const std::string& channel, const Scene& scene) {
    try {
      harness::make_probe(channel, scene, Puppet(scene));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* channel : {"volume", "min_det_f", "min_quality", "far_deformation_gradient"})
    EXPECT_EQ(refusal(channel, cloth), std::string("channel '") + channel +
                                           "': scene 'unit_square' has no tetrahedra, expected a tetrahedral mesh");
  for (const char* channel : {"edge_strain_rms", "self_distance", "closed_volume", "torn_vertices"})
    EXPECT_EQ(refusal(channel, block),
              std::string("channel '") + channel + "': scene 'spinning_block' has no triangles, expected a cloth");
  EXPECT_THAT(refusal("rigid_positions", cloth), HasSubstr("has no rigid bodies, expected at least one"));
  EXPECT_THAT(refusal("constraint_values", cloth), HasSubstr("has no explicit constraints, expected at least one"));
  EXPECT_THAT(refusal("penetration_depth", cloth),
              HasSubstr("has no rigid bodies and no planes, expected one of them"));
  Scene bodies;
  bodies.name = "bodies";
  EXPECT_THAT(refusal("positions", bodies), HasSubstr("scene 'bodies' has no vertices, expected a deformable body"));
  EXPECT_THAT(refusal("component_count", bodies), HasSubstr("has no elements, expected a tetrahedral mesh or a cloth"));
  EXPECT_EQ(refusal("max_displacement", cloth), "");
}

TEST(Needs, EveryOtherChannelOfAClothBesideABodyIsANumber) {
  Scene scene = boxes({{{0, 0, 0}, {0.5, 0.5, 0.5}}});
  scene.constraints = {{model::ConstraintKind::Distance, {0, 1, -1, -1}, 0.9}};
  scene.vertex_sets = {{"tip", {0}}, {"root", {1}}};
  scene.colliders.resize(1);
  scene.rigid_bodies.resize(1);
  scene.rigid_bodies[0].shape.radius = 0.1;
  scene.rigid_bodies[0].mass = 1.0;
  Puppet puppet(scene);
  std::set<std::string> refused;
  for (const auto& spec : harness::known_channels()) {
    try {
      const bool may_be_none = spec.name.starts_with("work_") || spec.name == "solver_converged" ||
                               spec.name == "solver_true_residual";  // not asked for, not counted
      for (const double value : measured_by(spec.name, scene, puppet))
        EXPECT_TRUE(may_be_none || std::isfinite(value)) << spec.name;
    } catch (const InputError& error) {
      refused.insert(spec.name);
    }
  }
  // What only elements have, or only a method with elasticity can say.
  for (const char* name : {"volume", "min_quality", "elastic_energy", "rotations", "condition_number",
                           "plastic_strain_max", "skin_positions"})
    EXPECT_EQ(refused.erase(name), 1u) << name;
  for (const char* name :
       {"mass", "edge_strain_rms", "self_distance", "closed_volume", "penetration_depth", "body_contacts",
        "rigid_positions", "constraint_values", "component_count", "tip_position", "max_displacement"})
    EXPECT_FALSE(refused.contains(name)) << name;
}

}  // namespace
}  // namespace deformbench::tests
