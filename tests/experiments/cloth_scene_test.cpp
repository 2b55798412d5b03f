// SPDX-License-Identifier: BSD-3-Clause
// The large scenes of Müller et al. 2007: printed sizes, closed characters, and a start at which nothing is inside
// anything.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>

#include "methods/surface/self_intersection.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

/// Least signed distance (m) of a start position from the rigid bodies; +1 without any.
double clearance(const Scene& scene) {
  double least = 1.0;
  const Points x = scene.start_positions();
  for (const auto& body : scene.rigid_bodies)
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const Vector3 local = body.start.orientation.transpose() * (x.row(i).transpose() - body.start.position);
      Vector3 closest, normal;
      least = std::min(least, model::signed_distance(body.shape, local, closest, normal));
    }
  return least;
}

/// Directed edges without a partner.
int open_edges(const Triangles& triangles) {
  std::map<std::pair<int, int>, int> count;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) {
      ++count[{triangles(t, k), triangles(t, (k + 1) % 3)}];
      --count[{triangles(t, (k + 1) % 3), triangles(t, k)}];
    }
  int open = 0;
  for (const auto& [edge, n] : count) open += n > 0;
  return open;
}

double six_volumes(const Points& x, const Triangles& triangles) {
  double sum = 0.0;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const Vector3 a = x.row(triangles(t, 0)), b = x.row(triangles(t, 1)), c = x.row(triangles(t, 2));
    sum += a.dot(b.cross(c));
  }
  return sum;
}

TEST(LargeClothScenes, HaveThePrintedNumbersOfVerticesAndTriangles) {
  for (const char* id : {"folded_cloth", "barrel"}) {
    EXPECT_EQ(built(id).cloth.vertex_count(), 1364) << id;
    EXPECT_EQ(built(id).cloth.triangle_count(), 2562) << id;
  }
  EXPECT_EQ(built("tearing_cloth").cloth.vertex_count(), 4264);
  EXPECT_EQ(built("tearing_cloth").cloth.triangle_count(), 8262);
  EXPECT_EQ(built("balloon").cloth.vertex_count(), 642);
  EXPECT_EQ(built("stripes").rigid_bodies.size(), 6u);
  EXPECT_GE(built("level").rigid_bodies.at(0).shape.mesh.triangle_count(), 5000);
}

TEST(LargeClothScenes, StartFreeOfBodiesAndOfThemselves) {
  for (const char* id : {"folded_cloth", "barrel", "tearing_cloth", "stripes", "gears", "level"}) {
    const Scene scene = built(id);
    EXPECT_GT(clearance(scene), 0.0) << id;
    EXPECT_TRUE(surface::self_intersections({scene.start_positions(), scene.cloth.triangles}, 1).empty()) << id;
  }
}

TEST(LargeClothScenes, CharactersAreClosedAndOutwardOriented) {
  for (const long long count : {1LL, 3LL}) {
    const Scene scene =
        built("gears",
              {{"characters", count}, {"triangles", 1000LL}, {"arrangement", std::string("circle")}, {"pairs", 0LL}});
    EXPECT_EQ(open_edges(scene.cloth.triangles), 0);
    EXPECT_GT(six_volumes(scene.cloth.rest_positions, scene.cloth.triangles), 0.0);
    EXPECT_EQ(scene.initial_velocities.rows(), scene.cloth.vertex_count());
  }
}

// The gears turn without ever meeting: each tooth passes through a gap of the other.
TEST(LargeClothScenes, GearsLeaveAWayBetweenThemAtEveryAngle) {
  const Scene scene = built("gears", {{"triangles", 1000LL}, {"points_a_tooth", 8LL}});
  const auto& first = scene.rigid_bodies.at(0);
  const auto& second = scene.rigid_bodies.at(1);
  const double turn = 2.0 * 3.14159265358979323846 / 9.0;  // of one tooth
  double least = 1.0;
  for (int k = 0; k < 4; ++k) {
    const double time = k / 4.0 * turn / second.angular_velocity.norm();
    const model::Pose a = first.pose_at(time), b = second.pose_at(time);
    for (Eigen::Index i = 0; i < second.shape.mesh.vertex_count(); i += 7) {
      const Vector3 world = b.position + b.orientation * second.shape.mesh.positions.row(i).transpose();
      Vector3 closest, normal;
      least = std::min(least, model::signed_distance(first.shape, a.orientation.transpose() * (world - a.position),
                                                     closest, normal));
    }
  }
  EXPECT_GT(least, 0.05);  // m; 0.16 between the mean circles, teeth of 0.12
}

TEST(LargeClothScenes, RefuseWhatDoesNotFit) {
  EXPECT_ANY_THROW(built("barrel", {{"arc_radius_m", 0.45}}));
  EXPECT_ANY_THROW(built("folded_cloth", {{"layers", 40LL}}));
  EXPECT_ANY_THROW(built("gears", {{"gap_m", 0.0}}));
  EXPECT_ANY_THROW(built("gears", {{"triangles", 10LL}}));
}

TEST(ClampedStrip, HasOneAreaAndOneClampInEveryMesh) {
  for (const char* cells : {"alternating", "one_way", "crossed", "graded"}) {
    const Scene scene = built("clamped_strip", {{"cells", std::string(cells)}});
    const Points& x = scene.cloth.rest_positions;
    double area = 0.0;
    for (Eigen::Index t = 0; t < scene.cloth.triangle_count(); ++t) {
      const auto corner = [&](int k) -> Vector3 { return x.row(scene.cloth.triangles(t, k)).transpose(); };
      const Vector3 a = corner(0), b = corner(1), c = corner(2);
      area += (b - a).cross(c - a).norm() / 2;
      EXPECT_GT((b - a).cross(c - a).y(), 0.0) << cells << ", triangle " << t << ": wound like the others";
    }
    EXPECT_NEAR(area, 0.25 * (1.0 - x.col(0).minCoeff()), 1e-14) << cells;
    for (const int v : scene.vertex_sets.at("clamp")) EXPECT_LE(x(v, 0), 1e-12) << cells;
    for (const int v : scene.vertex_sets.at("tip")) EXPECT_NEAR(x(v, 0), 1.0, 1e-12) << cells;
    EXPECT_GE(scene.vertex_sets.at("clamp").size(), 6u) << cells << ": two columns, so that the clamp holds the slope";
  }
}

TEST(ClampedStrip, HasAConstraintForEveryInnerEdge) {
  for (const char* cells : {"alternating", "one_way", "crossed", "graded"}) {
    const Scene plain = built("clamped_strip", {{"cells", std::string(cells)}});
    // Euler: V − E + F = 1 of a disc, and 3F = 2 E_inner + E_border.
    const auto vertices = plain.cloth.vertex_count(), triangles = plain.cloth.triangle_count();
    const auto edges = vertices + triangles - 1, inner = 3 * triangles - edges;
    EXPECT_TRUE(plain.constraints.empty());
    for (const char* bend : {"diagonal", "hinge"})
      EXPECT_EQ(
          Eigen::Index(
              built("clamped_strip", {{"cells", std::string(cells)}, {"bend", std::string(bend)}}).constraints.size()),
          inner)
          << cells << ", " << bend;
  }
}

TEST(ClampedStrip, WeighsAHingeByItsEdgeAndAreas) {
  const Scene scene =
      built("clamped_strip",
            {{"bend", std::string("hinge")}, {"cells", std::string("graded")}, {"plate_stiffness_n_m", 0.5}});
  const Points& x = scene.cloth.rest_positions;
  for (const auto& c : scene.constraints) {
    const Vector3 a = x.row(c.vertices[0]), b = x.row(c.vertices[1]), left = x.row(c.vertices[2]),
                  right = x.row(c.vertices[3]);
    const double areas = ((b - a).cross(left - a).norm() + (b - a).cross(right - a).norm()) / 2;
    EXPECT_NEAR(c.compliance * 0.5 * (b - a).squaredNorm() / areas, 1.0, 1e-12);
    EXPECT_EQ(model::constraint_value(c, x), 0.0);
  }
}

TEST(ClothOnObstacles, StartsClearOfThem) {
  EXPECT_NEAR(clearance(built("draped_cloth", {{"start_noise_m", 0.0}})), 0.01, 1e-12);
  const Scene curtain = built("curtain_on_slope", {{"slope_deg", 30.0}, {"gap_m", 0.05}});
  const model::PlaneCollider& slope = curtain.colliders.at(0);
  const Points x = curtain.start_positions();
  for (const int corner : curtain.vertex_sets.at("corners"))
    EXPECT_NEAR(slope.normal.dot(x.row(corner)) - slope.offset, 0.025 * std::sqrt(3.0), 1e-12);
  // It falls away from the held side by the sine of the angle.
  EXPECT_NEAR((x * slope.normal).maxCoeff() - slope.offset, 0.025 * std::sqrt(3.0) + 0.5, 1e-12);
  EXPECT_EQ(slope.friction, 0.3);
}

TEST(ClothOnObstacles, BendSpringsJoinVerticesTwoApart) {
  const Scene scene = built("draped_cloth", {{"vertices_across", 5LL}, {"bend_spring_n_per_m", 4.0}});
  ASSERT_EQ(scene.constraints.size(), 30u);  // three in each of five rows and five columns
  for (const auto& spring : scene.constraints) {
    EXPECT_EQ(spring.kind, model::ConstraintKind::Distance);
    EXPECT_DOUBLE_EQ(spring.rest_value, 0.5);
    EXPECT_DOUBLE_EQ(spring.compliance, 0.25);
  }
  EXPECT_TRUE(built("draped_cloth").constraints.empty());
}

}  // namespace
}  // namespace deformbench::tests
