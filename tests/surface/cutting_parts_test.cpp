// SPDX-License-Identifier: BSD-3-Clause
// The parts of the cut: exact signs, the search grid, triangulations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"
#include "methods/surface/cutting/perturbed_points.hpp"
#include "methods/surface/cutting/polygon_triangulation.hpp"
#include "methods/surface/cutting/surface_grid.hpp"
#include "methods/surface/cutting/surface_link.hpp"
#include "methods/surface/cutting/tet_adjacency.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

// Coordinates that are small integers: the determinant is exact in double precision.
Points lattice_points(int count, numerics::RandomStream& random) {
  Points x(count, 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = double(random.below(5)) - 2.0;
  return x;
}

double plain_determinant(const Points& x, int a, int b, int c, int d) {
  const Vector3 o = x.row(a).transpose();
  return (x.row(b).transpose() - o).dot((x.row(c).transpose() - o).cross(x.row(d).transpose() - o));
}

TEST(PerturbedPoints, SidesOfPointsInGeneralPositionAreThoseOfTheDeterminant) {
  numerics::RandomStream random(1);
  const Points surface = lattice_points(12, random);
  const model::TetMesh mesh = model::make_block({1, 1, 1}, {-2, -2, -2}, {4, 4, 4}, model::BlockSplit::KuhnSix);
  const PerturbedPoints points(surface, mesh, Points::Zero(mesh.vertex_count(), 3));
  for (int k = 0; k < 3000; ++k) {
    std::array<int, 4> i;
    for (int& v : i) v = int(random.below(12));
    const double expected = plain_determinant(surface, i[0], i[1], i[2], i[3]);
    EXPECT_EQ(points.side(i[0], i[1], i[2], i[3]), expected > 0.0 ? 1 : expected < 0.0 ? -1 : 0);
  }
}

TEST(PerturbedPoints, NoVertexOfTheMeshIsEverInThePlaneOfThreeOtherPoints) {
  numerics::RandomStream random(2);
  const Points surface = lattice_points(20, random);
  const model::TetMesh mesh = model::make_block({4, 4, 4}, {-2, -2, -2}, {4, 4, 4}, model::BlockSplit::KuhnSix);
  const PerturbedPoints points(surface, mesh, Points::Zero(mesh.vertex_count(), 3));
  int flat = 0;
  for (int k = 0; k < 3000; ++k) {
    const auto any = [&] { return tet_point(int(random.below(std::uint64_t(mesh.vertex_count())))); };
    const std::array<PointId, 4> p{any(), any(), any(), PointId(random.below(20))};
    if (std::set<PointId>(p.begin(), p.end()).size() < 4) continue;
    const int side = points.side(p[0], p[1], p[2], p[3]);
    EXPECT_NE(side, 0);
    // One real configuration: exchanging two points changes the sign, turning three does not.
    EXPECT_EQ(points.side(p[1], p[0], p[2], p[3]), -side);
    EXPECT_EQ(points.side(p[0], p[1], p[3], p[2]), -side);
    EXPECT_EQ(points.side(p[1], p[2], p[0], p[3]), side);
    Points x(4, 3);
    for (int i = 0; i < 3; ++i) x.row(i) = mesh.rest_positions.row(~p[std::size_t(i)]);
    x.row(3) = surface.row(p[3]);
    flat += plain_determinant(x, 0, 1, 2, 3) == 0.0 ? 1 : 0;
  }
  EXPECT_GT(flat, 100);  // otherwise nothing was decided by the movement
  EXPECT_GE(points.exact_count(), flat);
}

TEST(PerturbedPoints, BoundaryVerticesMoveOutwards) {
  const model::TetMesh mesh = model::make_block({2, 2, 2}, {-1, -1, -1}, {2, 2, 2}, model::BlockSplit::BodyCentred);
  const TetAdjacency tets(mesh);
  const PerturbedPoints points(mesh.rest_positions, mesh, outward_directions(mesh, tets));
  for (const TetFace& face : tets.faces()) {
    if (face.elements[1] >= 0) continue;
    for (const int v : face.vertices) {  // where the vertex was is inside of the face now
      EXPECT_EQ(points.side(tet_point(face.vertices[0]), tet_point(face.vertices[1]), tet_point(face.vertices[2]), v),
                -1);
    }
  }
}

TEST(PerturbedPoints, CrossingsAlongAnEdgeAreOrdered) {
  // Triangles in planes x = 0.08 k pierced by an edge along x; one more tilted by the last bit.
  model::TriangleMesh surface;
  surface.positions.resize(30, 3);
  for (int k = 0; k < 10; ++k) {
    const double x = 0.1 * k / 1.25;
    surface.positions.row(3 * k) << x, -1, -1;
    surface.positions.row(3 * k + 1) << x, 3, -1;
    surface.positions.row(3 * k + 2) << (k == 5 ? std::nextafter(x, 1.0) : x), -1, 3;
  }
  surface.positions.middleRows(27, 3) = surface.positions.middleRows(12, 3);
  surface.positions(28, 0) = std::nextafter(surface.positions(28, 0), 2.0);
  model::TetMesh mesh;
  mesh.rest_positions.resize(4, 3);
  mesh.rest_positions << -1, 0.25, 0.25, 2, 0.25, 0.25, 0, 1, 0, 0, 0, 1;
  mesh.tetrahedra.resize(1, 4);
  mesh.tetrahedra << 0, 1, 2, 3;
  const PerturbedPoints points(surface.positions, mesh, Points::Zero(4, 3));
  const auto plane = [](int k) { return PlaneIds{3 * k, 3 * k + 1, 3 * k + 2}; };
  const PointId p = tet_point(0), q = tet_point(1);
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b)
      EXPECT_EQ(points.compare_crossings(p, q, plane(a), plane(b)), a < b ? -1 : a > b ? 1 : 0);
    EXPECT_NEAR(points.crossing(p, q, plane(a)).position[0], 0.08 * a, 1e-12);
  }
  EXPECT_EQ(points.compare_crossings(p, q, plane(4), plane(9)), -1);
  EXPECT_EQ(points.compare_crossings(q, p, plane(4), plane(9)), 1);
}

TEST(SurfaceGrid, FindsEveryTriangleThatABruteForceSearchFinds) {
  const model::TriangleMesh shape = surface_test::torus({0.1, -0.2, 0.3}, 0.6, 0.25, 40, 20);
  SurfaceGrid grid(shape);
  numerics::RandomStream random(3);
  const auto point = [&] { return Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.8)); };
  std::size_t met = 0;
  for (int k = 0; k < 200; ++k) {
    const Vector3 a = point(), b = point();
    const Vector3 c = k % 4 == 0 ? b : point();  // every fourth is a segment
    const std::vector<int>& near = grid.near(a, b, c);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    for (Eigen::Index t = 0; t < shape.triangle_count(); ++t) {
      // Points of the triangle a, b, c that lie in the box of triangle t mean that they may meet.
      const Vector3 p = shape.positions.row(shape.triangles(t, 0)).transpose();
      const Vector3 q = shape.positions.row(shape.triangles(t, 1)).transpose();
      const Vector3 r = shape.positions.row(shape.triangles(t, 2)).transpose();
      const Vector3 n = (q - p).cross(r - p);
      const double da = n.dot(a - p), db = n.dot(b - p);
      if (da * db >= 0.0) continue;
      const Vector3 x = a + da / (da - db) * (b - a);
      if (n.dot((q - p).cross(x - p)) < 0 || n.dot((r - q).cross(x - q)) < 0 || n.dot((p - r).cross(x - r)) < 0)
        continue;
      ++met;
      EXPECT_TRUE(std::binary_search(near.begin(), near.end(), int(t)));
    }
    EXPECT_LT(near.size(), std::size_t(shape.triangle_count()));
  }
  EXPECT_GT(met, 100U);
  EXPECT_EQ(grid.builds(), 1);
}

double signed_area(const std::vector<Vector3>& x, int a, int b, int c) {
  const auto at = [&](int i) -> const Vector3& { return x[std::size_t(i)]; };
  return 0.5 * (at(b) - at(a)).cross(at(c) - at(a))[2];
}

RegionGeometry plain_geometry(const std::vector<Vector3>& x) {
  RegionGeometry geometry;
  geometry.positions = x;
  geometry.turn = [&x](int a, int b, int c) {
    const double area = signed_area(x, a, b, c);
    return area > 0.0 ? 1 : area < 0.0 ? -1 : 0;
  };
  geometry.may_join = [](int, int) { return true; };
  geometry.coincide = [&x](int a, int b) { return x[std::size_t(a)] == x[std::size_t(b)]; };
  geometry.area_sign = [&x](std::span<const int> loop) {
    double area = 0.0;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) area += signed_area(x, loop[0], loop[k], loop[k + 1]);
    return area > 0.0 ? 1 : area < 0.0 ? -1 : 0;
  };
  return geometry;
}

// A star-shaped outline around `centre`, its points at random distances.
std::vector<int> add_star(std::vector<Vector3>& x, const Vector3& centre, double size, int points, bool hole,
                          numerics::RandomStream& random) {
  std::vector<int> loop;
  for (int k = 0; k < points; ++k) {
    const double angle = (hole ? -2.0 : 2.0) * std::numbers::pi * k / points;
    const double distance = size * random.uniform(0.4, 1.0);
    loop.push_back(int(x.size()));
    x.push_back(centre + distance * Vector3(std::cos(angle), std::sin(angle), 0.0));
  }
  return loop;
}

TEST(PolygonTriangulation, RegionsWithHolesAreCoveredOnceWithEveryVertex) {
  numerics::RandomStream random(4);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vector3> x;
    std::vector<std::vector<int>> loops;
    const int holes = int(random.below(5));
    std::vector<int> outline = add_star(x, {0, 0, 0}, 10.0, 8 + int(random.below(40)), false, random);
    for (const int i : outline) x[std::size_t(i)] *= 2.0;  // at least 8 from the centre
    loops.push_back(outline);
    for (int h = 0; h < holes; ++h) {
      const double angle = 2.0 * std::numbers::pi * h / 5;
      loops.push_back(add_star(x, 3.0 * Vector3(std::cos(angle), std::sin(angle), 0), 1.2, 3 + int(random.below(12)),
                               true, random));
    }
    // An island in the first hole is a piece of its own.
    int pieces = 1;
    if (holes > 0 && round % 2 == 0) {
      loops.push_back(add_star(x, {3, 0, 0}, 0.2, 7, false, random));
      pieces = 2;
    }
    const RegionGeometry geometry = plain_geometry(x);
    const auto triangles = triangulate_region(loops, geometry);
    ASSERT_TRUE(triangles.has_value());
    EXPECT_EQ(triangles->size(), x.size() + 2 * (loops.size() - std::size_t(pieces)) - 2 * std::size_t(pieces));
    double area = 0.0, expected = 0.0;
    std::set<int> used;
    for (const auto& t : *triangles) {
      EXPECT_GT(signed_area(x, t[0], t[1], t[2]), 0.0);
      area += signed_area(x, t[0], t[1], t[2]);
      used.insert(t.begin(), t.end());
    }
    for (const auto& loop : loops) {
      for (std::size_t k = 1; k + 1 < loop.size(); ++k) expected += signed_area(x, loop[0], loop[k], loop[k + 1]);
    }
    EXPECT_NEAR(area, expected, 1e-12 * 400.0);
    EXPECT_EQ(used.size(), x.size());
  }
}

TEST(PolygonTriangulation, LoopsThatCrossAreRefused) {
  const std::vector<Vector3> x{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}};
  EXPECT_FALSE(triangulate_region({{0, 1, 2, 3}}, plain_geometry(x)).has_value());
}

TEST(PolygonTriangulation, RepeatedPlacesCostATriangleWithoutAreaEach) {
  const std::vector<Vector3> x{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  const auto triangles = triangulate_region({{0, 1, 2, 3, 4, 5, 6}}, plain_geometry(x));
  ASSERT_TRUE(triangles.has_value());
  EXPECT_EQ(triangles->size(), 5U);
  double area = 0.0;
  for (const auto& t : *triangles) area += signed_area(x, t[0], t[1], t[2]);
  EXPECT_DOUBLE_EQ(area, 1.0);
}

TEST(PolygonTriangulation, ConvexPolygonsNeverHaveATriangleOnOneSide) {
  numerics::RandomStream random(5);
  for (int round = 0; round < 50; ++round) {
    const std::array<Vector3, 3> corner{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.2, 0.8, 0)};
    std::vector<Vector3> x;
    std::vector<std::uint32_t> sides;
    for (std::uint32_t k = 0; k < 3; ++k) {
      x.push_back(corner[k]);
      sides.push_back((1U << k) | (1U << ((k + 2) % 3)));
      const auto count = int(random.below(round % 2 == 0 ? 30 : 3));
      for (int i = 1; i <= count; ++i) {
        x.push_back(corner[k] + (corner[(k + 1) % 3] - corner[k]) * i / (count + 1.0));
        sides.push_back(1U << k);
      }
    }
    const auto triangles = triangulate_convex(x, sides);
    EXPECT_EQ(triangles.size(), x.size() - 2);
    double area = 0.0;
    for (const auto& t : triangles) {
      const auto side = [&](std::size_t c) { return sides[std::size_t(t[c])]; };
      EXPECT_EQ(side(0) & side(1) & side(2), 0U);
      EXPECT_GT(signed_area(x, t[0], t[1], t[2]), 0.0);
      area += signed_area(x, t[0], t[1], t[2]);
    }
    EXPECT_NEAR(area, 0.4, 1e-14);
  }
}

TEST(TetAdjacency, FacesOpenWhenTheirElementsNameDifferentVertices) {
  const model::TetMesh mesh = model::make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1}, model::BlockSplit::KuhnSix);
  TetAdjacency tets(mesh);
  EXPECT_EQ(tets.faces().size(), 18U);  // 6 elements: 12 boundary faces, 6 inside
  EXPECT_EQ(tets.edges().size(), 19U);  // 12, 6 diagonals, 1 through the middle
  EXPECT_TRUE(tets.newly_open(mesh.tetrahedra).empty());
  Tetrahedra current = mesh.tetrahedra;
  const int corner = current(0, 0);  // on the diagonal: all elements meet there
  current(0, 0) = 8;
  const std::vector<int> open = tets.newly_open(current);
  ASSERT_EQ(open.size(), 2U);
  for (const int f : open) EXPECT_TRUE(tets.is_open(f));
  EXPECT_TRUE(tets.newly_open(current).empty());
  std::set<int> parts;
  for (const int e : tets.elements_at_vertex(corner)) parts.insert(tets.part_at_vertex(corner, e));
  EXPECT_EQ(parts, (std::set<int>{0, 1}));
}

}  // namespace
}  // namespace deformbench::surface
