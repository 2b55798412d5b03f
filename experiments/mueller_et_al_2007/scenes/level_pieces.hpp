// SPDX-License-Identifier: BSD-3-Clause
// Pieces of a game level as one oriented triangle surface: floor, walls, stairs, an arcade, pillars. Pieces have no
// bottom faces and share no vertices with each other.
#pragma once

#include <array>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

class LevelSurface {
 public:
  /// Faces consist of squares of about `cell` (m).
  explicit LevelSurface(double cell) : cell_(cell) {}

  /// Horizontal rectangle at y = 0, normal up.
  void add_floor(const Vector3& low, const Vector3& high);
  /// Box standing on y = low.y(), without its lower face.
  void add_box(const Vector3& low, const Vector3& high);
  /// Steps of the given depth and rise that climb along +x from `foot`, then a platform; width along z.
  void add_stairs(const Vector3& foot, double width, double depth, double rise, int steps, double platform);
  /// `bays` round arches side by side along x, in the plane z = middle.z(): pillars of width 2·(bay/2 − radius) between
  /// them. The arches begin at height `spring`; the wall ends bay/2 above that.
  void add_arcade(const Vector3& middle, int bays, double bay, double radius, double spring, double thickness);
  /// Upright round pillar with a flat top.
  void add_pillar(const Vector3& foot, double radius, double height);

  model::TriangleMesh mesh() const;

 private:
  /// Grid of quadrilaterals over corners a, b, c, d in counter-clockwise order; vertices of the piece are shared.
  void add_face(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);
  void add_quad(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);
  int vertex(const Vector3& p);
  int cells(double length) const;

  double cell_;
  std::size_t piece_ = 0;  // first vertex of the piece being made
  std::vector<Vector3> points_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace deformbench::scenes
