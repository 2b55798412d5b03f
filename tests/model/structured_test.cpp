// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <set>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_checks.hpp"
#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr BlockSplit kSplits[] = {BlockSplit::AlternatingFive, BlockSplit::KuhnSix, BlockSplit::BodyCentred};

class EverySplit : public ::testing::TestWithParam<BlockSplit> {};
INSTANTIATE_TEST_SUITE_P(Structured, EverySplit, ::testing::ValuesIn(kSplits),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(EverySplit, FillsTheVolumeOfTheBlock) {
  const TetMesh mesh = make_block({5, 2, 3}, {-1, 2, 0.5}, {1, 0.3, 0.4}, GetParam());
  // A sum of up to 484 products: some hundred roundings of 1e-16.
  EXPECT_NEAR(total_volume(mesh, mesh.rest_positions), 0.12, 0.12 * 1e-13);
}

TEST_P(EverySplit, HasOnlyPositiveElementsAndNoOtherProblem) {
  EXPECT_THAT(find_problems(make_block({3, 2, 4}, {0, 0, 0}, {3, 2, 4}, GetParam())), IsEmpty());
}

TEST_P(EverySplit, HasTheBlocksFlatFacesAsBoundary) {
  const TetMesh mesh = make_block({3, 2, 2}, {0, 0, 0}, {1.5, 0.8, 0.6}, GetParam());
  double area = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double coordinate : {0.0, axis == 0 ? 1.5 : axis == 1 ? 0.8 : 0.6}) {
      const Triangles face = boundary_triangles_on_plane(mesh, axis, coordinate, 0.0);
      for (Eigen::Index t = 0; t < face.rows(); ++t) {
        const Vector3 a = mesh.rest_positions.row(face(t, 1)) - mesh.rest_positions.row(face(t, 0));
        const Vector3 b = mesh.rest_positions.row(face(t, 2)) - mesh.rest_positions.row(face(t, 0));
        const Vector3 vector_area(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
        area += vector_area.norm() / 2;
      }
    }
  }
  const double expected = 2 * (1.5 * 0.8 + 0.8 * 0.6 + 0.6 * 1.5);
  EXPECT_NEAR(area, expected, expected * 1e-14);
  EXPECT_NO_THROW(require_closed_surface(boundary_surface(mesh).surface));
}

TEST_P(EverySplit, EndsExactlyAtOriginPlusSize) {
  const TetMesh mesh = make_block({7, 3, 3}, {0, 0, 0}, {0.7, 0.1, 0.3}, GetParam());
  EXPECT_EQ(mesh.rest_positions.col(0).maxCoeff(), 0.7);
  EXPECT_EQ(mesh.rest_positions.col(1).maxCoeff(), 0.1);
  EXPECT_EQ(mesh.rest_positions.col(2).maxCoeff(), 0.3);
  EXPECT_EQ(mesh.rest_positions.minCoeff(), 0.0);
}

TEST_P(EverySplit, KeepsTheBandwidthOfALongBarBelowTwoLayers) {
  const TetMesh mesh = make_block({30, 2, 2}, {0, 0, 0}, {15, 1, 1}, GetParam());
  int bandwidth = 0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    bandwidth = std::max(bandwidth, mesh.tetrahedra.row(e).maxCoeff() - mesh.tetrahedra.row(e).minCoeff());
  }
  // A layer of corners has 9 vertices; body-centred cells add 4 centres and 8 centres of boundary faces
  // between two.
  const int layer = GetParam() == BlockSplit::BodyCentred ? 9 + 4 + 8 : 9;
  EXPECT_LT(bandwidth, 2 * layer);
}

TEST(Structured, CountsElementsAndVertices) {
  const TetMesh five = make_block({4, 1, 1}, {0, 0, 0}, {4, 1, 1}, BlockSplit::AlternatingFive);
  EXPECT_EQ(five.element_count(), 20);
  EXPECT_EQ(five.vertex_count(), 20);
  EXPECT_EQ(make_block({4, 2, 3}, {0, 0, 0}, {4, 2, 3}, BlockSplit::KuhnSix).element_count(), 6 * 24);
  const TetMesh centred = make_block({2, 2, 2}, {0, 0, 0}, {1, 1, 1}, BlockSplit::BodyCentred);
  // Four elements per face of the grid: 12 inner faces and 24 of the boundary. Vertices: 27 corners, 8 cell
  // centres, 24 face centres.
  EXPECT_EQ(centred.element_count(), 4 * (12 + 24));
  EXPECT_EQ(centred.vertex_count(), 27 + 8 + 24);
}

std::set<std::array<int, 3>> corners_of(const TetMesh& mesh, Eigen::Index element) {
  std::set<std::array<int, 3>> corners;
  for (int k = 0; k < 4; ++k) {
    const auto p = mesh.rest_positions.row(mesh.tetrahedra(element, k));
    corners.insert({int(p[0]), int(p[1]), int(p[2])});
  }
  return corners;
}

TEST(Structured, PutsTheCentralTetrahedronOfEvenAndOddCellsOnAlternatingCorners) {
  const TetMesh mesh = make_block({2, 2, 2}, {0, 0, 0}, {2, 2, 2}, BlockSplit::AlternatingFive);
  const std::set<std::array<int, 3>> even{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  const std::set<std::array<int, 3>> odd{{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  int central_elements = 0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    if (tetrahedron_volume(mesh, mesh.rest_positions, e) < 0.25) continue;  // central 1/3, the others 1/6
    ++central_elements;
    const auto corners = corners_of(mesh, e);
    std::array<int, 3> cell{9, 9, 9};
    for (const auto& corner : corners) {
      for (std::size_t a = 0; a < 3; ++a) cell[a] = std::min(cell[a], corner[a]);
    }
    std::set<std::array<int, 3>> local;
    for (const auto& corner : corners) local.insert({corner[0] - cell[0], corner[1] - cell[1], corner[2] - cell[2]});
    EXPECT_EQ(local, (cell[0] + cell[1] + cell[2]) % 2 == 0 ? even : odd);
  }
  EXPECT_EQ(central_elements, 8);
}

TEST(Structured, GivesKuhnElementsEqualVolume) {
  const TetMesh mesh = make_block({2, 1, 1}, {0, 0, 0}, {2, 1, 1}, BlockSplit::KuhnSix);
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    EXPECT_NEAR(tetrahedron_volume(mesh, mesh.rest_positions, e), 1.0 / 6, 1e-16);
  }
}

TEST(Structured, NamesSplitsBothWays) {
  for (const BlockSplit split : kSplits) EXPECT_EQ(block_split_from_name(name_of(split)), split);
  EXPECT_EQ(input_error_of([] { block_split_from_name("cubic"); }),
            "block split 'cubic': expected alternating_five, kuhn_six or body_centred");
}

TEST(Structured, RefusesBlocksThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(input_error_of([] {
              make_block({2, 0, 1}, {0, 0, 0}, {1, 1, 1});
            }),
            "block: 0 cells along y, expected at least 1");
  EXPECT_EQ(input_error_of([] {
              make_block({2, 1, 1}, {0, 0, 0}, {1, 1, -1});
            }),
            "block: size -1 m along z, expected a positive number");
  EXPECT_THAT(input_error_of([&] { make_block({2, 1, 1}, {0, 0, 0}, {nan, 1, 1}); }), HasSubstr("size nan m along x"));
  EXPECT_THAT(input_error_of([&] {
                make_block({2, 1, 1}, {0, nan, 0}, {1, 1, 1});
              }),
              HasSubstr("origin nan m along y"));
  EXPECT_THAT(input_error_of([] {
                make_block({2000, 2000, 2000}, {0, 0, 0}, {1, 1, 1});
              }),
              AllOf(HasSubstr("2000×2000×2000 cells"), HasSubstr("expected at most")));
}

TEST_P(EverySplit, StaysUprightUnderTheStrongestJitter) {
  const TetMesh mesh = make_block({4, 3, 3}, {0, 0, 0}, {4, 3, 3}, GetParam());
  const TetMesh moved = jitter(mesh, {.fraction = 1.0, .seed = 3, .keep_boundary = false});
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    EXPECT_GE(tetrahedron_volume(moved, moved.rest_positions, e),
              0.1 * tetrahedron_volume(mesh, mesh.rest_positions, e));
  }
  // Nothing may be left of the regular mesh: without the halving a displacement is 0.5 of the reach on
  // average.
  EXPECT_GT((moved.rest_positions - mesh.rest_positions).cwiseAbs().mean(), 0.1 * shortest_edge(mesh));
}

TEST(Jitter, MovesByUpToTheFractionOfTheShortestEdge) {
  const TetMesh mesh = make_block({8, 8, 8}, {0, 0, 0}, {8, 8, 8}, BlockSplit::KuhnSix);
  const TetMesh moved = jitter(mesh, {.fraction = 0.1, .seed = 5, .keep_boundary = false});
  const Points displacement = moved.rest_positions - mesh.rest_positions;
  EXPECT_LE(displacement.cwiseAbs().maxCoeff(), 0.1 * (1 + 1e-12));
  EXPECT_GT(displacement.maxCoeff(), 0.099);  // the largest of 2187 uniform numbers
  EXPECT_LT(displacement.minCoeff(), -0.099);
  // Mean of 729 numbers of standard deviation 0.1/√3: five standard errors.
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(displacement.col(axis).mean(), 0, 5 * 0.1 / std::sqrt(3 * 729.0));
}

TEST(Jitter, KeepsTheBoundaryAndSoTheVolumeUnlessAskedOtherwise) {
  const TetMesh mesh = make_block({4, 4, 4}, {0, 0, 0}, {1, 1, 1});
  const TetMesh inner = jitter(mesh, {.fraction = 0.3});
  for (const int v : boundary_vertices(mesh)) EXPECT_EQ(inner.rest_positions.row(v), mesh.rest_positions.row(v));
  EXPECT_NEAR(total_volume(inner, inner.rest_positions), 1, 1e-13);
  EXPECT_NE(inner.rest_positions, mesh.rest_positions);
  const TetMesh all = jitter(mesh, {.fraction = 0.3, .keep_boundary = false});
  EXPECT_GT(std::abs(total_volume(all, all.rest_positions) - 1), 1e-4);
}

TEST(Jitter, GivesTheSameBitsForTheSameSeedOnly) {
  const TetMesh mesh = make_block({3, 3, 3}, {0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(jitter(mesh, {.seed = 11}).rest_positions, jitter(mesh, {.seed = 11}).rest_positions);
  EXPECT_NE(jitter(mesh, {.seed = 11}).rest_positions, jitter(mesh, {.seed = 12}).rest_positions);
  EXPECT_EQ(jitter(mesh, {.fraction = 0}).rest_positions, mesh.rest_positions);
}

TEST(Jitter, RefusesWrongOptionsAndInvertedElements) {
  TetMesh mesh = make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(input_error_of([&] { jitter(mesh, {.fraction = 2}); }),
            "jitter: fraction 2, expected a number from 0 to 1");
  EXPECT_THAT(input_error_of([&] { jitter(mesh, {.smallest_volume_ratio = 1}); }), HasSubstr("[0, 1)"));
  std::swap(mesh.tetrahedra(2, 0), mesh.tetrahedra(2, 1));
  EXPECT_THAT(input_error_of([&] { jitter(mesh); }), HasSubstr("element 2 has volume -0.16"));
}

TEST(Structured, FindsVerticesByPlace) {
  const TetMesh mesh = make_block({4, 1, 1}, {0, 0, 0}, {4, 1, 1});
  EXPECT_THAT(vertices_on_plane(mesh.rest_positions, 0, 0.0, 1e-9), ::testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(vertices_on_plane(mesh.rest_positions, 0, 4.0, 1e-9), ::testing::ElementsAre(16, 17, 18, 19));
  EXPECT_EQ(shortest_edge(mesh), 1.0);
  EXPECT_NE(input_error_of([] { shortest_edge(TetMesh{}); }), "");
}

}  // namespace
}  // namespace deformbench::model
