// SPDX-License-Identifier: BSD-3-Clause
// Closest point on a triangle to a point, and the feature of the triangle on which it lies.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::model {

enum class TriangleFeature { Face = -1, EdgeAB = 0, EdgeBC = 1, EdgeCA = 2, VertexA = 3, VertexB = 4, VertexC = 5 };

struct ClosestOnTriangle {
  Vector3 weights;  ///< barycentric, of a, b and c; sum 1
  TriangleFeature feature;
};

/// By the Voronoi regions of a non-degenerate triangle ([E05] §5.1.5).
inline ClosestOnTriangle closest_on_triangle(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}, TriangleFeature::VertexA};
  const Vector3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}, TriangleFeature::VertexB};
  const double area_c = d1 * d4 - d3 * d2;
  if (area_c <= 0 && d1 >= 0 && d3 <= 0) {
    const double v = d1 / (d1 - d3);
    return {{1 - v, v, 0}, TriangleFeature::EdgeAB};
  }
  const Vector3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}, TriangleFeature::VertexC};
  const double area_b = d5 * d2 - d1 * d6;
  if (area_b <= 0 && d2 >= 0 && d6 <= 0) {
    const double w = d2 / (d2 - d6);
    return {{1 - w, 0, w}, TriangleFeature::EdgeCA};
  }
  const double area_a = d3 * d6 - d5 * d4;
  if (area_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {{0, 1 - w, w}, TriangleFeature::EdgeBC};
  }
  const double sum = area_a + area_b + area_c;
  const double v = area_b / sum, w = area_c / sum;
  return {{1 - v - w, v, w}, TriangleFeature::Face};
}

}  // namespace deformbench::model
