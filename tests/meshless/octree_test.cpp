// SPDX-License-Identifier: BSD-3-Clause
// Octrees round surfaces, and the nodes in their cells. [PKAGDG05] §4
#include "methods/meshless/sampling/octree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/meshless/sampling/volume_samples.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/overlap.hpp"

namespace deformbench::meshless {
namespace {

/// An octahedron whose corners lie on no face of a cell: all of space about it is asked alike.
model::TriangleMesh octahedron() {
  model::TriangleMesh mesh;
  mesh.positions.resize(6, 3);
  mesh.positions << 1.03, 0.02, 0.05, -0.97, 0.02, 0.05, 0.03, 0.91, 0.05, 0.03, -0.88, 0.05, 0.03, 0.02, 0.77, 0.03,
      0.02, -0.83;
  mesh.triangles.resize(8, 3);
  mesh.triangles << 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5;
  return mesh;
}

/// Cells that touch, straight from their boxes: in how many axes they overlap by more than a point; −1 where apart.
int axes_shared(const OctreeCell& a, const OctreeCell& b) {
  int count = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const int low = std::max(a.corner[c], b.corner[c]), high = std::min(a.corner[c] + a.edge, b.corner[c] + b.edge);
    if (low > high) return -1;
    count += low < high;
  }
  return count;
}

TEST(Octree, LeavesFillTheRootOnce) {
  for (const int levels : {1, 3, 5}) {
    const Octree octree(octahedron(), {.levels = levels});
    std::int64_t volume = 0;
    for (const OctreeCell& cell : octree.cells()) volume += std::int64_t(cell.edge) * cell.edge * cell.edge;
    EXPECT_EQ(volume, std::int64_t(1) << 3 * levels);
    for (std::size_t a = 0; a < octree.cells().size(); ++a)
      for (std::size_t b = 0; b < a; ++b) ASSERT_NE(axes_shared(octree.cells()[a], octree.cells()[b]), 3);
  }
}

TEST(Octree, CellsThatContainSurfaceAreTheFinest) {
  const model::TriangleMesh mesh = octahedron();
  const Octree octree(mesh, {.levels = 4});
  int at_surface = 0;
  for (const OctreeCell& cell : octree.cells()) {
    bool touched = false;
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      surface::TriangleCorners corners;
      for (int c = 0; c < 3; ++c) corners[std::size_t(c)] = mesh.positions.row(mesh.triangles(t, c));
      touched = touched || surface::triangle_overlaps_box(corners, octree.centre_of(cell),
                                                          0.5 * octree.edges_of(cell)[0] - 1e-9, 0.0);
    }
    if (touched) EXPECT_EQ(octree.level_of(cell), 4);
    at_surface += touched;
  }
  EXPECT_GT(at_surface, 200);
}

TEST(Octree, AdjacentCellsDifferByOneLevelAtMost) {
  for (const Adjacency adjacency : {Adjacency::Corners, Adjacency::Faces}) {
    const Octree octree(octahedron(), {.levels = 6, .adjacency = adjacency});
    int coarsest = 6, steep_corners = 0;
    for (std::size_t k = 0; k < octree.cells().size(); ++k) {
      const OctreeCell& cell = octree.cells()[k];
      coarsest = std::min(coarsest, octree.level_of(cell));
      for (const int other : octree.adjacent(int(k), adjacency))
        ASSERT_LE(std::abs(octree.level_of(cell) - octree.level_of(octree.cells()[std::size_t(other)])), 1);
      for (const int other : octree.adjacent(int(k), Adjacency::Corners))
        steep_corners += std::abs(octree.level_of(cell) - octree.level_of(octree.cells()[std::size_t(other)])) > 1;
    }
    EXPECT_LE(coarsest, 4);  // there is something to balance
    if (adjacency == Adjacency::Faces) EXPECT_GT(steep_corners, 0);
  }
}

TEST(Octree, AdjacencyIsThatOfTheBoxes) {
  const Octree octree(octahedron(), {.levels = 4});
  const auto& cells = octree.cells();
  for (std::size_t a = 0; a < cells.size(); ++a) {
    std::vector<int> corners, faces;
    for (std::size_t b = 0; b < cells.size(); ++b) {
      const int shared = axes_shared(cells[a], cells[b]);
      if (a == b || shared < 0) continue;
      corners.push_back(int(b));
      if (shared == 2) faces.push_back(int(b));
    }
    ASSERT_EQ(octree.adjacent(int(a), Adjacency::Corners), corners);
    ASSERT_EQ(octree.adjacent(int(a), Adjacency::Faces), faces);
  }
}

TEST(Octree, RootIsACubeOrTheBoundingBox) {
  const model::TriangleMesh mesh = octahedron();
  const Vector3 extent = mesh.positions.colwise().maxCoeff() - mesh.positions.colwise().minCoeff();
  const Octree cube(mesh, {.levels = 3}), box(mesh, {.levels = 3, .root = RootCell::Box});
  EXPECT_LT((8.0 * cube.edges_of({{}, 1}) - Vector3::Constant(extent.maxCoeff())).norm(), 1e-12);
  EXPECT_LT((8.0 * box.edges_of({{}, 1}) - extent).norm(), 1e-12);
}

TEST(VolumeSamples, AreTheCentresOfCellsInsideTheSolid) {
  const model::TriangleMesh mesh = octahedron();
  SamplingOptions options;
  options.octree.levels = 5;
  options.repulsion_iterations = 0;
  const VolumeSamples samples = sample_volume(mesh, options);
  const Octree octree(mesh, options.octree);
  std::vector<Vector3> expected;
  for (const OctreeCell& cell : octree.cells())
    if (surface::winding_number(mesh, octree.centre_of(cell)) > 0.5) expected.push_back(octree.centre_of(cell));
  ASSERT_EQ(samples.positions.rows(), Eigen::Index(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(Vector3(samples.positions.row(Eigen::Index(i))), expected[i]);
  EXPECT_GT(expected.size(), 500u);
}

TEST(VolumeSamples, StayInTheirCellsAndInTheSolid) {
  const model::TriangleMesh mesh = octahedron();
  SamplingOptions options;
  options.octree.levels = 4;
  options.repulsion_iterations = 20;
  options.repulsion_strength = 0.3;
  const Octree octree(mesh, options.octree);
  const VolumeSamples samples = sample_volume(mesh, options);
  const Vector3 finest = octree.edges_of({{}, 1});
  int moved = 0, at_a_face = 0;
  for (Eigen::Index i = 0; i < samples.positions.rows(); ++i) {
    const Vector3 x = samples.positions.row(i), centre = samples.centres.row(i);
    const Vector3 half = 0.5 * finest * double(1 << (4 - samples.levels[std::size_t(i)]));
    EXPECT_TRUE(((x - centre).cwiseAbs().array() <= half.array() + 1e-12).all()) << i;
    EXPECT_GT(surface::winding_number(mesh, x), 0.5) << i;
    moved += (x - centre).norm() > 0.01 * half[0];
    at_a_face += ((x - centre).cwiseAbs().array() > half.array() - 1e-12).any();
  }
  EXPECT_GT(moved, samples.positions.rows() / 2);
  EXPECT_GT(at_a_face, 0);
}

/// Least distance between the nodes of two cells with a common corner, over the distance of the cells' centres.
double least_distance(const VolumeSamples& samples, double root) {
  const auto half = [&](Eigen::Index i) { return 0.5 * root / double(1 << samples.levels[std::size_t(i)]); };
  double least = 1.0;
  for (Eigen::Index i = 0; i < samples.positions.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vector3 gap = samples.centres.row(i) - samples.centres.row(j);
      if (gap.cwiseAbs().maxCoeff() > half(i) + half(j) + 1e-9) continue;
      least = std::min(least, (samples.positions.row(i) - samples.positions.row(j)).norm() / gap.norm());
    }
  return least;
}

TEST(VolumeSamples, DoNotComeNearerThanHalfTheDistanceOfTheirCells) {
  for (const Adjacency adjacency : {Adjacency::Corners, Adjacency::Faces})
    for (const double strength : {0.05, 0.1, 0.2, 1.0})
      for (const int iterations : {1, 3, 10, 50}) {
        SamplingOptions options;
        options.octree = {.levels = 4, .adjacency = adjacency};
        options.repulsion_iterations = iterations;
        options.repulsion_strength = strength;
        const double root = 16 * Octree(octahedron(), options.octree).edges_of({{}, 1})[0];
        const VolumeSamples samples = sample_volume(octahedron(), options);
        EXPECT_GE(least_distance(samples, root), 0.5 - 1e-12) << strength << ' ' << iterations << ' ' << int(adjacency);
        EXPECT_GT((samples.positions - samples.centres).cwiseAbs().maxCoeff(), 1e-3);
      }
}

TEST(VolumeSamples, TwoNodesPartAtTheStrengthAsked) {
  model::TriangleMesh mesh = octahedron();  // long and thin: two cells in a row
  SamplingOptions options;
  options.octree = {.levels = 3, .adjacency = Adjacency::Faces};
  options.repulsion_iterations = 1;
  options.repulsion_strength = 1e-3;
  const VolumeSamples before = sample_volume(mesh, [&] {
    SamplingOptions still = options;
    still.repulsion_iterations = 0;
    return still;
  }());
  const VolumeSamples after = sample_volume(mesh, options);
  const Octree octree(mesh, options.octree);
  for (Eigen::Index i = 0; i < before.positions.rows(); ++i) {
    Vector3 expected = Vector3::Zero();
    for (Eigen::Index j = 0; j < before.positions.rows(); ++j) {
      const Vector3 away = before.positions.row(i) - before.positions.row(j);
      const double a = octree.edges_of({{}, 1 << (3 - before.levels[std::size_t(i)])})[0];
      const double b = octree.edges_of({{}, 1 << (3 - before.levels[std::size_t(j)])})[0];
      const Vector3 gap = away.cwiseAbs().array() - 0.5 * (a + b);
      if (i == j || gap.maxCoeff() > 1e-9 || (gap.array() < -1e-9).count() != 2) continue;  // no part of a face
      expected += 1e-3 * std::max(0.0, 1.0 - away.norm() / (a + b)) * away;
    }
    EXPECT_LT((Vector3(after.positions.row(i) - before.positions.row(i)) - expected).norm(), 1e-12) << i;
  }
}

TEST(VolumeSamples, SupportIsTwiceTheDistanceToTheFarthestAdjacentSample) {
  const model::TriangleMesh mesh = octahedron();
  for (const Adjacency adjacency : {Adjacency::Corners, Adjacency::Faces}) {
    SamplingOptions options;
    options.octree = {.levels = 4, .adjacency = adjacency};
    const VolumeSamples samples = sample_volume(mesh, options);
    const double finest = Octree(mesh, options.octree).edges_of({{}, 1})[0];
    for (Eigen::Index i = 0; i < samples.positions.rows(); ++i) {
      double farthest = 0.0;
      for (Eigen::Index j = 0; j < samples.positions.rows(); ++j) {
        const double half =
            0.5 * finest * ((1 << (4 - samples.levels[std::size_t(i)])) + (1 << (4 - samples.levels[std::size_t(j)])));
        const Vector3 gap = (samples.centres.row(i) - samples.centres.row(j)).cwiseAbs().array() - half;
        if (i == j || gap.maxCoeff() > 1e-9) continue;
        if (adjacency == Adjacency::Faces && (gap.array() < -1e-9).count() != 2) continue;
        farthest = std::max(farthest, (samples.positions.row(i) - samples.positions.row(j)).norm());
      }
      EXPECT_NEAR(samples.supports[std::size_t(i)], 2.0 * farthest, 1e-12) << i;
    }
  }
}

TEST(VolumeSamples, RefuseAnOctreeTooCoarseForTheBody) {
  model::TriangleMesh needle = octahedron();
  needle.positions.col(1) *= 1e-3;
  needle.positions.col(2) *= 1e-3;
  SamplingOptions options;
  options.octree.levels = 1;
  EXPECT_THROW(sample_volume(needle, options), InputError);
}

}  // namespace
}  // namespace deformbench::meshless
