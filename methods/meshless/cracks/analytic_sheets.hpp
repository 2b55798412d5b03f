// SPDX-License-Identifier: BSD-3-Clause
// Sheets in closed form, exact: references for sampled sheets and cracks.
#pragma once

#include <cmath>

#include "methods/meshless/surface/sheet.hpp"

namespace deformbench::meshless {

/// A sheet given by its exact signed distance. `first_hit` steps by 1/100 of the segment.
class DistanceSheet : public Sheet {
 public:
  virtual double distance(const Vector3& x) const = 0;  ///< m, negative inside
  std::optional<double> signed_distance(const Vector3& x) const final { return distance(x); }
  std::optional<Vector3> project(const Vector3& x) const final { return x - distance(x) * normal(x); }
  std::optional<double> first_hit(const Vector3& a, const Vector3& b) const final;
};

/// The plane of points p with (p − point)·out = 0.
class PlaneSheet final : public DistanceSheet {
 public:
  PlaneSheet(const Vector3& point, const Vector3& out) : point_(point), out_(out.normalized()) {}
  double distance(const Vector3& x) const override { return (x - point_).dot(out_); }
  Vector3 normal(const Vector3&) const override { return out_; }

 private:
  Vector3 point_, out_;
};

/// A ball, or the material around it if `is_hollow`.
class SphereSheet final : public DistanceSheet {
 public:
  SphereSheet(const Vector3& centre, double radius, bool is_hollow = false)
      : centre_(centre), radius_(radius), sign_(is_hollow ? -1.0 : 1.0) {}
  double distance(const Vector3& x) const override { return sign_ * ((x - centre_).norm() - radius_); }
  Vector3 normal(const Vector3& x) const override { return sign_ * (x - centre_).normalized(); }

 private:
  Vector3 centre_;
  double radius_, sign_;
};

/// A torus about the z axis through `centre`.
class TorusSheet final : public DistanceSheet {
 public:
  TorusSheet(const Vector3& centre, double ring_radius, double tube_radius)
      : centre_(centre), ring_(ring_radius), tube_(tube_radius) {}
  double distance(const Vector3& x) const override { return from_ring(x).norm() - tube_; }
  Vector3 normal(const Vector3& x) const override { return from_ring(x).normalized(); }

 private:
  /// x minus the nearest point of the tube's centre circle.
  Vector3 from_ring(const Vector3& x) const {
    const Vector3 d = x - centre_;
    const double away = std::hypot(d[0], d[1]);
    return away > 0.0 ? Vector3(d - ring_ / away * Vector3(d[0], d[1], 0.0)) : Vector3(d - ring_ * Vector3::UnitX());
  }
  Vector3 centre_;
  double ring_, tube_;
};

}  // namespace deformbench::meshless
