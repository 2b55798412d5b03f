// SPDX-License-Identifier: BSD-3-Clause
// All sheets of a body: skin and crack faces, ends that keep their sheet, weights that follow a crack.
#include "methods/meshless/surface/surfel_surface.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <map>

#include "methods/facets.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "methods/meshless/weights/crack_weights.hpp"
#include "tests/meshless/cloud_fixture.hpp"
#include "tests/meshless/surfel_fixture.hpp"

namespace deformbench::meshless {
namespace {

/// A strip of the plane z from x = −1 to a front, wider than the unit box.
model::InitialCrack strip_through_box(double front, double z) {
  model::InitialCrack crack;
  crack.surface.positions.resize(4, 3);
  crack.surface.positions << -1, -1, z, front, -1, z, front, 2, z, -1, 2, z;
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  crack.fronts = {{1, 2}};
  return crack;
}

/// A jittered block of 1 m, with cracks at these heights.
Scene cracked_box(const std::vector<double>& heights, int cells = 5) {
  Scene scene = jittered_block(cells);
  scene.skin = unit_box();
  scene.time_step = 1e-3;
  for (const double z : heights) scene.cracks.push_back(strip_through_box(0.45, z));
  return scene;
}

struct SurfacedBody {
  explicit SurfacedBody(const Scene& scene, double radius = 0.1, double support_factor = 2.0)
      : cloud(make_node_cloud(scene, {.support_factor = support_factor})),
        weights(scene, {}, cloud),
        surface(scene, {.radius = radius}, cloud, {}, weights.cracks()) {}
  NodeCloud cloud;
  CrackWeights weights;
  SurfelSurface surface;
};

TEST(SurfelSurface, ThereAreTheSheetsOfTheSkinAndTwoOfEveryCrack) {
  const SurfacedBody body(cracked_box({0.33, 0.71}));
  EXPECT_EQ(body.surface.skin_sheet_count(), 6);
  ASSERT_EQ(body.surface.sheet_count(), 10);
  for (const int sheet : {6, 8}) {
    const auto one = body.surface.sheet(sheet).surfels(), other = body.surface.sheet(sheet + 1).surfels();
    ASSERT_EQ(one.size(), other.size());
    ASSERT_GT(one.size(), 20u);
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(one[k].position, other[k].position);
      EXPECT_EQ(one[k].normal, -other[k].normal);
      EXPECT_GT(other[k].axis_u.cross(other[k].axis_v).dot(other[k].normal), 0.0);
      EXPECT_LE((one[k].position - Vector3::Constant(0.5)).cwiseAbs().maxCoeff(), 0.6 + 1e-12);  // in, or a radius out
    }
  }
  EXPECT_EQ(body.surface.motion().surfels().size(), body.surface.sheets_of_surfels().size());
}

TEST(SurfelSurface, WithoutARadiusThereIsNone) {
  const SurfacedBody body(cracked_box({0.33}), 0.0);
  EXPECT_TRUE(body.surface.empty());
  EXPECT_EQ(body.surface.sheet_count(), 0);
}

TEST(SurfelSurface, TheBoundaryOfTetrahedraTakesThePlaceOfASkin) {
  Scene scene = cracked_box({});
  scene.skin = {};
  const SurfacedBody body(scene);
  EXPECT_FALSE(body.surface.empty());
}

TEST(SurfelSurface, AnEndGoesBackToItsOwnSheet) {
  const SurfacedBody body(cracked_box({0.5, 0.53}));
  const Vector3 x(0.2, 0.4, 0.528);
  for (const int sheet : {6, 7}) EXPECT_NEAR((*body.surface.project_end(sheet, x))[2], 0.5, 1e-12);
  for (const int sheet : {8, 9}) EXPECT_NEAR((*body.surface.project_end(sheet, x))[2], 0.53, 1e-12);
}

TEST(SurfelSurface, WeightsFollowACrackThatGrows) {
  Scene scene = cracked_box({0.5}, 8);
  scene.cracks[0].advance = {0.12, 0, 0};
  scene.cracks[0].ramp.end = 1.0;
  SurfacedBody body(scene, 0.1, 1.1);  // supports of a fifth of the box
  const std::int64_t all = body.surface.all_counts().surfels;
  EXPECT_EQ(all, std::int64_t(body.surface.motion().surfels().size()));
  for (const double time : {0.25, 0.5, 1.0}) {
    body.weights.advance_to(time);
    body.surface.update(body.weights.cracks(), body.weights.last_changes());
    EXPECT_GT(body.surface.last_counts().surfels, 0);
    EXPECT_LT(body.surface.last_counts().surfels, all);
    SurfelMotion anew(body.cloud.rest, body.cloud.supports, {});
    anew.append(body.surface.motion().surfels(), &body.weights.cracks());
    for (std::size_t s = 0; s < anew.surfels().size(); ++s) {
      const auto grown = body.surface.motion().weights_of(s), whole = anew.weights_of(s);
      ASSERT_TRUE(std::equal(grown.begin(), grown.end(), whole.begin(), whole.end())) << "surfel " << s;
    }
  }
  body.weights.advance_to(2.0);
  body.surface.update(body.weights.cracks(), body.weights.last_changes());
  EXPECT_EQ(body.surface.last_counts().surfels, 0);
  for (int appended = 1; appended <= 2; ++appended) {  // in the same step
    const Surfel another = body.surface.motion().surfels().front();
    body.surface.append(0, {&another, 1}, body.weights.cracks());
    EXPECT_EQ(body.surface.last_counts().surfels, appended);
  }
}

TEST(SurfelSurface, TheSimulationCarriesItAndItsNodesDoNotNotice) {
  Scene scene = cracked_box({0.5});
  scene.initial_velocities = random_points(scene.tet_mesh.rest_positions.rows(), 0.1, 3);
  MeshlessSimulation bare(scene, options_with({})), with(scene, options_with({{"surfel_radius_m", 0.1}}));
  for (int k = 0; k < 5; ++k) {
    bare.step();
    with.step();
  }
  EXPECT_EQ(bare.state().positions, with.state().positions);
  const MethodArray now = with.array("surfel_positions"), rest = with.array("surfel_rest_positions");
  ASSERT_EQ(now.shape, rest.shape);
  ASSERT_GT(now.reals.size(), 300u);
  EXPECT_NE(now.reals, rest.reals);
  EXPECT_EQ(with.array("surfel_axes").reals.size(), 2 * now.reals.size());
  EXPECT_EQ(with.array("surfel_sheets").integers.size(), now.shape[0]);
  EXPECT_EQ(with.array("surfel_pairs").shape[0], with.array("surfel_pair_weights").shape[0]);
  EXPECT_EQ(bare.array("surfel_positions").shape[0], 0u);
  // The sum of the shares of every surfel is 1.
  std::map<int, double> sums;
  const MethodArray pairs = with.array("surfel_pairs"), weights = with.array("surfel_pair_weights");
  for (std::size_t k = 0; k < weights.reals.size(); ++k) sums[pairs.integers[2 * k]] += weights.reals[k];
  EXPECT_EQ(sums.size(), now.shape[0]);
  for (const auto& [surfel, sum] : sums) EXPECT_NEAR(sum, 1.0, 1e-12);
}

}  // namespace
}  // namespace deformbench::meshless
