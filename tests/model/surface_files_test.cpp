// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "tests/model/sample_mesh_files.hpp"

namespace deformbench::model {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class SurfaceFiles : public FileTest {};

/// Corners of every triangle: independent of the numbering of the vertices.
Points corners_of(const TriangleMesh& mesh) {
  Points corners(mesh.triangles.size(), 3);
  for (Eigen::Index i = 0; i < mesh.triangles.size(); ++i)
    corners.row(i) = mesh.positions.row(mesh.triangles.data()[i]);
  return corners;
}

TEST_F(SurfaceFiles, ReadTheSameSurfaceFromEveryFormat) {
  const TriangleMesh mesh = boundary_surface(irregular_mesh()).surface;
  for (const SampleFile& sample : surface_samples(mesh)) {
    SCOPED_TRACE(sample.name);
    const TriangleMeshFile file = read_triangle_mesh(write(sample.name, sample.content));
    EXPECT_EQ(file.format, sample.format);
    EXPECT_EQ(file.mesh.vertex_count(), mesh.vertex_count());
    if (sample.format == "stl_binary") {
      EXPECT_EQ(corners_of(file.mesh), corners_of(mesh).cast<float>().cast<double>());
    } else {
      EXPECT_EQ(corners_of(file.mesh), corners_of(mesh));
    }
    EXPECT_NO_THROW(require_closed_surface(file.mesh, file.source));
  }
}

TEST_F(SurfaceFiles, CutPolygonsOfThousandsOfCornersInSeconds) {
  constexpr int kCount = 4000;
  std::map<std::string, std::vector<Eigen::Vector2d>> polygons;
  for (int i = 0; i < kCount; ++i) {
    const double angle = 6.283185307179586 * i / kCount;
    polygons["round"].emplace_back(std::cos(angle), std::sin(angle));
    polygons["star"].push_back((i % 2 == 0 ? 1.0 : 0.8) * polygons["round"].back());
    polygons["comb"].emplace_back(i < 2 ? 1.0 - i : (i - 1) * 0.5 / kCount, i < 2 ? -1.0 : i % 2 == 0 ? 0.9 : 0.0);
  }
  std::reverse(polygons["comb"].begin() + 2, polygons["comb"].end());
  std::swap(polygons["comb"][0], polygons["comb"][1]);
  for (int i = 0; i < kCount; ++i) {  // two arms of a spiral, out along one and back along the other
    const double turns = 40.0 * 6.283185307179586 * (i < kCount / 2 ? i : kCount - 1 - i) / (kCount / 2.0);
    const double radius = 1.0 + turns / 6.283185307179586 + (i < kCount / 2 ? 0.5 : 0.0);
    polygons["spiral"].emplace_back(radius * std::cos(turns), radius * std::sin(turns));
  }
  for (const auto& [name, polygon] : polygons) {
    std::string text, face = "f";
    double doubled_area = 0.0;
    for (int i = 0; i < kCount; ++i) {
      const auto &a = polygon[std::size_t(i)], &b = polygon[std::size_t((i + 1) % kCount)];
      doubled_area += a[0] * b[1] - a[1] * b[0];
      text += fmt::format("v {} {} 0\n", a[0], a[1]);
      face += fmt::format(" {}", i + 1);
    }
    const std::clock_t start = std::clock();
    const TriangleMesh mesh = read_triangle_mesh(write(name + ".obj", text + face + "\n")).mesh;
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 10.0) << name;
    ASSERT_EQ(mesh.triangle_count(), kCount - 2) << name;
    double sum = 0.0;
    for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
      const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                    c = mesh.positions.row(mesh.triangles(t, 2));
      sum += std::abs((b - a).cross(c - a).z());
    }
    EXPECT_NEAR(sum, std::abs(doubled_area), 1e-9 * std::abs(doubled_area)) << name << ": pieces overlap";
  }
}

TEST_F(SurfaceFiles, ReadBackWhatWasWritten) {
  const TriangleMesh mesh = boundary_surface(irregular_mesh()).surface;
  for (const std::string name : {"a.obj", "a.ply", "a.off"}) {
    SCOPED_TRACE(name);
    write_triangle_mesh(path(name), mesh);
    const TriangleMeshFile file = read_triangle_mesh(path(name));
    EXPECT_EQ(file.mesh.positions, mesh.positions);
    EXPECT_EQ(file.mesh.triangles, mesh.triangles);
  }
  write_triangle_mesh(path("a.stl"), mesh);
  EXPECT_EQ(corners_of(read_triangle_mesh(path("a.stl")).mesh), corners_of(mesh).cast<float>().cast<double>());
}

TEST_F(SurfaceFiles, MergeTheCornersOfStlTriangles) {
  const TriangleMeshFile file = read_triangle_mesh(write("t.stl", stl_sample(unit_tetrahedron_surface()).content));
  EXPECT_EQ(file.mesh.vertex_count(), 4);
  EXPECT_EQ(file.merged_vertices, 8);
}

TEST_F(SurfaceFiles, CutPolygonsIntoTriangles) {
  const std::string cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const TriangleMeshFile file = read_triangle_mesh(write("cube.obj", cube));
  EXPECT_EQ(file.mesh.triangle_count(), 12);
  EXPECT_EQ(file.triangulated_polygons, 6);
  EXPECT_THAT(file.notes, Contains("6 polygons cut into triangles"));
  EXPECT_NO_THROW(require_closed_surface(file.mesh, file.source));
  EXPECT_NEAR(enclosed_volume(file.mesh), 1, 1e-15);
}

TEST_F(SurfaceFiles, CutConcavePolygonsInsideThem) {
  // A prism over an L of area 3, from every corner of the L: a fan around most of these corners would leave
  // the L.
  const double corners[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (int first = 0; first < 6; ++first) {
    std::string text = "OFF\n12 8 0\n";
    for (int level = 0; level < 2; ++level) {
      for (const auto& corner : corners) text += fmt::format("{} {} {}\n", corner[0], corner[1], level);
    }
    text += "6";
    for (int k = 0; k < 6; ++k) text += fmt::format(" {}", (first + 6 - k) % 6);
    text += "\n6";
    for (int k = 0; k < 6; ++k) text += fmt::format(" {}", 6 + (first + k) % 6);
    text += "\n";
    for (int k = 0; k < 6; ++k) text += fmt::format("4 {} {} {} {}\n", k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k);
    const TriangleMeshFile file = read_triangle_mesh(write("l.off", text));
    EXPECT_NO_THROW(require_closed_surface(file.mesh));
    EXPECT_NEAR(enclosed_volume(file.mesh), 3, 1e-14);
    for (Eigen::Index t = 0; t < 4; ++t) {  // the bottom: every triangle faces down
      const Vector3 a =
          file.mesh.positions.row(file.mesh.triangles(t, 1)) - file.mesh.positions.row(file.mesh.triangles(t, 0));
      const Vector3 b =
          file.mesh.positions.row(file.mesh.triangles(t, 2)) - file.mesh.positions.row(file.mesh.triangles(t, 0));
      EXPECT_LT(a[0] * b[1] - a[1] * b[0], 0);
    }
  }
}

TEST_F(SurfaceFiles, AcceptFacesBeforeTheirVertices) {
  const TriangleMeshFile file = read_triangle_mesh(write("late.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"));
  EXPECT_EQ(file.mesh.triangle_count(), 1);
  EXPECT_EQ(file.source.element_lines[0], 1);
}

TEST_F(SurfaceFiles, NameTheLineOfAnOpenEdge) {
  const TriangleMeshFile file = read_triangle_mesh(write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
  EXPECT_THAT(input_error_of([&] { require_closed_surface(file.mesh, file.source); }),
              HasSubstr("open.obj:4: edge 0–1 is in triangle 0 only"));
}

}  // namespace
}  // namespace deformbench::model
