// SPDX-License-Identifier: BSD-3-Clause
// Small cloths for the tests of this folder.
#pragma once

#include <cmath>
#include <numbers>

#include "methods/numerics/random.hpp"

namespace deformbench::pbd_test {

struct Cloth {
  Points positions;
  Triangles triangles;
};

/// Flat, in the plane z = 0, from the origin on; nx × ny quads of side `edge`, two triangles each.
inline Cloth sheet(int nx, int ny, double edge) {
  Cloth cloth{Points((nx + 1) * (ny + 1), 3), Triangles(2 * nx * ny, 3)};
  const auto at = [&](int i, int j) { return j * (nx + 1) + i; };
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) cloth.positions.row(at(i, j)) << i * edge, j * edge, 0.0;
  }
  int t = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      cloth.triangles.row(t++) << at(i, j), at(i + 1, j), at(i + 1, j + 1);
      cloth.triangles.row(t++) << at(i, j), at(i + 1, j + 1), at(i, j + 1);
    }
  }
  return cloth;
}

/// One mesh of two.
inline Cloth join(const Cloth& a, const Cloth& b) {
  Cloth cloth{Points(a.positions.rows() + b.positions.rows(), 3),
              Triangles(a.triangles.rows() + b.triangles.rows(), 3)};
  cloth.positions << a.positions, b.positions;
  cloth.triangles << a.triangles, (b.triangles.array() + int(a.positions.rows())).matrix();
  return cloth;
}

/// A closed surface: a torus of m × n quads, two triangles each.
inline Cloth torus(int m, int n) {
  Cloth cloth{Points(m * n, 3), Triangles(2 * m * n, 3)};
  const auto at = [&](int i, int j) { return (j % n) * m + i % m; };
  int t = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      const double u = 2 * std::numbers::pi * i / m, v = 2 * std::numbers::pi * j / n, r = 1.0 + 0.4 * std::cos(v);
      cloth.positions.row(at(i, j)) << r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v);
      cloth.triangles.row(t++) << at(i, j), at(i + 1, j), at(i + 1, j + 1);
      cloth.triangles.row(t++) << at(i, j), at(i + 1, j + 1), at(i, j + 1);
    }
  }
  return cloth;
}

inline Points shaken(Points points, double amplitude, numerics::RandomStream& random) {
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] += random.uniform(-amplitude, amplitude);
  return points;
}

}  // namespace deformbench::pbd_test
