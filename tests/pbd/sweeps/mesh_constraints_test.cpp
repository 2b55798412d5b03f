// SPDX-License-Identifier: BSD-3-Clause
// Which constraints a cloth has. [MHHR07] §4.1, §4.4
#include "methods/pbd/sweeps/mesh_constraints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

model::ClothMesh mesh_of(std::vector<Vector3> points, std::vector<std::array<int, 3>> triangles) {
  model::ClothMesh cloth;
  cloth.rest_positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t k = 0; k < points.size(); ++k) cloth.rest_positions.row(Eigen::Index(k)) = points[k];
  cloth.triangles.resize(Eigen::Index(triangles.size()), 3);
  for (std::size_t k = 0; k < triangles.size(); ++k)
    cloth.triangles.row(Eigen::Index(k)) << triangles[k][0], triangles[k][1], triangles[k][2];
  return cloth;
}

const std::vector<Vector3> kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

std::string refusal_of(const model::ClothMesh& cloth) {
  try {
    build_mesh_constraints(cloth);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshConstraints, SquareHasOneStretchAnEdgeAndOneBendAnInnerEdge) {
  for (const int n : {2, 5, 20}) {
    const MeshConstraints c = build_mesh_constraints(square_cloth(n, 0.1));
    EXPECT_EQ(c.stretch.size(), std::size_t(3 * n * n - 4 * n + 1));
    EXPECT_EQ(c.bend.size(), c.stretch.size() - std::size_t(4 * (n - 1)));
    EXPECT_TRUE(c.volume.empty());
    for (const BendConstraint& b : c.bend) EXPECT_NEAR(b.rest_angle, 0.0, 1e-15);
  }
}

TEST(MeshConstraints, AreListedBySpanThenByFirstVertex) {
  const MeshConstraints c = build_mesh_constraints(square_cloth(6, 0.1));
  const auto key = [](int a, int b) { return std::pair(b - a, a); };
  for (std::size_t k = 1; k < c.stretch.size(); ++k)
    EXPECT_LT(key(c.stretch[k - 1].a, c.stretch[k - 1].b), key(c.stretch[k].a, c.stretch[k].b));
  for (std::size_t k = 1; k < c.bend.size(); ++k)
    EXPECT_LT(key(c.bend[k - 1].vertices[0], c.bend[k - 1].vertices[1]),
              key(c.bend[k].vertices[0], c.bend[k].vertices[1]));
}

TEST(MeshConstraints, BendOfATetrahedronHasTheAngleOfItsFaces) {
  const MeshConstraints c = build_mesh_constraints(mesh_of(kCorners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
  ASSERT_EQ(c.bend.size(), 6u);
  for (const BendConstraint& b : c.bend) {
    // Outward normals turn by π − (inner angle); those at the corner of the cube by π/2, those of the slanted face by π
    // − acos(1/√3).
    const bool is_at_corner = b.vertices[0] == 0;
    EXPECT_NEAR(std::abs(b.rest_angle), is_at_corner ? M_PI / 2 : M_PI - std::acos(1 / std::sqrt(3.0)), 1e-14);
  }
}

TEST(MeshConstraints, EveryClosedComponentHasItsVolumeSixTimes) {
  std::vector<Vector3> points = kCorners;
  std::vector<std::array<int, 3>> triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (const Vector3& p : kCorners) points.push_back(2.0 * p + Vector3(5, 6, 7));
  for (int t = 0; t < 4; ++t)
    triangles.push_back(
        {triangles[std::size_t(t)][0] + 4, triangles[std::size_t(t)][1] + 4, triangles[std::size_t(t)][2] + 4});
  for (const Vector3& p : kCorners) points.push_back(p - Vector3(3, 0, 0));
  triangles.push_back({8, 9, 10});  // open; vertex 11 is of no triangle
  const MeshConstraints c = build_mesh_constraints(mesh_of(points, triangles));
  ASSERT_EQ(c.volume.size(), 2u);
  EXPECT_NEAR(c.volume[0].rest_sum, 1.0, 1e-14);  // 6 V of the unit tetrahedron (B-PBD-4)
  EXPECT_NEAR(c.volume[1].rest_sum, 8.0, 8e-13);  // a sum of terms of some 8 · 7³
  EXPECT_THAT(c.volume[0].vertices, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(c.volume[1].vertices, testing::ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(c.volume[1].triangles.rows(), 4);
}

TEST(MeshConstraints, RefusesWhatIsNoManifoldClothAndNamesIt) {
  std::vector<Vector3> points = kCorners;
  points.push_back({0, -1, 0});
  EXPECT_THAT(refusal_of(mesh_of(points, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}})),
              testing::AllOf(testing::HasSubstr("edge (0, 1)"), testing::HasSubstr("3 triangles")));
  EXPECT_THAT(refusal_of(mesh_of(points, {{0, 1, 2}, {0, 1, 3}})),
              testing::AllOf(testing::HasSubstr("edge (0, 1)"), testing::HasSubstr("same direction")));
  EXPECT_THAT(refusal_of(mesh_of(points, {{0, 1, 2}, {0, 2, 4}})),
              testing::AllOf(testing::HasSubstr("triangle 1"), testing::HasSubstr("no area")));
  EXPECT_THAT(refusal_of(mesh_of(points, {{0, 1, 5}})), testing::HasSubstr("names vertex 5, expected 0 to 4"));
  EXPECT_THAT(refusal_of(mesh_of(points, {{0, 1, 2}, {1, 0, 2}})), testing::HasSubstr("are the same"));
}

}  // namespace
}  // namespace deformbench::pbd
