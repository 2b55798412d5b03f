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

}  // namespace deformbench::meshless
