// SPDX-License-Identifier: BSD-3-Clause
// Projection, distance and rays of sheets of surfels and of triangles, against closed forms. [AA04], [PKAGDG05] §3.1
#include "methods/meshless/surface/surfel_sheet.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>

#include "methods/meshless/surface/triangle_sheet.hpp"
#include "tests/meshless/surfel_fixture.hpp"

namespace deformbench::meshless {
namespace {

/// z = 0 above [−1, 1]², normals along z, at places without a pattern.
std::vector<Surfel> flat(double radius) {
  model::TriangleMesh square;
  square.positions.resize(4, 3);
  square.positions << -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0;
  square.triangles.resize(2, 3);
  square.triangles << 0, 1, 2, 0, 2, 3;
  return sample_surface(square, {.radius = radius}).at(0);
}

TEST(SurfelSheet, APlaneIsExact) {
  const SurfelSheet sheet = sheet_of(flat(0.1));
  numerics::RandomStream random(3);
  for (int k = 0; k < 300; ++k) {
    const Vector3 x(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.3, 0.3));
    const auto y = sheet.project(x);
    ASSERT_TRUE(y);
    EXPECT_LT((*y - Vector3(x[0], x[1], 0)).norm(), 1e-14);
    EXPECT_NEAR(*sheet.signed_distance(x), x[2], 1e-14);
    EXPECT_LT((sheet.normal(*y) - Vector3::UnitZ()).norm(), 1e-14);
  }
}

TEST(SurfelSheet, ThereIsNothingFarFromItNorBeyondItsBorder) {
  const SurfelSheet sheet = sheet_of(flat(0.1));
  EXPECT_FALSE(sheet.project({0, 0, 0.41}));
  EXPECT_TRUE(sheet.project({0, 0, 0.35}));
  EXPECT_FALSE(sheet.signed_distance({0, 0, -0.41}));
  EXPECT_TRUE(sheet.project({1.1, 0, 0.1}));
  EXPECT_FALSE(sheet.project({1.3, 0, 0.1}));
  EXPECT_FALSE(sheet.implicit_value({1.3, 0, 0.1}));
  EXPECT_THROW((void)sheet.normal({0, 0, 9}), std::invalid_argument);
  EXPECT_FALSE(SurfelSheet(0.1).project({0, 0, 0}));
}

struct Errors {
  double distance = 0.0, residual = 0.0, aslant = 0.0;  ///< m, m, sine
};

/// Errors for points up to 1.5 r off the unit sphere.
Errors on_sphere(double radius) {
  const SurfelSheet sheet = sheet_of(sample_surface(unit_sphere(), {.radius = radius}).at(0));
  numerics::RandomStream random(5);
  Errors worst;
  for (int k = 0; k < 400; ++k) {
    const double off = radius * random.uniform(-1.5, 1.5);
    const Vector3 x = (1.0 + off) * random.direction();
    const auto y = sheet.project(x);
    EXPECT_TRUE(y);
    if (!y) continue;
    worst.distance = std::max(worst.distance, std::abs(y->norm() - 1.0));
    worst.residual = std::max(worst.residual, std::abs(*sheet.implicit_value(*y)));
    worst.aslant = std::max(worst.aslant, (x - *y).cross(sheet.normal(*y)).norm() / std::max(1e-3, (x - *y).norm()));
    EXPECT_NEAR(*sheet.signed_distance(x), off + 0.5 * radius * radius, 0.2 * radius * radius);
  }
  return worst;
}

TEST(SurfelSheet, ASphereLiesHalfOfTheSquareOfTheRadiusInside) {
  const Errors coarse = on_sphere(0.2), fine = on_sphere(0.1);
  EXPECT_NEAR(coarse.distance, 0.5 * 0.04, 0.2 * 0.04);
  EXPECT_NEAR(coarse.distance / fine.distance, 4.0, 0.5);
  for (const Errors& errors : {coarse, fine}) {
    EXPECT_LT(errors.residual, 1e-9 * 0.1);
    EXPECT_LT(errors.aslant, 1e-8);
  }
}

TEST(SurfelSheet, GrownAndMadeAtOnceAreTheSameBits) {
  const std::vector<Surfel> surfels = sample_surface(unit_sphere(), {.radius = 0.2}).at(0);
  const SurfelSheet whole = sheet_of(surfels);
  SurfelSheet grown(0.2);
  numerics::RandomStream random(7);
  for (const Surfel& surfel : surfels) {
    grown.append(surfel);
    (void)grown.project(surfel.position);  // a query between two insertions leaves nothing behind
  }
  for (int k = 0; k < 200; ++k) {
    const Vector3 x = random.uniform(0.9, 1.1) * random.direction();
    ASSERT_TRUE(whole.project(x));
    EXPECT_EQ(*grown.project(x), *whole.project(x));
    EXPECT_EQ(grown.first_hit(Vector3::Zero(), 2.0 * x), whole.first_hit(Vector3::Zero(), 2.0 * x));
  }
}

TEST(SurfelSheet, SegmentsHitItFromBothSidesWhereTheyCross) {
  const SurfelSheet sheet = sheet_of(sample_surface(unit_sphere(), {.radius = 0.1}).at(0));
  numerics::RandomStream random(11);
  for (int k = 0; k < 200; ++k) {
    const Vector3 way = random.direction(), across = 0.6 * way.cross(random.direction());
    const Vector3 outside = across + 3.0 * way, inside = across, beyond = across - 3.0 * way;
    const double depth = std::sqrt(1.0 - across.squaredNorm());
    const auto in = sheet.first_hit(outside, inside), out = sheet.first_hit(inside, outside);
    const auto through = sheet.first_hit(outside, beyond);
    ASSERT_TRUE(in && out && through);
    EXPECT_NEAR(3.0 - 3.0 * *in, depth, 0.012);
    EXPECT_NEAR(3.0 * *out, depth, 0.012);
    EXPECT_NEAR(6.0 * *through, 3.0 * *in, 1e-9);
    EXPECT_NEAR(*sheet.implicit_value(outside + *in * (inside - outside)), 0.0, 1e-12);
    EXPECT_FALSE(sheet.first_hit(Vector3::Zero(), 0.9 * way));
    EXPECT_FALSE(sheet.first_hit(1.1 * way, 9.0 * way));
  }
}

TEST(SurfelSheet, AheadOfTheOutermostSplatsThereIsNoSheet) {
  const SurfelSheet sheet = sheet_of(flat(0.1));
  for (const double y : {-0.7, 0.0, 0.4}) {
    EXPECT_TRUE(sheet.first_hit({0.99, y, -0.5}, {0.97, y, 0.5}));
    EXPECT_FALSE(sheet.first_hit({1.11, y, -0.5}, {1.11, y, 0.5}));
    EXPECT_TRUE(sheet.implicit_value({1.11, y, 0.0}));  // where the surface would go on
  }
}

TEST(SurfelSheet, LongAxesReachFartherThanShortOnes) {
  SurfelSheet sheet(0.3);
  sheet.append({Vector3::Zero(), Vector3::UnitZ(), 0.3 * Vector3::UnitX(), 0.1 * Vector3::UnitY()});
  EXPECT_TRUE(sheet.first_hit({0.29, 0, -1}, {0.29, 0, 1}));
  EXPECT_FALSE(sheet.first_hit({0, 0.11, -1}, {0, 0.11, 1}));
  EXPECT_TRUE(sheet.first_hit({0, 0.09, -1}, {0, 0.09, 1}));
}

TEST(SurfelSheet, ParallelSheetsKeepTheirOwnPoints) {
  const std::vector<Surfel> lower = flat(0.1);
  std::vector<Surfel> upper = lower;
  for (Surfel& surfel : upper) surfel = round_surfel(surfel.position + 0.03 * Vector3::UnitZ(), -surfel.normal, 0.1);
  const SurfelSheet a = sheet_of(lower), b = sheet_of(upper);
  const Vector3 x(0.2, 0.1, 0.028);
  EXPECT_NEAR((*a.project(x))[2], 0.0, 1e-14);
  EXPECT_NEAR((*b.project(x))[2], 0.03, 1e-14);
  EXPECT_NEAR(*a.signed_distance(x), 0.028, 1e-14);
  EXPECT_NEAR(*b.signed_distance(x), 0.002, 1e-14);
}

TEST(TriangleSheet, ABoxIsExact) {
  const TriangleSheet sheet(unit_box());
  EXPECT_NEAR(*sheet.signed_distance({0.5, 0.5, 0.8}), -0.2, 1e-15);
  EXPECT_NEAR(*sheet.signed_distance({0.5, 1.3, 0.5}), 0.3, 1e-15);
  EXPECT_LT((*sheet.project({0.2, 0.3, 2}) - Vector3(0.2, 0.3, 1)).norm(), 1e-15);
  EXPECT_LT((sheet.normal({0.2, 0.3, 1}) - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_NEAR(*sheet.first_hit({0.5, 0.4, 3}, {0.5, 0.4, -3}), 2.0 / 6, 1e-15);
  EXPECT_NEAR(*sheet.first_hit({0.5, 0.4, 0.5}, {0.5, 0.4, 2.5}), 0.25, 1e-15);
  EXPECT_FALSE(sheet.first_hit({0.5, 0.4, 0.5}, {0.5, 0.4, 0.9}));
}

TEST(TriangleSheet, BothKindsOfSheetAgreeOnASphere) {
  const TriangleSheet triangles(unit_sphere());
  const SurfelSheet surfels = sheet_of(sample_surface(unit_sphere(), {.radius = 0.05}).at(0));
  numerics::RandomStream random(13);
  for (int k = 0; k < 200; ++k) {
    const Vector3 x = random.uniform(0.9, 1.1) * random.direction();
    EXPECT_LT((*triangles.project(x) - *surfels.project(x)).norm(), 0.005);
    EXPECT_NEAR(*triangles.signed_distance(x), *surfels.signed_distance(x), 0.0025);
    EXPECT_NEAR(*triangles.first_hit(0.5 * x, 2 * x), *surfels.first_hit(0.5 * x, 2 * x), 0.002);
  }
}

}  // namespace
}  // namespace deformbench::meshless
