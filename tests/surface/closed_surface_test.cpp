// SPDX-License-Identifier: BSD-3-Clause
// What surfaces from elsewhere bring: parts in each other, turned over or overlapping, faces with vertices of their
// own, vertices of no face, no volume.
#include "methods/surface/closed_surface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/ray_crossings.hpp"
#include "methods/surface/tetrahedralize.hpp"
#include "tests/surface/surface_shapes.hpp"

namespace deformbench::surface {
namespace {

using model::enclosed_volume;
using surface_test::box;
using surface_test::join;
using surface_test::message_of;
using surface_test::sphere;
using surface_test::torus;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const model::TriangleMesh kBall = sphere(Vector3::Zero(), 1.0, 3);
const model::TriangleMesh kInner = sphere({0.1, 0.05, -0.02}, 0.5, 2);
const model::TriangleMesh kInnermost = sphere({0.12, 0.05, -0.02}, 0.25, 1);
const model::TriangleMesh kBeside = sphere({2.5, 0.1, 0.2}, 0.7, 2);

model::TriangleMesh turned(model::TriangleMesh mesh) {
  mesh.triangles.col(0).swap(mesh.triangles.col(1));
  return mesh;
}

TEST(Shells, OneBesideThatIsInsideOutIsTurnedOverWithAWarning) {
  for (const bool turned_first : {false, true}) {
    const auto surface = turned_first ? join(turned(kBall), kBeside) : join(kBall, turned(kBeside));
    const ClosedSurface closed = closed_surface(surface, {.file = "two.obj"});
    EXPECT_NEAR(enclosed_volume(closed.mesh), enclosed_volume(kBall) + enclosed_volume(kBeside), 1e-12);
    ASSERT_EQ(closed.warnings.size(), 1u);
    EXPECT_THAT(closed.warnings[0], AllOf(HasSubstr("two.obj: 1 of 2 parts of the surface turned over"),
                                          HasSubstr(turned_first ? "triangle 0 " : "triangle 512 ")));
  }
}

TEST(Shells, OneInsideIsACavityWhicheverWayItTurns) {
  const double hollow = enclosed_volume(kBall) - enclosed_volume(kInner);
  const ClosedSurface right = closed_surface(join(kBall, kInner, true));
  EXPECT_THAT(right.warnings, IsEmpty());
  EXPECT_NEAR(enclosed_volume(right.mesh), hollow, 1e-12);
  const ClosedSurface wrong = closed_surface(join(kBall, kInner));
  EXPECT_NEAR(enclosed_volume(wrong.mesh), hollow, 1e-12);
  ASSERT_EQ(wrong.warnings.size(), 1u);
  EXPECT_THAT(wrong.warnings[0], AllOf(HasSubstr("1 of 2 parts"), HasSubstr("lies in 1 other and so bounds a cavity")));
}

TEST(Shells, TheSignAlternatesWithTheDepth) {
  const double volume = enclosed_volume(kBall) - enclosed_volume(kInner) + enclosed_volume(kInnermost);
  const auto shells = [](bool a, bool b, bool c) {
    return join(join(a ? turned(kBall) : kBall, kInner, b), kInnermost, c);
  };
  for (int way = 0; way < 8; ++way) {
    const auto surface = shells(way & 1, way & 2, way & 4);
    if (way == 5) {  // all three the wrong way round
      EXPECT_THAT(message_of([&] { closed_surface(surface); }), HasSubstr("inside out"));
      continue;
    }
    const ClosedSurface closed = closed_surface(surface);
    EXPECT_NEAR(enclosed_volume(closed.mesh), volume, 1e-12) << way;
    EXPECT_EQ(closed.warnings.size(), way == 2 ? 0u : 1u) << way;
  }
}

TEST(Shells, TwoOfEqualVolumeAndOppositeSignsAreABodyEach) {
  const auto closed = closed_surface(join(kBall, turned(sphere({3, 0, 0}, 1.0, 3))));
  EXPECT_NEAR(enclosed_volume(closed.mesh), 2 * enclosed_volume(kBall), 1e-12);
}

TEST(Shells, ThatOverlapAreNeitherTurnedNorCavitiesAndAreWarnedOf) {
  const auto surface = join(kBall, sphere({0.9, 0.03, 0.01}, 0.8, 2));
  EXPECT_THAT(closed_surface(surface).warnings, IsEmpty()) << "asked for by who reads a file";
  const ClosedSurface closed =
      closed_surface(surface, {.file = "overlap.ply"}, model::FanPolicy::Split, SelfContact::Warn);
  EXPECT_EQ(closed.mesh.triangles, surface.triangles);
  ASSERT_EQ(closed.warnings.size(), 1u);
  EXPECT_THAT(closed.warnings[0],
              AllOf(HasSubstr("overlap.ply: the surface meets itself in "), HasSubstr("volume counts more than once")));
  EXPECT_THAT(closed_surface(kBall, {}, model::FanPolicy::Split, SelfContact::Warn).warnings, IsEmpty());
}

TEST(Shells, ThatTouchInACommonVertexAreNoContact) {
  auto surface = join(box(Vector3::Zero(), Vector3::Ones()), box(Vector3::Ones(), {2, 2, 2}));
  surface.triangles = (surface.triangles.array() == 8).select(7, surface.triangles);
  const auto closed = closed_surface(surface, {}, model::FanPolicy::Split, SelfContact::Warn);
  ASSERT_EQ(closed.warnings.size(), 2u);
  EXPECT_THAT(closed.warnings, ElementsAre(HasSubstr("split, one copy a fan"), HasSubstr("no triangle uses")));
}

TEST(Volume, ASurfaceWithoutOneIsRefused) {
  auto flat = box({-1, -1, -1}, {1, 1, 1});
  flat.positions.col(2).setZero();
  EXPECT_THAT(message_of([&] { closed_surface(flat, {.file = "flat.stl"}); }),
              AllOf(HasSubstr("flat.stl: "), HasSubstr("encloses no volume")));
  auto line = flat;
  line.positions.col(1).setZero();
  EXPECT_THAT(message_of([&] { tetrahedralize(line, 0.1); }), HasSubstr("encloses no volume"));
  flat.positions.rowwise() += Eigen::RowVector3d(1e3, 2e3, 3e3);
  EXPECT_THAT(message_of([&] { closed_surface(join(kBall, flat)); }),
              AllOf(HasSubstr("the part of the surface with triangle 512"), HasSubstr("encloses no volume")));
  auto thin = box({-1, -1, -1e-6}, {1, 1, 1e-6});
  EXPECT_NO_THROW(closed_surface(thin));
}

/// Every triangle with three vertices of its own.
model::TriangleMesh soup_of(const model::TriangleMesh& mesh) {
  model::TriangleMesh soup{Points(mesh.triangles.size(), 3), Triangles(mesh.triangle_count(), 3)};
  for (Eigen::Index i = 0; i < mesh.triangles.size(); ++i) {
    soup.positions.row(i) = mesh.positions.row(mesh.triangles.data()[i]);
    soup.triangles.data()[i] = int(i);
  }
  return soup;
}

TEST(PolygonSoup, IsWeldedWithAWarning) {
  const ClosedSurface closed = closed_surface(soup_of(kBall), {.file = "soup.obj"});
  EXPECT_EQ(closed.mesh.vertex_count(), kBall.vertex_count());
  EXPECT_EQ(enclosed_volume(closed.mesh), enclosed_volume(kBall));
  for (Eigen::Index v = 0; v < closed.mesh.vertex_count(); ++v)
    EXPECT_EQ(closed.mesh.positions.row(v), soup_of(kBall).positions.row(closed.source_vertices[std::size_t(v)]));
  EXPECT_THAT(closed.warnings,
              ElementsAre(HasSubstr("soup.obj: 1278 vertices had the same place as others and were welded")));
}

TEST(PolygonSoup, WithAHoleIsRefusedWithWhatWeldingLeaves) {
  auto soup = soup_of(kBall);
  soup.triangles.conservativeResize(soup.triangle_count() - 1, 3);
  EXPECT_THAT(message_of([&] { closed_surface(soup, {.file = "soup.obj"}); }),
              AllOf(HasSubstr("soup.obj: edge "),
                    HasSubstr("welding the 1278 vertices of the same place as others leaves 3 such edges")));
}

TEST(UnusedVertices, AreDroppedWithAWarning) {
  auto surface = kBall;
  surface.positions.conservativeResize(surface.vertex_count() + 2, 3);
  surface.positions.bottomRows(2) << 1e6, 0, 0, 0, 0, -1e6;
  const ClosedSurface closed = closed_surface(surface);
  EXPECT_EQ(closed.mesh.positions, kBall.positions);
  EXPECT_EQ(closed.source_vertices.size(), std::size_t(kBall.vertex_count()));
  EXPECT_THAT(closed.warnings, ElementsAre(HasSubstr("2 vertices that no triangle uses were dropped")));
}

TEST(RayCrossings, CountAsTheSolidAngleDoes) {
  const auto surface = join(join(kBall, kInner, true), torus({0.2, 0.1, 3}, 1.0, 0.3, 24, 12));
  const RayCrossings rays(surface);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-2.0, 4.0);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 p(place(random), place(random), place(random));
    const int wanted = int(std::lround(winding_number(surface, p)));
    EXPECT_EQ(rays.winding(p), wanted) << p.transpose();
    inside += wanted;
  }
  EXPECT_GT(inside, 20);
}

TEST(RayCrossings, ThroughVerticesAndEdgesAreCountedOnce) {
  for (const auto& surface : {kBall, box({-1, -1, -1}, {1, 1, 1}), torus(Vector3::Zero(), 1.0, 0.3, 24, 12)}) {
    const RayCrossings rays(surface);
    for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
      for (int c = 0; c < 3; ++c) {
        const Vector3 a = surface.positions.row(surface.triangles(t, c)).transpose();
        const Vector3 b = surface.positions.row(surface.triangles(t, (c + 1) % 3)).transpose();
        for (const Vector3& target : {a, Vector3(0.5 * (a + b))}) {
          const Vector3 before = target - 10.0 * Vector3::UnitX();
          EXPECT_EQ(rays.winding(before), 0) << before.transpose();
        }
      }
    }
  }
  EXPECT_EQ(RayCrossings(box({-1, -1, -1}, {1, 1, 1})).winding(Vector3::Zero()), 1);  // through a diagonal of a face
}

}  // namespace
}  // namespace deformbench::surface
