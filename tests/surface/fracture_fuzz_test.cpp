// SPDX-License-Identifier: BSD-3-Clause
// Random meshes, shapes and splits; after every event the surface is closed, edge-manifold and consistently oriented,
// and its volumes add up.
//
// Sample run: test_fracture_fuzz --sequences=1000 --first=1
#include <gtest/gtest.h>

#include <charconv>
#include <string_view>

#include <Eigen/Dense>

#include "methods/model/mesh_checks.hpp"
#include "methods/model/structured.hpp"
#include "tests/surface/fracture_case.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

int sequences = 25;   // of 40 splits each
int first_seed = 26;  // a sample in which cracks meet along edges inside the surface

TEST(FractureFuzz, StaysWatertightWhateverBreaks) {
  using numerics::RandomStream;
  SurfaceCut total;
  for (int seed = first_seed; seed < first_seed + sequences; ++seed) {
    RandomStream random(std::uint64_t(seed), 1);
    const auto pick = [&](int low, int high) { return low + int(random.below(std::uint64_t(high - low + 1))); };
    const auto split = model::BlockSplit(pick(0, 2));
    model::TetMesh mesh = model::make_block({pick(1, 4), pick(1, 4), pick(1, 4)}, {-1, -1, -1}, {2, 2, 2}, split);
    if (pick(0, 1) == 1) mesh = model::jitter(mesh, {.fraction = 0.2, .seed = std::uint64_t(seed)});
    // Every other shape has its vertices on a grid that contains the mesh's, so that nothing is in general position.
    model::TriangleMesh shape;
    switch (pick(0, 3)) {
      case 0:
        shape = surface_test::sphere({0, 0, 0}, random.uniform(0.3, 0.9), pick(0, 3));
        break;
      case 1:
        shape = surface_test::torus({0, 0, 0}, random.uniform(0.4, 0.7), random.uniform(0.05, 0.25), pick(5, 24),
                                    pick(3, 12));
        break;
      case 2:
        shape =
            surface_test::box(-random.uniform(0.2, 0.9) * Vector3::Ones(), random.uniform(0.2, 0.9) * Vector3::Ones());
        break;
      default:
        shape = surface_test::join(surface_test::sphere({0, 0, 0}, random.uniform(0.7, 0.9), pick(1, 3)),
                                   surface_test::sphere({0, 0, 0}, random.uniform(0.2, 0.35), pick(1, 3)), true);
    }
    if (pick(0, 1) == 0) shape.positions = shape.positions * random.rotation().transpose();
    const double reach = shape.positions.cwiseAbs().maxCoeff();
    if (reach > 1.0) shape.positions *= 1.0 / reach;  // touches the boundary then
    if (pick(0, 1) == 0) {
      const double step = 1.0 / (6 * pick(1, 4));
      const Points snapped = (shape.positions / step).array().round() * step;
      model::TriangleMesh grid = shape;
      grid.positions = snapped;
      if (model::enclosed_volume(grid) > 0.01 && snapped.cwiseAbs().maxCoeff() <= 1.0) shape = grid;
    }
    ASSERT_TRUE(surface_test::stays_watertight(mesh, shape, 40, std::uint64_t(seed), &total)) << "sequence " << seed;
  }
  if (sequences >= 25) {  // otherwise the sample was too tame
    EXPECT_GT(total.triangles_cut, 1000);
    EXPECT_GT(total.slivers, 0);
    EXPECT_GT(total.edges_divided, 0);
  }
  RecordProperty("faces_opened", total.faces_opened);
  RecordProperty("slivers", total.slivers);
  RecordProperty("overlapping_cracks", total.overlapping_cracks);
}

bool take(std::string_view argument, std::string_view name, int& value) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  return std::from_chars(argument.data(), argument.data() + argument.size(), value).ec == std::errc();
}

}  // namespace

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (!take(argv[i], "--sequences=", sequences) && !take(argv[i], "--first=", first_seed)) return 2;
  }
  return RUN_ALL_TESTS();
}

}  // namespace deformbench::surface

int main(int argc, char** argv) {
  return deformbench::surface::run(argc, argv);
}
