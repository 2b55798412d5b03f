// SPDX-License-Identifier: BSD-3-Clause
// How far triangles are from the surface that they stand for, and repulsions as thick as that. [B05] §13
#include "methods/collision/geometry_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/collision/collisions.hpp"

namespace deformbench::collision {
namespace {

/// A strip two vertices wide round a cylinder of radius `radius`, neighbours `edge` apart along the arc.
Points strip(double radius, double edge, int columns, Triangles& triangles) {
  Points x(2 * columns, 3);
  triangles.resize(2 * (columns - 1), 3);
  for (int c = 0; c < columns; ++c) {
    const double angle = c * edge / radius;
    for (int side = 0; side < 2; ++side)
      x.row(2 * c + side) << radius * std::sin(angle), radius * std::cos(angle), side * 0.7 * edge;
    if (c + 1 == columns) continue;
    triangles.row(2 * c) << 2 * c, 2 * c + 2, 2 * c + 3;
    triangles.row(2 * c + 1) << 2 * c, 2 * c + 3, 2 * c + 1;
  }
  return x;
}

TEST(GeometryError, IsTheSagittaOnACylinder) {
  for (const double radius : {0.1, 3.0})
    for (const double share : {0.02, 0.1}) {
      Triangles triangles;
      const double edge = share * radius;
      const Points x = strip(radius, edge, 6, triangles);
      EXPECT_NEAR(geometry_error(x, triangles) / (edge * edge / (8.0 * radius)), 1.0, share * share);
    }
}

TEST(GeometryError, IsZeroOfAPlaneAndThatOfTheSharpestBend) {
  Triangles triangles;
  Points x = strip(1e9, 0.1, 4, triangles);
  EXPECT_LT(geometry_error(x, triangles), 1e-9);
  x.bottomRows(2).col(1).array() += 0.1;  // the last square bent by 45°, its height along is √2 · 0.1
  x.bottomRows(2).col(0).array() = x(5, 0) + 0.1;
  const double height = 0.5 * (0.1 + std::sqrt(2.0) * 0.1);
  EXPECT_NEAR(geometry_error(x, triangles), 0.25 * 3.14159265358979 * height / 8.0, 1e-6);
}

// Two parallel strips, twice as far apart as one error: repelled by three errors and not by one.
TEST(GeometryError, ScalesTheThicknessOfRepulsions) {
  const double radius = 1.0, edge = 0.1, error = edge * edge / (8.0 * radius);
  Triangles one;
  const Points inner = strip(radius, edge, 6, one);
  Points x(2 * inner.rows(), 3);
  x << inner, inner;
  for (Eigen::Index i = inner.rows(); i < x.rows(); ++i) x.row(i).head<2>() *= 1.0 + 2.0 * error / radius;
  Triangles triangles(2 * one.rows(), 3);
  triangles << one, (one.array() + int(inner.rows())).matrix();
  for (const double errors : {1.0, 3.0}) {
    CollisionOptions options;
    options.detection = Detection::Both;
    options.thickness_errors = errors;
    Collisions collisions(Eigen::VectorXd::Ones(x.rows()), triangles, options);
    Points velocities = Points::Zero(x.rows(), 3), end = x;
    const CollisionCounts& counts = collisions.resolve(x, Points::Ones(x.rows(), 3), 0.01, velocities, end);
    EXPECT_EQ(counts.repulsions > 0, errors > 2.0);
    EXPECT_EQ(velocities.isZero(), errors < 2.0);
  }
}

}  // namespace
}  // namespace deformbench::collision
