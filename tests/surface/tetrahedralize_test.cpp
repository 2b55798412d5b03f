// SPDX-License-Identifier: BSD-3-Clause
// Tetrahedral meshes from closed surfaces, [MT03], used by [MG04] §7.
#include "methods/surface/tetrahedralize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/embedding.hpp"
#include "methods/surface/lattice_cells.hpp"
#include "methods/surface/overlap.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using surface_test::box;
using surface_test::join;
using surface_test::message_of;
using surface_test::samples_of;
using surface_test::sphere;
using ::testing::AllOf;
using ::testing::HasSubstr;

class BothLattices : public ::testing::TestWithParam<CellLattice> {};
INSTANTIATE_TEST_SUITE_P(Lattices, BothLattices, ::testing::Values(CellLattice::Cubes, CellLattice::BodyCentred),
                         [](const auto& row) { return row.param == CellLattice::Cubes ? "Cubes" : "BodyCentred"; });

TEST_P(BothLattices, TheMeshContainsTheSurfaceAndFitsWithinACell) {
  const auto surface = sphere({0.2, -0.1, 0.4}, 0.5, 3);
  const double h = 0.13;
  const LatticeMesh result = tetrahedralize(surface, h, GetParam(), {0.3, 0.1, 0.7});
  EXPECT_THAT(Embedding(result.mesh, samples_of(surface)).outside_distances(), ::testing::Each(0.0));
  EXPECT_TRUE(model::find_problems(result.mesh).empty());
  EXPECT_EQ(result.parts, 1);
  EXPECT_EQ(result.pinches, 0);
  // Nothing lies further out than the diagonal of a cube; so the volume is between the surface's and that of a ball
  // grown by it.
  const double volume = model::total_volume(result.mesh, result.mesh.rest_positions);
  EXPECT_GT(volume, model::enclosed_volume(surface));
  EXPECT_LT(volume, 4.0 / 3.0 * std::numbers::pi * std::pow(0.5 + std::sqrt(3.0) * h, 3));
}

TEST_P(BothLattices, ASurfaceInThePlanesOfTheLatticeIsContained) {
  const auto surface = box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  const LatticeMesh result = tetrahedralize(surface, 0.25, GetParam());
  EXPECT_THAT(Embedding(result.mesh, samples_of(surface)).outside_distances(), ::testing::Each(0.0));
  EXPECT_TRUE(model::find_problems(result.mesh).empty());
}

TEST_P(BothLattices, ACavityStaysHollow) {
  const auto surface = join(sphere(Vector3::Zero(), 1.0, 3), sphere(Vector3::Zero(), 0.6, 3), true);
  const LatticeMesh result = tetrahedralize(surface, 0.15, GetParam());
  model::TriangleMesh probes{Points(2, 3), Triangles(0, 3)};
  probes.positions << 0.01, 0.02, 0.03, 0.8, 0.01, 0.02;  // in the cavity, in the shell
  const Embedding embedding(result.mesh, probes);
  EXPECT_GT(embedding.outside_distances()[0], 0.3);  // 0.6 less the cells that touch
  EXPECT_EQ(embedding.outside_distances()[1], 0.0);
}

TEST_P(BothLattices, CellsThatTouchInAnEdgeOnlyAreJoined) {
  // Two small boxes in cubes that share an edge of the lattice: (0,0,0) and (1,1,0) from the middle.
  const auto surface = join(box({-0.9, -0.9, 0.1}, {-0.1, -0.1, 0.9}), box({0.1, 0.1, 0.1}, {0.9, 0.9, 0.9}));
  const LatticeMesh result = tetrahedralize(surface, 1.0, GetParam(), {0.0, 0.0, 0.5});
  if (GetParam() == CellLattice::Cubes) {
    EXPECT_GT(result.added_tetrahedra, 0);  // the tetrahedra of the other lattice that touch are joined already
  }
  EXPECT_EQ(result.pinches, 0);
  EXPECT_EQ(result.parts, 1);
  EXPECT_TRUE(model::find_problems(result.mesh).empty());
}

TEST_P(BothLattices, ATargetCountIsReachedWithinFivePercent) {
  const auto surface = sphere(Vector3::Zero(), 0.5, 3);
  for (const int target : {300, 2000}) {
    const LatticeMesh result = tetrahedralize_to_count(surface, target, GetParam());
    EXPECT_NEAR(double(result.mesh.element_count()), target, 0.05 * target);
    EXPECT_THAT(Embedding(result.mesh, samples_of(surface)).outside_distances(), ::testing::Each(0.0));
  }
}

// Boxes of triangles spare most of the tests of a triangle against a cell, and none that counts.
TEST(BodyCentredCells, KeptAreThoseThatATriangleTouchesAndNoOthers) {
  using surface_test::torus;
  const auto needle = box({-0.51, -0.02, -0.013}, {0.49, 0.01, 0.02});
  for (const auto& surface : {sphere({0.2, -0.1, 0.4}, 0.5, 3), torus({0, 0.1, 0}, 0.4, 0.07, 30, 12), needle,
                              join(needle, sphere({0.6, 0.3, 0}, 0.21, 2))}) {
    for (const double size : {0.08, 0.17, 0.6}) {
      const CubeGrid grid(surface.positions.colwise().minCoeff().transpose(),
                          surface.positions.colwise().maxCoeff().transpose(), size, {0.3, 0.0, 0.55});
      const BodyCentredCells cells(grid);
      KeptCells kept(cells.cell_count(), 0);
      cells.keep_touched(surface, TriangleTree(surface), kept);
      int touched = 0;
      for (std::size_t cell = 0; cell < kept.size(); ++cell) {
        if (!cells.is_cell(cell)) continue;
        TetCorners x;
        for (std::size_t c = 0; c < 4; ++c) x[c] = cells.position(cells.vertices(cell)[c]);
        bool is_touched = false;
        for (Eigen::Index t = 0; t < surface.triangle_count() && !is_touched; ++t) {
          TriangleCorners p;
          for (Eigen::Index c = 0; c < 3; ++c)
            p[std::size_t(c)] = surface.positions.row(surface.triangles(t, c)).transpose();
          is_touched = triangle_overlaps_tetrahedron(p, x, 1e-9 * size);
        }
        touched += is_touched;
        ASSERT_EQ(kept[cell] != 0, is_touched) << "cell " << cell << " of edge " << size;
      }
      EXPECT_GT(touched, 0);
    }
  }
}

TEST(Tetrahedralize, ATargetThatFiveACellCannotReachIsRefusedWithTheNearestCount) {
  EXPECT_THAT(
      message_of([] { tetrahedralize_to_count(sphere(Vector3::Zero(), 0.5, 2), 302, CellLattice::Cubes, 0.001); }),
      AllOf(HasSubstr("no lattice gives 302 within 0.1 %"), HasSubstr("the nearest count found is ")));
}

TEST(Tetrahedralize, BadCellSizesAreRefused) {
  const auto surface = sphere(Vector3::Zero(), 0.5, 1);
  EXPECT_THAT(message_of([&] { tetrahedralize(surface, -1.0); }), HasSubstr("got -1, expected a positive length"));
  EXPECT_THAT(message_of([&] { tetrahedralize(surface, 1e-6); }),
              HasSubstr("cells in the bounding box, expected at most"));
  EXPECT_THAT(message_of([] { cell_lattice_from_name("hexagons"); }),
              HasSubstr("got 'hexagons', expected cubes or body_centred"));
}

TEST(ClosedSurface, AnOpenSurfaceIsRefusedWithItsEdge) {
  auto surface = box(Vector3::Zero(), Vector3::Ones());
  surface.triangles.conservativeResize(11, 3);  // the triangle 3 7 5 is gone
  const std::string message = message_of([&] { tetrahedralize(surface, 0.5); });
  EXPECT_THAT(message, AllOf(HasSubstr("edge 3–5"), HasSubstr("(1, 1, 0) to (1, 0, 1)"), HasSubstr("expected two")));
}

TEST(ClosedSurface, ANonManifoldEdgeIsRefusedWithItsVertices) {
  auto surface = join(box(Vector3::Zero(), Vector3::Ones()), box({1, 1, 0}, {2, 2, 1}));
  surface.triangles = (surface.triangles.array() == 8).select(3, surface.triangles);  // both boxes use the edge 3–7
  surface.triangles = (surface.triangles.array() == 12).select(7, surface.triangles);
  EXPECT_THAT(
      message_of([&] { closed_surface(surface, {.file = "pair.obj"}); }),
      AllOf(HasSubstr("pair.obj: "), HasSubstr("edge 3–7 is in 4 triangles"), HasSubstr("(1, 1, 0) to (1, 1, 1)")));
}

TEST(ClosedSurface, ASurfaceTurnedInsideOutIsRefused) {
  auto surface = box(Vector3::Zero(), Vector3::Ones());
  surface.triangles.col(0).swap(surface.triangles.col(1));
  EXPECT_THAT(message_of([&] { closed_surface(surface); }), HasSubstr("inside out"));
}

TEST(ClosedSurface, AVertexOfTwoFansIsSplitWithOneWarningAndRefusedWhenStrict) {
  auto surface = join(box(Vector3::Zero(), Vector3::Ones()), box(Vector3::Ones(), {2, 2, 2}));
  surface.triangles = (surface.triangles.array() == 8).select(7, surface.triangles);
  const ClosedSurface split = closed_surface(surface);
  ASSERT_EQ(split.warnings.size(), 2u);
  EXPECT_THAT(split.warnings[0], HasSubstr("vertex 7 is shared"));
  EXPECT_THAT(split.warnings[1], HasSubstr("1 vertices that no triangle uses"));  // 8, whose place 7 takes
  EXPECT_EQ(euler_characteristic(surface.triangles), 3);
  EXPECT_EQ(euler_characteristic(split.mesh.triangles), 4);  // two spheres
  EXPECT_EQ(split.mesh.positions.row(split.mesh.vertex_count() - 1),
            surface.positions.row(split.source_vertices.back()));
  EXPECT_THAT(message_of([&] { closed_surface(surface, {}, model::FanPolicy::Refuse); }), HasSubstr("7"));
}

TEST(ClosedSurface, TheWindingNumberIsOneInsideAndNoneOutside) {
  const auto surface = sphere({1, 0, 0}, 0.5, 2);
  EXPECT_NEAR(winding_number(surface, {1.2, 0.1, 0.1}), 1.0, 1e-12);
  EXPECT_NEAR(winding_number(surface, {1.6, 0.1, 0.1}), 0.0, 1e-12);
}

}  // namespace
}  // namespace deformbench::surface
