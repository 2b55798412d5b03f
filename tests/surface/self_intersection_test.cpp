// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/self_intersection.hpp"

#include <gtest/gtest.h>

#include "methods/surface/overlap.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using surface_test::join;
using surface_test::sphere;

TEST(SelfIntersection, AConvexSurfaceHasNone) {
  EXPECT_TRUE(self_intersections(sphere({1, 2, 3}, 0.7, 4)).empty());
}

TEST(SelfIntersection, GridFindsThePairsThatBruteForceFinds) {
  const auto mesh = join(sphere({0, 0, 0}, 1.0, 3), sphere({0.71, 0.33, 0.12}, 0.8, 3));
  std::vector<std::array<int, 2>> expected;
  for (int a = 0; a < mesh.triangle_count(); ++a) {
    for (int b = a + 1; b < mesh.triangle_count(); ++b) {
      if (triangles_intersect(mesh, a, b)) expected.push_back({a, b});
    }
  }
  EXPECT_GT(expected.size(), 50u);  // the circle in which the spheres meet crosses about this many triangles
  EXPECT_EQ(self_intersections(mesh, 100000), expected);
}

TEST(SelfIntersection, ATriangleThatIsOnlyTouchedCounts) {
  model::TriangleMesh mesh;
  mesh.positions.resize(6, 3);
  mesh.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0, 0.2, 0.2, 1, 0.8, 0.8, 1;  // a corner in the other's plane
  mesh.triangles.resize(2, 3);
  mesh.triangles << 0, 1, 2, 3, 4, 5;
  EXPECT_TRUE(triangles_intersect(mesh, 0, 1));
  mesh.positions(3, 2) = 1e-9;
  EXPECT_FALSE(triangles_intersect(mesh, 0, 1));
}

TEST(SelfIntersection, NeighboursFoldedOntoEachOtherCount) {
  model::TriangleMesh mesh;
  mesh.positions.resize(4, 3);
  mesh.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, 0.6, 0;
  mesh.triangles.resize(2, 3);
  mesh.triangles << 0, 1, 2, 1, 0, 3;
  EXPECT_TRUE(triangles_intersect(mesh, 0, 1));
  mesh.positions(3, 2) = 0.01;
  EXPECT_FALSE(triangles_intersect(mesh, 0, 1));
}

TEST(Overlap, ATriangleThatPassesTheCornerOfABoxIsTold) {
  // The plane x + y + z = s passes the corner (1,1,1) of the box [−1,1]³ at s = 3.
  const auto plane = [](double s) { return TriangleCorners{Vector3(s, 0, 0), Vector3(0, s, 0), Vector3(0, 0, s)}; };
  EXPECT_TRUE(triangle_overlaps_box(plane(2.99), Vector3::Zero(), 1.0, 0.0));
  EXPECT_FALSE(triangle_overlaps_box(plane(3.01), Vector3::Zero(), 1.0, 0.0));
  // An edge past an edge of the box: only a cross product of edges separates them.
  const TriangleCorners slanted{Vector3(2.2, 0, 0.3), Vector3(0, 2.2, -0.3), Vector3(3, 3, 0)};
  EXPECT_FALSE(triangle_overlaps_box(slanted, Vector3::Zero(), 1.0, 0.0));
  EXPECT_TRUE(triangle_overlaps_box(slanted, Vector3::Zero(), 1.15, 0.0));
}

TEST(Overlap, ATriangleAndATetrahedronMeetWhereTheySharePoints) {
  const TetCorners tet{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)};
  const auto plane = [](double s) { return TriangleCorners{Vector3(s, 0, 0), Vector3(0, s, 0), Vector3(0, 0, s)}; };
  EXPECT_TRUE(triangle_overlaps_tetrahedron(plane(1.0), tet, 0.0));
  EXPECT_FALSE(triangle_overlaps_tetrahedron(plane(1.001), tet, 0.0));
  EXPECT_TRUE(triangle_overlaps_tetrahedron(plane(1.001), tet, 0.01));
  EXPECT_TRUE(triangle_overlaps_tetrahedron({Vector3(0.1, 0.1, 0.1), Vector3(0.2, 0.1, 0.1), Vector3(0.1, 0.2, 0.1)},
                                            tet, 0.0));
}

}  // namespace
}  // namespace deformbench::surface
