// SPDX-License-Identifier: BSD-3-Clause
// What holds of a surface that breaks with its mesh, in general position. [MG04] §5.2
#include "methods/surface/cutting/fracturing_surface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/model/mesh_checks.hpp"
#include "methods/model/structured.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"
#include "methods/surface/embedding.hpp"
#include "methods/surface/procedural/stand_in_models.hpp"
#include "methods/surface/tetrahedralize.hpp"
#include "tests/nearest_vertex.hpp"
#include "tests/surface/fracture_case.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using model::BlockSplit;
using surface_test::BreakingMesh;
using surface_test::follows_connected_elements;
using surface_test::is_watertight;
using surface_test::separates_into_clipped_parts;
using surface_test::stays_watertight;

const std::vector<BlockSplit> kSplits{BlockSplit::KuhnSix, BlockSplit::AlternatingFive, BlockSplit::BodyCentred};
// A clipped part is a sum of some thousand cones of at most 1e-3 m³.
constexpr double kClippedVolumes = 1e-12;

model::TetMesh block(int cells, BlockSplit split) {
  return model::make_block({cells, cells, cells}, {-1, -1, -1}, {2, 2, 2}, split);
}
model::TriangleMesh ball(int levels, double radius = 0.8) {
  return surface_test::sphere({0.013, -0.027, 0.008}, radius, levels);
}

int crack_triangles(const FracturingSurface& surface) {
  int count = 0;
  for (const int origin : surface.triangle_origins()) count += origin < 0 ? 1 : 0;
  return count;
}

TEST(FracturingSurface, StaysClosedUnderRandomSplitsOfASphere) {
  for (const BlockSplit split : kSplits) EXPECT_TRUE(stays_watertight(block(4, split), ball(5), 40, 5, nullptr, 4));
}

TEST(FracturingSurface, StaysClosedUnderRandomSplitsOfATorus) {
  const model::TriangleMesh ring = surface_test::torus({0.01, 0.02, 0.03}, 0.6, 0.25, 72, 36);
  for (const BlockSplit split : kSplits) {
    EXPECT_TRUE(
        stays_watertight(model::make_block({5, 5, 2}, {-1, -1, -0.4}, {2, 2, 0.8}, split), ring, 40, 7, nullptr, 4));
  }
}

TEST(FracturingSurface, StaysClosedUnderRandomSplitsOfADragon) {
  const StandIn dragon = make_stand_in("dragon", 3000);
  const LatticeMesh mesh = tetrahedralize_to_count(dragon.mesh, 834, CellLattice::Cubes);
  SurfaceCut total;
  EXPECT_TRUE(stays_watertight(mesh.mesh, dragon.mesh, 60, 11, &total, 6));
  EXPECT_GT(total.triangles_cut, 300);
  EXPECT_EQ(total.overlapping_cracks, 0);
}

TEST(FracturingSurface, CompleteSeparationLeavesTheClippedVolumes) {
  for (const BlockSplit split : kSplits)
    EXPECT_TRUE(separates_into_clipped_parts(block(3, split), ball(3), kClippedVolumes));
}

TEST(FracturingSurface, CompleteSeparationLeavesOnePieceInEachElementThatASphereMeets) {
  for (const BlockSplit split : kSplits) {
    const model::TetMesh mesh = block(3, split);
    FracturingSurface surface(mesh, ball(3));
    BreakingMesh breaking(mesh);
    breaking.separate_all();
    surface.follow(breaking.tetrahedra());
    const std::vector<double> clipped = surface_test::clipped_volumes(ball(3), mesh);
    const auto meeting = std::count_if(clipped.begin(), clipped.end(), [](double v) { return v > kClippedVolumes; });
    EXPECT_EQ(surface.pieces().volumes.size(), std::size_t(meeting));
  }
}

TEST(FracturingSurface, FacesWithHolesAndSeveralRegionsAreClosedWithoutOverlap) {
  // Shells inside shells, side by side: faces of the one large cell see rings, and rings in rings.
  using surface_test::join;
  using surface_test::sphere;
  model::TriangleMesh shape = sphere({0.01, 0.02, 0.03}, 0.55, 3);
  shape = join(shape, sphere({0.02, 0.01, 0.04}, 0.42, 3), true);
  shape = join(shape, sphere({0.2, 0.01, 0.02}, 0.17, 2));
  shape = join(shape, sphere({-0.17, -0.02, 0.02}, 0.15, 2));
  shape = join(shape, sphere({-0.17, -0.03, 0.01}, 0.08, 2), true);
  for (const BlockSplit split : kSplits) {
    const model::TetMesh mesh = model::make_block({1, 1, 1}, {-1, -1, -1}, {2, 2, 2}, split);
    SurfaceCut cut;
    EXPECT_TRUE(separates_into_clipped_parts(mesh, shape, kClippedVolumes, &cut));
    EXPECT_EQ(cut.overlapping_cracks, 0);
  }
}

TEST(FracturingSurface, ACombWithDeepTeethLeavesManyLoopsOnAFace) {
  model::TriangleMesh shape = surface_test::box({-0.93, -0.91, -0.9}, {-0.8, 0.92, 0.9});
  for (int tooth = 0; tooth < 9; ++tooth) {
    shape = surface_test::join(shape, surface_test::torus({0.13, 0.02, -0.8 + 0.17 * tooth}, 0.7, 0.06, 16, 8));
  }
  const model::TetMesh mesh = model::make_block({1, 1, 1}, {-1, -1, -1}, {2, 2, 2}, BlockSplit::KuhnSix);
  SurfaceCut cut;
  EXPECT_TRUE(separates_into_clipped_parts(mesh, shape, kClippedVolumes, &cut));
  EXPECT_GT(cut.faces_opened, 5);
}

TEST(FracturingSurface, ACrackInsideIsClosedByTwoCopiesOfTheFaceWithoutCuttingTheSurface) {
  const model::TetMesh mesh = block(12, BlockSplit::KuhnSix);
  const model::TriangleMesh shape = ball(4, 0.95);
  FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  const int centre = nearest_vertex(mesh.rest_positions, {0.01, 0.01, 0.01});
  ASSERT_TRUE(breaking.split(centre, {0.3, 0.8, 0.52}));
  const SurfaceCut cut = surface.follow(breaking.tetrahedra());
  EXPECT_GT(cut.faces_opened, 3);
  EXPECT_EQ(cut.triangles_cut, 0);
  EXPECT_EQ(cut.triangles_added, 2 * cut.faces_opened);
  EXPECT_EQ(crack_triangles(surface), 2 * cut.faces_opened);
  EXPECT_TRUE(is_watertight(surface, model::enclosed_volume(shape)));
}

TEST(FracturingSurface, ASurfaceInsideOneElementIsNeverCut) {
  const model::TetMesh mesh = model::make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1}, BlockSplit::AlternatingFive);
  FracturingSurface surface(mesh, surface_test::sphere({0.5, 0.5, 0.5}, 0.1, 2));
  BreakingMesh breaking(mesh);
  breaking.separate_all();
  const SurfaceCut cut = surface.follow(breaking.tetrahedra());
  EXPECT_EQ(cut.faces_opened, 4);
  EXPECT_EQ(cut.triangles_added + cut.vertices_added, 0);
}

TEST(FracturingSurface, NothingChangesWhileNothingOpens) {
  const model::TetMesh mesh = block(2, BlockSplit::KuhnSix);
  FracturingSurface surface(mesh, ball(3));
  EXPECT_EQ(surface.follow(mesh.tetrahedra).faces_opened, 0);
  EXPECT_EQ(surface.triangle_count(), ball(3).triangle_count());
  BreakingMesh breaking(mesh);
  breaking.separate_all();
  surface.follow(breaking.tetrahedra());
  const Triangles before = surface.triangles();
  EXPECT_EQ(surface.follow(breaking.tetrahedra()).triangles_added, 0);
  EXPECT_EQ(before, Triangles(surface.triangles()));
}

TEST(FracturingSurface, OneEventOrManyLeaveTheSameSurface) {
  const model::TetMesh mesh = block(3, BlockSplit::BodyCentred);
  FracturingSurface at_once(mesh, ball(3)), step_by_step(mesh, ball(3));
  BreakingMesh breaking(mesh);
  numerics::RandomStream random(3);
  for (int k = 0; k < 40; ++k) {
    breaking.split_at_random(random);
    step_by_step.follow(breaking.tetrahedra());
  }
  at_once.follow(breaking.tetrahedra());
  EXPECT_EQ(at_once.vertex_count(), step_by_step.vertex_count());
  EXPECT_EQ(at_once.triangle_count(), step_by_step.triangle_count());
  std::vector<double> a = at_once.pieces().volumes, b = step_by_step.pieces().volumes;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-13);
}

TEST(FracturingSurface, VerticesAndTrianglesKeepTheirIndexAndOrigin) {
  const model::TetMesh mesh = block(3, BlockSplit::KuhnSix);
  const model::TriangleMesh shape = ball(4);
  FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  numerics::RandomStream random(9);
  Points before = surface.rest_positions();
  std::vector<int> origins = surface.triangle_origins();
  for (int k = 0; k < 30; ++k) {
    breaking.split_at_random(random);
    surface.follow(breaking.tetrahedra());
    ASSERT_EQ(before, Points(surface.rest_positions().topRows(before.rows())));
    ASSERT_TRUE(std::equal(origins.begin(), origins.end(), surface.triangle_origins().begin()));
    before = surface.rest_positions();
    origins = surface.triangle_origins();
  }
  const TetAdjacency tets(mesh);
  // Every part of a cut triangle lies in its plane; every crack triangle between the two elements of its face.
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    const int origin = origins[std::size_t(t)];
    if (origin < 0) {
      EXPECT_GE(tets.faces().at(std::size_t(-1 - origin)).elements[1], 0);
      continue;
    }
    const Vector3 a = shape.positions.row(shape.triangles(origin, 0)).transpose();
    const Vector3 n = (shape.positions.row(shape.triangles(origin, 1)).transpose() - a)
                          .cross(shape.positions.row(shape.triangles(origin, 2)).transpose() - a)
                          .normalized();
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(n.dot(before.row(surface.triangles()(t, c)).transpose() - a), 0.0, 1e-14);
  }
}

TEST(FracturingSurface, TheSearchGridIsBuiltOnce) {
  const model::TetMesh mesh = block(3, BlockSplit::KuhnSix);
  FracturingSurface surface(mesh, ball(3));
  BreakingMesh breaking(mesh);
  numerics::RandomStream random(4);
  for (int k = 0; k < 20; ++k) {
    breaking.split_at_random(random);
    surface.follow(breaking.tetrahedra());
  }
  EXPECT_EQ(surface.grid_builds(), 1);
}

TEST(FracturingSurface, UncutItMovesAsTheEmbeddingDoes) {
  const model::TetMesh mesh = block(3, BlockSplit::KuhnSix);
  const FracturingSurface surface(mesh, ball(3));
  const Embedding embedding(mesh, ball(3));
  Points x = mesh.rest_positions;
  for (Eigen::Index v = 0; v < x.rows(); ++v)
    x.row(v) += 0.1 * Vector3(std::sin(3 * x(v, 1)), x(v, 0) * x(v, 2), std::cos(2 * x(v, 0))).transpose();
  Points p, n, expected_p, expected_n;
  surface.update(x, mesh.tetrahedra, p, n);
  embedding.update(x, expected_p, expected_n);
  EXPECT_LT((p - expected_p).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((n - expected_n).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(FracturingSurface, AffineMapsAreFollowedExactlyAfterFracture) {
  const model::TetMesh mesh = block(3, BlockSplit::BodyCentred);
  FracturingSurface surface(mesh, ball(4));
  BreakingMesh breaking(mesh);
  numerics::RandomStream random(12);
  for (int k = 0; k < 60; ++k) {
    breaking.split_at_random(random);
    surface.follow(breaking.tetrahedra());
  }
  Matrix3 a;
  a << 1.3, 0.4, -0.2, 0.1, 0.7, 0.3, -0.3, 0.2, 1.9;
  const Vector3 shift(0.3, -2.0, 1.0);
  const auto mapped = [&](const Points& x) -> Points { return (x * a.transpose()).rowwise() + shift.transpose(); };
  Points p, n;
  surface.update(mapped(breaking.positions(mesh.rest_positions)), breaking.tetrahedra(), p, n);
  EXPECT_LT((p - mapped(surface.rest_positions())).cwiseAbs().maxCoeff(), 1e-13);
  Points normals = surface.rest_normals() * a.inverse();  // rows (A⁻ᵀ n)ᵀ
  normals.rowwise().normalize();
  EXPECT_LT((n - normals).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FracturingSurface, PartsThatMoveApartCarryTheirTriangles) {
  const model::TetMesh mesh = block(2, BlockSplit::KuhnSix);
  const model::TriangleMesh shape = ball(3);
  FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  breaking.separate_all();
  surface.follow(breaking.tetrahedra());
  // Every element moves by a vector of its own: each triangle is moved, none is stretched.
  Points x = breaking.positions(mesh.rest_positions);
  numerics::RandomStream random(1);
  std::vector<Vector3> shift;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    shift.push_back(random.direction());
    for (int c = 0; c < 4; ++c) x.row(breaking.tetrahedra()(e, c)) += shift.back().transpose();
  }
  Points p, n;
  surface.update(x, breaking.tetrahedra(), p, n);
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    for (int c = 0; c < 3; ++c) {
      const int v = surface.triangles()(t, c);
      const int element = surface.elements()[std::size_t(surface.triangles()(t, 0))];
      const Vector3 moved = (p.row(v) - surface.rest_positions().row(v)).transpose();
      ASSERT_LT((moved - shift[std::size_t(element)]).norm(), 1e-13);
    }
  }
}

TEST(FracturingSurface, NormalsOfTheOuterSurfaceAreUnchangedByCracks) {
  const model::TetMesh mesh = block(3, BlockSplit::KuhnSix);
  const model::TriangleMesh shape = ball(5);
  FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  breaking.separate_all();
  surface.follow(breaking.tetrahedra());
  EXPECT_EQ(vertex_normals(shape), Points(surface.rest_normals().topRows(shape.vertex_count())));
  std::vector<bool> outer(std::size_t(surface.vertex_count()), false);
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    for (int c = 0; c < 3; ++c) {
      if (surface.triangle_origins()[std::size_t(t)] >= 0) outer[std::size_t(surface.triangles()(t, c))] = true;
    }
  }
  for (Eigen::Index v = 0; v < surface.vertex_count(); ++v) {
    const Vector3 normal = surface.rest_normals().row(v).transpose();
    EXPECT_NEAR(normal.norm(), 1.0, 1e-12);
    if (!outer[std::size_t(v)]) continue;
    const Vector3 radial = (surface.rest_positions().row(v).transpose() - Vector3(0.013, -0.027, 0.008)).normalized();
    EXPECT_GT(normal.dot(radial), 0.99);  // triangles of 4° each
  }
}

TEST(FracturingSurface, RunsTwiceTheSame) {
  const auto run = [] {
    const model::TetMesh mesh = block(3, BlockSplit::AlternatingFive);
    FracturingSurface surface(mesh, ball(3));
    BreakingMesh breaking(mesh);
    numerics::RandomStream random(2);
    for (int k = 0; k < 30; ++k) breaking.split_at_random(random);
    surface.follow(breaking.tetrahedra());
    return std::pair{Triangles(surface.triangles()), Points(surface.rest_positions())};
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace deformbench::surface
