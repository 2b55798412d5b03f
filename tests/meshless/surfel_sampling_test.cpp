// SPDX-License-Identifier: BSD-3-Clause
// Surfels on triangle meshes: sheets end at creases, and no ray goes through.
#include "methods/meshless/surface/surfel_sampling.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <numbers>
#include <set>

#include "methods/model/error.hpp"
#include "tests/meshless/surfel_fixture.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TEST(SheetsOfTriangles, AreSeparatedByCreases) {
  const auto count = [](const model::TriangleMesh& mesh, double degrees) {
    const std::vector<int> sheets = sheets_of_triangles(mesh, degrees * kDegree);
    return std::set<int>(sheets.begin(), sheets.end()).size();
  };
  EXPECT_EQ(count(unit_box(), 89), 6u);
  EXPECT_EQ(count(unit_box(), 91), 1u);
  EXPECT_EQ(count(unit_sphere(), 40), 1u);
  EXPECT_EQ(count(scenes::torus(1, 0.3, 30, 20), 40), 1u);
  EXPECT_EQ(count(scenes::octahedron(1), 60), 8u);
  EXPECT_EQ(count(scenes::octahedron(1), 80), 1u);
}

TEST(SheetsOfTriangles, AreNumberedByTheirFirstTriangles) {
  EXPECT_EQ(sheets_of_triangles(unit_box(), kDegree), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

TEST(SampleSurface, SurfelsLieOnTheirFacesWithTheirNormals) {
  const auto sheets = sample_surface(unit_box(), {.radius = 0.08});
  ASSERT_EQ(sheets.size(), 6u);
  for (std::size_t s = 0; s < 6; ++s)
    for (const Surfel& surfel : sheets[s]) {
      EXPECT_LT((surfel.normal - sheets[s].front().normal).norm(), 1e-12);
      EXPECT_NEAR((surfel.position - sheets[s].front().position).dot(surfel.normal), 0.0, 1e-12);
      EXPECT_NEAR(surfel.axis_u.norm(), 0.08, 1e-12);
      EXPECT_NEAR(surfel.axis_u.dot(surfel.axis_v), 0.0, 1e-12);
      EXPECT_GT(surfel.axis_u.cross(surfel.axis_v).dot(surfel.normal), 0.0);
      EXPECT_GT((surfel.position - Vector3::Constant(0.5)).dot(surfel.normal), 0.49);
    }
}

TEST(SampleSurface, SurfelsKeepADistanceAndTheSameMeshGivesTheSameBits) {
  const auto sheets = sample_surface(unit_sphere(), {.radius = 0.1}),
             again = sample_surface(unit_sphere(), {.radius = 0.1});
  const std::vector<Surfel>& surfels = sheets.at(0);
  ASSERT_EQ(surfels.size(), again.at(0).size());
  for (std::size_t k = 0; k < surfels.size(); ++k) {
    EXPECT_EQ(surfels[k].position, again[0][k].position);
    for (std::size_t j = 0; j < k; ++j) ASSERT_GE((surfels[k].position - surfels[j].position).norm(), 0.08);
  }
  // Packed at random, 0.7 of the square of the distance each.
  EXPECT_NEAR(double(surfels.size()) * 0.08 * 0.08 / (4 * std::numbers::pi), 0.7, 0.12);
}

/// Rays through random points of the triangles, up to 60° aslant, that miss the sheet of their triangle.
int missed_rays(const model::TriangleMesh& mesh, double radius, int count) {
  const auto surfels = sample_surface(mesh, {.radius = radius});
  const std::vector<int> sheet_of_triangle = sheets_of_triangles(mesh, SurfelSampling{}.crease_angle);
  std::vector<SurfelSheet> sheets;
  for (const auto& of_sheet : surfels) sheets.push_back(sheet_of(of_sheet));
  numerics::RandomStream random(17);
  int missed = 0;
  for (int k = 0; k < count; ++k) {
    const auto t = Eigen::Index(random.below(std::uint64_t(mesh.triangle_count())));
    double b = random.uniform(), c = random.uniform();
    if (b + c > 1.0) b = 1.0 - b, c = 1.0 - c;
    const Vector3 p = mesh.positions.row(mesh.triangles(t, 0)), q = mesh.positions.row(mesh.triangles(t, 1)),
                  r = mesh.positions.row(mesh.triangles(t, 2));
    const Vector3 at = p + b * (q - p) + c * (r - p), normal = (q - p).cross(r - p).normalized();
    Vector3 way = random.direction();
    while (std::abs(way.dot(normal)) < 0.5) way = random.direction();
    // A curved sheet lies a little inside: the segment reaches farther than that.
    missed += !sheets[std::size_t(sheet_of_triangle[std::size_t(t)])].first_hit(at + 0.8 * radius * way,
                                                                                at - 0.8 * radius * way);
  }
  return missed;
}

TEST(SampleSurface, NoRayGoesThrough) {
  EXPECT_EQ(missed_rays(unit_box(), 0.1, 4000), 0);
  EXPECT_EQ(missed_rays(unit_sphere(), 0.15, 4000), 0);
  EXPECT_EQ(missed_rays(scenes::torus(1, 0.4, 60, 30), 0.1, 4000), 0);
}

TEST(SampleSurface, ARegionLeavesOutWhatLiesOutside) {
  const numerics::Box region{Vector3(0.2, 0.2, 0.9), Vector3(0.7, 0.6, 1.1)};
  const auto sheets = sample_surface(unit_box(), {.radius = 0.05}, region);
  std::size_t count = 0;
  for (const auto& surfels : sheets)
    for (const Surfel& surfel : surfels) {
      EXPECT_EQ(surfel.position[2], 1.0);
      EXPECT_TRUE(overlap({surfel.position, surfel.position}, region));
      ++count;
    }
  EXPECT_NEAR(double(count) * 0.04 * 0.04 / (0.5 * 0.4), 0.75, 0.15);
}

TEST(SampleSurface, RefusesARadiusThatNobodyCanSample) {
  EXPECT_THROW((void)sample_surface(unit_box(), {.radius = 0.0}), InputError);
  EXPECT_THROW((void)sample_surface(unit_box(), {.radius = 1e-7}), InputError);
}

}  // namespace
}  // namespace deformbench::meshless
