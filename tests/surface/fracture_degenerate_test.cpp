// SPDX-License-Identifier: BSD-3-Clause
// Surfaces whose vertices, edges and triangles lie on vertices, edges and faces of the mesh, on themselves and on each
// other: what holds in general position holds here, to the last bit of the topology.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/structured.hpp"
#include "methods/surface/cutting/fracturing_surface.hpp"
#include "tests/surface/fracture_case.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using model::BlockSplit;
using surface_test::separates_into_clipped_parts;
using surface_test::stays_watertight;

const std::vector<BlockSplit> kAllSplits{BlockSplit::KuhnSix, BlockSplit::AlternatingFive, BlockSplit::BodyCentred};
constexpr double kClipped = 1e-12;  // m³; sums of some hundred terms below 1

model::TetMesh cube_mesh(int cells, BlockSplit split) {
  return model::make_block({cells, cells, cells}, {-1, -1, -1}, {2, 2, 2}, split);
}

void expect_sound(const model::TetMesh& mesh, const model::TriangleMesh& shape, int overlapping = 0) {
  SurfaceCut cut;
  EXPECT_TRUE(separates_into_clipped_parts(mesh, shape, kClipped, &cut));
  EXPECT_EQ(cut.overlapping_cracks, overlapping);
  EXPECT_TRUE(stays_watertight(mesh, shape, 30, 21, nullptr, 5));
}

TEST(DegenerateFracture, ACubeOnThePlanesOfTheLattice) {
  for (const BlockSplit split : kAllSplits)
    expect_sound(cube_mesh(4, split), surface_test::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
}

TEST(DegenerateFracture, AnOctahedronWithItsVerticesOnThoseOfTheMesh) {
  for (const BlockSplit split : kAllSplits) expect_sound(cube_mesh(4, split), surface_test::sphere({0, 0, 0}, 0.5, 0));
}

TEST(DegenerateFracture, ASphereWithManyVerticesOnPlanesAndEdges) {
  for (const BlockSplit split : kAllSplits) expect_sound(cube_mesh(4, split), surface_test::sphere({0, 0, 0}, 0.5, 2));
}

TEST(DegenerateFracture, ASurfaceMadeOfFacesOfTheMesh) {
  for (const BlockSplit split : kAllSplits) {
    const model::TetMesh mesh = cube_mesh(4, split);
    model::TetMesh inner = mesh;
    std::vector<int> kept;
    for (int e = 0; e < int(mesh.element_count()); ++e) {
      Vector3 centre = Vector3::Zero();
      for (int c = 0; c < 4; ++c) centre += 0.25 * mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose();
      if (centre.cwiseAbs().maxCoeff() < 0.5) kept.push_back(e);
    }
    inner.tetrahedra = mesh.tetrahedra(kept, Eigen::all);
    expect_sound(mesh, model::boundary_surface(inner).surface);
  }
}

TEST(DegenerateFracture, TheBoundaryOfTheMeshItself) {
  for (const BlockSplit split : kAllSplits) {
    const model::TetMesh mesh = cube_mesh(2, split);
    expect_sound(mesh, model::boundary_surface(mesh).surface);
  }
}

TEST(DegenerateFracture, TheBoundaryOfAStaircase) {
  for (const BlockSplit split : {BlockSplit::KuhnSix, BlockSplit::AlternatingFive}) {
    const model::TetMesh mesh = cube_mesh(3, split);
    model::TetMesh stairs = mesh;
    std::vector<int> kept;
    for (int e = 0; e < int(mesh.element_count()); ++e) {
      Eigen::Vector3i cell = Eigen::Vector3i::Constant(3);
      for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 3; ++k) {
          cell[k] =
              std::min(cell[k], int(std::floor((mesh.rest_positions(mesh.tetrahedra(e, c), k) + 1.0) * 1.5 + 1e-9)));
        }
      }
      if (cell[0] + cell[1] + cell[2] <= 2) kept.push_back(e);
    }
    stairs.tetrahedra = mesh.tetrahedra(kept, Eigen::all);
    stairs = model::without_unreferenced_vertices(stairs);
    expect_sound(stairs, model::boundary_surface(stairs).surface);
  }
}

TEST(DegenerateFracture, TrianglesWithoutAreaAndEdgesWithoutLength) {
  // A box with a vertex in the middle of an edge, and one at the place of another.
  model::TriangleMesh shape = surface_test::box({-0.6, -0.5, -0.5}, {0.55, 0.5, 0.5});
  const auto split_edge = [&](int a, int b, double share) {
    const auto v = int(shape.vertex_count());
    Points x(v + 1, 3);
    x << shape.positions, (1.0 - share) * shape.positions.row(a) + share * shape.positions.row(b);
    Triangles t(shape.triangle_count() + 2, 3);
    t.topRows(shape.triangle_count()) = shape.triangles;
    // Not the neighbours but the edge itself opens: two triangles a, v, b back to back, both without area.
    Eigen::Index row = shape.triangle_count();
    for (Eigen::Index k = 0; k < shape.triangle_count(); ++k) {
      for (int c = 0; c < 3; ++c) {
        if (t(k, c) != a || t(k, (c + 1) % 3) != b) continue;
        const int opposite = t(k, (c + 2) % 3);
        t.row(k) << a, v, opposite;
        t.row(row++) << v, b, opposite;
        t.row(row++) << a, b, v;
        k = shape.triangle_count();
        break;
      }
    }
    shape.positions = x;
    shape.triangles = t;
  };
  split_edge(shape.triangles(0, 0), shape.triangles(0, 1), 0.5);
  split_edge(shape.triangles(4, 0), shape.triangles(4, 1), 0.0);
  split_edge(shape.triangles(7, 1), shape.triangles(7, 2), 0.3);
  for (const BlockSplit split : kAllSplits) expect_sound(cube_mesh(4, split), shape);
}

TEST(DegenerateFracture, BoxesThatTouchInAFaceAreClosedEach) {
  const model::TriangleMesh shape = surface_test::join(surface_test::box({-0.7, -0.5, -0.5}, {0.1, 0.5, 0.5}),
                                                       surface_test::box({0.1, -0.5, -0.5}, {0.7, 0.5, 0.5}));
  for (const BlockSplit split : kAllSplits) {
    EXPECT_TRUE(separates_into_clipped_parts(cube_mesh(3, split), shape, kClipped));
    EXPECT_TRUE(stays_watertight(cube_mesh(3, split), shape, 40, 22, nullptr, 2));
  }
}

TEST(DegenerateFracture, ASurfaceThatPassesThroughItselfStaysClosed) {
  const model::TriangleMesh shape = surface_test::join(surface_test::sphere({-0.23, 0.02, 0.01}, 0.6, 3),
                                                       surface_test::sphere({0.25, -0.03, 0.02}, 0.6, 3));
  for (const BlockSplit split : kAllSplits) {
    SurfaceCut cut;
    EXPECT_TRUE(separates_into_clipped_parts(cube_mesh(4, split), shape, kClipped, &cut));
    EXPECT_GT(cut.overlapping_cracks, 0);
    EXPECT_TRUE(stays_watertight(cube_mesh(4, split), shape, 60, 23, nullptr, 3));
  }
}

TEST(DegenerateFracture, FarFromTheOriginNothingIsLost) {
  model::TetMesh mesh = cube_mesh(4, BlockSplit::KuhnSix);
  model::TriangleMesh shape = surface_test::sphere({0, 0, 0}, 0.5, 2);
  const Eigen::RowVector3d far(4096.0, -8192.0, 1024.0);
  mesh.rest_positions.rowwise() += far;
  shape.positions.rowwise() += far;
  FracturingSurface surface(mesh, shape);
  surface_test::BreakingMesh breaking(mesh);
  breaking.separate_all();
  surface.follow(breaking.tetrahedra());
  // Coordinates are multiples of 2⁻⁴⁰ here, so that points of the cut are off their plane by that much.
  double volume = 0.0;
  for (const double v : surface.pieces().volumes) volume += v;
  EXPECT_NEAR(volume, model::enclosed_volume(surface_test::sphere({0, 0, 0}, 0.5, 2)), 1e-10);
}

TEST(DegenerateFracture, SizesFromMicrometresToKilometres) {
  for (const double scale : {1e-6, 1e-3, 1e3}) {
    model::TetMesh mesh = cube_mesh(3, BlockSplit::AlternatingFive);
    model::TriangleMesh shape = surface_test::box({-1.0 / 3, -0.5, -0.5}, {0.5, 0.5, 1.0 / 3});
    mesh.rest_positions *= scale;
    shape.positions *= scale;
    EXPECT_TRUE(stays_watertight(mesh, shape, 40, 24, nullptr, 4)) << scale;
  }
}

TEST(DegenerateFracture, CracksThatMeetInAnEdgeInsideAreToldApart) {
  // A solid that fills most of a fine mesh: edges inside whose ends hold together while cracks run into them from two
  // sides. Without a vertex in its middle such an edge would have four triangles.
  SurfaceCut total;
  EXPECT_TRUE(stays_watertight(cube_mesh(5, BlockSplit::KuhnSix), surface_test::sphere({0.01, 0.02, 0.03}, 0.97, 3),
                               150, 25, &total, 5));
  EXPECT_GT(total.edges_divided, 0);
}

TEST(DegenerateFracture, SliversAreReported) {
  // The side of the box is 1e-9 above a plane of the lattice: between them only slivers fit.
  const model::TetMesh mesh = cube_mesh(4, BlockSplit::KuhnSix);
  FracturingSurface surface(mesh, surface_test::box({-0.7, -0.7, -0.7}, {0.7, 0.7, 0.5 + 1e-9}));
  surface_test::BreakingMesh breaking(mesh);
  breaking.separate_all();
  const SurfaceCut cut = surface.follow(breaking.tetrahedra());
  double longest = 0.0;
  int thin = 0;
  const auto x = surface.rest_positions();
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    const Vector3 a = x.row(surface.triangles()(t, 0)).transpose();
    const Vector3 b = x.row(surface.triangles()(t, 1)).transpose();
    const Vector3 c = x.row(surface.triangles()(t, 2)).transpose();
    const double edge = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    longest = 1.4 * std::sqrt(2.0);  // diagonal of the box's sides
    thin += (b - a).cross(c - a).norm() <= FracturingSurface::kSliverAltitude * longest * edge ? 1 : 0;
  }
  EXPECT_GT(thin, 0);
  EXPECT_EQ(cut.slivers, thin);
  EXPECT_GE(cut.first_sliver, 0);
}

}  // namespace
}  // namespace deformbench::surface
