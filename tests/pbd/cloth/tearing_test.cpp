// SPDX-License-Identifier: BSD-3-Clause
// Tearing of a mesh. [MHHR07] §5.4
#include "methods/pbd/cloth/tearing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <set>

#include "methods/model/error.hpp"
#include "tests/pbd/cloth/cloth_shapes.hpp"

namespace deformbench::pbd {
namespace {

using pbd_test::Cloth;
using pbd_test::sheet;
using pbd_test::torus;

/// The rest shape (or any other) for the vertices that there are now.
Points followed(const TearableCloth& torn, const Points& first) {
  Points points(torn.vertex_count(), 3);
  for (int v = 0; v < torn.vertex_count(); ++v) points.row(v) = first.row(torn.parents()[std::size_t(v)]);
  return points;
}

double area(const Points& rest, const Triangles& triangles, Eigen::Index t) {
  const Vector3 a = rest.row(triangles(t, 0)).transpose(), b = rest.row(triangles(t, 1)).transpose(),
                c = rest.row(triangles(t, 2)).transpose();
  return 0.5 * (b - a).cross(c - a).norm();
}

/// Everything that must be true of a torn cloth at any time. Returns the length of its boundary at rest.
double check(const TearableCloth& torn, const Cloth& first) {
  const Triangles& triangles = torn.triangles();
  const Points rest = followed(torn, first.positions);
  EXPECT_EQ(triangles.rows(), first.triangles.rows());
  std::map<std::pair<int, int>, int> directed;
  std::vector<std::vector<int>> stars(std::size_t(torn.vertex_count()));
  double mass = 0.0, expected_mass = 0.0;
  for (int t = 0; t < triangles.rows(); ++t) {
    EXPECT_EQ(area(rest, triangles, t), area(first.positions, first.triangles, t));
    mass += area(rest, triangles, t);
    expected_mass += area(first.positions, first.triangles, t);
    for (int c = 0; c < 3; ++c) {
      const int v = triangles(t, c), next = triangles(t, (c + 1) % 3);
      EXPECT_EQ(torn.parents()[std::size_t(v)], first.triangles(t, c));  // a corner comes from its own first vertex
      EXPECT_EQ(++directed[std::make_pair(v, next)], 1) << "edge of two triangles wound alike, or of three";
      stars[std::size_t(v)].push_back(t);
    }
  }
  EXPECT_EQ(mass, expected_mass);
  double boundary = 0.0;
  for (const auto& [edge, count] : directed) {
    if (!directed.contains({edge.second, edge.first}))
      boundary += (rest.row(edge.first) - rest.row(edge.second)).norm();
  }
  for (int v = 0; v < torn.vertex_count(); ++v) {
    const auto& star = stars[std::size_t(v)];
    EXPECT_TRUE(std::equal(star.begin(), star.end(), torn.star(v).begin(), torn.star(v).end())) << v;
    EXPECT_FALSE(star.empty()) << "vertex " << v << " without a triangle";
    // One fan: from the first triangle of the star every other one is reached through edges at v.
    std::set<int> reached{star.front()};
    for (std::size_t size = 0; size != reached.size();) {
      size = reached.size();
      for (const int s : star) {
        for (const int r : std::set<int>(reached)) {
          int shared = 0;
          for (int c = 0; c < 3; ++c) shared += (triangles.row(r).array() == triangles(s, c)).any();
          if (shared >= 2) reached.insert(s);
        }
      }
    }
    EXPECT_EQ(reached.size(), star.size()) << "several fans at vertex " << v;
    const int source = torn.sources()[std::size_t(v)];
    EXPECT_TRUE(source < v || (source == v && v < first.positions.rows()));
    EXPECT_EQ(torn.parents()[std::size_t(source)], torn.parents()[std::size_t(v)]);
  }
  return boundary;
}

std::array<int, 2> random_edge(const TearableCloth& torn, numerics::RandomStream& random) {
  const auto t = Eigen::Index(random.below(std::uint64_t(torn.triangles().rows())));
  const int c = int(random.below(3));
  return {torn.triangles()(t, c), torn.triangles()(t, (c + 1) % 3)};
}

TEST(Tearing, AThousandRandomTearsLeaveAManifoldOfTheSameMassAndABoundaryThatOnlyGrows) {
  numerics::RandomStream random(31);
  int tears = 0, several = 0, refusals = 0;
  for (const Cloth& first : {sheet(9, 7, 0.1), torus(12, 8), sheet(1, 1, 1.0), sheet(20, 1, 0.1)}) {
    TearableCloth torn(first.triangles, first.positions.rows());
    double boundary = check(torn, first);
    for (int round = 0; round < 1000; ++round) {
      std::vector<std::array<int, 2>> edges(1 + random.below(4));
      for (auto& edge : edges) edge = random_edge(torn, random);
      const int before = torn.vertex_count();
      Points positions = pbd_test::shaken(followed(torn, first.positions), 0.05, random);
      const auto result = torn.tear(edges, positions, std::vector<bool>(std::size_t(before), false));
      ASSERT_EQ(torn.vertex_count(), before + int(result.size()));
      for (std::size_t i = 0; i < result.size(); ++i) {
        EXPECT_EQ(result[i].duplicate, before + int(i));
        EXPECT_EQ(torn.sources()[std::size_t(result[i].duplicate)], result[i].vertex);
      }
      tears += int(result.size());
      refusals += int(torn.refused().size());
      several += int(result.size()) > int(edges.size());
      if (result.empty()) continue;
      const double now = check(torn, first);
      EXPECT_GT(now, boundary * (1.0 - 1e-12)) << "the boundary became shorter";
      boundary = now;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(tears, 600);
  EXPECT_GT(several, 50);  // far ends that came apart, too
  EXPECT_GT(refusals, 100);
}

TEST(Tearing, GoesOnUntilEveryTriangleIsAlone) {
  numerics::RandomStream random(32);
  const Cloth first = sheet(5, 4, 0.1);
  TearableCloth torn(first.triangles, first.positions.rows());
  for (int round = 0; round < 20000 && torn.vertex_count() < 3 * first.triangles.rows(); ++round) {
    const Points positions = pbd_test::shaken(followed(torn, first.positions), 0.08, random);
    torn.tear({random_edge(torn, random)}, positions, std::vector<bool>(std::size_t(torn.vertex_count()), false));
  }
  ASSERT_EQ(torn.vertex_count(), 3 * first.triangles.rows());
  check(torn, first);
  // Nothing is left to tear: every edge is refused.
  EXPECT_TRUE(
      torn.tear({random_edge(torn, random)}, followed(torn, first.positions), std::vector<bool>(120, false)).empty());
  EXPECT_EQ(torn.refused().size(), 1u);
}

TEST(Tearing, TheDuplicateGetsTheTrianglesOnTheFarSide) {
  const Cloth first = sheet(4, 4, 1.0);
  TearableCloth torn(first.triangles, 25);
  const auto tears = torn.tear({{12, 13}}, first.positions, std::vector<bool>(25, false));  // along x, both ends inside
  ASSERT_EQ(tears.size(), 1u);
  EXPECT_EQ(tears[0].vertex, 12);
  EXPECT_EQ(tears[0].duplicate, 25);
  EXPECT_EQ(tears[0].edge_other, 13);
  for (const int t : torn.star(25))
    EXPECT_LT((first.positions(first.triangles(t, 0), 0) + first.positions(first.triangles(t, 1), 0) +
               first.positions(first.triangles(t, 2), 0)) /
                  3.0,
              2.0);
  for (const int t : torn.star(12))
    EXPECT_GT((first.positions(first.triangles(t, 0), 0) + first.positions(first.triangles(t, 1), 0) +
               first.positions(first.triangles(t, 2), 0)) /
                  3.0,
              2.0);
  EXPECT_EQ(torn.star(25).size() + torn.star(12).size(), 6u);
}

TEST(Tearing, TheEndOnTheBoundaryIsChosenUnlessItsTrianglesLieOnOneSide) {
  const Cloth first = sheet(4, 4, 1.0);
  const std::vector<bool> free(25, false);
  Points positions = first.positions;
  positions.row(8) << 3.0, 0.5, 0.0;
  TearableCloth torn(first.triangles, 25);
  EXPECT_EQ(torn.tear({{8, 2}}, positions, free).at(0).vertex, 2);
  TearableCloth other(first.triangles, 25);
  EXPECT_EQ(other.tear({{7, 2}}, first.positions, free).at(0).vertex, 7);  // 2 has triangles on the side of 7 only
}

TEST(Tearing, HeldVerticesAreNotChosen) {
  const Cloth first = sheet(4, 4, 1.0);
  std::vector<bool> held(25, false);
  held[12] = true;
  TearableCloth torn(first.triangles, 25);
  EXPECT_EQ(torn.tear({{12, 13}}, first.positions, held).at(0).vertex, 13);
  held[13] = true;
  TearableCloth other(first.triangles, 25);
  EXPECT_TRUE(other.tear({{12, 13}}, first.positions, held).empty());
  EXPECT_EQ(other.refused().size(), 1u);
}

TEST(Tearing, AnEdgeThatIsNoLongerThereIsPassedOver) {
  const Cloth first = sheet(4, 4, 1.0);
  TearableCloth torn(first.triangles, 25);
  const auto tears = torn.tear({{12, 13}, {11, 12}}, first.positions, std::vector<bool>(25, false));
  EXPECT_EQ(tears.size(), 1u);  // 11 and 12 have no triangle in common any more
  EXPECT_TRUE(torn.refused().empty());
}

TEST(Tearing, ACornerThatIsNoVertexIsRefused) {
  Triangles triangles(1, 3);
  triangles << 0, 1, 3;
  EXPECT_THAT([&] { TearableCloth(triangles, 3); },
              testing::ThrowsMessage<InputError>("cloth: triangle 0 has the vertex 3, expected 0 … 2"));
}

}  // namespace
}  // namespace deformbench::pbd
