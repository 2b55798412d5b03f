// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/procedural/body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "methods/model/triangle_distance.hpp"

namespace deformbench::surface {
namespace {

template <class T>
T catmull_rom(const T& a, const T& b, const T& c, const T& d, double t) {
  return 0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * (t * t) +
                (3.0 * b - a - 3.0 * c + d) * (t * t * t));
}

}  // namespace

void Body::begin_part(const std::string& name, double blend) {
  const auto known = std::find(part_names_.begin(), part_names_.end(), name);
  part_ = int(known - part_names_.begin());
  if (known == part_names_.end()) part_names_.push_back(name);
  blend_ = blend;
}

void Body::add(Primitive primitive) {
  if (part_ < 0) throw std::logic_error("body: a primitive before the first part");
  const double largest = std::max({primitive.ra, primitive.rb, primitive.rc});
  primitive.centre = primitive.plate ? Vector3((primitive.a + primitive.b + primitive.c) / 3.0)
                                     : Vector3(0.5 * (primitive.a + primitive.b));
  primitive.radius = std::max({(primitive.a - primitive.centre).norm(), (primitive.b - primitive.centre).norm(),
                               (primitive.c - primitive.centre).norm()}) *
                         primitive.flatten.maxCoeff() +
                     largest;
  primitive.blend = blend_;
  primitive.part = part_;
  primitives_.push_back(primitive);
}

void Body::add_capsule(const Vector3& a, const Vector3& b, double ra, double rb, const Vector3& flatten) {
  add({a, b, a, ra, rb, ra, flatten, false, 0, 0, {}, 0});
}

void Body::add_plate(const Vector3& a, const Vector3& b, const Vector3& c, double ra, double rb, double rc) {
  add({a, b, c, ra, rb, rc, Vector3::Ones(), true, 0, 0, {}, 0});
}

void Body::add_curve(const std::vector<Vector3>& points, const std::vector<double>& radii, int pieces) {
  if (points.size() < 2 || points.size() != radii.size())
    throw std::logic_error("body: a curve needs as many radii as points, at least 2");
  const auto n = points.size();
  const auto at = [&](std::size_t segment, double t, auto& values) {
    return catmull_rom(values[segment == 0 ? 0 : segment - 1], values[segment], values[segment + 1],
                       values[std::min(segment + 2, n - 1)], t);
  };
  for (std::size_t s = 0; s + 1 < n; ++s) {
    for (int k = 0; k < pieces; ++k) {
      const double t0 = double(k) / pieces;
      const double t1 = double(k + 1) / pieces;
      add_capsule(at(s, t0, points), at(s, t1, points), at(s, t0, radii), at(s, t1, radii));
    }
  }
}

double Body::distance(const Primitive& primitive, const Vector3& p, double* radius) {
  if (primitive.plate) {
    const Vector3 w = model::closest_on_triangle(p, primitive.a, primitive.b, primitive.c).weights;
    const double r = w[0] * primitive.ra + w[1] * primitive.rb + w[2] * primitive.rc;
    if (radius != nullptr) *radius = r;
    return (w[0] * primitive.a + w[1] * primitive.b + w[2] * primitive.c - p).norm() - r;
  }
  const Vector3 axis = (primitive.b - primitive.a).cwiseProduct(primitive.flatten);
  const Vector3 from_a = (p - primitive.centre).cwiseProduct(primitive.flatten) + 0.5 * axis;
  const double squared = axis.squaredNorm();
  const double t = squared > 0.0 ? std::clamp(from_a.dot(axis) / squared, 0.0, 1.0) : 0.0;
  const double r = primitive.ra + t * (primitive.rb - primitive.ra);
  if (radius != nullptr) *radius = r / primitive.flatten.maxCoeff();
  return ((from_a - t * axis).norm() - r) / primitive.flatten.maxCoeff();
}

// Union by the quadratic smooth minimum: if two distances differ by less than the blend width k, the smaller is reduced
// by (k − |a − b|)²/4k. Primitives with farther bounding spheres have no effect.
double Body::value(const Vector3& p) const {
  double d = std::numeric_limits<double>::infinity();
  for (const Primitive& primitive : primitives_) {
    const double reach = primitive.radius + std::max(0.0, d + primitive.blend) * primitive.flatten.maxCoeff();
    if (std::isfinite(d) && (p - primitive.centre).squaredNorm() > reach * reach) continue;
    const double other = distance(primitive, p);
    if (!std::isfinite(d)) {
      d = other;
      continue;
    }
    const double overlap = std::max(primitive.blend - std::abs(d - other), 0.0);
    d = std::min(d, other) - (primitive.blend > 0.0 ? overlap * overlap / (4.0 * primitive.blend) : 0.0);
  }
  return d;
}

double Body::value_and_gradient(const Vector3& p, double step, Vector3& gradient) const {
  static const Vector3 kDirections[4] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
  double sum = 0.0;
  gradient.setZero();
  for (const Vector3& direction : kDirections) {
    const double v = value(p + step * direction);
    sum += v;
    gradient += v / (4.0 * step) * direction;
  }
  return 0.25 * sum;
}

int Body::part_at(const Vector3& p) const {
  double best = std::numeric_limits<double>::infinity();
  int part = -1;
  for (const Primitive& primitive : primitives_) {
    const double d = distance(primitive, p);
    if (d < best) {
      best = d;
      part = primitive.part;
    }
  }
  return part;
}

double Body::thickness_at(const Vector3& p) const {
  double best = std::numeric_limits<double>::infinity();
  double thickness = 0.0;
  for (const Primitive& primitive : primitives_) {
    double radius = 0.0;
    const double d = distance(primitive, p, &radius);
    if (d < best) {
      best = d;
      thickness = radius;
    }
  }
  return thickness;
}

Vector3 Body::low() const {
  Vector3 p = Vector3::Constant(std::numeric_limits<double>::infinity());
  for (const Primitive& q : primitives_) {
    const double r = std::max({q.ra, q.rb, q.rc}) + 0.25 * q.blend;
    p = p.cwiseMin((q.a.cwiseMin(q.b).cwiseMin(q.c).array() - r).matrix());
  }
  return p;
}

Vector3 Body::high() const {
  Vector3 p = Vector3::Constant(-std::numeric_limits<double>::infinity());
  for (const Primitive& q : primitives_) {
    const double r = std::max({q.ra, q.rb, q.rc}) + 0.25 * q.blend;
    p = p.cwiseMax((q.a.cwiseMax(q.b).cwiseMax(q.c).array() + r).matrix());
  }
  return p;
}

}  // namespace deformbench::surface
