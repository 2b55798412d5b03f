// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/fracturing_surface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/structured.hpp"
#include "tests/surface/fracture_case.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using model::BlockSplit;
using surface_test::BreakingMesh;
using surface_test::follows_connected_elements;
using surface_test::is_watertight;

const std::vector<BlockSplit> kSplits{BlockSplit::KuhnSix, BlockSplit::AlternatingFive, BlockSplit::BodyCentred};

void expect_watertight_under_splits(const model::TetMesh& mesh, const model::TriangleMesh& shape, int splits, std::uint64_t seed,
                                    int check_every = 1) {
  FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  const double volume = model::enclosed_volume(shape);
  ASSERT_TRUE(is_watertight(surface, volume));
  numerics::RandomStream random(seed);
  for (int k = 0; k < splits; ++k) {
    if (!breaking.split_at_random(random)) continue;
    surface.follow(breaking.tetrahedra());
    if (k % check_every != 0 && k + 1 != splits) continue;
    ASSERT_TRUE(is_watertight(surface, volume)) << "after split " << k << ", seed " << seed;
    ASSERT_TRUE(follows_connected_elements(surface, breaking)) << "after split " << k << ", seed " << seed;
  }
}

TEST(FracturingSurface, StaysClosedUnderRandomSplitsOfASphere) {
  for (const BlockSplit split : kSplits) {
    const model::TetMesh mesh = model::make_block({4, 4, 4}, {-1, -1, -1}, {2, 2, 2}, split);
    expect_watertight_under_splits(mesh, surface_test::sphere({0.013, -0.027, 0.008}, 0.8, 4), 60, 5);
  }
}

TEST(FracturingSurface, StaysClosedUnderRandomSplitsOfATorus) {
  for (const BlockSplit split : kSplits) {
    const model::TetMesh mesh = model::make_block({5, 5, 2}, {-1, -1, -0.4}, {2, 2, 0.8}, split);
    expect_watertight_under_splits(mesh, surface_test::torus({0.01, 0.02, 0.03}, 0.6, 0.25, 72, 36), 60, 7);
  }
}

TEST(FracturingSurface, CompleteSeparationLeavesTheClippedVolumes) {
  for (const BlockSplit split : kSplits) {
    const model::TetMesh mesh = model::make_block({3, 3, 3}, {-1, -1, -1}, {2, 2, 2}, split);
    const model::TriangleMesh shape = surface_test::sphere({0.013, -0.027, 0.008}, 0.8, 3);
    FracturingSurface surface(mesh, shape);
    BreakingMesh breaking(mesh);
    breaking.separate_all();
    surface.follow(breaking.tetrahedra());
    ASSERT_TRUE(is_watertight(surface, model::enclosed_volume(shape)));
    ASSERT_TRUE(follows_connected_elements(surface, breaking));
    const std::vector<double> expected = surface_test::clipped_volumes(shape, mesh);
    std::vector<double> found(expected.size(), 0.0);
    const SurfacePieces pieces = surface.pieces();
    std::vector<int> element_of(pieces.volumes.size());
    for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
      element_of[static_cast<std::size_t>(pieces.of_triangle[static_cast<std::size_t>(t)])] =
          surface.elements()[static_cast<std::size_t>(surface.triangles()(t, 0))];
    }
    for (std::size_t p = 0; p < pieces.volumes.size(); ++p) found[static_cast<std::size_t>(element_of[p])] += pieces.volumes[p];
    std::size_t meeting = 0;
    for (std::size_t e = 0; e < expected.size(); ++e) {
      EXPECT_NEAR(found[e], expected[e], 1e-12) << "element " << e;  // both sum some 1e3 terms below 1e-3
      meeting += expected[e] > 1e-12 ? 1 : 0;
    }
    EXPECT_EQ(pieces.volumes.size(), meeting);
  }
}

}  // namespace
}  // namespace deformbench::surface
