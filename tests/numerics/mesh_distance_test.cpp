// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/mesh_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "methods/model/error.hpp"
#include "tests/numerics/sample_surfaces.hpp"

namespace deformbench::numerics {
namespace {

TEST(MeshDistance, IsThatOfLookingAtEveryTriangle) {
  RandomStream random(3);
  for (const model::TriangleMesh& mesh : {dented_ball(), terrain(12)}) {
    const MeshDistance tree(mesh);
    const model::Shape shape = mesh_shape(mesh);
    for (int k = 0; k < 500; ++k) {
      const Vector3 point = random_in_cube(random, 1.6);
      Vector3 closest, normal;
      const double distance = model::signed_distance(shape, point, closest, normal);
      const auto nearest = tree.nearest(point);
      ASSERT_TRUE(nearest);
      EXPECT_NEAR(nearest->distance, distance, 1e-14);
      EXPECT_LT((nearest->closest - closest).norm(), 1e-13);
      EXPECT_LT((nearest->normal - normal).norm(), 1e-12);
      EXPECT_NEAR(tree.nearest(point, 1e9, k % int(mesh.triangle_count()))->distance, distance, 1e-14);
      EXPECT_EQ(tree.nearest(point, std::abs(distance) * 0.999).has_value(), false);
      EXPECT_EQ(tree.nearest(point, std::abs(distance) * 1.001).has_value(), true);
    }
  }
}

TEST(MeshDistance, OnTheSurfaceHasTheNormalOfTheSurface) {
  const model::TriangleMesh mesh = model::surface_of(box({1, 2, 3}));
  const MeshDistance tree(mesh);
  const auto at = [&](const Vector3& point) { return tree.nearest(point)->normal; };
  EXPECT_LT((at({1, 0.3, 0.4}) - Vector3(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((at({1, 2, 0.4}) - Vector3(1, 1, 0).normalized()).norm(), 1e-15);
  EXPECT_LT((at({-1, 2, -3}) - Vector3(-1, 1, -1).normalized()).norm(), 1e-15);  // weighted by angle, not by triangle
}

TEST(MeshDistance, KnowsOpenFromClosedAndTheBorder) {
  EXPECT_TRUE(MeshDistance(dented_ball()).is_closed());
  const MeshDistance hills(terrain(6));
  EXPECT_FALSE(hills.is_closed());
  EXPECT_TRUE(hills.nearest({3, 0, 0})->is_on_border);
  EXPECT_FALSE(hills.nearest({0.1, 0.5, 0.1})->is_on_border);
}

TEST(MeshDistance, EntersWhereTheFirstTriangleIsPassedFromTheFront) {
  RandomStream random(5);
  for (const model::TriangleMesh& mesh : {dented_ball(), terrain(12)}) {
    const MeshDistance tree(mesh);
    int entered = 0;
    for (int k = 0; k < 2000; ++k) {
      const Vector3 start = random_in_cube(random, 1.4);
      Vector3 end = random_in_cube(random, 1.4);
      for (int c = 0; c < 3; ++c)  // a fifth along each axis
        if (k % 5 < 3 && k % 5 != c) end[c] = start[c];
      double first = 2;
      for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {  // Möller & Trumbore
        const Vector3 a = mesh.positions.row(mesh.triangles(t, 0));
        const Vector3 e1 = mesh.positions.row(mesh.triangles(t, 1)) - a.transpose();
        const Vector3 e2 = mesh.positions.row(mesh.triangles(t, 2)) - a.transpose();
        const Vector3 way = end - start, h = way.cross(e2);
        const double determinant = e1.dot(h);
        if (determinant <= 0) continue;  // from behind
        const Vector3 s = start - a, q = s.cross(e1);
        const double u = s.dot(h) / determinant, v = way.dot(q) / determinant, time = e2.dot(q) / determinant;
        if (u >= 0 && v >= 0 && u + v <= 1 && time >= 0 && time <= 1) first = std::min(first, time);
      }
      const auto entry = tree.first_entry(start, end, 1e-9);
      ASSERT_EQ(entry.has_value(), first <= 1) << k;
      if (!entry) continue;
      ++entered;
      EXPECT_NEAR(entry->time, first, 1e-9);
      EXPECT_LT((entry->point - start - first * (end - start)).norm(), 1e-8);
      EXPECT_LT(entry->normal.dot(end - start), 0);
    }
    EXPECT_GT(entered, 200);
  }
}

TEST(MeshDistance, LetsNothingThroughBetweenTriangles) {
  const model::TriangleMesh mesh = terrain(8);
  const MeshDistance tree(mesh);
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Vector3 a = mesh.positions.row(mesh.triangles(t, k)),
                    b = mesh.positions.row(mesh.triangles(t, (k + 1) % 3));
      const Vector3 up(0.1, 1, -0.2);
      EXPECT_TRUE(tree.first_entry(a + up, a - up, 1e-9));                                  // through a vertex
      EXPECT_TRUE(tree.first_entry(0.4 * a + 0.6 * b + up, 0.4 * a + 0.6 * b - up, 1e-9));  // through an edge
      EXPECT_FALSE(tree.first_entry(a - up, a + 0.5 * up, 1e-9));                           // from behind
    }
  }
}

TEST(MeshDistance, AStartOnTheSurfaceEntersAtOnce) {
  const MeshDistance tree(terrain(8));
  const auto on_it = tree.nearest({0.3, 1, 0.2});
  for (const double above : {0.0, 1e-12, -1e-12}) {
    const Vector3 start = on_it->closest + above * on_it->normal;
    const auto entry = tree.first_entry(start, start - 0.1 * on_it->normal, 1e-9);
    ASSERT_TRUE(entry);
    EXPECT_NEAR(entry->time, 0, 1e-10);
  }
}

TEST(MeshDistance, RefusesASurfaceWithoutArea) {
  model::TriangleMesh mesh;
  mesh.positions = Points::Zero(3, 3);
  mesh.triangles.resize(1, 3);
  mesh.triangles << 0, 1, 2;
  EXPECT_THROW(MeshDistance{mesh}, InputError);
}

}  // namespace
}  // namespace deformbench::numerics
