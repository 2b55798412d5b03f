// SPDX-License-Identifier: BSD-3-Clause
// Exact predicates for cutting a surface along faces of a tetrahedral mesh. Every decision is the sign of a determinant
// of given points: by a double-precision filter, else in integers of arbitrary length. Degeneracies are removed
// by perturbing the mesh vertices: randomly by 2⁻¹⁰⁰ of the extent, boundary vertices also outwards by 2⁻⁸⁰, so that a
// surface touching the boundary is inside. All signs belong to one real configuration; only exact
// determinants apply the perturbation.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::surface {

/// A vertex of the surface (its index) or of the tetrahedral mesh (tet_point of its index).
using PointId = int;
constexpr PointId tet_point(int vertex) {
  return ~vertex;
}
using PlaneIds = std::array<PointId, 3>;  ///< normal (b − a) × (c − a)

/// A vertex, the crossing of segment first–second with a plane, or a segment's midpoint.
struct Site {
  enum class Kind { Vertex, Crossing, Middle } kind = Kind::Vertex;
  PointId first = 0, second = 0;
  PlaneIds plane{};
  Vector3 position = Vector3::Zero();  ///< m, within position_error()
};

/// A plane through three points and its double-precision normal.
struct FramedPlane {
  PlaneIds ids;
  Vector3 normal;
};

class PerturbedPoints {
 public:
  /// `outward` (one per vertex of `tets`, at most 1 per coordinate): direction of boundary vertices, zero for others.
  PerturbedPoints(const Points& surface, const model::TetMesh& tets, const Points& outward);
  ~PerturbedPoints();
  PerturbedPoints(const PerturbedPoints&) = delete;
  PerturbedPoints& operator=(const PerturbedPoints&) = delete;

  /// Side of the plane a, b, c on which d lies: sign of det[b−a, c−a, d−a]. 0 only if no perturbation of the mesh helps
  /// (degenerate surface triangle or edge).
  int side(PointId a, PointId b, PointId c, PointId d) const {
    const Determinant det = determinant(a, b, c, d);
    if (det.value > det.bound) return 1;
    if (det.value < -det.bound) return -1;
    return exact_side(a, b, c, d);
  }
  int side(const PlaneIds& plane, PointId d) const { return side(plane[0], plane[1], plane[2], d); }

  /// Crossing of segment p–q, whose ends lie on different sides, with the plane.
  Site crossing(PointId p, PointId q, const PlaneIds& plane) const;
  Site vertex(PointId p) const { return {Site::Kind::Vertex, p, p, {}, position(p)}; }
  Site middle(PointId p, PointId q) const;
  FramedPlane framed(const PlaneIds& plane) const;
  double position_error() const { return placed_ * scale_; }  ///< m, bound on a Site's error

  /// Order along p→q of the crossings with planes `a` and `b`: −1, 0 or 1 if `a` is before, at or after `b`.
  int compare_crossings(PointId p, PointId q, const PlaneIds& a, const PlaneIds& b) const;
  /// 1 if p, q, r in the plane turn counter-clockwise about its normal, −1 if clockwise, 0 if collinear.
  int turn(const FramedPlane& plane, const Site& p, const Site& q, const Site& r) const;
  bool coincide(const Site& p, const Site& q) const;
  /// Sign of a polygon's area in the plane.
  int area_sign(const FramedPlane& plane, std::span<const Site> loop) const;

  Vector3 position(PointId p) const { return scale_ * Eigen::Map<const Vector3>(coordinates(p)); }  ///< m
  std::int64_t exact_count() const { return exact_count_; }  ///< number of exact evaluations

 private:
  struct Determinant {
    double value, bound;
  };
  struct Exact;  // the integer coordinates

  std::size_t row(PointId p) const { return p >= 0 ? std::size_t(p) : surface_count_ + std::size_t(~p); }
  const double* coordinates(PointId p) const { return scaled_.data() + 3 * row(p); }

  // det[b−a, c−a, d−a] of the given points, scaled to extent 1, with a bound on its distance to the perturbed value.
  Determinant determinant(PointId a, PointId b, PointId c, PointId d) const {
    const double* pa = coordinates(a);
    const double* pb = coordinates(b);
    const double* pc = coordinates(c);
    const double* pd = coordinates(d);
    const double ux = pb[0] - pa[0], uy = pb[1] - pa[1], uz = pb[2] - pa[2];
    const double vx = pc[0] - pa[0], vy = pc[1] - pa[1], vz = pc[2] - pa[2];
    const double wx = pd[0] - pa[0], wy = pd[1] - pa[1], wz = pd[2] - pa[2];
    const double yz = vy * wz, zy = vz * wy, zx = vz * wx, xz = vx * wz, xy = vx * wy, yx = vy * wx;
    const double permanent = std::abs(ux) * (std::abs(yz) + std::abs(zy)) +
                             std::abs(uy) * (std::abs(zx) + std::abs(xz)) +
                             std::abs(uz) * (std::abs(xy) + std::abs(yx));
    // 8 ε bounds the rounding (Shewchuk 1997: 7 ε + 56 ε²); the rest bounds the perturbation: 18 products of two
    // numbers ≤ 1 and one difference ≤ 2⁻⁷⁸.
    return {ux * (yz - zy) + uy * (zx - xz) + uz * (xy - yx), 0x1p-50 * permanent + 0x1p-73};
  }
  int exact_side(PointId a, PointId b, PointId c, PointId d) const;

  std::size_t surface_count_;
  double scale_ = 1.0;          // a power of two (m)
  double placed_ = 0x1p-40;     // bound on a Site's position error, in scale_
  std::vector<double> scaled_;  // surface, then tetrahedral mesh; extent in [½, 1)
  std::unique_ptr<Exact> exact_;
  mutable std::int64_t exact_count_ = 0;
};

}  // namespace deformbench::surface
