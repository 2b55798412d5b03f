// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/rigid_body.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "methods/model/mesh_checks.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using std::numbers::pi;

Shape sphere(double radius) {
  Shape shape;
  shape.radius = radius;
  return shape;
}
Shape capsule(double radius, double half_length) {
  Shape shape = sphere(radius);
  shape.kind = ShapeKind::Capsule;
  shape.half_length = half_length;
  return shape;
}
Shape box(const Vector3& half) {
  Shape shape;
  shape.kind = ShapeKind::Box;
  shape.half_extents = half;
  return shape;
}
Shape mesh_shape(TriangleMesh mesh) {
  Shape shape;
  shape.kind = ShapeKind::Mesh;
  shape.mesh = std::move(mesh);
  return shape;
}

/// A ball with dents: closed, not convex.
TriangleMesh dented_ball() {
  TriangleMesh mesh = surface_of(sphere(1.0));
  for (Eigen::Index v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3 x = mesh.positions.row(v);
    mesh.positions.row(v) *= 1.0 + 0.3 * std::sin(5 * x.x()) * std::cos(4 * x.y() + 1) * std::cos(3 * x.z());
  }
  return mesh;
}

Vector3 sample(int k, double size) {  // a low-discrepancy sequence in the cube of this half size
  const auto part = [k](double alpha) { return 2 * std::fmod((k + 1) * alpha, 1.0) - 1; };
  return size * Vector3(part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703));
}

/// Solid angle of the surface seen from a point, over 4π: 1 inside, 0 outside.
double winding(const TriangleMesh& mesh, const Vector3& point) {
  double sum = 0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)).transpose() - point;
    const Vector3 b = mesh.positions.row(mesh.triangles(t, 1)).transpose() - point;
    const Vector3 c = mesh.positions.row(mesh.triangles(t, 2)).transpose() - point;
    sum += 2 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                                 b.dot(c) * a.norm() + c.dot(a) * b.norm());
  }
  return sum / (4 * pi);
}

TEST(RigidBodyMotion, StandsUntilItsStartTimeThenMovesSwingsAndTurns) {
  RigidBody body;
  body.start.position = {1, 2, 3};
  body.start.orientation = Eigen::AngleAxisd(0.3, Vector3::UnitX()).toRotationMatrix();
  body.velocity = {0.5, 0, 0};
  body.angular_velocity = {0, 0, 2};
  body.swing = {0, 0.1, 0};
  body.swing_period = 0.8;
  body.start_time = 1.0;
  EXPECT_EQ(body.pose_at(0.7).position, body.start.position);
  EXPECT_EQ(body.pose_at(0.7).orientation, body.start.orientation);
  EXPECT_EQ(body.velocity_at(0.7), Vector3(0, 0, 0));
  EXPECT_EQ(body.angular_velocity_at(0.7), Vector3(0, 0, 0));
  const Pose pose = body.pose_at(1.2);  // a quarter of the swing
  EXPECT_LT((pose.position - Vector3(1.1, 2.1, 3)).norm(), 1e-15);
  const Matrix3 turned = Eigen::AngleAxisd(0.4, Vector3::UnitZ()) * body.start.orientation;
  EXPECT_LT((pose.orientation - turned).norm(), 1e-15);
}

TEST(RigidBodyMotion, VelocitiesAreTheDerivativesOfThePose) {
  RigidBody body;
  body.velocity = {0.5, -1, 0.2};
  body.angular_velocity = {1, 0.4, -2};
  body.swing = {0.3, 0.1, 0};
  body.swing_period = 0.7;
  body.start_time = 0.1;
  const double time = 0.63, step = 1e-5;
  const Pose before = body.pose_at(time - step), after = body.pose_at(time + step);
  // Central differences: error step²/6 · third derivative, here (2π/0.7)³·0.3 ≈ 220 → 4e-9.
  EXPECT_LT(((after.position - before.position) / (2 * step) - body.velocity_at(time)).norm(), 1e-8);
  const Matrix3 spin =
      (after.orientation - before.orientation) / (2 * step) * body.pose_at(time).orientation.transpose();
  EXPECT_LT((Vector3(spin(2, 1), spin(0, 2), spin(1, 0)) - body.angular_velocity_at(time)).norm(), 1e-8);
}

TEST(SolidInertia, OfAMeshIsThatOfTheBoxItDescribes) {
  const Vector3 half(0.2, 0.5, 0.3);
  const Matrix3 expected = solid_inertia(box(half), 2.5);
  EXPECT_NEAR(expected(0, 0), 2.5 / 12 * (1.0 * 1.0 + 0.6 * 0.6), 1e-15);
  EXPECT_LT((solid_inertia(mesh_shape(surface_of(box(half))), 2.5) - expected).norm(), 1e-15);
}

TEST(SolidInertia, OfAMeshAwayFromTheOriginFollowsSteiner) {
  TriangleMesh mesh = surface_of(box({0.2, 0.5, 0.3}));
  const Vector3 shift(1, -2, 0.5);
  mesh.positions.rowwise() += shift.transpose();
  const Matrix3 steiner = 2.5 * (shift.squaredNorm() * Matrix3::Identity() - shift * shift.transpose());
  EXPECT_LT((solid_inertia(mesh_shape(mesh), 2.5) - solid_inertia(box({0.2, 0.5, 0.3}), 2.5) - steiner).norm(), 1e-13);
}

TEST(SolidInertia, OfBallsAndCapsulesIsTheIntegralOverTheirPoints) {
  for (const Shape& shape : {sphere(0.7), capsule(0.4, 0.9)}) {
    const double size = shape.radius + shape.half_length;
    Matrix3 sum = Matrix3::Zero();
    int inside = 0;
    for (int k = 0; k < 400000; ++k) {
      const Vector3 x = sample(k, size);
      Vector3 closest, normal;
      if (signed_distance(shape, x, closest, normal) > 0) continue;
      sum += x.squaredNorm() * Matrix3::Identity() - x * x.transpose();
      ++inside;
    }
    const Matrix3 expected = solid_inertia(shape, 3.0);
    // A low-discrepancy sequence of n points: error a few log³n/n; Monte Carlo would give 1/√(n·share) = 3e-3.
    EXPECT_LT((3.0 / inside * sum - expected).norm(), 1e-3 * expected.norm());
  }
  EXPECT_LT((solid_inertia(capsule(0.7, 0.0), 3.0) - solid_inertia(sphere(0.7), 3.0)).norm(), 1e-15);
}

TEST(SolidInertia, RefusesAnOpenOrInvertedMesh) {
  TriangleMesh open = surface_of(box({1, 1, 1}));
  open.triangles.conservativeResize(11, 3);
  EXPECT_THAT(input_error_of([&] { solid_inertia(mesh_shape(open), 1.0); }),
              ::testing::HasSubstr("expected a closed surface"));
  TriangleMesh inverted = surface_of(box({1, 1, 1}));
  inverted.triangles.col(0).swap(inverted.triangles.col(1));
  EXPECT_THAT(input_error_of([&] { solid_inertia(mesh_shape(inverted), 1.0); }), ::testing::HasSubstr("wound outward"));
}

TEST(SurfaceOf, IsClosedWoundOutwardAndOnTheShape) {
  const Shape shapes[] = {sphere(0.7), capsule(0.4, 0.9), box({0.2, 0.5, 0.3})};
  const double volumes[] = {4.0 / 3 * pi * 0.343, 4.0 / 3 * pi * 0.064 + pi * 0.16 * 1.8, 8 * 0.2 * 0.5 * 0.3};
  for (int k = 0; k < 3; ++k) {
    const TriangleMesh surface = surface_of(shapes[k]);
    EXPECT_NO_THROW(require_closed_surface(surface));
    const double volume = enclosed_volume(surface);
    EXPECT_LE(volume, volumes[k] * (1 + 1e-12));
    EXPECT_GE(volume, volumes[k] * (k == 2 ? 1 - 1e-12 : 0.98));  // 32 corners around: 1 − sin(2π/32)/(2π/32) = 0.6 %
    for (Eigen::Index v = 0; v < surface.vertex_count(); ++v) {
      Vector3 closest, normal;
      EXPECT_NEAR(signed_distance(shapes[k], surface.positions.row(v), closest, normal), 0, 1e-15);
    }
  }
}

/// Every vertex of a fine grid on the surface is a candidate; the nearest candidate bounds the distance from above.
TEST(SignedDistance, IsThatOfTheNearestOfManySurfacePoints) {
  for (const Shape& shape : {sphere(0.7), capsule(0.4, 0.9), box({0.2, 0.5, 0.3}), mesh_shape(dented_ball())}) {
    const TriangleMesh surface = surface_of(shape);
    const int fine = 12;  // points along an edge
    for (int k = 0; k < 40; ++k) {
      const Vector3 point = sample(k, 1.5);
      Vector3 closest, normal;
      const double distance = signed_distance(shape, point, closest, normal);
      double least = 1e9, longest = 0;
      for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
        const Vector3 a = surface.positions.row(surface.triangles(t, 0)),
                      b = surface.positions.row(surface.triangles(t, 1)),
                      c = surface.positions.row(surface.triangles(t, 2));
        longest = std::max({longest, (b - a).norm(), (c - a).norm(), (c - b).norm()});
        for (int i = 0; i <= fine; ++i)
          for (int j = 0; i + j <= fine; ++j)
            least = std::min(least, (point - a - double(i) / fine * (b - a) - double(j) / fine * (c - a)).norm());
      }
      // A sample is at most one spacing from the closest point; the tessellation at most its sagitta
      // r(1 − cos(π/32)) along both directions of a quad.
      const double spacing = longest / fine, sagitta = 2 * shape.radius * (1 - std::cos(pi / 32)) + 1e-14;
      EXPECT_LE(std::abs(distance), least + sagitta);
      EXPECT_GE(std::abs(distance), std::sqrt(std::max(0.0, least * least - spacing * spacing)) - spacing - sagitta);
      EXPECT_NEAR((point - closest).norm(), std::abs(distance), 1e-14);
      EXPECT_LT((point - closest - distance * normal).norm(), 1e-9);
      EXPECT_NEAR(normal.norm(), 1, 1e-14);
    }
  }
}

TEST(SignedDistance, OfABoxIsExactAtFacesEdgesAndCorners) {
  const Shape shape = box({1, 2, 3});
  const auto distance = [&](const Vector3& point, const Vector3& expected_closest) {
    Vector3 closest, normal;
    const double d = signed_distance(shape, point, closest, normal);
    EXPECT_EQ(closest, expected_closest);
    EXPECT_LT((d * normal - (point - closest)).norm(), 1e-15);
    return d;
  };
  EXPECT_EQ(distance({3, 1, 1}, {1, 1, 1}), 2);
  EXPECT_EQ(distance({1 + 3, 2 + 4, 0}, {1, 2, 0}), 5);
  EXPECT_EQ(distance({-1 - 2, -2 - 3, -3 - 6}, {-1, -2, -3}), 7);
  EXPECT_EQ(distance({0.75, 1, 1}, {1, 1, 1}), -0.25);
  EXPECT_EQ(distance({-0.5, -1.75, 0}, {-0.5, -2, 0}), -0.25);
  EXPECT_EQ(distance({0, 0, -2.5}, {0, 0, -3}), -0.5);
}

TEST(SignedDistance, HasTheSignOfTheWindingNumber) {
  const Shape shape = mesh_shape(dented_ball());
  int inside = 0;
  for (int k = 0; k < 300; ++k) {
    const Vector3 point = sample(k, 1.2);
    Vector3 closest, normal;
    const bool is_inside = winding(shape.mesh, point) > 0.5;
    EXPECT_EQ(signed_distance(shape, point, closest, normal) < 0, is_inside) << point.transpose();
    inside += is_inside;
  }
  EXPECT_GT(inside, 50);
}

TEST(SignedDistance, OfAnOpenMeshTellsFrontFromBack) {
  TriangleMesh sheet;
  sheet.positions.resize(4, 3);
  sheet.positions << 0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, -1;
  sheet.triangles.resize(2, 3);
  sheet.triangles << 0, 1, 2, 0, 2, 3;  // normal +y
  Vector3 closest, normal;
  EXPECT_EQ(signed_distance(mesh_shape(sheet), {0.5, 0.25, -0.25}, closest, normal), 0.25);
  EXPECT_EQ(signed_distance(mesh_shape(sheet), {0.5, -0.25, -0.25}, closest, normal), -0.25);
  EXPECT_EQ(normal, Vector3(0, 1, 0));
}

}  // namespace
}  // namespace deformbench::model
