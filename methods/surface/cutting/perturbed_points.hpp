// SPDX-License-Identifier: BSD-3-Clause
// Exact signs for cutting a surface along the faces of a tetrahedral mesh. Every decision is the sign of a
// determinant of given points: a double-precision filter, and integers of any length where it fails.
// Degenerate position is removed by moving the vertices of the tetrahedral mesh: by a random 2⁻¹⁰⁰ of the extent,
// and those of its boundary outwards by 2⁻⁸⁰, so that a surface that touches the boundary is inside. The moved points
// are one real configuration, so that all signs fit together; they enter the exact determinants only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "methods/model/tet_mesh.hpp"

namespace deformbench::surface {

/// A vertex of the surface (its index), or of the tetrahedral mesh (tet_point of its index).
using PointId = int;
constexpr PointId tet_point(int vertex) {
  return ~vertex;
}
using PlaneIds = std::array<PointId, 3>;  ///< normal (b − a) × (c − a)

/// A vertex, the point where the segment first–second crosses a plane, or the middle of a segment.
struct Site {
  enum class Kind { Vertex, Crossing, Middle } kind = Kind::Vertex;
  PointId first = 0, second = 0;
  PlaneIds plane{};
  Vector3 position = Vector3::Zero();  ///< m, within 2⁻⁴⁰ of the extent, or rounded
};

/// A plane through three points and its double-precision normal.
struct FramedPlane {
  PlaneIds ids;
  Vector3 normal;
};

class PerturbedPoints {
 public:
  /// `outward` (one per vertex of `tets`, at most 1 in each coordinate): where boundary vertices move, else zero.
  PerturbedPoints(const Points& surface, const model::TetMesh& tets, const Points& outward);
  ~PerturbedPoints();
  PerturbedPoints(const PerturbedPoints&) = delete;
  PerturbedPoints& operator=(const PerturbedPoints&) = delete;

  /// Side of the plane a, b, c on which d lies: sign of det[b−a, c−a, d−a]; 0 only when no movement of the mesh could
  /// help (a triangle of the surface without area, an edge without length).
  int side(PointId a, PointId b, PointId c, PointId d) const {
    const Determinant det = determinant(a, b, c, d);
    if (det.value > det.bound) return 1;
    if (det.value < -det.bound) return -1;
    return exact_side(a, b, c, d);
  }
  int side(const PlaneIds& plane, PointId d) const { return side(plane[0], plane[1], plane[2], d); }

  /// A point of the segment p–q, whose ends are on different sides of the plane.
  Site crossing(PointId p, PointId q, const PlaneIds& plane) const;
  Site vertex(PointId p) const { return {Site::Kind::Vertex, p, p, {}, position(p)}; }
  Site middle(PointId p, PointId q) const;
  FramedPlane framed(const PlaneIds& plane) const;
  double position_error() const { return placed_ * scale_; }  ///< m, of a Site's position at most

  /// Along p→q, is the crossing with plane `a` before (−1), at (0) or after (1) the one with plane `b`?
  int compare_crossings(PointId p, PointId q, const PlaneIds& a, const PlaneIds& b) const;
  /// 1 when p, q, r, which lie in the plane, turn counter-clockwise about its normal; 0 when they are in line.
  int turn(const FramedPlane& plane, const Site& p, const Site& q, const Site& r) const;
  bool coincide(const Site& p, const Site& q) const;
  /// Sign of the area of a closed polygon in the plane.
  int area_sign(const FramedPlane& plane, std::span<const Site> loop) const;

  Vector3 position(PointId p) const { return scale_ * Eigen::Map<const Vector3>(coordinates(p)); }  ///< m
  std::int64_t exact_count() const { return exact_count_; }  ///< signs that the filter left open

 private:
  struct Determinant {
    double value, bound;
  };
  struct Exact;  // the integer coordinates

  std::size_t row(PointId p) const { return p >= 0 ? std::size_t(p) : surface_count_ + std::size_t(~p); }
  const double* coordinates(PointId p) const { return scaled_.data() + 3 * row(p); }

  // det[b−a, c−a, d−a] of the points as given, scaled to extent 1, and how far it may be from that of the moved ones.
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
    // 8 ε bounds the rounding (Shewchuk 1997: 7 ε + 56 ε²); the rest bounds the movement: 18 products of two numbers
    // ≤ 1 and one difference ≤ 2⁻⁷⁸.
    return {ux * (yz - zy) + uy * (zx - xz) + uz * (xy - yx), 0x1p-50 * permanent + 0x1p-73};
  }
  int exact_side(PointId a, PointId b, PointId c, PointId d) const;

  std::size_t surface_count_;
  double scale_ = 1.0;          // a power of two (m)
  double placed_ = 0x1p-40;     // largest error of a Site's position, in extents
  std::vector<double> scaled_;  // surface, then tetrahedral mesh; extent in [½, 1)
  std::unique_ptr<Exact> exact_;
  mutable std::int64_t exact_count_ = 0;
};

}  // namespace deformbench::surface
