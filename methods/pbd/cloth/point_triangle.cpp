// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/cloth/point_triangle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace deformbench::pbd {
namespace {

double squared_distance_to_segment(const Vector3& q, const Vector3& a, const Vector3& b) {
  const Vector3 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((q - a).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (q - a - t * along).squaredNorm();
}

// Six times the volume of the tetrahedron (q, p1, p2, p3) along the path: a cubic in the Bernstein basis.
using Cubic = std::array<double, 4>;

Cubic volume_along(const PointTriangle& from, const PointTriangle& to) {
  const Vector3 a0 = from.q - from.p1, b0 = from.p2 - from.p1, c0 = from.p3 - from.p1;
  const Vector3 a1 = to.q - to.p1, b1 = to.p2 - to.p1, c1 = to.p3 - to.p1;
  const Vector3 n00 = b0.cross(c0), n11 = b1.cross(c1), n01 = b0.cross(c1) + b1.cross(c0);
  return {a0.dot(n00), (a1.dot(n00) + a0.dot(n01)) / 3.0, (a1.dot(n01) + a0.dot(n11)) / 3.0, a1.dot(n11)};
}

double value(const Cubic& c, double t) {
  const double s = 1.0 - t;
  return s * s * (s * c[0] + 3.0 * t * c[1]) + t * t * (3.0 * s * c[2] + t * c[3]);
}

// Roots of the derivative in (0, 1), ascending; at most two.
int turning_points(const Cubic& c, std::array<double, 2>& t) {
  // c'(t)/3 = d0 (1−t)² + 2 d1 t(1−t) + d2 t²
  const double d0 = c[1] - c[0], d1 = c[2] - c[1], d2 = c[3] - c[2];
  const double a = d0 - 2.0 * d1 + d2, half_b = d1 - d0;
  const double discriminant = half_b * half_b - a * d0;
  if (!(discriminant > 0.0)) return 0;
  const double w = -(half_b + std::copysign(std::sqrt(discriminant), half_b));  // no cancellation
  std::array<double, 2> roots{a != 0.0 ? w / a : -1.0, w != 0.0 ? d0 / w : -1.0};
  if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
  int count = 0;
  for (const double root : roots) {
    if (root > 0.0 && root < 1.0) t[std::size_t(count++)] = root;
  }
  return count;
}

PointTriangle between(const PointTriangle& from, const PointTriangle& to, double t) {
  const auto mix = [t](const Vector3& a, const Vector3& b) -> Vector3 { return a + t * (b - a); };
  return {mix(from.q, to.q), mix(from.p1, to.p1), mix(from.p2, to.p2), mix(from.p3, to.p3)};
}

}  // namespace

Separation separation(const PointTriangle& at) {
  const Vector3 e1 = at.p2 - at.p1, e2 = at.p3 - at.p1, a = at.q - at.p1;
  const Vector3 normal = e1.cross(e2);
  const double area2 = normal.norm();
  const double longest2 = std::max({e1.squaredNorm(), e2.squaredNorm(), (at.p3 - at.p2).squaredNorm()});
  double height = 0.0;
  if (area2 > 1e-14 * longest2) {  // below that the normal's direction is rounding
    height = a.dot(normal) / area2;
    const double l2 = a.cross(e2).dot(normal), l3 = e1.cross(a).dot(normal);
    if (l2 >= 0.0 && l3 >= 0.0 && l2 + l3 <= area2 * area2) return {std::abs(height), height, 0.0};
  }
  const double distance2 =
      std::min({squared_distance_to_segment(at.q, at.p1, at.p2), squared_distance_to_segment(at.q, at.p2, at.p3),
                squared_distance_to_segment(at.q, at.p3, at.p1)});
  return {std::sqrt(distance2), height, std::sqrt(std::max(0.0, distance2 - height * height))};
}

bool passes_through(const PointTriangle& from, const PointTriangle& to, double tolerance) {
  const Cubic c = volume_along(from, to);
  // All coefficients of one sign: no root.
  if ((c[0] > 0.0 && c[1] > 0.0 && c[2] > 0.0 && c[3] > 0.0) || (c[0] < 0.0 && c[1] < 0.0 && c[2] < 0.0 && c[3] < 0.0))
    return false;
  // Between turning points the cubic is monotone: at most one root.
  std::array<double, 2> turns{};
  const int turn_count = turning_points(c, turns);
  double low = 0.0, f_low = c[0];
  for (int piece = 0; piece <= turn_count; ++piece) {
    const double end = piece < turn_count ? turns[std::size_t(piece)] : 1.0;
    const double f_end = piece < turn_count ? value(c, end) : c[3];
    if ((f_low < 0.0) != (f_end < 0.0)) {
      double a = low, b = end, fa = f_low, fb = f_end;
      for (int step = 0; step < 60 && b - a > 1e-15; ++step) {
        double t = step % 3 == 2 ? 0.5 * (a + b) : a + (b - a) * fa / (fa - fb);  // secant, bisection every third time
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        const double f = value(c, t);
        if ((f < 0.0) == (fa < 0.0)) {
          a = t;
          fa = f;
        } else {
          b = t;
          fb = f;
        }
        if (f == 0.0) break;
      }
      // The end closer to the plane.
      if (separation(between(from, to, std::abs(fa) < std::abs(fb) ? a : b)).distance <= tolerance) return true;
    }
    low = end;
    f_low = f_end;
  }
  return false;
}

}  // namespace deformbench::pbd
