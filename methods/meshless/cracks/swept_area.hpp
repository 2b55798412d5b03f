// SPDX-License-Identifier: BSD-3-Clause
// Area swept by fronts as triangles, for segment intersection tests. [PKAGDG05] §2.1, §3.1
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

struct SweptTriangle {
  std::array<int, 3> vertices;
  int crack;
};

/// Parameter from a to b at which the segment meets the closed triangle p, q, r; nothing if coplanar. [MT97]
std::optional<double> meeting_share(const Vector3& a, const Vector3& b, const Vector3& p, const Vector3& q,
                                    const Vector3& r);

/// Triangles with shared vertices: the boundary of a crack's area consists of its fronts and of lines on sheets.
class SweptArea {
 public:
  /// `cell` (m): about the size of the triangles.
  explicit SweptArea(double cell) : cell_(cell) {}

  int add_vertex(const Vector3& x);
  /// Skips triangles with a repeated vertex or without area.
  void add_triangle(int a, int b, int c, int crack);

  /// Moves all vertices; connectivity is unchanged.
  void move(const std::vector<Vector3>& vertices);
  struct Mark {
    int vertices, triangles;
  };
  Mark mark() const { return {int(vertices_.size()), int(triangles_.size())}; }
  /// Removes all added after `mark`.
  void undo(const Mark& mark);

  const Vector3& vertex(int v) const { return vertices_[std::size_t(v)]; }
  const std::vector<Vector3>& vertices() const { return vertices_; }
  const std::vector<SweptTriangle>& triangles() const { return triangles_; }
  int crack_of(int triangle) const { return triangles_[std::size_t(triangle)].crack; }
  Vector3 normal(int triangle) const;  ///< unit

  using Filter = std::function<bool(int triangle)>;
  struct Hit {
    double share;  ///< parameter from a to b, 0 … 1
    Vector3 point;
    int triangle;
  };
  /// First intersection of the segment with a triangle that `counts`; coplanar triangles are ignored.
  std::optional<Hit> first_hit(const Vector3& a, const Vector3& b, const Filter& counts) const;
  struct Closest {
    double distance;
    Vector3 point;
    int triangle;
  };
  /// Nearest point of the triangles that count, within `reach` (m).
  std::optional<Closest> closest(const Vector3& x, double reach, const Filter& counts) const;

 private:
  using Key = std::uint64_t;
  /// Calls `visit` with every triangle in the cells that the box touches, some repeatedly.
  template <class Visit>
  void visit_box(const Vector3& low, const Vector3& high, const Visit& visit) const;
  Key key(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// Calls `visit` with the key of every cell touched by the triangle's box.
  template <class Visit>
  void visit_cells(const SweptTriangle& triangle, const Visit& visit) const;

  double cell_;
  std::vector<Vector3> vertices_;
  std::vector<SweptTriangle> triangles_;
  std::unordered_map<Key, std::vector<int>> cells_;
};

}  // namespace deformbench::meshless
