// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/cs533d_cloth_lecture/scenes/flat_meshes.hpp"

#include <array>
#include <boost/polygon/voronoi.hpp>
#include <cmath>
#include <vector>

#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

model::TriangleMesh lattice(int columns, int rows, double spacing, bool is_equilateral) {
  model::TriangleMesh mesh;
  mesh.positions.resize(columns * rows, 3);
  mesh.triangles.resize(2 * (columns - 1) * (rows - 1), 3);
  const double height = is_equilateral ? spacing * std::sqrt(0.75) : spacing;
  Eigen::Index t = 0;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const bool is_shifted = is_equilateral && j % 2 == 1;
      const int a = j * columns + i, above = a + columns;
      mesh.positions.row(a) << spacing * (i + (is_shifted ? 0.5 : 0.0)), height * j, 0.0;
      if (i + 1 == columns || j + 1 == rows) continue;
      if (is_shifted) {
        mesh.triangles.row(t++) << a, above + 1, above;
        mesh.triangles.row(t++) << a, a + 1, above + 1;
      } else {
        mesh.triangles.row(t++) << a, a + 1, above;
        mesh.triangles.row(t++) << a + 1, above + 1, above;
      }
    }
  return mesh;
}

/// Random points, one per cell on average, in a frame of evenly spaced points that avoids thin boundary triangles.
model::TriangleMesh delaunay(int columns, int rows, double spacing, std::uint64_t seed) {
  using Point = boost::polygon::point_data<int>;
  constexpr double kUnits = 1 << 20;  // per spacing: the library uses integers
  numerics::RandomStream random(seed);
  std::vector<Point> points;
  const auto add = [&](double x, double y) {
    points.emplace_back(int(std::lround(x * kUnits)), int(std::lround(y * kUnits)));
  };
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j)
      if (i == 0 || j == 0 || i + 1 == columns || j + 1 == rows) add(i, j);
  for (int k = 0; k < (columns - 2) * (rows - 2); ++k)
    add(random.uniform(0.5, columns - 1.5), random.uniform(0.5, rows - 1.5));
  boost::polygon::voronoi_diagram<double> cells;
  boost::polygon::construct_voronoi(points.begin(), points.end(), &cells);
  // A Voronoi vertex is the centre of a circle through three or more points: triangulated as a fan.
  std::vector<std::array<int, 3>> triangles;
  for (const auto& vertex : cells.vertices()) {
    std::vector<int> around;
    const auto* const first = vertex.incident_edge();
    const auto* edge = first;
    do {
      around.push_back(int(edge->cell()->source_index()));
      edge = edge->rot_next();
    } while (edge != first);
    for (std::size_t k = 1; k + 1 < around.size(); ++k) triangles.push_back({around[0], around[k], around[k + 1]});
  }
  model::TriangleMesh mesh;
  mesh.positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t k = 0; k < points.size(); ++k)
    mesh.positions.row(Eigen::Index(k)) << points[k].x() / kUnits * spacing, points[k].y() / kUnits * spacing, 0.0;
  mesh.triangles.resize(Eigen::Index(triangles.size()), 3);
  Eigen::Index kept = 0;
  for (const auto& [a, b, c] : triangles) {
    const Eigen::RowVector3d ab = mesh.positions.row(b) - mesh.positions.row(a);
    const Eigen::RowVector3d ac = mesh.positions.row(c) - mesh.positions.row(a);
    const double doubled_area = ab[0] * ac[1] - ab[1] * ac[0];
    if (std::abs(doubled_area) < 1e-9 * spacing * spacing) continue;  // degenerate, along the frame
    if (doubled_area > 0.0)
      mesh.triangles.row(kept++) << a, b, c;
    else
      mesh.triangles.row(kept++) << a, c, b;
  }
  mesh.triangles.conservativeResize(kept, 3);
  return mesh;
}

}  // namespace

model::TriangleMesh flat_mesh(const std::string& kind, int columns, int rows, double spacing, std::uint64_t seed) {
  model::TriangleMesh mesh =
      kind == "delaunay" ? delaunay(columns, rows, spacing, seed) : lattice(columns, rows, spacing, kind != "right");
  const Eigen::RowVector3d middle = 0.5 * (mesh.positions.colwise().minCoeff() + mesh.positions.colwise().maxCoeff());
  mesh.positions.rowwise() -= middle;
  if (kind == "jittered") {
    numerics::RandomStream random(seed);
    for (Eigen::Index i = 0; i < mesh.positions.rows(); ++i)
      for (int axis = 0; axis < 2; ++axis) mesh.positions(i, axis) += 0.1 * spacing * random.normal();
  }
  return mesh;
}

}  // namespace deformbench::scenes
