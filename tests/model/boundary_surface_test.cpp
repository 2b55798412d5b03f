// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/boundary_surface.hpp"

#include "methods/model/disjoint_sets.hpp"
#include "methods/model/mesh_checks.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

TEST(BoundarySurface, OfOneTetrahedronIsItsFourFacesOutward) {
  const BoundarySurface boundary = boundary_surface(unit_tetrahedron());
  EXPECT_EQ(boundary.surface.triangle_count(), 4);
  EXPECT_NEAR(enclosed_volume(boundary.surface), 1.0 / 6, 1e-16);
  EXPECT_NO_THROW(require_closed_surface(boundary.surface));
}

TEST(BoundarySurface, LeavesOutTheFaceBetweenTwoTetrahedra) {
  TetMesh mesh = unit_tetrahedron();
  mesh.rest_positions.conservativeResize(5, 3);
  mesh.rest_positions.row(4) << 1, 1, 1;
  mesh.tetrahedra.conservativeResize(2, 4);
  mesh.tetrahedra.row(1) << 1, 2, 3, 4;
  const Triangles triangles = boundary_triangles(mesh);
  EXPECT_EQ(triangles.rows(), 6);
  for (Eigen::Index t = 0; t < 6; ++t)
    EXPECT_FALSE(triangles.row(t).minCoeff() == 1 && triangles.row(t).maxCoeff() == 3);
  EXPECT_THAT(boundary_triangle_elements(mesh.tetrahedra), ::testing::ElementsAre(0, 0, 0, 1, 1, 1));
}

TEST(BoundarySurface, EnclosesTheVolumeOfTheElements) {
  const TetMesh mesh = irregular_mesh();
  const BoundarySurface boundary = boundary_surface(mesh);
  const double volume = total_volume(mesh, mesh.rest_positions);
  EXPECT_NEAR(enclosed_volume(boundary.surface), volume, 1e-13 * volume);
}

TEST(BoundarySurface, LeavesOutInnerVerticesAndKeepsTheirNumbers) {
  const TetMesh mesh = make_block({3, 3, 3}, {0, 0, 0}, {1, 1, 1}, BlockSplit::KuhnSix);
  const BoundarySurface boundary = boundary_surface(mesh);
  EXPECT_EQ(boundary.mesh_vertex.size(), 64u - 8u);
  EXPECT_EQ(boundary.mesh_vertex, boundary_vertices(mesh));
  for (std::size_t v = 0; v < boundary.mesh_vertex.size(); ++v) {
    EXPECT_EQ(boundary.surface.positions.row(Eigen::Index(v)), mesh.rest_positions.row(boundary.mesh_vertex[v]));
  }
}

TEST(BoundarySurface, PicksTheTrianglesOfOneFaceOfABlock) {
  const TetMesh mesh = make_block({2, 3, 4}, {0, 0, 0}, {2, 3, 4}, BlockSplit::AlternatingFive);
  EXPECT_EQ(boundary_triangles_on_plane(mesh, 0, 2.0, 1e-9).rows(), 2 * 3 * 4);
  EXPECT_EQ(boundary_triangles_on_plane(mesh, 0, 1.0, 1e-9).rows(), 0);
}

TEST(FaceConnectedParts, AreHeldTogetherByFacesNotByEdgesOrVertices) {
  Tetrahedra tetrahedra(1, 4);
  tetrahedra << 0, 1, 2, 3;
  EXPECT_EQ(face_connected_parts(tetrahedra), 1);
  Tetrahedra three(3, 4);
  three << 0, 1, 2, 3, /**/ 2, 3, 4, 5, /**/ 3, 2, 1, 6;  // the second has an edge of the first, the third a face
  EXPECT_EQ(face_connected_parts(three), 2);
  EXPECT_EQ(face_connected_parts(make_block({3, 2, 2}, {0, 0, 0}, {1, 1, 1}, BlockSplit::KuhnSix).tetrahedra), 1);
  EXPECT_EQ(face_connected_parts(Tetrahedra(0, 4)), 0);
}

TEST(DisjointSets, AreKnownByTheirSmallestMemberInWhateverOrderTheyAreUnited) {
  DisjointSets sets(7);
  EXPECT_TRUE(sets.unite(6, 4));
  EXPECT_TRUE(sets.unite(5, 3));
  EXPECT_TRUE(sets.unite(4, 5));
  EXPECT_FALSE(sets.unite(6, 3));
  EXPECT_TRUE(sets.unite(0, 2));
  const std::vector<int> expected{0, 1, 0, 3, 3, 3, 3};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(sets.root(i), expected[std::size_t(i)]) << i;
}

}  // namespace
}  // namespace deformbench::model
