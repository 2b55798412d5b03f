// SPDX-License-Identifier: BSD-3-Clause
// Implicit bodies for the stand-in models: smooth unions of tapered capsules and thick triangles with named parts.
// Negative inside; except at tapers, |value| is a lower bound on the distance.
#pragma once

#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::surface {

class Body {
 public:
  /// Starts part `name`; `blend` (m) is the width over which it blends with the earlier parts.
  void begin_part(const std::string& name, double blend);
  /// Capsule from a to b with radii ra, rb (m). `flatten`: scale of space before measuring, ≥ 1 per axis; (1, 2, 1)
  /// halves the height about the capsule's middle.
  void add_capsule(const Vector3& a, const Vector3& b, double ra, double rb, const Vector3& flatten = Vector3::Ones());
  /// Capsules along a Catmull–Rom curve through `points`, `pieces` per segment, with radii interpolated likewise.
  void add_curve(const std::vector<Vector3>& points, const std::vector<double>& radii, int pieces = 4);
  /// Thick triangle a b c: all points within a radius interpolated from its corners.
  void add_plate(const Vector3& a, const Vector3& b, const Vector3& c, double ra, double rb, double rc);

  double value(const Vector3& p) const;  ///< m
  /// Value and gradient from four points around p (a tetrahedron of radius √3·step), for Newton steps onto the surface.
  double value_and_gradient(const Vector3& p, double step, Vector3& gradient) const;
  int part_at(const Vector3& p) const;          ///< part of the closest primitive
  double thickness_at(const Vector3& p) const;  ///< radius (m) of the closest primitive at its closest point
  const std::vector<std::string>& part_names() const { return part_names_; }
  Vector3 low() const;  ///< bounding box
  Vector3 high() const;

 private:
  struct Primitive {
    Vector3 a, b, c;
    double ra, rb, rc;
    Vector3 flatten;
    bool plate;
    double blend;
    int part;
    Vector3 centre;  // bounding sphere
    double radius;
  };
  void add(Primitive primitive);
  /// Distance to a primitive; `radius` gets its radius at the closest point of its axis.
  static double distance(const Primitive& primitive, const Vector3& p, double* radius = nullptr);

  std::vector<Primitive> primitives_;
  std::vector<std::string> part_names_;
  int part_ = -1;
  double blend_ = 0.0;
};

}  // namespace deformbench::surface
