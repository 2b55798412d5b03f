// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/mesh_checks.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> kinds_of(const std::vector<Finding>& findings) {
  std::vector<std::string> kinds;
  for (const Finding& finding : findings) kinds.push_back(name_of(finding.kind));
  return kinds;
}

/// Two unit tetrahedra, the second mirrored at the origin, joined at the origin only.
TriangleMesh two_surfaces_touching_in_a_vertex() {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.positions.conservativeResize(7, 3);
  mesh.positions.bottomRows(3) << -1, 0, 0, 0, -1, 0, 0, 0, -1;
  mesh.triangles.conservativeResize(8, 3);
  mesh.triangles.bottomRows(4) << 0, 4, 5, 0, 6, 4, 0, 5, 6, 4, 6, 5;
  return mesh;
}

TetMesh two_tetrahedra(const Vector3& fourth, const Vector3& fifth, const Eigen::RowVector4i& second) {
  TetMesh mesh = unit_tetrahedron();
  mesh.rest_positions.conservativeResize(6, 3);
  mesh.rest_positions.row(4) = fourth;
  mesh.rest_positions.row(5) = fifth;
  mesh.tetrahedra.conservativeResize(2, 4);
  mesh.tetrahedra.row(1) = second;
  return mesh;
}

TEST(MeshChecks, FindNothingWrongWithSoundMeshes) {
  EXPECT_THAT(find_problems(irregular_mesh()), IsEmpty());
  EXPECT_THAT(find_problems(boundary_surface(irregular_mesh()).surface), IsEmpty());
}

TEST(MeshChecks, NameAnInvertedElement) {
  TetMesh mesh = make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  std::swap(mesh.tetrahedra(3, 1), mesh.tetrahedra(3, 2));
  const auto findings = find_problems(mesh);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, FindingKind::InvertedElement);
  EXPECT_THAT(findings[0].elements, ElementsAre(3));
  EXPECT_THAT(findings[0].message, HasSubstr("tetrahedron 3 ("));
  EXPECT_THAT(findings[0].message, HasSubstr("is inverted: volume -0.167 m³, expected a positive volume"));
}

TEST(MeshChecks, CallAFlatElementDegenerateAtEveryScale) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    TetMesh mesh = unit_tetrahedron();
    mesh.rest_positions *= scale;
    EXPECT_THAT(find_problems(mesh), IsEmpty());
    mesh.rest_positions.row(3) << 0.3 * scale, 0.3 * scale, 1e-14 * scale;
    EXPECT_THAT(kinds_of(find_problems(mesh)), ElementsAre("degenerate_element"));
  }
  TetMesh repeated = unit_tetrahedron();
  repeated.tetrahedra << 0, 1, 2, 2;
  EXPECT_THAT(find_problems(repeated)[0].message, HasSubstr("tetrahedron 0 has a vertex twice (0, 1, 2, 2)"));
}

TEST(MeshChecks, NameVerticesThatAreNotThereOrNowhere) {
  TetMesh mesh = unit_tetrahedron();
  mesh.tetrahedra(0, 2) = 4;
  EXPECT_EQ(find_problems(mesh)[0].message, "tetrahedron 0 has vertex 4, expected 0 … 3");
  mesh.tetrahedra(0, 2) = -1;
  EXPECT_EQ(find_problems(mesh)[0].kind, FindingKind::IndexOutOfRange);
  mesh = unit_tetrahedron();
  mesh.rest_positions(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(find_problems(mesh)[0].message, HasSubstr("vertex 1 is at (1, nan, 0), expected finite"));
}

TEST(MeshChecks, NameUnreferencedVerticesAndRemoveThem) {
  TetMesh mesh = unit_tetrahedron();
  mesh.rest_positions.resize(5, 3);
  mesh.rest_positions << 0, 0, 0, 9, 9, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.tetrahedra << 0, 2, 3, 4;
  EXPECT_THAT(kinds_of(find_problems(mesh)), ElementsAre("unreferenced_vertex"));
  EXPECT_EQ(find_problems(mesh)[0].message, "vertex 1 is in no tetrahedron, expected at least one");
  const TetMesh compact = without_unreferenced_vertices(mesh);
  EXPECT_EQ(compact.rest_positions, unit_tetrahedron().rest_positions);
  EXPECT_EQ(compact.tetrahedra, unit_tetrahedron().tetrahedra);
}

TEST(MeshChecks, NameDuplicatesByTheLaterElement) {
  TetMesh mesh = unit_tetrahedron();
  mesh.tetrahedra.conservativeResize(2, 4);
  mesh.tetrahedra.row(1) << 1, 2, 0, 3;
  EXPECT_EQ(find_problems(mesh)[0].kind, FindingKind::DuplicateElement);
  MeshSource source{"twice.mesh", {1, 2, 3, 4}, {5, 6}, ""};
  EXPECT_THAT(input_error_of([&] { require_simulatable(mesh, source); }),
              HasSubstr("twice.mesh:6: tetrahedron 1 has the same vertices as tetrahedron 0 (1, 2, 0, 3)"));
}

TEST(MeshChecks, NameElementsThatOverlapOnOneSideOfAFace) {
  // Both on the inner side of the slanted face 1–2–3.
  const TetMesh mesh = two_tetrahedra({0.1, 0.1, 0.1}, {5, 5, 5}, {4, 1, 2, 3});
  const auto findings = find_problems(mesh);
  EXPECT_THAT(kinds_of(findings), ElementsAre("unreferenced_vertex", "overlapping_face"));
  EXPECT_EQ(findings[1].message,
            "face 1–2–3 is in tetrahedra 0, 1 on the same side, expected at most one on each side");
}

TEST(MeshChecks, NameHingesOfASolidButLetThemBeSimulated) {
  const TetMesh edge = two_tetrahedra({-1, -1, 0}, {-1, 0, 0}, {0, 3, 4, 5});
  EXPECT_THAT(kinds_of(find_problems(edge)), ::testing::Contains("non_manifold_edge"));
  TetMesh upright = edge;
  if (tetrahedron_volume(edge, edge.rest_positions, 1) < 0)
    std::swap(upright.tetrahedra(1, 2), upright.tetrahedra(1, 3));
  EXPECT_THAT(find_problems(upright)[0].message,
              HasSubstr("boundary edge 0–3 is in 4 boundary triangles (of tetrahedra 0, 0, 1, 1), expected two"));
  EXPECT_NO_THROW(require_simulatable(upright));
}

TEST(MeshChecks, RefuseAMeshWithoutElements) {
  EXPECT_EQ(input_error_of([] { require_simulatable(TetMesh{}, {.file = "a.mesh"}); }),
            "a.mesh: the mesh has no tetrahedra, expected at least one");
  EXPECT_EQ(input_error_of([] { require_closed_surface(TriangleMesh{}); }),
            "the surface has no triangles, expected at least four");
}

TEST(SurfaceChecks, NameAnOpenEdge) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.triangles.conservativeResize(3, 3);
  EXPECT_THAT(kinds_of(find_problems(mesh)), ElementsAre("open_edge", "open_edge", "open_edge"));
  MeshSource source{"open.obj", {}, {11, 12, 13}, ""};
  EXPECT_EQ(input_error_of([&] { require_closed_surface(mesh, source); }),
            "open.obj:11: edge 1–2 is in triangle 0 only, expected two (a closed surface) (and 2 more problems)");
}

TEST(SurfaceChecks, NameANonManifoldEdge) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.positions.conservativeResize(5, 3);
  mesh.positions.row(4) << 0, -1, -1;
  mesh.triangles.conservativeResize(5, 3);
  mesh.triangles.row(4) << 0, 1, 4;
  const auto findings = find_problems(mesh);
  EXPECT_THAT(kinds_of(findings), ElementsAre("non_manifold_edge", "open_edge", "open_edge"));
  EXPECT_EQ(findings[0].message, "edge 0–1 is in 3 triangles (0, 1, 4), expected two");
}

TEST(SurfaceChecks, NameATriangleTurnedOver) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  std::swap(mesh.triangles(3, 0), mesh.triangles(3, 1));
  EXPECT_THAT(kinds_of(find_problems(mesh)),
              ElementsAre("inconsistent_orientation", "inconsistent_orientation", "inconsistent_orientation"));
  EXPECT_THAT(find_problems(mesh)[0].message, HasSubstr("triangles 0 and 3 both run through edge 1–2 in the same"));
}

TEST(SurfaceChecks, NameASurfaceThatIsInsideOut) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.triangles.col(0).swap(mesh.triangles.col(1));
  EXPECT_THAT(kinds_of(find_problems(mesh)), ElementsAre("inside_out"));
  EXPECT_THAT(input_error_of([&] { require_closed_surface(mesh, {.file = "in.stl"}); }),
              HasSubstr("in.stl: the surface is inside out: it encloses -0.167 m³"));
}

TEST(SurfaceChecks, NameASurfaceWithoutVolume) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.positions.row(3) << 0.25, 0.25, 0;
  EXPECT_THAT(kinds_of(find_problems(mesh)), ElementsAre("no_volume"));
  EXPECT_THAT(
      input_error_of([&] { require_closed_surface(mesh, {.file = "flat.off"}); }),
      HasSubstr("flat.off: the surface encloses no volume: 0 m³ at an area of 1 m², expected a positive volume"));
  mesh.positions.col(1).setZero();
  EXPECT_THAT(kinds_of(find_problems(mesh)), ::testing::Contains("no_volume"));
}

TEST(SurfaceChecks, TakeNoLongerForAVertexOfManyTriangles) {
  constexpr int kCount = 60'000;  // a double cone; comparing every pair of triangles at its tips took a minute
  TriangleMesh cone;
  cone.positions.resize(kCount + 2, 3);
  cone.triangles.resize(2 * kCount, 3);
  for (int i = 0; i < kCount; ++i) {
    const double angle = 6.283185307179586 * i / kCount;
    cone.positions.row(i) << std::cos(angle), std::sin(angle), 0;
    cone.triangles.row(i) << i, (i + 1) % kCount, kCount;
    cone.triangles.row(kCount + i) << (i + 1) % kCount, i, kCount + 1;
  }
  cone.positions.bottomRows(2) << 0, 0, 1, 0, 0, -1;
  const std::clock_t start = std::clock();
  EXPECT_TRUE(find_problems(cone).empty());
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 5.0);
}

TEST(SurfaceChecks, NameDegenerateDuplicateAndMissingVertices) {
  TriangleMesh mesh = unit_tetrahedron_surface();
  mesh.positions.row(1) << 0, 0.5, 0;  // on the edge 0–2
  EXPECT_THAT(kinds_of(find_problems(mesh)), ::testing::Contains("degenerate_element"));
  mesh = unit_tetrahedron_surface();
  mesh.triangles.conservativeResize(5, 3);
  mesh.triangles.row(4) = mesh.triangles.row(0);
  EXPECT_THAT(kinds_of(find_problems(mesh)), ::testing::Contains("duplicate_element"));
  mesh = unit_tetrahedron_surface();
  mesh.triangles(1, 1) = 7;
  EXPECT_EQ(find_problems(mesh)[0].message, "triangle 1 has vertex 7, expected 0 … 3");
}

TEST(VertexFans, AreNamedWhereTheyShareAVertex) {
  const auto findings = find_problems(two_surfaces_touching_in_a_vertex());
  EXPECT_THAT(kinds_of(findings), ElementsAre("shared_fan_vertex"));
  EXPECT_EQ(findings[0].message, "vertex 0 is shared by 2 fans of triangles (with triangles 0, 4), expected one fan");
}

TEST(VertexFans, AreSplitIntoClosedSurfacesOfTheSameShape) {
  const TriangleMesh mesh = two_surfaces_touching_in_a_vertex();
  const FanSplit split = split_vertex_fans(mesh, FanPolicy::Split, {.file = "two.obj"});
  EXPECT_THAT(split.split_vertices, ElementsAre(0));
  EXPECT_THAT(split.original_vertex, ElementsAre(0, 1, 2, 3, 4, 5, 6, 0));
  EXPECT_EQ(split.warning, "two.obj: vertex 0 is shared by several fans of triangles: split, one copy a fan");
  EXPECT_NO_THROW(require_closed_surface(split.mesh));
  EXPECT_NEAR(enclosed_volume(split.mesh), 2.0 / 6, 1e-15);
  for (Eigen::Index i = 0; i < mesh.triangles.size(); ++i) {
    EXPECT_EQ(split.mesh.positions.row(split.mesh.triangles.data()[i]), mesh.positions.row(mesh.triangles.data()[i]));
  }
}

TEST(VertexFans, AreRefusedUnderTheStrictPolicy) {
  MeshSource source{"two.obj", {1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}, ""};
  EXPECT_EQ(input_error_of([&] { split_vertex_fans(two_surfaces_touching_in_a_vertex(), FanPolicy::Refuse, source); }),
            "two.obj:1: vertex 0 is shared by 2 fans of triangles (with triangles 0, 4), expected one fan");
}

TEST(VertexFans, LeaveAManifoldSurfaceAlone) {
  const TriangleMesh mesh = boundary_surface(irregular_mesh()).surface;
  const FanSplit split = split_vertex_fans(mesh, FanPolicy::Refuse);
  EXPECT_EQ(split.mesh.triangles, mesh.triangles);
  EXPECT_EQ(split.warning, "");
}

// Real models are other people's data and not in the tree: the folder is named by the user.
TEST(RealModels, CowAndDragonAreClosedOnceTheCowsSharedVertexIsSplit) {
  const char* folder = std::getenv("DEFORMBENCH_MODELS");
  if (!folder) GTEST_SKIP() << "DEFORMBENCH_MODELS names no folder of models";
  const TriangleMeshFile cow = read_triangle_mesh(std::string(folder) + "/cow.obj");
  EXPECT_EQ(cow.mesh.triangle_count(), 5804);
  EXPECT_THAT(kinds_of(find_problems(cow.mesh)), ElementsAre("shared_fan_vertex"));
  const FanSplit split = split_vertex_fans(cow.mesh, FanPolicy::Split, cow.source);
  EXPECT_EQ(split.split_vertices.size(), 1u);
  EXPECT_NO_THROW(require_closed_surface(split.mesh, cow.source));
  const TriangleMeshFile dragon = read_triangle_mesh(std::string(folder) + "/dragon_10k.obj");
  EXPECT_EQ(dragon.mesh.triangle_count(), 9998);
  EXPECT_NO_THROW(require_closed_surface(dragon.mesh, dragon.source));
}

}  // namespace
}  // namespace deformbench::model
